import type { Queryable } from '../../../storage/index.ts'
import { isTaken, type ProfileRecord, taxIdColumns } from '../profile-store.ts'

/** Tax ids, sealed, and found only by their keyed hash. */
export function taxIdStore(db: Queryable) {
  return {
    /** Replaces the tax id; `false` when it is another account's. */
    async setTaxId(userId: string, taxId: Exclude<ProfileRecord['taxId'], 'none'>, at: number): Promise<boolean> {
      if (taxId && (await isTaken(db, taxId.hash, userId))) return false
      const columns = taxId ? taxIdColumns(taxId) : { tax_id_kind: null, tax_id_sealed: null, tax_id_hash: null }
      await db
        .updateTable('users_company')
        .set({ ...columns, updated_at: at })
        .where('user_id', '=', userId)
        .execute()
      return true
    },
    /** Those of these keyed hashes that an account has. */
    async listTakenTaxIds(hashes: readonly string[]): Promise<string[]> {
      if (hashes.length === 0) return []
      const rows = await db.selectFrom('users_company').select('tax_id_hash').where('tax_id_hash', 'in', hashes).execute()
      return rows.flatMap(({ tax_id_hash }) => tax_id_hash ?? [])
    },
    async findSealedTaxId(userId: string): Promise<{ kind: string; sealed: string } | undefined> {
      const row = await db
        .selectFrom('users_company')
        .select(['tax_id_kind', 'tax_id_sealed'])
        .where('user_id', '=', userId)
        .executeTakeFirst()
      return row?.tax_id_kind && row.tax_id_sealed ? { kind: row.tax_id_kind, sealed: row.tax_id_sealed } : undefined
    },
    /** Sealed tax ids by user id, a page after `cursor`. */
    async listSealedTaxIds({ limit, cursor }: { limit: number; cursor: string }): Promise<Array<{ userId: string; sealed: string }>> {
      const rows = await db
        .selectFrom('users_company')
        .select(['user_id', 'tax_id_sealed'])
        .where('tax_id_sealed', 'is not', null)
        .where('user_id', '>', cursor)
        .orderBy('user_id')
        .limit(limit)
        .execute()
      return rows.map(({ user_id, tax_id_sealed }) => ({ userId: user_id, sealed: tax_id_sealed ?? '' }))
    },
    /** Replaces a sealed tax id and its keyed hash by those of another key. */
    async resealTaxId(userId: string, { sealed, hash }: { sealed: string; hash: string }): Promise<void> {
      await db.updateTable('users_company').set({ tax_id_sealed: sealed, tax_id_hash: hash }).where('user_id', '=', userId).execute()
    },
  }
}
