import { recordAudit } from '../audit/index.ts'
import type { Now } from '../kit/index.ts'
import type { Transaction } from '../storage/index.ts'
import { deletionStore } from './deletion-store.ts'
import { administratorStore } from './rows/administrator-store.ts'
import { userStore } from './store.ts'
import { mintTicket, TICKET_MS, type TicketDeps } from './tickets/ticket.ts'
import { ticketStore } from './tickets/ticket-store.ts'
import type { User } from './user.ts'

export interface Circumstances {
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
 * Whether this is the only enabled owner: without one, administrators could only be made by hand. The owners' rows are held until the
 * transaction ends.
 */
export async function isLastOwner(tx: Transaction, id: string): Promise<boolean> {
  const owners = await administratorStore(tx).holdOwners()
  return owners.length === 1 && owners[0] === id
}
