import type { OpenIdClient, Product, Scope } from '../products/index.ts'
import type { ClientDocument } from './client-documents/client-document.ts'

/** The scopes that a client may request. `portaria`: the plan, and whether the user is a beta user or a producer. */
export const OPENID_SCOPES = ['openid', 'offline_access', 'profile', 'email', 'portaria'] as const

/** The claims of each scope. */
export const SCOPE_CLAIMS = {
  openid: ['sub', 'acr', 'amr', 'auth_time'],
  profile: ['name', 'picture'],
  email: ['email', 'email_verified'],
  portaria: ['plan_slug', 'is_beta', 'is_producer'],
} as const

/** The claims' part of an authorization request (Core §5.5), whose form the library has checked before. */
type AskedClaims = Partial<Record<'id_token' | 'userinfo', Record<string, unknown> | null>>

/** The scopes of all that a request asks for: those that it names, and those of the single claims that it names (Core §5.5). */
export function askedScopes(asked: URLSearchParams): ReadonlySet<string> {
  const { id_token: inIdToken, userinfo }: AskedClaims = JSON.parse(asked.get('claims') ?? '{}')
  const claims = Object.keys({ ...inIdToken, ...userinfo })
  const ofClaims = Object.entries(SCOPE_CLAIMS).filter(([, own]) => own.some((claim) => claims.includes(claim)))
  return new Set([...(asked.get('scope')?.split(' ') ?? []), ...ofClaims.map(([scope]) => scope)])
}

/** The product's scope that each scope needs; the others are free. */
const NEEDS: Partial<Record<(typeof OPENID_SCOPES)[number], Scope>> = { profile: 'read:profile', email: 'read:email' }

/** The scopes that a client may be given: never more than the product's own scopes allow. */
export function grantedScopes({ scopes }: Pick<Product, 'scopes'>): Array<(typeof OPENID_SCOPES)[number]> {
  return OPENID_SCOPES.filter((scope) => {
    const needed = NEEDS[scope]
    return needed === undefined || scopes.includes(needed)
  })
}

/**
 * A product as a client in the library's words (RFC 7591 §2). `undefined` where it has no redirect URI yet. The secret is never compared:
 * `compareClientSecret` looks for a live API key instead.
 */
export function clientMetadata({ product, redirectUris }: OpenIdClient, unusedSecret: string): Record<string, unknown> | undefined {
  const { openid, publishableKey, name, backchannelLogoutUri } = product
  // A private-use scheme is a native app's alone; a product that was one may still have such an address.
  const usable = redirectUris.filter((uri) => openid.kind === 'native' || /^https?:/.test(uri))
  if (usable.length === 0) return undefined
  return {
    client_id: publishableKey,
    client_name: name,
    application_type: openid.kind === 'native' ? 'native' : 'web',
    ...(openid.kind === 'web'
      ? { token_endpoint_auth_method: 'client_secret_basic', client_secret: unusedSecret }
      : { token_endpoint_auth_method: 'none' }),
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    redirect_uris: usable,
    post_logout_redirect_uris: openid.postLogoutUris,
    id_token_signed_response_alg: openid.idTokenAlg,
    ...(backchannelLogoutUri !== undefined && {
      backchannel_logout_uri: backchannelLogoutUri,
      backchannel_logout_session_required: true,
    }),
    pkce: openid.pkce,
  }
}

/**
 * A client that describes itself, in the library's words. Only an authorization request has read its description. The other endpoints
 * compare no redirect URI with it, but with the one that the code was given for, and fetch nothing.
 */
export function describedMetadata({ product }: OpenIdClient, address: URL, document: ClientDocument | undefined): Record<string, unknown> {
  return {
    client_id: address.href,
    client_name: document?.name ?? address.host,
    application_type: 'native',
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    redirect_uris: document?.redirectUris ?? [address.href],
    id_token_signed_response_alg: product.openid.idTokenAlg,
    pkce: 'required',
  }
}
