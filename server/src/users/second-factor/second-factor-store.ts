import type { Queryable } from '../../storage/index.ts'

/** The authenticator app of a user, as stored. It counts once it is confirmed. */
export interface TotpFactor {
  secretSealed: string
  createdAt: number
  confirmedAt: number | undefined
}

/** Second factors: whether a user has one, and each use of one. */
export function secondFactorStore(db: Queryable) {
  return {
    async findTotp(userId: string): Promise<TotpFactor | undefined> {
      const row = await db.selectFrom('totp_factors').selectAll().where('user_id', '=', userId).executeTakeFirst()
      return row && { secretSealed: row.secret_sealed, createdAt: row.created_at, confirmedAt: row.confirmed_at ?? undefined }
    },
    /** Replaces an unconfirmed secret; `false` when a confirmed one is there. */
    async begin(userId: string, secretSealed: string, at: number): Promise<boolean> {
      const fresh = { secret_sealed: secretSealed, created_at: at, confirmed_at: null, last_step: 0 }
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('totp_factors')
        .values({ user_id: userId, ...fresh })
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet(fresh).where('totp_factors.confirmed_at', 'is', null))
        .executeTakeFirstOrThrow()
      return numInsertedOrUpdatedRows === 1n
    },
    /** A factor that the user has used in another system; `false` when there is one. */
    async insertConfirmed(userId: string, secretSealed: string, at: number): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('totp_factors')
        .values({ user_id: userId, secret_sealed: secretSealed, created_at: at, confirmed_at: at, last_step: 0 })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow()
      return numInsertedOrUpdatedRows === 1n
    },
    /**
     * Confirms exactly the shown secret, with its first code, and stores it as sealed for good; of any number of calls exactly one gets
     * `true`.
     */
    async confirm(
      userId: string,
      pendingSealed: string,
      { secretSealed, step, at }: { secretSealed: string; step: number; at: number },
    ): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('totp_factors')
        .set({ secret_sealed: secretSealed, confirmed_at: at, last_step: step })
        .where('user_id', '=', userId)
        .where('secret_sealed', '=', pendingSealed)
        .where('confirmed_at', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
    /** Uses a code up, and all of earlier steps (RFC 6238 §5.2): of any number of calls with one step exactly one gets `true`. */
    async useStep(userId: string, secretSealed: string, step: number): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('totp_factors')
        .set({ last_step: step })
        .where('user_id', '=', userId)
        .where('secret_sealed', '=', secretSealed)
        .where('confirmed_at', 'is not', null)
        .where('last_step', '<', step)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
    /** Replaces all recovery codes. */
    async replaceRecoveryCodes(userId: string, hashes: readonly string[], at: number): Promise<void> {
      await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
      const rows = hashes.map((code_hash) => ({ user_id: userId, code_hash, created_at: at, used_at: null }))
      await db.insertInto('recovery_codes').values(rows).execute()
    },
    /** Uses a recovery code up: of any number of calls exactly one gets `true`. */
    async useRecoveryCode(userId: string, hash: string, at: number): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('recovery_codes')
        .set({ used_at: at })
        .where('user_id', '=', userId)
        .where('code_hash', '=', hash)
        .where('used_at', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
    async countRecoveryCodes(userId: string): Promise<number> {
      const { count } = await db
        .selectFrom('recovery_codes')
        .select((e) => e.fn.countAll().as('count'))
        .where('user_id', '=', userId)
        .where('used_at', 'is', null)
        .executeTakeFirstOrThrow()
      return Number(count)
    },
    /** Forgets the secret of a user that was shown but not confirmed; without a user, of all. */
    async removePending(userId?: string): Promise<void> {
      const pending = db.deleteFrom('totp_factors').where('confirmed_at', 'is', null)
      await (userId === undefined ? pending : pending.where('user_id', '=', userId)).execute()
    },
    /** A page of the sealed secrets that are confirmed, ordered by the users' ids. */
    async listSealed({ limit, cursor }: { limit: number; cursor: string }): Promise<Array<{ id: string; sealed: string }>> {
      return db
        .selectFrom('totp_factors')
        .select(['user_id as id', 'secret_sealed as sealed'])
        .where('user_id', '>', cursor)
        .where('confirmed_at', 'is not', null)
        .orderBy('user_id')
        .limit(limit)
        .execute()
    },
    async reseal(userId: string, secretSealed: string): Promise<void> {
      await db.updateTable('totp_factors').set({ secret_sealed: secretSealed }).where('user_id', '=', userId).execute()
    },
    /**
     * Removes the app with its recovery codes; with `since` (ms) only if it was confirmed then or later. Answers whether there was a
     * confirmed one.
     */
    async remove(userId: string, { since = 0 }: { since?: number } = {}): Promise<boolean> {
      const rows = await db
        .deleteFrom('totp_factors')
        .where('user_id', '=', userId)
        .where((e) => e.or([e('confirmed_at', 'is', null), e('confirmed_at', '>=', since)]))
        .returning('confirmed_at')
        .execute()
      if (rows.length > 0) await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
      return rows.some(({ confirmed_at }) => confirmed_at !== null)
    },
  }
}
