import type { Queryable } from '../../storage/index.ts'
import type { NdaAcceptance } from '../user.ts'

/** Beta users, and their acceptance of the NDA. */
export function betaUserStore(db: Queryable) {
  return {
    async addBetaUser(userId: string, at: number): Promise<void> {
      const row = {
        user_id: userId,
        created_at: at,
        nda_accepted_at: null,
        nda_ip: null,
        nda_user_agent: null,
        nda_version: null,
        nda_text_hash: null,
      }
      await db
        .insertInto('beta_users')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    },
    async removeBetaUser(userId: string): Promise<void> {
      await db.deleteFrom('beta_users').where('user_id', '=', userId).execute()
    },
    /** Records the first acceptance; `false` when there is no beta user, or one that has accepted already. */
    async acceptNda(userId: string, { at, ip, userAgent, version, textHash }: NdaAcceptance): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('beta_users')
        .set({ nda_accepted_at: at, nda_ip: ip, nda_user_agent: userAgent.slice(0, 400), nda_version: version, nda_text_hash: textHash })
        .where('user_id', '=', userId)
        .where('nda_accepted_at', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
    /** A beta user's acceptance, with the request's details; `undefined` for none. */
    async findNda(userId: string): Promise<NdaAcceptance | undefined> {
      const row = await db.selectFrom('beta_users').selectAll().where('user_id', '=', userId).executeTakeFirst()
      if (!row || row.nda_accepted_at === null) return undefined
      return {
        at: row.nda_accepted_at,
        ip: row.nda_ip ?? '',
        userAgent: row.nda_user_agent ?? '',
        version: row.nda_version ?? '',
        textHash: row.nda_text_hash ?? '',
      }
    },
  }
}
