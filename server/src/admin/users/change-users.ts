import { type Actor, forgetInAudit, recordAudit, SYSTEM } from '../../audit/index.ts'
import type { Announce, ChangeFeed } from '../../changes/index.ts'
import { isUuid, type MasterKeys, type Now, normaliseEmail } from '../../kit/index.ts'
import { forgetPurchases } from '../../notifications/index.ts'
import { type EndReason, endActing, endSessionsOfUser } from '../../sessions/index.ts'
import { isDatabaseAway, type Queryable, type Storage, type Transaction } from '../../storage/index.ts'
import { claimPurchases } from '../../subscriptions/index.ts'
import {
  type Account,
  type AccountChange,
  type AccountRefusal,
  accountStore,
  accountVersion,
  changeAccount,
  createAccount,
  deletionStore,
  isLastOwner,
  type MailJobDeps,
  type NewAccount,
  type PasswordHasher,
  queueFarewell,
  queueInvitation,
  queueRoleGiven,
  refusePassword,
  takeBack,
  ticketStore,
} from '../../users/index.ts'

export interface OperatorDeps {
  storage: Storage
  changes: ChangeFeed
  passwords: PasswordHasher
  now: Now
  /** Who the audit log names: `operator:cli`, or `user:<id>`. */
  actor: Actor
}

/** Of one look for those whose time has come; there is another in ten minutes. */
const MAX_DELETIONS = 100

export type PasswordRefusal = { refusal: 'too_short' | 'too_long' | 'busy' }

/** A person by id or address. */
export async function findUser(db: Queryable, idOrEmail: string): Promise<Account | undefined> {
  const accounts = accountStore(db)
  return isUuid(idOrEmail) ? accounts.findById(idOrEmail) : accounts.findByEmail(normaliseEmail(idOrEmail) ?? '')
}

/** What a mail to somebody new is made with. */
type InviteDeps = Pick<MailJobDeps, 'sealer' | 'codeKey' | 'baseUrl'>

/** Makes a person's account. Who gets no password is invited by mail to choose one, where `invite` says how. */
export async function createUser(
  input: Omit<NewAccount, 'passwordHash'> & { password: string | undefined },
  { storage, changes, passwords, now, actor, invite }: OperatorDeps & { invite?: InviteDeps | undefined },
): Promise<Account | AccountRefusal | PasswordRefusal> {
  const { password, ...rest } = input
  const hashed = password === undefined ? { hash: undefined } : await hashPassword(password, passwords)
  if ('refusal' in hashed) return hashed
  return changes.transaction(async (tx, announce) => {
    const made = await createAccount(tx, { ...rest, passwordHash: hashed.hash }, { now, actor })
    if (!('refusal' in made)) await claimPurchases(tx, made.id, { announce, storage })
    if (invite && password === undefined && !('refusal' in made)) await queueInvitation(tx, made, { ...invite, now })
    return made
  })
}

/** Changes an account as it is now. `seen`: the version that whoever asks has seen (`accountVersion`); another one since then refuses it. Who gets a role is told by mail, where `invite` says how. */
export async function setUser(
  account: Account,
  change: AccountChange,
  { storage, changes, now, actor, seen, invite }: OperatorDeps & { seen?: string | undefined; invite?: InviteDeps | undefined },
): Promise<Account | AccountRefusal> {
  return changes.transaction(async (tx, announce) => {
    const staysOwner = change.role === undefined || change.role === 'owner'
    // All owners before the one: of two who remove each other, each would hold one and wait for the other.
    const refused = staysOwner ? undefined : await refuseLastOwner(tx, account)
    const current = await accountStore(tx).holdById(account.id)
    if (!current) return { refusal: 'not_found' }
    if (seen !== undefined && accountVersion(current) !== seen) return { refusal: 'changed_meanwhile' }
    const changed = refused ?? (await changeAccount(tx, current, change, { announce, now, actor }))
    if ('refusal' in changed) return changed
    const { role } = changed
    if (role !== current.role) await endActing(tx, changed.id, 'operator', { announce, now })
    if (invite && role !== undefined && role !== current.role) await queueRoleGiven(tx, { ...changed, role }, { ...invite, now })
    await claimPurchases(tx, changed.id, { announce, storage })
    return changed
  })
}

/** Sets a new password, voids what was mailed before, and ends every session that the old one may have opened. */
export async function setUserPassword(
  account: Account,
  password: string,
  deps: OperatorDeps,
): Promise<{ ended: number } | PasswordRefusal> {
  const hashed = await hashPassword(password, deps.passwords)
  if ('refusal' in hashed) return hashed
  return onUser(account, 'user.set_password', deps, async (tx, announce) => {
    await accountStore(tx).setPassword(account.id, hashed.hash, deps.now())
    await ticketStore(tx).removeOfUser(account.id)
    return { ended: await endSessionsOfUser(tx, account.id, 'password_changed', { announce, now: deps.now }) }
  })
}

/** Ends sign-in, sessions, handoffs and access tokens of a person at once, on every node. */
export async function disableUser(
  account: Account,
  reason: string | undefined,
  deps: OperatorDeps,
): Promise<{ ended: number } | AccountRefusal> {
  const doing = { action: 'user.disable', ...(reason !== undefined && { reason }) }
  return onUser(account, doing, deps, async (tx, announce) => {
    const refused = await refuseLastOwner(tx, account)
    if (refused) return refused
    await accountStore(tx).setDisabled(account.id, deps.now(), deps.now())
    return end(tx, account, 'disabled', announce, deps)
  })
}

/** Lets a person sign in again; what they asked for themselves, to be deleted, is undone with it. */
export async function enableUser(account: Account, deps: OperatorDeps): Promise<void> {
  return onUser(account, 'user.enable', deps, async (tx, announce) => {
    await takeBack(tx, account.id, { now: deps.now, announce })
    await accountStore(tx).setDisabled(account.id, undefined, deps.now())
  })
}

export async function revokeUserSessions(account: Account, deps: OperatorDeps): Promise<{ ended: number }> {
  return onUser(account, 'user.revoke_sessions', deps, (tx, announce) => end(tx, account, 'operator', announce, deps))
}

/** Removes a person with everything that is theirs alone. The audit log keeps the id; what they bought stays without their address. */
export async function deleteUser(account: Account, deps: OperatorDeps & DeletionDeps): Promise<AccountRefusal | undefined> {
  return onUser(account, 'user.delete', deps, async (tx, announce) => {
    const refused = await refuseLastOwner(tx, account)
    if (refused) return refused
    await removeUser(tx, account.id, announce, deps)
    return undefined
  })
}

/**
 * Removes everyone who asked for it a week ago, each in a transaction of their own that begins with the one statement that takes the request. So any number
 * of nodes may do this at once, and one that dies half way has done nothing. Each gets a last mail. Answers how many went; one who can't go holds up nobody behind
 * them, and is thrown in the end.
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
    const account = await accountStore(tx).findById(id)
    await removeUser(tx, id, announce, deps)
    if (account) await queueFarewell(tx, account, { sealer, at: now() })
    await recordAudit(tx, { actor: SYSTEM, action: 'user.delete', target: id }, now())
    return 1
  })
}

type DeletionDeps = Pick<OperatorDeps, 'storage' | 'changes' | 'now'> & { masterKeys: Pick<MasterKeys, 'emailIndex'> }

async function removeUser(tx: Transaction, id: string, announce: Announce, { storage, masterKeys, now }: DeletionDeps): Promise<void> {
  // Sessions first, in the order in which a redemption takes its locks: the other way round the two could wait for each other.
  await endSessionsOfUser(tx, id, 'deleted', { announce, now })
  await forgetPurchases(tx, id, { storage, emailKey: masterKeys.emailIndex, at: now() })
  await forgetInAudit(tx, id)
  await accountStore(tx).remove(id)
}

async function refuseLastOwner(tx: Transaction, { id }: Account): Promise<AccountRefusal | undefined> {
  return (await isLastOwner(tx, id)) ? { refusal: 'last_owner' } : undefined
}

async function end(
  tx: Transaction,
  account: Account,
  reason: EndReason,
  announce: Announce,
  { now }: OperatorDeps,
): Promise<{ ended: number }> {
  return { ended: await endSessionsOfUser(tx, account.id, reason, { announce, now }) }
}

/** One transaction for the deed and its audit entry; what was refused is no deed. */
async function onUser<T>(
  account: Account,
  doing: string | { action: string; reason?: string },
  { changes, now, actor }: OperatorDeps,
  deed: (tx: Transaction, announce: Announce) => Promise<T>,
): Promise<T> {
  const entry = typeof doing === 'string' ? { action: doing } : doing
  return changes.transaction(async (tx, announce) => {
    const result = await deed(tx, announce)
    if (isRefusal(result)) return result
    await recordAudit(tx, { actor, target: account.id, ...entry }, now())
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
