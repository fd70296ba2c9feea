import { recordAudit } from '../audit/index.ts'
import type { Announce } from '../changes/index.ts'
import type { Now } from '../kit/index.ts'
import type { Transaction } from '../storage/index.ts'
import type { Account } from './account.ts'
import { identityStore } from './identity-store.ts'
import { accountStore } from './store.ts'
import { ticketStore } from './ticket-store.ts'

/**
 * Gives an account whose address nobody had proven to the person who just did. Whatever someone else may have put there goes: password, links to
 * providers, tickets, tax id and phone. The caller ends its sessions in the same transaction.
 */
export async function takeOver(tx: Transaction, account: Account, { announce, now }: { announce: Announce; now: Now }): Promise<Account> {
  const at = now()
  await accountStore(tx).strip(account.id, at)
  await identityStore(tx).removeOfUser(account.id)
  await ticketStore(tx).removeAllOfUser(account.id)
  await recordAudit(tx, { actor: `user:${account.id}`, action: 'user.take_over', target: account.id }, at)
  announce({ kind: 'user_changed', subject: account.id })
  return { ...account, emailVerifiedAt: at, passwordHash: undefined, hasTaxId: false, phone: undefined }
}
