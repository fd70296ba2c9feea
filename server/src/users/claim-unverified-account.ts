import { recordAudit } from '../audit/index.ts'
import type { Announce } from '../changes/index.ts'
import type { Now } from '../kit/index.ts'
import type { Transaction } from '../storage/index.ts'
import { identityStore } from './identities/identity-store.ts'
import { passkeyStore } from './passkeys/passkey-store.ts'
import { profileStore } from './profile/profile-store.ts'
import { factorStore } from './second-factor/second-factor-store.ts'
import { accountStore } from './store.ts'
import { ticketStore } from './tickets/ticket-store.ts'
import type { Account } from './user.ts'

type TakeOverDeps = { announce: Announce; now: Now }

/** Gives an account whose address nobody had proven to the person who just did. The caller ends its sessions in the same transaction. */
export async function takeOver(tx: Transaction, account: Account, deps: TakeOverDeps): Promise<Account> {
  const owned = await stripUnproven(tx, account, deps)
  await recordAudit(tx, { actor: `user:${account.id}`, action: 'user.take_over', target: account.id }, deps.now())
  return owned
}

/** Removes whatever someone else may have put there: password, second factor, passkeys, links to providers, tickets, tax id and phone, and what they agreed to. */
export async function stripUnproven(tx: Transaction, account: Account, { announce, now }: TakeOverDeps): Promise<Account> {
  const at = now()
  await accountStore(tx).strip(account.id, at)
  await profileStore(tx).strip(account.id, at)
  await factorStore(tx).remove(account.id)
  await identityStore(tx).removeOfUser(account.id)
  await passkeyStore(tx).removeOfUser(account.id)
  await ticketStore(tx).removeAllOfUser(account.id)
  announce({ kind: 'user_changed', subject: account.id })
  const beta = account.beta && { ndaAcceptedAt: undefined }
  return { ...account, emailVerifiedAt: at, passwordHash: undefined, taxIdKind: undefined, phone: undefined, beta }
}
