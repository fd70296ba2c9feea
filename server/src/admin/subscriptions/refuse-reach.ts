import { subscriptionStore } from '../../subscriptions/index.ts'
import type { AdminCall } from '../api/admin-route.ts'
import { refuseImpersonationOf } from '../api/caller.ts'
import type { AdminDeps } from '../api/deps.ts'
import type { Refused } from '../api/refusals.ts'
import { findUser } from '../users/changes/find-user.ts'

export type Call<Body> = AdminCall<unknown, Body>

/** As with users: not everybody may change the purchases of an administrator, or give one a purchase (`to`). */
export async function refuseReach(
  { id, caller }: Call<unknown>,
  to: string | undefined,
  { storage }: AdminDeps,
): Promise<Refused | undefined> {
  const { userId } = (await subscriptionStore(storage.db).findById(id)) ?? {}
  const ids = [userId, to].filter((who) => who !== undefined)
  const users = await Promise.all(ids.map((id) => findUser(storage.db, id)))
  return users.map((user) => refuseImpersonationOf(caller, user?.role)).find((refused) => refused !== undefined)
}
