import { sha256Base64Url } from '../../kit/index.ts'
import { readGithubUser } from '../github-user.ts'
import { isUnreachable } from '../network-fault.ts'
import type { IdentityProvider } from '../provider.ts'
import { providerStore } from '../store.ts'
import type { VerifiedIdentity } from '../verified-identity.ts'
import { attempt, place, type RoundTripDeps } from './attempt.ts'
import { readIdentity } from './read-identity.ts'

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
