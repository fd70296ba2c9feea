import type { Configuration, ErrorOut, KoaContextWithOIDC } from 'oidc-provider'
import type { OpenIdClient } from '../../products/index.ts'
import { SESSION_SECONDS } from '../../sessions/index.ts'
import { findAccount } from '../account.ts'
import { CONSENT_IS_OURS } from '../authorization/added-consent.ts'
import { signInAddress } from '../authorization/sign-in-address.ts'
import { OPENID_SCOPES, SCOPE_CLAIMS } from '../client.ts'
import type { OpenIdDeps } from '../deps.ts'
import { LIBRARY_PATHS } from '../paths.ts'
import { createAdapter } from './adapter.ts'
import { exchangeOf } from './exchange.ts'
import type { Library } from './library.ts'
import { asOAuth, clientOf, createPolicy, loadGrant } from './policy.ts'

const CODE_SECONDS = 60
const HOUR_SECONDS = 3_600
/** Access tokens for an API are checked there without asking us, so they outlive a sign-out by this much at most. */
const RESOURCE_TOKEN_SECONDS = 300
const INTERACTION_SECONDS = 1_800
/** A code or token may come from a node whose clock differs by this much. */
const TOLERANCE_SECONDS = 5

export function configuration(library: Library, deps: OpenIdDeps & { unusedSecret: string }): Configuration {
  const { errors } = library
  return {
    adapter: (model: string) => createAdapter(model, library, deps),
    jwks: { keys: [...deps.keys.privateJwks()] },
    routes: LIBRARY_PATHS,
    scopes: [...OPENID_SCOPES],
    claims: { ...SCOPE_CLAIMS, sid: null, auth_time: null, iss: null, acr: null },
    // Most clients read the ID token alone.
    conformIdTokenClaims: false,
    acrValues: ['mfa'],
    responseTypes: ['code'],
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    extraParams: [CONSENT_IS_OURS],
    extraClientMetadata: { properties: ['pkce'] },
    clockTolerance: TOLERANCE_SECONDS,
    cookies: { names: { session: 'none', interaction: 'none', resume: 'none' } },
    features: features(library, deps),
    ttl: TTL,
    pkce: { required: (_ctx, client) => client.pkce !== 'optional' },
    rotateRefreshToken: true,
    allowOmittingSingleRegisteredRedirectUri: false,
    expiresWithSession: () => false,
    extraTokenClaims: (_ctx, token) => ('grantId' in token && token.grantId ? { sid: token.grantId } : undefined),
    findAccount: (_ctx, sub, token) => asOAuth(() => findAccount(sub, token, deps), errors),
    loadExistingGrant: (ctx) => asOAuth(() => loadGrant(ctx, library, deps), errors),
    clientBasedCORS: (_ctx, origin, client) => isOwnOrigin(origin, client.redirectUris ?? []),
    interactions: {
      policy: createPolicy(library, deps),
      url: (ctx) => signInAddress(ctx, deps),
    },
    renderError,
  }
}

/** In seconds. Codes and tokens end with their session, too. */
const TTL: Configuration['ttl'] = {
  AccessToken: (_ctx, token) => (token.resourceServer ? RESOURCE_TOKEN_SECONDS : HOUR_SECONDS),
  AuthorizationCode: CODE_SECONDS,
  IdToken: HOUR_SECONDS,
  RefreshToken: SESSION_SECONDS,
  Interaction: INTERACTION_SECONDS,
  Session: SESSION_SECONDS,
  Grant: SESSION_SECONDS,
}

/** The library's parts besides the code flow. It has many more, which are off. */
function features(library: Library, deps: OpenIdDeps): Configuration['features'] {
  return {
    devInteractions: { enabled: false },
    dPoP: { enabled: false },
    introspection: {
      enabled: true,
      // A client without a secret is known by its id alone, which is public (RFC 7662 §2.1).
      allowedPolicy: (_ctx, client, token) => client.clientAuthMethod !== 'none' && client.clientId === token.clientId,
    },
    revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => client.clientId === token.clientId },
    rpInitiatedLogout: { enabled: true },
    backchannelLogout: { enabled: true },
    claimsParameter: { enabled: true },
    pushedAuthorizationRequests: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => undefined,
      getResourceServerInfo: async (_ctx, resource, client) =>
        resourceServer(resource, await clientOf(client.clientId, deps), library, deps),
    },
  }
}

/** An error that can't be sent back to the client, as our own page. */
function renderError(ctx: KoaContextWithOIDC, { error, error_description: description }: ErrorOut): void {
  const { page, headers } = exchangeOf(ctx).errorPage(ctx.status, description === undefined ? error : `${error} (${description})`)
  for (const [name, value] of Object.entries(headers)) ctx.set(name, value)
  ctx.body = page
}

function resourceServer(resource: string, { product }: OpenIdClient, { errors }: Library, { baseUrl }: OpenIdDeps) {
  if (resource !== `${baseUrl}/api` && !product.openid.resources.includes(resource)) throw new errors.InvalidTarget()
  return {
    scope: OPENID_SCOPES.filter((scope) => scope !== 'openid' && scope !== 'offline_access').join(' '),
    audience: resource,
    accessTokenTTL: RESOURCE_TOKEN_SECONDS,
    accessTokenFormat: 'jwt' as const,
    jwt: { sign: { alg: resource === `${baseUrl}/api` ? ('ES256' as const) : product.openid.idTokenAlg } },
  }
}

function isOwnOrigin(origin: string, redirectUris: readonly string[]): boolean {
  return origin !== 'null' && redirectUris.some((uri) => URL.parse(uri)?.origin === origin)
}
