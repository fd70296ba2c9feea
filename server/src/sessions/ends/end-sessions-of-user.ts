import type { Announce } from '../../changes/index.ts'
import type { Now } from '../../kit/index.ts'
import type { Transaction } from '../../storage/index.ts'
import { recordAllRevoked } from '../logout/record-revoked.ts'
import type { EndDeps, EndReason } from './end-reason.ts'
import { endSession } from './end-session.ts'
import { type EndedSession, type OfPasskey, type OfProviders, sessionEndStore } from './end-store.ts'
import { recordEnded } from './record-ended.ts'

/** Ends all sessions of a user. Answers how many of the user's own were live, those of products included. */
export async function endSessionsOfUser(tx: Transaction, userId: string, reason: EndReason, deps: EndDeps): Promise<number> {
  const ended = await sessionEndStore(tx).endAll(userId, reason, deps.now())
  deps.announce({ kind: 'user_changed', subject: userId })
  await recordEnded(tx, ended, reason, deps)
  await recordAllRevoked(tx, { userId, ended }, deps.now())
  return ended.filter(({ impersonatorId }) => impersonatorId === undefined).length
}

/** Ends all sessions of a user but that of the browser that asked for it. */
export async function endOtherSessions(
  tx: Transaction,
  { userId, keep }: { userId: string; keep: string },
  reason: EndReason,
  deps: EndDeps,
): Promise<void> {
  const ended = await sessionEndStore(tx).endOthers(userId, keep, reason, deps.now())
  deps.announce({ kind: 'user_changed', subject: userId })
  await recordEnded(tx, ended, reason, deps)
}

/** Ends a user's sessions in one product; the domain's sessions go on. */
export async function endProductSessions(
  tx: Transaction,
  whose: { userId: string; productId: string },
  reason: EndReason,
  { announce, now }: { announce: Announce; now: Now },
): Promise<void> {
  const ended = await sessionEndStore(tx).endInProduct(whose, reason, now())
  for (const { id: subject } of ended) announce({ kind: 'session_ended', subject })
  await recordEnded(tx, ended, reason, { now })
}

/** Ends the sessions that a passkey began, but for the browser that removes it: a thief of the device is signed out. */
export async function endPasskeySessions(
  tx: Transaction,
  which: OfPasskey,
  reason: EndReason,
  deps: { announce: Announce; now: Now },
): Promise<void> {
  await reportEnded(tx, await sessionEndStore(tx).endOfPasskey(which, reason, deps.now()), reason, deps)
}

/** Ends the sessions that an identity provider began, but for the browser that unlinks one: a thief of the account there is signed out. */
export async function endProviderSessions(
  tx: Transaction,
  whose: OfProviders,
  reason: EndReason,
  deps: { announce: Announce; now: Now },
): Promise<void> {
  await reportEnded(tx, await sessionEndStore(tx).endOfProviders(whose, reason, deps.now()), reason, deps)
}

async function reportEnded(
  tx: Transaction,
  ended: readonly EndedSession[],
  reason: EndReason,
  { announce, now }: { announce: Announce; now: Now },
): Promise<void> {
  await recordEnded(tx, ended, reason, { now })
  for (const { id: subject } of ended) {
    announce({ kind: 'session_ended', subject })
    // The impersonations that its user had begun from it.
    await endSession(tx, subject, reason, { announce, now })
  }
}
