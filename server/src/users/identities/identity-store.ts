import type { Queryable } from '../../storage/index.ts'

/** A provider's identity, linked to an account. */
export interface Identity {
  issuer: string
  subject: string
  email: string | undefined
  /** Ms. */
  createdAt: number
}

/** The links of providers' identities to accounts. The key is issuer and subject (OpenID Connect Core §5.7), never an address. */
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
    /** Those of these identities that an account has. */
    async listTaken(identities: ReadonlyArray<{ issuer: string; subject: string }>): Promise<Array<{ issuer: string; subject: string }>> {
      const taken: Array<{ issuer: string; subject: string }> = []
      for (const issuer of new Set(identities.map((one) => one.issuer))) {
        const subjects = identities.flatMap((one) => (one.issuer === issuer ? one.subject : []))
        const rows = db.selectFrom('identities').select(['issuer', 'subject'])
        taken.push(...(await rows.where('issuer', '=', issuer).where('subject', 'in', subjects).execute()))
      }
      return taken
    },
    /** Links an identity to an account; `false` when it is linked to one already. */
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
    /** The number of connected providers by which a user may sign in. */
    async countOfUser(userId: string, without?: { issuer: string; subject: string }): Promise<number> {
      let query = db
        .selectFrom('identities')
        .select((e) => e.fn.countAll().as('count'))
        .where('user_id', '=', userId)
        .where('issuer', 'in', (e) => e.selectFrom('identity_providers').select('issuer'))
      if (without) query = query.where((e) => e.or([e('issuer', '!=', without.issuer), e('subject', '!=', without.subject)]))
      return Number((await query.executeTakeFirstOrThrow()).count)
    },
    /** A user's links, the oldest first. */
    async listOfUser(userId: string): Promise<Identity[]> {
      const rows = await db.selectFrom('identities').selectAll().where('user_id', '=', userId).orderBy('created_at').execute()
      return rows.map((row) => ({ issuer: row.issuer, subject: row.subject, email: row.email ?? undefined, createdAt: row.created_at }))
    },
    async remove(issuer: string, subject: string): Promise<void> {
      await db.deleteFrom('identities').where('issuer', '=', issuer).where('subject', '=', subject).execute()
    },
    async removeOfUser(userId: string): Promise<void> {
      await db.deleteFrom('identities').where('user_id', '=', userId).execute()
    },
    /** Holds the link until the transaction ends; `false` when it is gone. */
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
