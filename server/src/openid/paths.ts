/** Where the endpoints are, under the library's names for them. */
export const PATHS = {
  authorization: '/openid/authorize',
  token: '/openid/token',
  userinfo: '/openid/userinfo',
  introspection: '/openid/introspect',
  revocation: '/openid/revoke',
  pushed_authorization_request: '/openid/par',
  end_session: '/openid/logout',
  jwks: '/.well-known/jwks.json',
} as const
