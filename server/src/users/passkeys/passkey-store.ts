import type { PasskeyRow, Queryable } from '../../storage/index.ts'

/** A key pair that a device made for one account here; the secret half never leaves it. */
export interface Passkey {
  /** As the device chose it, in base64url. */
  id: string
  userId: string
  /** The name that its user gave it. */
  name: string
  /** COSE, in base64url. */
  publicKey: string
  /** Its count of signatures, if the device counts: many always say 0. */
  counter: number
  /** The transports by which browsers reach its device. */
  transports: string[]
  /** Its device keeps copies of it elsewhere. */
  isBackedUp: boolean
  createdAt: number
  lastUsedAt: number | undefined
}

export function passkeyStore(db: Queryable) {
  return {
    async find(id: string): Promise<Passkey | undefined> {
      const row = await db.selectFrom('passkeys').selectAll().where('id', '=', id).executeTakeFirst()
      return row && toPasskey(row)
    },
    /** All of a user's, the oldest first: there are never more than twenty. */
    async listOfUser(userId: string): Promise<Passkey[]> {
      const rows = await db.selectFrom('passkeys').selectAll().where('user_id', '=', userId).orderBy('created_at').orderBy('id').execute()
      return rows.map(toPasskey)
    },
    async countOfUser(userId: string): Promise<number> {
      const { count } = await db
        .selectFrom('passkeys')
        .select((e) => e.fn.countAll().as('count'))
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow()
      return Number(count)
    },
    /** `false` when an account has it already. */
    async insert(passkey: Passkey): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('passkeys')
        .values({
          id: passkey.id,
          user_id: passkey.userId,
          name: passkey.name,
          public_key: passkey.publicKey,
          counter: passkey.counter,
          transports: JSON.stringify(passkey.transports),
          is_backed_up: passkey.isBackedUp ? 1 : 0,
          created_at: passkey.createdAt,
          last_used_at: passkey.lastUsedAt ?? null,
        })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow()
      return numInsertedOrUpdatedRows === 1n
    },
    /** Holds its row until the transaction ends; `false` when it is no longer that user's. */
    async hold(id: string, userId: string): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('passkeys')
        .set((e) => ({ user_id: e.ref('user_id') }))
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
    /**
     * Records a signature's count, which must have grown unless the device does not count (WebAuthn §6.1.1): of any number of calls with
     * one count other than 0, exactly one gets `true`.
     */
    async use(id: string, { counter, isBackedUp }: Pick<Passkey, 'counter' | 'isBackedUp'>, at: number): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('passkeys')
        .set({ counter, is_backed_up: isBackedUp ? 1 : 0, last_used_at: at })
        .where('id', '=', id)
        .where('counter', counter === 0 ? '=' : '<', counter)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
    async rename(id: string, userId: string, name: string): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('passkeys')
        .set({ name })
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
    async remove(id: string, userId: string): Promise<boolean> {
      const { numDeletedRows } = await db.deleteFrom('passkeys').where('id', '=', id).where('user_id', '=', userId).executeTakeFirst()
      return numDeletedRows === 1n
    },
    /** All of them, or only those made at `since` (ms) or later. */
    async removeOfUser(userId: string, { since = 0 }: { since?: number } = {}): Promise<void> {
      await db.deleteFrom('passkeys').where('user_id', '=', userId).where('created_at', '>=', since).execute()
    },
  }
}

function toPasskey(row: PasskeyRow): Passkey {
  return {
    id: row.id,
    userId: row.user_id,
    name: row.name,
    publicKey: row.public_key,
    counter: row.counter,
    transports: JSON.parse(row.transports),
    isBackedUp: row.is_backed_up === 1,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at ?? undefined,
  }
}
