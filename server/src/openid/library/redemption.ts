import { recordAudit } from '../../audit/index.ts'
import type { ChangeFeed } from '../../changes/index.ts'
import type { Now } from '../../kit/index.ts'
import { limitStore } from '../../rate-limits/index.ts'
import { endSession, sessionStore } from '../../sessions/index.ts'
import { isDatabaseAway, type Storage } from '../../storage/index.ts'
import { refreshLimit } from '../client-limits.ts'
import { openIdTokenStore, type StoredToken } from '../store.ts'

/** A code or refresh token that a request uses up. */
export interface Redeemed {
  kind: string
  value: string
  sessionId: string | undefined
}

/** The library uses a code up before it makes the tokens. Both wait here, to be written together. */
export interface Redemption extends Redeemed {
  tokens: Array<{ value: string; token: Omit<StoredToken, 'consumedAt'> }>
}

interface RedemptionDeps {
  storage: Storage
  changes: ChangeFeed
  now: Now
  onFault: (fault: unknown) => void
}

type Outcome = 'redeemed' | 'too_late' | 'ended' | { retryAfterSeconds: number }

/**
 * Uses the code up and stores the tokens, in one transaction, before the library's answer is sent. A fault leaves the code as it was, so
 * that the client can try again. Returns the refusal to send instead, as RFC 6749 §5.2 words it, or `undefined`.
 */
export async function finishRedemption(
  redemption: Redemption,
  deps: RedemptionDeps,
): Promise<{ status: number; error: string; retryAfterSeconds?: number } | undefined> {
  try {
    const outcome = await redeem(redemption, deps)
    if (outcome === 'redeemed') return undefined
    return typeof outcome === 'object'
      ? { status: 429, error: 'temporarily_unavailable', ...outcome }
      : { status: 400, error: 'invalid_grant' }
  } catch (fault) {
    if (isDatabaseAway(fault)) return { status: 503, error: 'temporarily_unavailable' }
    deps.onFault(fault)
    return { status: 500, error: 'server_error' }
  }
}

/**
 * Redeems a code or refresh token: of any number of concurrent calls with one value, on any nodes, exactly one gets `redeemed`. A call that
 * comes too late ends the client's session.
 */
export async function redeem({ kind, value, sessionId, tokens }: Redemption, deps: Omit<RedemptionDeps, 'onFault'>): Promise<Outcome> {
  const { storage, now } = deps
  const outcome = await storage.transaction(async (tx): Promise<Outcome> => {
    const at = now()
    // The session is held, so that no token is made from a code while a sign-out ends it.
    if (sessionId !== undefined && !(await sessionStore(tx).hold(sessionId, at))) return 'ended'
    // In the same transaction: a refresh would otherwise wait for two commits.
    const counted = kind === 'RefreshToken' && sessionId !== undefined ? await limitStore(tx).count(refreshLimit(sessionId), at) : undefined
    if (counted?.within === false) return { retryAfterSeconds: counted.retryAfterSeconds }
    const store = openIdTokenStore(tx)
    if (!(await store.consume(kind, value, at))) return 'too_late'
    for (const made of tokens) await store.insert(made.value, made.token)
    return 'redeemed'
  })
  if (outcome === 'too_late' && sessionId !== undefined) await endGrant(sessionId, deps)
  return outcome
}

/** The library revokes a grant when a code or refresh token is shown twice, and when a client revokes its refresh token. */
export async function endGrant(id: string, { changes, now }: Pick<RedemptionDeps, 'changes' | 'now'>): Promise<void> {
  await changes.transaction(async (tx, announce) => {
    if (!(await endSession(tx, id, 'grant_revoked', { announce, now }))) return
    await recordAudit(tx, { actor: 'system', action: 'session.grant_revoked', target: id }, now())
  })
}
