import { type Actor, recordAudit } from '../audit/index.ts'
import type { Announce } from '../changes/index.ts'
import type { Now } from '../kit/index.ts'
import type { Transaction } from '../storage/index.ts'
import { isName, type UserRefusal } from './insert-user.ts'
import { betaUserStore } from './profile/beta-user-store.ts'
import { pictureStore } from './profile/picture-store.ts'
import { userStore } from './store.ts'
import type { User } from './user.ts'

/** The operator's changes; an absent field stays, `null` empties it. */
export interface UserChange {
  name?: string
  avatarUrl?: string | null
  companyName?: string | null
  rankName?: string | null
  isProducer?: boolean
  isBeta?: boolean
  verified?: boolean
  role?: User['role'] | null
}

/** Changes an account inside the caller's transaction; the next check of each of its sessions shows it. */
export async function changeUser(
  tx: Transaction,
  user: User,
  { isBeta, verified, ...change }: UserChange,
  { announce, now, actor }: { announce: Announce; now: Now; actor: Actor },
): Promise<User | UserRefusal> {
  if (change.name !== undefined && !isName(change.name)) return { refusal: 'name_malformed' }
  if (change.avatarUrl && change.avatarUrl !== user.avatarUrl && !isPictureAddress(change.avatarUrl)) return { refusal: 'avatar_malformed' }
  const at = now()
  const after: User = {
    ...user,
    ...(change.name !== undefined && { name: change.name.trim() }),
    ...(change.avatarUrl !== undefined && { avatarUrl: change.avatarUrl ?? undefined }),
    ...(change.companyName !== undefined && { companyName: change.companyName ?? undefined }),
    ...(change.rankName !== undefined && { rankName: change.rankName ?? undefined }),
    ...(change.isProducer !== undefined && { isProducer: change.isProducer }),
    ...(change.role !== undefined && { role: change.role ?? undefined }),
    ...(verified !== undefined && { emailVerifiedAt: verified ? (user.emailVerifiedAt ?? at) : undefined }),
    ...(isBeta !== undefined && { beta: isBeta ? (user.beta ?? { ndaAcceptedAt: undefined }) : undefined }),
  }
  await userStore(tx).update(after, at)
  if (after.avatarUrl !== user.avatarUrl) await pictureStore(tx).remove(user.id)
  if (isBeta === true) await betaUserStore(tx).addBetaUser(user.id, at)
  if (isBeta === false) await betaUserStore(tx).removeBetaUser(user.id)
  await recordAudit(tx, { actor, action: 'user.change', target: user.id, before: changed(user, after), after: changed(after, user) }, at)
  announce({ kind: 'user_changed', subject: user.id })
  return after
}

/** The fields of `one` that differ in `other`, as the audit log keeps them. JSON has no `undefined`: a field without a value is `null`. */
function changed(one: User, other: User): Record<string, unknown> {
  const theirs = new Map(Object.entries(recorded(other)))
  return Object.fromEntries(
    Object.entries(recorded(one)).flatMap(([name, value]) => (value === theirs.get(name) ? [] : [[name, value ?? null]])),
  )
}

/** A beta user who has not accepted the NDA has an empty record, which nobody could tell from none. */
function recorded({ beta, ...fields }: User): Record<string, unknown> {
  return { ...fields, beta: beta !== undefined }
}

/** An https address short enough to keep; we never load the picture. */
export function isPictureAddress(text: string): boolean {
  return text.length <= 2_048 && !/[\p{Cc}\s\\]/u.test(text) && URL.canParse(text) && new URL(text).protocol === 'https:'
}
