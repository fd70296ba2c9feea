import { markMetUser, OPERATOR } from '../app-events/index.ts'
import type { Queryable } from '../storage/index.ts'
import { foreignCostStore } from './passwords/foreign/foreign-cost-store.ts'
import { parseForeignHash } from './passwords/foreign/foreign-hash.ts'
import { companyColumns, toUser, toUserIfAny, userColumns, usersWithProfile } from './rows/user-row-store.ts'
import { searchTermStore } from './search-term-store.ts'
import type { User } from './user.ts'

export type UserStore = ReturnType<typeof userStore>

/** Users: their sign-in data and what apps see of them. Pass a transaction to write several things at once. */
export function userStore(db: Queryable) {
  const whole = () => usersWithProfile(db)

  return {
    /** Makes an account with its profile row. `false` when the address has one already: of concurrent calls exactly one gets `true`. */
    async insert(user: User): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('users')
        .values(userColumns(user))
        .onConflict((conflict) => conflict.column('email').doNothing())
        .executeTakeFirstOrThrow()
      if (numInsertedOrUpdatedRows !== 1n) return false
      await db
        .insertInto('users_company')
        .values({ user_id: user.id, ...companyColumns(user), phone: user.phone ?? null, updated_at: user.createdAt })
        .execute()
      await searchTermStore(db).refresh(user.id)
      await markMetUser(db, { productId: OPERATOR, userId: user.id })
      return true
    },
    async findById(id: string): Promise<User | undefined> {
      return toUserIfAny(await whole().where('users.id', '=', id).executeTakeFirst())
    },
    async findByEmail(email: string): Promise<User | undefined> {
      return toUserIfAny(await whole().where('users.email', '=', email).executeTakeFirst())
    },
    async findByExternalId(externalId: string): Promise<User | undefined> {
      return toUserIfAny(await whole().where('users.external_id', '=', externalId).executeTakeFirst())
    },
    /** In the order of the ids; removed ones are left out. */
    async listByIds(ids: readonly string[]): Promise<User[]> {
      if (ids.length === 0) return []
      const rows = await whole().where('users.id', 'in', ids).execute()
      const found = new Map(rows.map((row) => [row.id, toUser(row)]))
      return ids.flatMap((id) => found.get(id) ?? [])
    },
    /** The user, the row held until the transaction ends: nothing changes it between this read and a write. */
    async holdById(id: string): Promise<User | undefined> {
      await db
        .updateTable('users')
        .set((e) => ({ role: e.ref('role') }))
        .where('id', '=', id)
        .execute()
      return this.findById(id)
    },
    /** By id, so the newest last. */
    async list({ limit, cursor }: { limit: number; cursor?: string }): Promise<User[]> {
      let query = whole().orderBy('users.id').limit(limit)
      if (cursor !== undefined) query = query.where('users.id', '>', cursor)
      return (await query.execute()).map(toUser)
    },
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
    async setPassword(id: string, passwordHash: string, at: number): Promise<void> {
      await db
        .updateTable('users')
        .set({ password_hash: passwordHash, password_changed_at: at, updated_at: at })
        .where('id', '=', id)
        .execute()
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
    /** Holds the account's row until the transaction ends; `false` when it is disabled or gone. */
    async hold(id: string): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('users')
        .set((e) => ({ password_hash: e.ref('password_hash') }))
        .where('id', '=', id)
        .where('disabled_at', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
    async setLanguage(id: string, language: string): Promise<void> {
      await db.updateTable('users').set({ language }).where('id', '=', id).execute()
    },
    /** Marks an address as verified; `false` when it was already, or is no longer this one. */
    async verifyEmail(id: string, email: string, at: number): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('users')
        .set({ email_verified_at: at, updated_at: at })
        .where('id', '=', id)
        .where('email', '=', email)
        .where('email_verified_at', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
    /** Gives an account another, verified address. Throws a unique violation when the address has an account. */
    async setEmail(id: string, email: string, at: number): Promise<void> {
      await db.updateTable('users').set({ email, email_verified_at: at, updated_at: at }).where('id', '=', id).execute()
      await searchTermStore(db).refresh(id)
    },
    /**
     * Corrects the address of an account that nobody has entered yet; it stays unverified. Throws a unique violation when the address has
     * an account.
     */
    async correctEmail(id: string, email: string, at: number): Promise<void> {
      await db.updateTable('users').set({ email, email_verified_at: null, updated_at: at }).where('id', '=', id).execute()
      await searchTermStore(db).refresh(id)
    },
    /** Gives an account to the user who has just verified its address: a password that someone else may have set goes. */
    async strip(id: string, at: number): Promise<void> {
      await db
        .updateTable('users')
        .set({ password_hash: null, password_changed_at: null, email_verified_at: at, updated_at: at })
        .where('id', '=', id)
        .execute()
    },
    async setDisabled(id: string, disabledAt: number | undefined, at: number): Promise<void> {
      await db
        .updateTable('users')
        .set({ disabled_at: disabledAt ?? null, updated_at: at })
        .where('id', '=', id)
        .execute()
    },
    /** Opens an account that was closed at this moment; one closed since for another reason stays closed. */
    async reopen(id: string, disabledAt: number, at: number): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('users')
        .set({ disabled_at: null, updated_at: at })
        .where('id', '=', id)
        .where('disabled_at', '=', disabledAt)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
    /** Writes the fields that the operator may change: name, pictures, rank, role, whether the address is verified. */
    async update(user: User, at: number): Promise<void> {
      await db
        .updateTable('users')
        .set({ email_verified_at: user.emailVerifiedAt ?? null, role: user.role ?? null, updated_at: at })
        .where('id', '=', user.id)
        .execute()
      await db
        .updateTable('users_company')
        .set({ ...companyColumns(user), updated_at: at })
        .where('user_id', '=', user.id)
        .execute()
      await searchTermStore(db).refresh(user.id)
    },
    async remove(id: string): Promise<void> {
      await db.deleteFrom('users').where('id', '=', id).execute()
    },
  }
}
