import type { Queryable } from '../storage/index.ts'

/** Which account a person of a provider is. The key is issuer and subject (OpenID Connect Core §5.7); an address is never one. */
export function identityStore(db: Queryable) {
  return {
    async findUserId(issuer: string, subject: string): Promise<string | undefined> {
      const row = await db
        .selectFrom('identities')
        .select('user_id')
        .where('issuer', '=', issuer)
        .where('subject', '=', subject)
        .executeTakeFirst()
      return row?.user_id
    },
    /** Ties a person of a provider to an account; `false` when they are tied to one already. */
    async insert(
      { issuer, subject, userId, email }: { issuer: string; subject: string; userId: string; email: string | undefined },
      at: number,
    ): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('identities')
        .values({ issuer, subject, user_id: userId, email: email ?? null, created_at: at })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow()
      return numInsertedOrUpdatedRows === 1n
    },
    async removeOfUser(userId: string): Promise<void> {
      await db.deleteFrom('identities').where('user_id', '=', userId).execute()
    },
    /** Holds the tie until the transaction ends; `false` when it is gone. */
    async hold(issuer: string, subject: string, userId: string): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('identities')
        .set((e) => ({ user_id: e.ref('user_id') }))
        .where('issuer', '=', issuer)
        .where('subject', '=', subject)
        .where('user_id', '=', userId)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
  }
}
