import { type Actor, recordAudit } from '../audit/index.ts'
import type { Announce, ChangeFeed } from '../changes/index.ts'
import type { Now } from '../kit/index.ts'
import { inPortions, type Transaction } from '../storage/index.ts'
import { addLogoutNotices } from './logout/add-logout-notices.ts'
import { recordAllRevoked, recordRevoked } from './logout/record-revoked.ts'
import { type EndedSession, sessionStore } from './store.ts'
import { type OfPasskey, userSessionStore } from './user-session-store.ts'

export type EndReason =
  | 'signed_out'
  | 'replaced'
  | 'password_changed'
  | 'disabled'
  | 'operator'
  | 'deleted'
  | 'restored'
  | 'claimed'
  | 'sign_in_reported'
  | 'email_changed'
  | 'deletion_requested'
  | 'ended_by_owner'
  | 'consent_withdrawn'
  | 'grant_revoked'
  | 'passkey_removed'
  | 'second_factor_on'
  | 'impersonation_stopped'
  | 'impersonation_expired'

/** The cause of a session's end; `ip` for the audit log, if a request caused it. */
export interface EndDeps {
  announce: Announce
  now: Now
  ip?: string | undefined
}

/** Ends one session and its product sessions; every node refuses them within 2 s. Answers whether any was live. */
export async function endSession(tx: Transaction, id: string, reason: EndReason, deps: EndDeps): Promise<boolean> {
  const ended = await sessionStore(tx).end(id, reason, deps.now())
  for (const { id: subject } of ended) deps.announce({ kind: 'session_ended', subject })
  await recordEnded(tx, ended, reason, deps)
  return ended.length > 0
}

/** For every end but an expiry: the apps that knew these sessions are notified, and impersonations are audited. */
export async function recordEnded(
  tx: Transaction,
  ended: readonly EndedSession[],
  how: EndReason,
  deps: Pick<EndDeps, 'now' | 'ip'>,
): Promise<void> {
  await addLogoutNotices(tx, ended, deps.now())
  await recordRevoked(tx, ended, deps.now())
  await recordImpersonationEnded(tx, ended, how, deps)
}

/** The end of an impersonation is always audited, whatever ended it: the administrator is the actor, the user is the subject. */
export async function recordImpersonationEnded(
  tx: Transaction,
  ended: readonly EndedSession[],
  how: EndReason,
  { now, ip }: Pick<EndDeps, 'now' | 'ip'>,
): Promise<void> {
  for (const { id, userId, impersonatorId } of ended) {
    if (impersonatorId === undefined) continue
    const entry = {
      actor: `user:${impersonatorId}`,
      action: 'user.impersonation_ended',
      target: userId,
      after: { session: id },
      reason: how,
    }
    await recordAudit(tx, { ...entry, ...(ip !== undefined && { ip }) }, now())
  }
}

/** Ends all sessions of a user but that of the browser that asked for it. */
export async function endOtherSessions(
  tx: Transaction,
  { userId, keep }: { userId: string; keep: string },
  reason: EndReason,
  deps: EndDeps,
): Promise<void> {
  const ended = await sessionStore(tx).endOthers(userId, keep, reason, deps.now())
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
  const ended = await userSessionStore(tx).endInProduct(whose, reason, now())
  for (const { id: subject } of ended) announce({ kind: 'session_ended', subject })
  await recordEnded(tx, ended, reason, { now })
}

/** Ends the sessions that a passkey began, but for the browser that removes it: a thief of the device is signed out. */
export async function endPasskeySessions(
  tx: Transaction,
  which: OfPasskey,
  reason: EndReason,
  { announce, now }: { announce: Announce; now: Now },
): Promise<void> {
  const ended = await userSessionStore(tx).endOfPasskey(which, reason, now())
  await recordEnded(tx, ended, reason, { now })
  for (const { id: subject } of ended) {
    announce({ kind: 'session_ended', subject })
    // The impersonations that its user had begun from it.
    await endSession(tx, subject, reason, { announce, now })
  }
}

/** Ends all sessions of a user. Answers how many of the user's own were live, those of products included. */
export async function endSessionsOfUser(tx: Transaction, userId: string, reason: EndReason, deps: EndDeps): Promise<number> {
  const ended = await sessionStore(tx).endAll(userId, reason, deps.now())
  deps.announce({ kind: 'user_changed', subject: userId })
  await recordEnded(tx, ended, reason, deps)
  await recordAllRevoked(tx, { userId, ended }, deps.now())
  return ended.filter(({ impersonatorId }) => impersonatorId === undefined).length
}

/**
 * Signs everyone out: ends every session that began before this moment, a portion at a time; every node refuses each within 2 s, and the
 * apps that knew them are notified. The start is recorded first, so an interrupted run can be begun again. Answers how many it ended.
 * `restored`: nobody is served yet, so none of the sessions is too new, whatever clock dated it.
 */
export async function endEverySession({
  changes,
  actor,
  now,
  reason = 'operator',
}: {
  changes: ChangeFeed
  actor: Actor
  now: Now
  reason?: Extract<EndReason, 'operator' | 'restored'>
}): Promise<number> {
  const at = now()
  const begunBy = reason === 'restored' ? Number.MAX_SAFE_INTEGER : at
  await changes.transaction((tx) => recordAudit(tx, { actor, action: 'session.revoke_all', target: 'sessions' }, at))
  let after = ''
  return inPortions(async (limit) => {
    const ended = await changes.transaction(async (tx, announce) => {
      const next = await sessionStore(tx).endNext(reason, { at, begunBy, after, limit })
      for (const { id: subject } of next) announce({ kind: 'session_ended', subject })
      await recordEnded(tx, next, reason, { now })
      return next
    })
    for (const { id } of ended) if (id > after) after = id
    return ended.length
  })
}

/** Ends the sessions of a client that describes itself, a portion at a time; every node refuses each within 2 s. Answers how many. */
export async function endSessionsOfClient(clientId: string, { changes, now }: { changes: ChangeFeed; now: Now }): Promise<number> {
  return inPortions(async (limit) => {
    const ended = await changes.transaction(async (tx, announce) => {
      const next = await sessionStore(tx).endNextOfClient(clientId, 'operator' satisfies EndReason, { at: now(), limit })
      for (const { id: subject } of next) announce({ kind: 'session_ended', subject })
      await recordEnded(tx, next, 'operator', { now })
      return next
    })
    return ended.length
  })
}
