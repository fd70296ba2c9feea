import type { TokenEndpointResponse, TokenEndpointResponseHelpers } from 'openid-client'
import { z } from 'zod'
import { MINUTE_MS, mintSecret, type Now, normaliseEmail, plainEmail, type Sealer, sha256Base64Url } from '../kit/index.ts'
import type { Storage } from '../storage/index.ts'
import type { Discovery } from './discovery.ts'
import { readGithubUser } from './github-user.ts'
import { isUnreachable } from './network-fault.ts'
import { type IdentityProvider, isAuthoritativeFor, isSubject, type ProviderKind, type VerifiedIdentity } from './provider.ts'
import { providerStore } from './store.ts'

/** The life of a flow. */
const ATTEMPT_MS = 30 * MINUTE_MS
/** The provider's clock may differ by this much. */
const TOLERANCE_SECONDS = 300

/**
 * `denied`: the user said no. `unreachable`: the provider does not answer. `failed`: its answer is invalid. `not_recent`: it was to
 * authenticate the user anew, and says itself that it has not.
 */
export type RoundTripRefusal =
  | { refusal: 'denied' | 'unreachable' | 'failed' | 'not_recent'; flow: string; provider: IdentityProvider; fault: unknown }
  | { refusal: 'no_attempt' }

export interface RoundTrip {
  identity: VerifiedIdentity
  /** The sealed flow of the round trip. */
  flow: string
}

export interface RoundTripDeps {
  storage: Storage
  discovery: Discovery
  sealer: Sealer
  /** `PORTARIA_URL` + `/auth/callback`: the one address all providers are given. */
  callbackUrl: string
  now: Now
}

/** `since`: seconds of the machine's clock, which the client library checks tokens by; only where the user must authenticate anew. */
const attempt = z.object({ flow: z.string(), verifier: z.string(), nonce: z.string(), since: z.number().optional() })
const place = (stateHash: string) => `idp_attempts.sealed.${stateHash}`

/**
 * The address of the browser's redirect: code flow with PKCE S256, state and nonce. The attempt is stored under its state's hash, to be
 * taken once. `anew`: the provider must authenticate the user again (`max_age`, OpenID Connect Core §3.1.2.1). `prompt=login` says the
 * same, but some providers refuse it, while each ignores a parameter that it does not know.
 */
export async function beginRoundTrip(
  provider: IdentityProvider,
  { flow, anew }: { flow: string; anew: boolean },
  { storage, discovery, sealer, callbackUrl, now }: RoundTripDeps,
): Promise<URL> {
  const configuration = await discovery.configure(provider)
  const client = await import('openid-client')
  const state = mintSecret()
  const stateHash = sha256Base64Url(state)
  const verifier = client.randomPKCECodeVerifier()
  const nonce = client.randomNonce()
  const since = anew ? { since: Math.floor(Date.now() / 1000) } : {}
  const sealed = sealer.seal(JSON.stringify({ flow, verifier, nonce, ...since } satisfies z.input<typeof attempt>), place(stateHash))
  await providerStore(storage.db).insertAttempt({ stateHash, providerId: provider.id, sealed, expiresAt: now() + ATTEMPT_MS })
  return client.buildAuthorizationUrl(configuration, {
    redirect_uri: callbackUrl,
    response_type: 'code',
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(anew && { max_age: '0' }),
    ...asked[provider.kind],
  })
}

/** Apple answers by POST where it is asked for a name or an address, and knows no other way then. */
const asked = {
  openid: { scope: 'openid email profile' },
  apple: { scope: 'openid email name', response_mode: 'form_post' },
  facebook: { scope: 'openid email public_profile' },
  github: { scope: 'read:user user:email' },
} as const satisfies Record<ProviderKind, Record<string, string>>

/**
 * Finishes a round trip with the query of the callback. The state names the provider that must have answered, so another provider's answer
 * is refused (mix-up, RFC 9207). Even a wrong answer uses the attempt up.
 */
export async function finishRoundTrip(query: URLSearchParams, deps: RoundTripDeps): Promise<RoundTrip | RoundTripRefusal> {
  const { storage, discovery, sealer, callbackUrl, now } = deps
  const state = query.get('state')
  if (state === null || query.getAll('state').length > 1) return { refusal: 'no_attempt' }
  const stateHash = sha256Base64Url(state)
  const taken = await providerStore(storage.db).takeAttempt(stateHash, now())
  const opened = taken && sealer.open(taken.sealed, place(stateHash))
  const provider = taken && (await providerStore(storage.db).findById(taken.providerId))
  if (opened === undefined || !provider) return { refusal: 'no_attempt' }
  const { flow, verifier, nonce, since } = attempt.parse(JSON.parse(opened))
  const refuse = (refusal: Exclude<RoundTripRefusal['refusal'], 'no_attempt'>, fault: unknown) => ({ refusal, flow, provider, fault })
  const client = await import('openid-client')
  try {
    const configuration = await discovery.configure(provider)
    const url = new URL(`${callbackUrl}?${query}`)
    const isOpenId = provider.kind !== 'github'
    const checks = { pkceCodeVerifier: verifier, expectedState: state, ...(isOpenId && { expectedNonce: nonce, idTokenExpected: true }) }
    const tokens = await client.authorizationCodeGrant(configuration, url, checks)
    if (!isOpenId) return { identity: await readGithubUser(provider, configuration, tokens.access_token), flow }
    if (isBefore(since, tokens.claims()?.auth_time)) return refuse('not_recent', new Error('the provider answered from an older sign-in'))
    const askUserInfo = async (subject: string) =>
      configuration.serverMetadata().userinfo_endpoint === undefined
        ? {}
        : client.fetchUserInfo(configuration, tokens.access_token, subject)
    return { identity: await readIdentity(provider, tokens, askUserInfo), flow }
  } catch (fault) {
    if (fault instanceof client.AuthorizationResponseError && fault.error === 'access_denied') return refuse('denied', fault)
    return refuse(isUnreachable(fault) ? 'unreachable' : 'failed', fault)
  }
}

/**
 * Whether the provider says that it authenticated the user before that. A provider that says nothing counts as before it was asked: several
 * leave `auth_time` out, and their users could never authenticate again.
 */
function isBefore(since: number | undefined, authTime: unknown): boolean {
  return since !== undefined && typeof authTime === 'number' && authTime < since - TOLERANCE_SECONDS
}

/** An invalid name or picture counts as absent: it must keep nobody out. Some providers send `null` for unknown values. */
const profile = z.object({
  email: z.string().nullish(),
  email_verified: z.unknown().optional(),
  name: z.string().optional().catch(undefined),
  picture: z.string().optional().catch(undefined),
})

/** Reads the ID token's claims; without an address there, the userinfo endpoint is asked, for the same subject. */
async function readIdentity(
  provider: IdentityProvider,
  tokens: TokenEndpointResponse & TokenEndpointResponseHelpers,
  askUserInfo: (subject: string) => Promise<unknown>,
): Promise<VerifiedIdentity> {
  const claims = tokens.claims()
  if (!claims) throw new Error('no ID token')
  if (!isSubject(claims.sub)) throw new Error('the subject is no identifier')
  const said = profile.parse(claims)
  const {
    email: address,
    email_verified,
    name,
    picture,
  } = typeof said.email === 'string' ? said : { ...said, ...profile.parse(await askUserInfo(claims.sub)) }
  const text = address ?? ''
  // Apple's documents allow a text.
  const isVerified = email_verified === true || (provider.kind === 'apple' && email_verified === 'true')
  const email = normaliseEmail(text)
  return {
    providerId: provider.id,
    issuer: claims.iss,
    subject: claims.sub,
    email,
    emailVerified: email !== undefined && plainEmail(text) === email && isVerified && isAuthoritativeFor(provider, email),
    name: name?.trim() || undefined,
    pictureUrl: picture,
    saysSecondFactor: Array.isArray(claims.amr) && claims.amr.includes('mfa'),
  }
}
