import { forgetUserInEvents } from '../../app-events/index.ts'
import { type Actor, forgetInAudit, recordAudit, SYSTEM } from '../../audit/index.ts'
import type { Announce, ChangeFeed } from '../../changes/index.ts'
import { isUuid, type MasterKeys, type Now, normaliseEmail } from '../../kit/index.ts'
import { forgetPurchases } from '../../notifications/index.ts'
import { type EndReason, endImpersonations, endSessionsOfUser } from '../../sessions/index.ts'
import { isDatabaseAway, type Queryable, type Storage, type Transaction } from '../../storage/index.ts'
import { linkPurchases } from '../../subscriptions/index.ts'
import {
  changeUser,
  deletionStore,
  insertUser,
  isLastOwner,
  type MailJobDeps,
  type NewUser,
  type PasswordHasher,
  passwordStore,
  queueAccountDeletedMail,
  queueInvitation,
  queueRoleGiven,
  refusePassword,
  takeBack,
  ticketStore,
  type User,
  type UserChange,
  type UserRefusal,
  userStore,
  userVersion,
} from '../../users/index.ts'

export interface OperatorDeps {
  storage: Storage
  changes: ChangeFeed
  passwords: PasswordHasher
  now: Now
  /** The actor in the audit log: `operator:cli`, or `user:<id>`. */
  actor: Actor
}

/** Of one run over due requests; the next is in ten minutes. */
const MAX_DELETIONS = 100

export type PasswordRefusal = { refusal: 'too_short' | 'too_long' | 'busy' }

/** A user by id or address. */
export async function findUser(db: Queryable, idOrEmail: string): Promise<User | undefined> {
  const users = userStore(db)
  return isUuid(idOrEmail) ? users.findById(idOrEmail) : users.findByEmail(normaliseEmail(idOrEmail) ?? '')
}

/** The parts of a mail to a new user. */
type InviteDeps = Pick<MailJobDeps, 'sealer' | 'codeKey' | 'baseUrl'>

/** Makes a user's account. Without a password the user is invited by mail to choose one, if `invite` is given. */
export async function createUser(
  input: Omit<NewUser, 'passwordHash'> & { password: string | undefined },
  { storage, changes, passwords, now, actor, invite }: OperatorDeps & { invite?: InviteDeps | undefined },
): Promise<User | UserRefusal | PasswordRefusal> {
  const { password, ...rest } = input
  const hashed = password === undefined ? { hash: undefined } : await hashPassword(password, passwords)
  if ('refusal' in hashed) return hashed
  return changes.transaction(async (tx, announce) => {
    const made = await insertUser(tx, { ...rest, passwordHash: hashed.hash }, { now, actor })
    if (!('refusal' in made)) await linkPurchases(tx, made.id, { announce, storage })
    if (invite && password === undefined && !('refusal' in made)) await queueInvitation(tx, made, { ...invite, now })
    return made
  })
}

/**
 * Changes an account. `seen` is the version in the editor's copy (`userVersion`); a newer one refuses the change. A mail announces a new
 * role, if `invite` is given.
 */
export async function setUser(
  user: User,
  change: UserChange,
  { storage, changes, now, actor, seen, invite }: OperatorDeps & { seen?: string | undefined; invite?: InviteDeps | undefined },
): Promise<User | UserRefusal> {
  return changes.transaction(async (tx, announce) => {
    const staysOwner = change.role === undefined || change.role === 'owner'
    // All owners before this one: two owners who remove each other would deadlock otherwise.
    const refused = staysOwner ? undefined : await refuseLastOwner(tx, user)
    const current = await userStore(tx).holdById(user.id)
    if (!current) return { refusal: 'not_found' }
    if (seen !== undefined && userVersion(current) !== seen) return { refusal: 'changed_meanwhile' }
    const changed = refused ?? (await changeUser(tx, current, change, { announce, now, actor }))
    if ('refusal' in changed) return changed
    const { role } = changed
    if (role !== current.role) await endImpersonations(tx, changed.id, 'operator', { announce, now })
    if (invite && role !== undefined && role !== current.role) await queueRoleGiven(tx, { ...changed, role }, { ...invite, now })
    await linkPurchases(tx, changed.id, { announce, storage })
    return changed
  })
}

/** Sets a new password, voids all mailed links, and ends every session that the old one may have begun. */
export async function setUserPassword(user: User, password: string, deps: OperatorDeps): Promise<{ ended: number } | PasswordRefusal> {
  const hashed = await hashPassword(password, deps.passwords)
  if ('refusal' in hashed) return hashed
  return onUser(user, 'user.set_password', deps, async (tx, announce) => {
    await passwordStore(tx).setPassword(user.id, hashed.hash, deps.now())
    await ticketStore(tx).removeOfUser(user.id)
    return { ended: await endSessionsOfUser(tx, user.id, 'password_changed', { announce, now: deps.now }) }
  })
}

/** Ends sign-in, sessions, handoffs and access tokens of a user at once, on every node. */
export async function disableUser(user: User, reason: string | undefined, deps: OperatorDeps): Promise<{ ended: number } | UserRefusal> {
  const doing = { action: 'user.disable', ...(reason !== undefined && { reason }) }
  return onUser(user, doing, deps, async (tx, announce) => {
    const refused = await refuseLastOwner(tx, user)
    if (refused) return refused
    await userStore(tx).setDisabled(user.id, deps.now(), deps.now())
    return end(tx, user, 'disabled', announce, deps)
  })
}

/** Lets a user sign in again; their own request for deletion is undone with it. */
export async function enableUser(user: User, deps: OperatorDeps): Promise<void> {
  return onUser(user, 'user.enable', deps, async (tx, announce) => {
    await takeBack(tx, user.id, { now: deps.now, announce })
    await userStore(tx).setDisabled(user.id, undefined, deps.now())
    announce({ kind: 'user_changed', subject: user.id })
  })
}

export async function revokeUserSessions(user: User, deps: OperatorDeps): Promise<{ ended: number }> {
  return onUser(user, 'user.revoke_sessions', deps, (tx, announce) => end(tx, user, 'operator', announce, deps))
}

/** Removes a user with all their own data. The audit log keeps the id; purchases stay without their address. */
export async function deleteUser(user: User, deps: OperatorDeps & DeletionDeps): Promise<UserRefusal | undefined> {
  return onUser(user, 'user.delete', deps, async (tx, announce) => {
    const refused = await refuseLastOwner(tx, user)
    if (refused) return refused
    await removeUser(tx, user.id, announce, deps)
    return undefined
  })
}

/**
 * Removes the users whose request is due, each in a transaction of its own that begins with the one statement that takes the request. So
 * any number of nodes may run this at once, and a node that dies half way has done nothing. Each user gets a last mail. Answers how many
 * were removed. A fault with one user delays no other, and is thrown in the end.
 */
export async function deleteDue(deps: DueDeps): Promise<number> {
  const due = await deletionStore(deps.storage.db).listDue(deps.now(), MAX_DELETIONS)
  const faults: unknown[] = []
  let gone = 0
  for (const id of due) {
    try {
      gone += await deleteIfDue(id, deps)
    } catch (fault) {
      if (isDatabaseAway(fault)) throw fault
      faults.push(fault)
    }
  }
  if (faults.length > 0) throw faults[0]
  return gone
}

type DueDeps = DeletionDeps & Pick<MailJobDeps, 'sealer'>

function deleteIfDue(id: string, deps: DueDeps): Promise<0 | 1> {
  const { changes, sealer, now } = deps
  return changes.transaction(async (tx, announce) => {
    if (!(await deletionStore(tx).takeDue(id, now()))) return 0
    const user = await userStore(tx).findById(id)
    await removeUser(tx, id, announce, deps)
    if (user) await queueAccountDeletedMail(tx, user, { sealer, at: now() })
    await recordAudit(tx, { actor: SYSTEM, action: 'user.delete', target: id }, now())
    return 1
  })
}

type DeletionDeps = Pick<OperatorDeps, 'storage' | 'changes' | 'now'> & { masterKeys: Pick<MasterKeys, 'emailIndex'> }

async function removeUser(tx: Transaction, id: string, announce: Announce, { storage, masterKeys, now }: DeletionDeps): Promise<void> {
  // Sessions first, in the order in which a redemption takes its locks: the reverse order could deadlock.
  await endSessionsOfUser(tx, id, 'deleted', { announce, now })
  await forgetPurchases(tx, id, { storage, emailKey: masterKeys.emailIndex, at: now() })
  await forgetInAudit(tx, id)
  await userStore(tx).remove(id)
  await forgetUserInEvents(tx, id, now())
}

async function refuseLastOwner(tx: Transaction, { id }: User): Promise<UserRefusal | undefined> {
  return (await isLastOwner(tx, id)) ? { refusal: 'last_owner' } : undefined
}

async function end(tx: Transaction, user: User, reason: EndReason, announce: Announce, { now }: OperatorDeps): Promise<{ ended: number }> {
  return { ended: await endSessionsOfUser(tx, user.id, reason, { announce, now }) }
}

/** One transaction for the action and its audit entry; a refused action leaves none. */
async function onUser<T>(
  user: User,
  doing: string | { action: string; reason?: string },
  { changes, now, actor }: OperatorDeps,
  action: (tx: Transaction, announce: Announce) => Promise<T>,
): Promise<T> {
  const entry = typeof doing === 'string' ? { action: doing } : doing
  return changes.transaction(async (tx, announce) => {
    const result = await action(tx, announce)
    if (isRefusal(result)) return result
    await recordAudit(tx, { actor, target: user.id, ...entry }, now())
    return result
  })
}

function isRefusal(result: unknown): boolean {
  return typeof result === 'object' && result !== null && 'refusal' in result
}

async function hashPassword(password: string, passwords: PasswordHasher): Promise<{ hash: string } | PasswordRefusal> {
  const refused = refusePassword(password)
  if (refused) return { refusal: refused }
  const hash = await passwords.hash(password)
  return hash === 'busy' ? { refusal: 'busy' } : { hash }
}
