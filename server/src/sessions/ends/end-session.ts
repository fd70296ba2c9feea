import { recordAudit } from '../../audit/index.ts'
import type { Announce } from '../../changes/index.ts'
import type { Now } from '../../kit/index.ts'
import type { Transaction } from '../../storage/index.ts'
import { addLogoutNotices } from '../logout/add-logout-notices.ts'
import { recordRevoked } from '../logout/record-revoked.ts'
import { type EndedSession, sessionEndStore } from './end-store.ts'

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
  const ended = await sessionEndStore(tx).end(id, reason, deps.now())
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
