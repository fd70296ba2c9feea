import { recordAudit } from '../audit/index.ts'
import type { Announce } from '../changes/index.ts'
import type { Now } from '../kit/index.ts'
import type { Transaction } from '../storage/index.ts'
import { identityStore } from './identities/identity-store.ts'
import { passkeyStore } from './passkeys/passkey-store.ts'
import { passwordStore } from './passwords/password-store.ts'
import { addressStore } from './rows/address-store.ts'
import { secondFactorStore } from './second-factor/second-factor-store.ts'
import { userStore } from './store.ts'
import { type MintedTicket, mintTicket, type Ticket, type TicketDeps } from './tickets/ticket.ts'
import { ticketStore } from './tickets/ticket-store.ts'
import { takeBack } from './undo-deletion.ts'
import type { User } from './user.ts'

/**
 * Sets a new password, or a first one, after a recent authentication. All mailed links and codes become void; the caller ends the other
 * sessions.
 */
export async function changePassword(
  tx: Transaction,
  user: User,
  passwordHash: string,
  { now, ip }: { now: Now; ip: string },
): Promise<void> {
  await passwordStore(tx).setPassword(user.id, passwordHash, now())
  await ticketStore(tx).removeOfUser(user.id)
  await recordAudit(tx, { actor: `user:${user.id}`, action: 'user.change_password', target: user.id, ip }, now())
}

/**
 * Begins a change of address, to one in its normal form, after a recent authentication: the new mailbox must confirm it. Only the reader of
 * that mailbox learns whether it has an account. To the account's own address a session is enough, and so it voids nothing but earlier
 * links to that one.
 */
export async function beginEmailChange(tx: Transaction, user: User, email: string, deps: TicketDeps): Promise<MintedTicket> {
  const tickets = ticketStore(tx)
  await (email === user.email ? tickets.removeEmailChanges(user.id, email) : tickets.removeOfUser(user.id))
  return mintTicket(tx, { purpose: 'change_email', userId: user.id, email, payload: { from: user.email } }, deps)
}

/**
 * Gives the account its new address, or verifies the one that it has: then `oldEmail` is absent. `taken`: the address has another account
 * by now; `gone`: the account changed in the meantime.
 */
export async function finishEmailChange(
  tx: Transaction,
  ticket: Ticket,
  { announce, now, ip }: { announce: Announce; now: Now; ip: string },
): Promise<{ user: User; oldEmail?: string } | 'taken' | 'gone'> {
  const users = userStore(tx)
  const user = ticket.userId === undefined ? undefined : await users.findById(ticket.userId)
  if (!user || user.disabledAt !== undefined) return 'gone'
  if (user.email === ticket.email) return { user: await verifyOwnEmail(tx, user, { announce, now, ip }) }
  if (await users.findByEmail(ticket.email)) return 'taken'
  await addressStore(tx).setEmail(user.id, ticket.email, now())
  await ticketStore(tx).removeOfUser(user.id)
  const change = {
    action: 'user.change_email',
    target: user.id,
    before: { verified: user.emailVerifiedAt !== undefined },
    after: { verified: true },
  }
  await recordAudit(tx, { actor: `user:${user.id}`, ...change, ip }, now())
  announce({ kind: 'user_changed', subject: user.id })
  return { user: { ...user, email: ticket.email, emailVerifiedAt: now() }, oldEmail: user.email }
}

/** Marks the account's own address as verified, if it is not yet. Password, phone and all else stay: its user was signed in already. */
async function verifyOwnEmail(
  tx: Transaction,
  user: User,
  { announce, now, ip }: { announce: Announce; now: Now; ip: string },
): Promise<User> {
  const at = now()
  await ticketStore(tx).removeOfUser(user.id)
  if (!(await addressStore(tx).verifyEmail(user.id, user.email, at))) return user
  const change = { action: 'user.change', target: user.id, before: { verified: false }, after: { verified: true } }
  await recordAudit(tx, { actor: `user:${user.id}`, ...change, ip }, at)
  announce({ kind: 'user_changed', subject: user.id })
  return { ...user, emailVerifiedAt: at }
}

/**
 * "This wasn't me": voids the password, every passkey and every link to a provider, so that a thief is out, and gives the account back to
 * the address that the mail went to. A second factor turned on since the mail goes too; an older one stays, or the mailbox alone would open
 * an account that two factors protect. For the same reason an administrator keeps the passkeys that are older than the mail. The caller
 * ends all sessions. The owner sets a new password by mail. `gone`: the account no longer exists, or the address is another account's by
 * now.
 */
export async function reportSignIn(
  tx: Transaction,
  ticket: Ticket,
  { announce, now, ip }: { announce: Announce; now: Now; ip: string },
): Promise<User | 'gone'> {
  const users = userStore(tx)
  const user = ticket.userId === undefined ? undefined : await users.findById(ticket.userId)
  if (!user) return 'gone'
  const isMoved = user.email !== ticket.email
  if (isMoved && (await users.findByEmail(ticket.email))) return 'gone'
  await takeBack(tx, user.id, { now, announce }) // before the account's row, in the same order as the deletion
  if (isMoved) await addressStore(tx).setEmail(user.id, ticket.email, now())
  await passwordStore(tx).clearPassword(user.id, now())
  await identityStore(tx).removeOfUser(user.id)
  await passkeyStore(tx).removeOfUser(user.id, user.role === undefined ? {} : { since: ticket.createdAt })
  const isFactorOff = await secondFactorStore(tx).remove(user.id, { since: ticket.createdAt })
  await ticketStore(tx).removeReported(user.id, ticket)
  await recordAudit(
    tx,
    {
      actor: `user:${user.id}`,
      action: 'user.report_sign_in',
      target: user.id,
      after: { addressRestored: isMoved, ...(isFactorOff && { secondFactorOff: true }) },
      ip,
    },
    now(),
  )
  announce({ kind: 'user_changed', subject: user.id })
  return { ...user, email: ticket.email }
}
