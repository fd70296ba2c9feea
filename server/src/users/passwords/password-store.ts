import type { Queryable } from '../../storage/index.ts'
import { secondFactorStore } from '../second-factor/second-factor-store.ts'
import { foreignCostStore } from './foreign/foreign-cost-store.ts'
import { parseForeignHash } from './foreign/foreign-hash.ts'

export type PasswordStore = ReturnType<typeof passwordStore>

/** The passwords of users, as hashes. */
export function passwordStore(db: Queryable) {
  return {
    /** A secret for an app that waits for its first code goes: whoever had the old password may have begun it. */
    async setPassword(id: string, passwordHash: string, at: number): Promise<void> {
      await db
        .updateTable('users')
        .set({ password_hash: passwordHash, password_changed_at: at, updated_at: at })
        .where('id', '=', id)
        .execute()
      await secondFactorStore(db).removePending(id)
    },
    async clearPassword(id: string, at: number): Promise<void> {
      await db.updateTable('users').set({ password_hash: null, password_changed_at: null, updated_at: at }).where('id', '=', id).execute()
    },
    /** Holds the user's row until the transaction ends; `false` when its password is no longer the one that was checked. */
    async holdPassword(id: string, passwordHash: string): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('users')
        .set((e) => ({ password_hash: e.ref('password_hash') }))
        .where('id', '=', id)
        .where('password_hash', '=', passwordHash)
        .where('disabled_at', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
    /** The costs of all foreign hashes that are stored. */
    listForeignCosts: () => foreignCostStore(db).list(),
    /** Replaces a foreign hash by ours: of any number of concurrent calls exactly one gets `true`. */
    async replaceForeignHash(id: string, foreign: string, ours: string): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('users')
        .set({ password_hash: ours })
        .where('id', '=', id)
        .where('password_hash', '=', foreign)
        .executeTakeFirst()
      const cost = parseForeignHash(foreign)?.cost
      if (numUpdatedRows === 1n && cost !== undefined) await foreignCostStore(db).removeUnused(cost)
      return numUpdatedRows === 1n
    },
  }
}
