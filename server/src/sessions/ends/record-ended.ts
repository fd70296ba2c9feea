import { recordAudit } from '../../audit/index.ts'
import type { Transaction } from '../../storage/index.ts'
import { addLogoutNotices } from '../logout/add-logout-notices.ts'
import { recordRevoked } from '../logout/record-revoked.ts'
import type { EndDeps, EndReason } from './end-reason.ts'
import type { EndedSession } from './end-store.ts'

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
