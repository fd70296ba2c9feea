import { recordAudit } from '../audit/index.ts'
import type { Announce } from '../changes/index.ts'
import type { Now } from '../kit/index.ts'
import type { Transaction } from '../storage/index.ts'
import type { Circumstances } from './deletion.ts'
import { deletionStore } from './deletion-store.ts'
import { userStore } from './store.ts'
import { findTicket, type TicketDeps } from './tickets/ticket.ts'
import { ticketStore } from './tickets/ticket-store.ts'
import type { User } from './user.ts'

/**
 * Redeems the mailed link of a deletion: the account is open again. An account that the operator has disabled meanwhile stays disabled, and
 * keeps its data. `undefined`: the link is used, too old or another's, or the data is gone.
 */
export async function undoDeletion(
  tx: Transaction,
  secret: string,
  { now, ip, sealer, announce }: Circumstances & Pick<TicketDeps, 'sealer'> & { announce: Announce },
): Promise<User | undefined> {
  const seen = await findTicket(tx, secret, 'undo_deletion', { sealer, at: now() })
  if (seen?.userId === undefined) return undefined
  if (!(await takeBack(tx, seen.userId, { now, announce }))) return undefined
  await recordAudit(tx, { actor: `user:${seen.userId}`, action: 'user.undo_deletion', target: seen.userId, ip }, now())
  return userStore(tx).findById(seen.userId)
}

/**
 * Withdraws a user's request for deletion, if there is one: after an account is taken back from a thief, the thief's request must not
 * delete it.
 */
export async function takeBack(tx: Transaction, userId: string, { now, announce }: { now: Now; announce: Announce }): Promise<boolean> {
  const request = await deletionStore(tx).take(userId)
  if (!request) return false
  await ticketStore(tx).removeUndo(userId) // after the request, in the same order as the deletion, against deadlocks
  await userStore(tx).reopen(userId, request.requestedAt, now())
  announce({ kind: 'user_changed', subject: userId })
  return true
}
