import type { ChangeFeed } from '../changes/index.ts'
import { mintSecret, type Now, newId, sha256Base64Url } from '../kit/index.ts'
import { inPortions, type Transaction } from '../storage/index.ts'
import type { EndDeps, EndReason } from './ends/end-reason.ts'
import { sessionEndStore } from './ends/end-store.ts'
import { recordEnded, recordImpersonationEnded } from './ends/record-ended.ts'
import { IMPERSONATION_SECONDS, type LiveSession } from './session.ts'
import type { Origin } from './start.ts'
import { sessionStore } from './store.ts'

/**
 * Begins an impersonation: a session of the domain without any authentication, now or later. The administrator's previous impersonation
 * ends. The caller holds both users' rows, so two beginnings run one after the other. `undefined`: the administrator's own session has
 * ended meanwhile.
 */
export async function startImpersonation(
  tx: Transaction,
  { userId, impersonation, origin }: { userId: string; impersonation: { userId: string; sessionId: string }; origin: Origin },
  deps: EndDeps,
): Promise<{ session: LiveSession; boundSecret: string } | undefined> {
  const at = deps.now()
  const store = sessionStore(tx)
  const own = (await store.hold(impersonation.sessionId, at)) ? await store.findLive(impersonation.sessionId, at) : undefined
  if (own?.userId !== impersonation.userId || own.impersonation || own.productId !== undefined) return undefined
  await endImpersonations(tx, impersonation.userId, 'replaced', deps)
  const boundSecret = mintSecret()
  const id = newId()
  await store.insert({
    id,
    userId,
    impersonation,
    ...origin,
    productId: undefined,
    parentId: undefined,
    boundHash: sha256Base64Url(boundSecret),
    createdAt: at,
    expiresAt: Math.min(at + IMPERSONATION_SECONDS * 1000, own.expiresAt),
    authenticatedAt: undefined,
    secondFactorAt: undefined,
    passkeyId: undefined,
  })
  const session = await store.findLive(id, at)
  return session && { session, boundSecret }
}

/** Ends the impersonations by a user and of them, for good: an administrator who gets the role back does not get them back. */
export async function endImpersonations(tx: Transaction, userId: string, reason: EndReason, deps: EndDeps): Promise<void> {
  const ended = await sessionEndStore(tx).endImpersonations(userId, reason, deps.now())
  for (const { id: subject } of ended) deps.announce({ kind: 'session_ended', subject })
  await recordEnded(tx, ended, reason, deps)
}

/** Audits the end of impersonations that expired in a browser that never came back. */
export async function endExpiredImpersonations({ changes, now }: { changes: ChangeFeed; now: Now }): Promise<void> {
  await inPortions((limit) =>
    changes.transaction(async (tx) => {
      const ended = await sessionEndStore(tx).endExpiredImpersonations('impersonation_expired' satisfies EndReason, { at: now(), limit })
      await recordImpersonationEnded(tx, ended, 'impersonation_expired', { now })
      return ended.length
    }),
  )
}
