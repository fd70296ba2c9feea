import { forgetUserInEvents } from '../../../app-events/index.ts'
import { forgetInAudit } from '../../../audit/index.ts'
import type { Announce } from '../../../changes/index.ts'
import type { MasterKeys } from '../../../kit/index.ts'
import { forgetPurchases } from '../../../notifications/index.ts'
import { endSessionsOfUser } from '../../../sessions/index.ts'
import type { Transaction } from '../../../storage/index.ts'
import { failedSignInStore, type User, type UserRefusal, userStore } from '../../../users/index.ts'
import { onUser } from './on-user.ts'
import type { OperatorDeps } from './operator-deps.ts'
import { refuseLockingOut } from './refuse-other-role.ts'

/** Removes a user with all their own data. The audit log keeps the id; purchases stay without their address. */
export async function deleteUser(user: User, deps: OperatorDeps & DeletionDeps): Promise<UserRefusal | undefined> {
  // Before anything is removed; in the transaction once more.
  const refused = await deps.storage.transaction((tx) => refuseLockingOut(tx, user))
  if (refused) return refused
  await failedSignInStore(deps.storage.db).forgetOfUser(user.id)
  return onUser(user, { action: 'user.delete', refuse: refuseLockingOut }, deps, async (tx, announce) => {
    await removeUser(tx, user.id, announce, deps)
    return undefined
  })
}

export type DeletionDeps = Pick<OperatorDeps, 'storage' | 'changes' | 'now'> & { masterKeys: Pick<MasterKeys, 'emailIndex'> }

export async function removeUser(
  tx: Transaction,
  id: string,
  announce: Announce,
  { storage, masterKeys, now }: DeletionDeps,
): Promise<void> {
  // Sessions before the account's removal, in the order in which a redemption takes its locks: the reverse order could deadlock.
  await endSessionsOfUser(tx, id, 'deleted', { announce, now })
  const { subscriptionIds, notificationIds } = await forgetPurchases(tx, id, { storage, emailKey: masterKeys.emailIndex, at: now() })
  await forgetInAudit(tx, id, [...subscriptionIds, ...notificationIds])
  await userStore(tx).remove(id)
  await forgetUserInEvents(tx, id, now())
}
