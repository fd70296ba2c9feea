/** Where the library's endpoints are, under its names for them. */
export const LIBRARY_PATHS = {
  authorization: '/openid/authorize',
  token: '/openid/token',
  userinfo: '/openid/userinfo',
  introspection: '/openid/introspect',
  revocation: '/openid/revoke',
  pushed_authorization_request: '/openid/par',
  end_session: '/openid/logout',
  jwks: '/.well-known/jwks.json',
} as const

/** The same, with our own pages. */
export const PATHS = { ...LIBRARY_PATHS, native: '/openid/continue' } as const
