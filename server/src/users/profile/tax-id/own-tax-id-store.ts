import type { Queryable } from '../../../storage/index.ts'

/** The facts that decide whether a user may still change their own tax id. */
export function ownTaxIdStore(db: Queryable) {
  return {
    async find(userId: string): Promise<{ kind: string | undefined; correctedAt: number | undefined }> {
      const row = await db
        .selectFrom('users_company')
        .select(['tax_id_kind', 'tax_id_corrected_at'])
        .where('user_id', '=', userId)
        .executeTakeFirst()
      return { kind: row?.tax_id_kind ?? undefined, correctedAt: row?.tax_id_corrected_at ?? undefined }
    },
    /** Notes that the user has made the one correction that they may make. */
    async markCorrected(userId: string, at: number): Promise<void> {
      await db.updateTable('users_company').set({ tax_id_corrected_at: at }).where('user_id', '=', userId).execute()
    },
  }
}
