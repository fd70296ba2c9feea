import { type Actor, recordAudit } from '../audit/index.ts'
import type { Announce } from '../changes/index.ts'
import type { Now } from '../kit/index.ts'
import type { Transaction } from '../storage/index.ts'
import { type AccountRefusal, isName } from './create-user.ts'
import { profileStore } from './profile/profile-store.ts'
import { accountStore } from './store.ts'
import type { Account } from './user.ts'

/** What the operator may change; absent stays, `null` empties. */
export interface AccountChange {
  name?: string
  avatarUrl?: string | null
  companyName?: string | null
  rankName?: string | null
  isProducer?: boolean
  isBeta?: boolean
  verified?: boolean
  role?: Account['role'] | null
}

/** Changes an account inside the caller's transaction; the next check of each of its sessions shows it. */
export async function changeAccount(
  tx: Transaction,
  account: Account,
  { isBeta, verified, ...change }: AccountChange,
  { announce, now, actor }: { announce: Announce; now: Now; actor: Actor },
): Promise<Account | AccountRefusal> {
  if (change.name !== undefined && !isName(change.name)) return { refusal: 'name_malformed' }
  if (change.avatarUrl && !isPictureAddress(change.avatarUrl)) return { refusal: 'avatar_malformed' }
  const at = now()
  const after: Account = {
    ...account,
    ...(change.name !== undefined && { name: change.name.trim() }),
    ...(change.avatarUrl !== undefined && { avatarUrl: change.avatarUrl ?? undefined }),
    ...(change.companyName !== undefined && { companyName: change.companyName ?? undefined }),
    ...(change.rankName !== undefined && { rankName: change.rankName ?? undefined }),
    ...(change.isProducer !== undefined && { isProducer: change.isProducer }),
    ...(change.role !== undefined && { role: change.role ?? undefined }),
    ...(verified !== undefined && { emailVerifiedAt: verified ? (account.emailVerifiedAt ?? at) : undefined }),
    ...(isBeta !== undefined && { beta: isBeta ? (account.beta ?? { ndaAcceptedAt: undefined }) : undefined }),
  }
  await accountStore(tx).update(after, at)
  if (isBeta === true) await profileStore(tx).addBetaUser(account.id, at)
  if (isBeta === false) await profileStore(tx).removeBetaUser(account.id)
  await recordAudit(
    tx,
    { actor, action: 'user.change', target: account.id, before: changed(account, after), after: changed(after, account) },
    at,
  )
  announce({ kind: 'user_changed', subject: account.id })
  return after
}

/** The fields of `one` that differ in `other`. */
function changed(one: Account, other: Account): Record<string, unknown> {
  const theirs = new Map<string, unknown>(Object.entries(other))
  return Object.fromEntries(Object.entries(one).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(theirs.get(name))))
}

/** An https address short enough to keep; what it shows is never loaded by us. */
export function isPictureAddress(text: string): boolean {
  return text.length <= 2_048 && !/[\p{Cc}\s\\]/u.test(text) && URL.canParse(text) && new URL(text).protocol === 'https:'
}
