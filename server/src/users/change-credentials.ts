import { recordAudit } from '../audit/index.ts'
import type { Announce } from '../changes/index.ts'
import type { Now } from '../kit/index.ts'
import type { Transaction } from '../storage/index.ts'
import { takeBack } from './deletion.ts'
import { identityStore } from './identities/identity-store.ts'
import { passkeyStore } from './passkeys/passkey-store.ts'
import { factorStore } from './second-factor/second-factor-store.ts'
import { accountStore } from './store.ts'
import { type MintedTicket, mintTicket, type Ticket, type TicketDeps } from './tickets/ticket.ts'
import { ticketStore } from './tickets/ticket-store.ts'
import type { Account } from './user.ts'

/** Sets a new password, or a first one, for someone who has just proven who they are. Everything mailed before dies; the caller ends the other sessions. */
export async function changePassword(
  tx: Transaction,
  account: Account,
  passwordHash: string,
  { now, ip }: { now: Now; ip: string },
): Promise<void> {
  await accountStore(tx).setPassword(account.id, passwordHash, now())
  await ticketStore(tx).removeOfUser(account.id)
  await recordAudit(tx, { actor: `user:${account.id}`, action: 'user.change_password', target: account.id, ip }, now())
}

/**
 * Begins a change of address, to one in its normal form, for someone who has just proven who they are: the new mailbox has to say that it is theirs. Whether
 * the new address has an account shows only to who reads it.
 */
export async function beginEmailChange(tx: Transaction, account: Account, email: string, deps: TicketDeps): Promise<MintedTicket> {
  await ticketStore(tx).removeOfUser(account.id)
  return mintTicket(tx, { purpose: 'change_email', userId: account.id, email, payload: { from: account.email } }, deps)
}

/** Gives the account its new address. `taken`: the address has an account by now; `gone`: the account changed in the meantime. */
export async function finishEmailChange(
  tx: Transaction,
  ticket: Ticket,
  { announce, now, ip }: { announce: Announce; now: Now; ip: string },
): Promise<{ account: Account; oldEmail: string } | 'taken' | 'gone'> {
  const accounts = accountStore(tx)
  const account = ticket.userId === undefined ? undefined : await accounts.findById(ticket.userId)
  if (!account || account.disabledAt !== undefined) return 'gone'
  if (await accounts.findByEmail(ticket.email)) return 'taken'
  await accounts.setEmail(account.id, ticket.email, now())
  await ticketStore(tx).removeOfUser(account.id)
  const change = {
    action: 'user.change_email',
    target: account.id,
    before: { verified: account.emailVerifiedAt !== undefined },
    after: { verified: true },
  }
  await recordAudit(tx, { actor: `user:${account.id}`, ...change, ip }, now())
  announce({ kind: 'user_changed', subject: account.id })
  return { account: { ...account, email: ticket.email, emailVerifiedAt: now() }, oldEmail: account.email }
}

/**
 * "This wasn't me": the password, every passkey and every link to a provider are void, so that whoever knew or made one is out, and the address that the mail went to is the account's again. So is a second
 * factor that was turned on since the mail; an older one stays, or the mailbox alone would open what two factors close. For the same reason an administrator keeps the passkeys that are older than the mail. The caller ends all sessions. The owner sets a new password by mail. `gone`: no such account any more, or the address is another account's by now.
 */
export async function disownSignIn(
  tx: Transaction,
  ticket: Ticket,
  { announce, now, ip }: { announce: Announce; now: Now; ip: string },
): Promise<Account | 'gone'> {
  const accounts = accountStore(tx)
  const account = ticket.userId === undefined ? undefined : await accounts.findById(ticket.userId)
  if (!account) return 'gone'
  const isMoved = account.email !== ticket.email
  if (isMoved && (await accounts.findByEmail(ticket.email))) return 'gone'
  await takeBack(tx, account.id, { now, announce }) // before the account's row, as the deletion does
  if (isMoved) await accounts.setEmail(account.id, ticket.email, now())
  await accounts.clearPassword(account.id, now())
  await identityStore(tx).removeOfUser(account.id)
  await passkeyStore(tx).removeOfUser(account.id, account.role === undefined ? {} : { since: ticket.createdAt })
  const isFactorOff = await factorStore(tx).remove(account.id, { since: ticket.createdAt })
  await ticketStore(tx).removeDisowned(account.id, ticket)
  await recordAudit(
    tx,
    {
      actor: `user:${account.id}`,
      action: 'user.disown',
      target: account.id,
      after: { addressRestored: isMoved, ...(isFactorOff && { secondFactorOff: true }) },
      ip,
    },
    now(),
  )
  announce({ kind: 'user_changed', subject: account.id })
  return { ...account, email: ticket.email }
}
