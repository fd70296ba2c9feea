import { type Actor, recordAudit } from '../../audit/index.ts'
import type { Now } from '../../kit/index.ts'
import type { Transaction } from '../../storage/index.ts'
import { ticketStore } from '../tickets/ticket-store.ts'
import { secondFactorStore } from './second-factor-store.ts'

/**
 * Removes a user's second factor with its recovery codes; `false` when there was none. `actor`: the user, or an administrator who helps a
 * user without app and codes.
 */
export async function removeSecondFactor(
  tx: Transaction,
  userId: string,
  { actor, reason, ip, now }: { actor: Actor; reason?: string; ip?: string; now: Now },
): Promise<boolean> {
  if (!(await secondFactorStore(tx).remove(userId))) return false
  await ticketStore(tx).removeOfUser(userId)
  const entry = {
    actor,
    action: 'user.second_factor_off',
    target: userId,
    ...(reason !== undefined && { reason }),
    ...(ip !== undefined && { ip }),
  }
  await recordAudit(tx, entry, now())
  return true
}
