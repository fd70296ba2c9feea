import type { KoaContextWithOIDC } from 'oidc-provider'
import { HOUR_MS } from '../../kit/index.ts'
import type { LiveSession } from '../../sessions/index.ts'
import { type Flow, lacksConsent } from '../../sign-in/index.ts'
import type { Queryable } from '../../storage/index.ts'
import { nextStep, type User } from '../../users/index.ts'
import type { Client } from '../client-documents/find-client.ts'

/** The user who is signed in in a browser, as the authorization endpoint sees them. */
export interface SignedInBrowser {
  session: LiveSession
  user: User
  /** The last authentication, in ms; `undefined` only in an impersonation. */
  authenticatedAt: number | undefined
  /** Whether more than one factor was shown then. */
  withSecondFactor: boolean
}

/**
 * The steps between a user and a client's code, in this order. `other_user`: a user has just signed in whom the client does not accept.
 * `native`: a program on this device asks, and the user has touched nothing; or a client that describes itself.
 */
export type PendingStep = 'login' | 'other_user' | 'profile' | 'consent' | 'native' | 'none'

/** An authorization request as it has come so far. `flow`: the sign-in that it waited for, which has just ended. */
export interface AuthorizationState {
  browser: SignedInBrowser | undefined
  flow: Flow | undefined
  client: Client
}

/** The longest that a sign-in by mail may take. */
const MAX_WAIT_MS = HOUR_MS

type Asked = Pick<KoaContextWithOIDC['oidc'], 'params' | 'prompts' | 'entities'>

/** These words of `prompt` ask for a new sign-in (OpenID Connect Core §3.1.2.1; `create`: Initiating User Registration 1.0). */
const ASKS_TO_SIGN_IN = ['login', 'select_account', 'create']

/**
 * The next pending step of a request. A sign-in in this very flow answers every wish for a new one. The caller refuses `prompt=none`.
 */
export async function findPendingStep(
  asked: Asked,
  { browser, flow, client }: AuthorizationState,
  { db, now }: { db: Queryable; now: number },
): Promise<PendingStep> {
  if (!browser || browser.session.impersonation) return 'login'
  const own = ownFlow(flow, browser, now)
  const isFresh = own?.openid !== undefined && (browser.authenticatedAt ?? 0) >= own.openid.begunAt
  if (!isFresh && asksToSignIn(asked, browser, now)) return 'login'
  if (!meetsHints(asked, browser)) return isFresh ? 'other_user' : 'login'
  // A declined NDA is asked again only at a sign-in.
  const declined = { ndaDeclined: own?.ndaDeclined ?? true, profileSkipped: false }
  if (nextStep(browser.user, client.product.requirements, declined) !== 'done') return 'profile'
  if (await lacksConsent(browser.user.id, client.product, db)) return 'consent'
  // The client describes itself and is not registered. So its page is shown each time, after a fresh sign-in too.
  if (client.address) return own?.nativeShown === true ? 'none' : 'native'
  const asksConsent = asked.prompts.has('consent') && own?.sharingShown === undefined && client.product.audience === 'external'
  if (asksConsent) return 'consent'
  const isAnswered = isFresh || own?.nativeShown === true || own?.sharingShown !== undefined
  return isForProgram(asked, client) && !isAnswered ? 'native' : 'none'
}

/** A flow speaks for the user who signed in in it, and for as long as a sign-in may take. */
export function ownFlow(flow: Flow | undefined, { user }: SignedInBrowser, now: number): Flow | undefined {
  return flow?.openid && flow.userId === user.id && now - flow.openid.begunAt < MAX_WAIT_MS ? flow : undefined
}

/**
 * Whether the answer goes to a program on this device that nobody can tell from another: any program may listen on a loopback port or claim
 * a scheme, and a native app has no secret (RFC 8252 §8.6).
 */
function isForProgram({ params }: Asked, { product }: Client): boolean {
  return product.openid.kind === 'native' && !String(params?.redirect_uri).startsWith('https:')
}

function asksToSignIn({ params, prompts }: Asked, { authenticatedAt = 0 }: SignedInBrowser, now: number): boolean {
  if (ASKS_TO_SIGN_IN.some((prompt) => prompts.has(prompt))) return true
  const maxAge = params?.max_age
  return maxAge !== undefined && now - authenticatedAt > Number(maxAge) * 1000
}

/** Whether the client means this user, authenticated in this way (`id_token_hint`; the claims `sub` and `acr` as essential). */
function meetsHints({ params, entities }: Asked, { user, withSecondFactor }: SignedInBrowser): boolean {
  const hinted = entities.IdTokenHint?.payload.sub
  if (hinted !== undefined && hinted !== user.id) return false
  const { sub, acr } = idTokenClaims(params?.claims)
  if (sub?.value !== undefined && sub.value !== user.id) return false
  if (acr?.essential !== true) return true
  const accepted = Array.isArray(acr.values) ? acr.values : [acr.value]
  return withSecondFactor && accepted.includes('mfa')
}

interface ClaimRequest {
  essential?: unknown
  value?: unknown
  values?: unknown
}

/** The `id_token` part of the parameter `claims` (Core §5.5), whose form the library has checked. */
function idTokenClaims(claims: unknown): { sub?: ClaimRequest; acr?: ClaimRequest } {
  return typeof claims === 'string' ? (JSON.parse(claims).id_token ?? {}) : {}
}
