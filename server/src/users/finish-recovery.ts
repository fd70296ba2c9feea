import { recordAudit } from '../audit/index.ts'
import type { Announce } from '../changes/index.ts'
import type { Now } from '../kit/index.ts'
import type { Transaction } from '../storage/index.ts'
import { claimUnverifiedAccount, stripUnverifiedAccount } from './claim-unverified-account.ts'
import { passwordStore } from './passwords/password-store.ts'
import { userStore } from './store.ts'
import type { Ticket } from './tickets/ticket.ts'
import { ticketStore } from './tickets/ticket-store.ts'
import type { User } from './user.ts'

/**
 * Sets the new password for a ticket that has just been taken, of a recovery or an invitation. Reading the mailbox verifies the address, so
 * an unverified account is claimed, but an administrator's factors stay. All other tickets of the user become void with the old password;
 * the caller ends the sessions in the same transaction. `gone`: disabled or removed meanwhile, or no longer with this address.
 */
export async function finishRecovery(
  tx: Transaction,
  ticket: Ticket,
  passwordHash: string,
  deps: { announce: Announce; now: Now; ip: string },
): Promise<User | 'gone'> {
  const at = deps.now()
  const users = userStore(tx)
  const user = ticket.userId === undefined ? undefined : await users.holdById(ticket.userId)
  if (!user || user.disabledAt !== undefined || user.email !== ticket.email) return 'gone'
  const isInvited = ticket.purpose === 'invitation'
  // Accepting an invitation takes the account from nobody: the audit log names only that, not a claim.
  const claim = isInvited ? stripUnverifiedAccount : claimUnverifiedAccount
  const owned = user.emailVerifiedAt === undefined ? await claim(tx, user, deps) : user
  await passwordStore(tx).setPassword(owned.id, passwordHash, at)
  await ticketStore(tx).removeOfUser(owned.id)
  const action = isInvited ? 'user.accept_invitation' : 'user.reset_password'
  await recordAudit(tx, { actor: `user:${owned.id}`, action, target: owned.id, ip: deps.ip }, at)
  return { ...owned, passwordHash }
}
