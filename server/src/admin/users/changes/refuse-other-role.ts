import type { Transaction } from '../../../storage/index.ts'
import { type User, type UserRefusal, userStore } from '../../../users/index.ts'
import { refuseLastOwner } from './refuse-last-owner.ts'

/**
 * Refuses an action on a user whose role is another than the one that the caller was judged by. The row is held until the transaction ends,
 * so nobody gets a role meanwhile.
 */
export async function refuseOtherRole(tx: Transaction, { id, role }: Pick<User, 'id'> & { role: string | undefined }) {
  const current = await userStore(tx).holdById(id)
  if (!current) return { refusal: 'not_found' } as const
  return current.role === role ? undefined : ({ refusal: 'changed_meanwhile' } as const)
}

/**
 * The same for an action that locks a user out. All owners are held before the user: two who lock each other out would deadlock otherwise.
 */
export async function refuseLockingOut(tx: Transaction, user: User): Promise<UserRefusal | undefined> {
  return (await refuseLastOwner(tx, user)) ?? refuseOtherRole(tx, user)
}
