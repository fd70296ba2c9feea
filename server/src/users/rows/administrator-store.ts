import type { Queryable } from '../../storage/index.ts'
import type { User } from '../user.ts'
import { toUser, usersWithProfile } from './user-row-store.ts'

/** The users with a role of administrators. */
export function administratorStore(db: Queryable) {
  const whole = () => usersWithProfile(db)
  return {
    async hasAdministrator(): Promise<boolean> {
      const row = await db
        .selectFrom('users')
        .select('id')
        .where('role', 'is not', null)
        .where('disabled_at', 'is', null)
        .executeTakeFirst()
      return row !== undefined
    },
    /** The enabled owners, the oldest first. */
    async listOwners(): Promise<User[]> {
      const rows = await whole().where('users.role', '=', 'owner').where('users.disabled_at', 'is', null).orderBy('users.id').execute()
      return rows.map(toUser)
    },
    /**
     * The enabled owners' ids, their rows held until the transaction ends, so that of two concurrent removals the second sees the first.
     */
    async holdOwners(): Promise<string[]> {
      const rows = await db
        .updateTable('users')
        .set((e) => ({ role: e.ref('role') }))
        .where('role', '=', 'owner')
        .where('disabled_at', 'is', null)
        .returning('id')
        .execute()
      return rows.map(({ id }) => id)
    },
  }
}
