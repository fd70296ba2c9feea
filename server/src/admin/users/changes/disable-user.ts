import type { Announce } from '../../../changes/index.ts'
import { type EndReason, endSessionsOfUser } from '../../../sessions/index.ts'
import type { Transaction } from '../../../storage/index.ts'
import { deletionStore, takeBack, type User, type UserRefusal, userStore } from '../../../users/index.ts'
import { onUser } from './on-user.ts'
import type { OperatorDeps } from './operator-deps.ts'
import { refuseLockingOut, refuseOtherRole } from './refuse-other-role.ts'

/** Ends sign-in, sessions, handoffs and access tokens of a user at once, on every node. */
export async function disableUser(user: User, reason: string | undefined, deps: OperatorDeps): Promise<{ ended: number } | UserRefusal> {
  const doing = { action: 'user.disable', refuse: refuseLockingOut, ...(reason !== undefined && { reason }) }
  return onUser(user, doing, deps, async (tx, announce) => {
    await userStore(tx).setDisabled(user.id, deps.now(), deps.now())
    return end(tx, user, 'disabled', announce, deps)
  })
}

/** Lets a user sign in again; their own request for deletion is undone with it. */
export async function enableUser(user: User, deps: OperatorDeps): Promise<{ enabled: true } | UserRefusal> {
  return onUser(user, { action: 'user.enable', refuse: refuseEnabling }, deps, async (tx, announce) => {
    await takeBack(tx, user.id, { now: deps.now, announce })
    await userStore(tx).setDisabled(user.id, undefined, deps.now())
    announce({ kind: 'user_changed', subject: user.id })
    return { enabled: true }
  })
}

/** The request for deletion is held before the account, in the order of the deletion and of its undoing, against deadlocks. */
async function refuseEnabling(tx: Transaction, user: User): Promise<UserRefusal | undefined> {
  await deletionStore(tx).hold(user.id)
  return refuseOtherRole(tx, user)
}

export async function revokeUserSessions(user: User, deps: OperatorDeps): Promise<{ ended: number } | UserRefusal> {
  return onUser(user, 'user.revoke_sessions', deps, (tx, announce) => end(tx, user, 'operator', announce, deps))
}

async function end(tx: Transaction, user: User, reason: EndReason, announce: Announce, { now }: OperatorDeps): Promise<{ ended: number }> {
  return { ended: await endSessionsOfUser(tx, user.id, reason, { announce, now }) }
}
