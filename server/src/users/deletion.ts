import { recordAudit } from '../audit/index.ts'
import type { Announce } from '../changes/index.ts'
import type { Now } from '../kit/index.ts'
import type { Transaction } from '../storage/index.ts'
import { deletionStore } from './deletion-store.ts'
import { administratorStore } from './rows/administrator-store.ts'
import { userStore } from './store.ts'
import { findTicket, mintTicket, TICKET_MS, type TicketDeps } from './tickets/ticket.ts'
import { ticketStore } from './tickets/ticket-store.ts'
import type { User } from './user.ts'

interface Circumstances {
  now: Now
  /** The address that the request came from. */
  ip: string
}

/**
 * Closes an account at its user's wish, in the caller's transaction. Answers when its data goes (ms), and the secret of the link that
 * undoes it until then; `undefined` when it is already closed so. All mailed links but "this wasn't me" become void. The caller has asked
 * `isLastOwner` before, ends the sessions and sends the link.
 */
export async function requestDeletion(
  tx: Transaction,
  { id, email }: User,
  { now, ip, sealer, codeKey }: Circumstances & Omit<TicketDeps, 'at'>,
): Promise<{ dueAt: number; secret: string } | undefined> {
  const at = now()
  const dueAt = at + TICKET_MS.undo_deletion
  if (!(await deletionStore(tx).insert({ userId: id, requestedAt: at, dueAt }))) return undefined
  await userStore(tx).setDisabled(id, at, at)
  await ticketStore(tx).removeOfUser(id)
  const { secret } = await mintTicket(tx, { purpose: 'undo_deletion', userId: id, email, payload: {} }, { sealer, codeKey, at })
  await recordAudit(tx, { actor: `user:${id}`, action: 'user.request_deletion', target: id, ip }, at)
  return { dueAt, secret }
}

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

/**
 * Whether this is the only enabled owner: without one, administrators could only be made by hand. The owners' rows are held until the
 * transaction ends.
 */
export async function isLastOwner(tx: Transaction, id: string): Promise<boolean> {
  const owners = await administratorStore(tx).holdOwners()
  return owners.length === 1 && owners[0] === id
}
