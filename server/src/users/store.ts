import { markMetUser, OPERATOR } from '../app-events/index.ts'
import { prepare, type Queryable } from '../storage/index.ts'
import { companyColumns, toUser, toUserIfAny, userColumns, usersWithProfile } from './rows/user-row-store.ts'
import { searchTermStore } from './search-term-store.ts'
import type { User } from './user.ts'

const selectById = prepare((db: Queryable, { id }: { id: string }) => usersWithProfile(db).where('users.id', '=', id))
const selectByEmail = prepare((db: Queryable, { email }: { email: string }) => usersWithProfile(db).where('users.email', '=', email))

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
      return toUserIfAny((await selectById(db, { id })).rows[0])
    },
    async findByEmail(email: string): Promise<User | undefined> {
      return toUserIfAny((await selectByEmail(db, { email })).rows[0])
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
    /** The same, of the account with this address; `undefined` too where it has got another one before it was held. */
    async holdByEmail(email: string): Promise<User | undefined> {
      const found = await this.findByEmail(email)
      const held = found && (await this.holdById(found.id))
      return held?.email === email ? held : undefined
    },
    /** By id, so the newest last. */
    async list({ limit, cursor }: { limit: number; cursor?: string }): Promise<User[]> {
      let query = whole().orderBy('users.id').limit(limit)
      if (cursor !== undefined) query = query.where('users.id', '>', cursor)
      return (await query.execute()).map(toUser)
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
