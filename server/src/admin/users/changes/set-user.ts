import { endImpersonations } from '../../../sessions/index.ts'
import { linkPurchases } from '../../../subscriptions/index.ts'
import { changeUser, queueRoleGiven, type User, type UserChange, type UserRefusal, userStore, userVersion } from '../../../users/index.ts'
import type { InviteDeps, OperatorDeps } from './operator-deps.ts'
import { refuseLastOwner } from './refuse-last-owner.ts'

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
