import { type Queryable, removeInPortions } from '../../storage/index.ts'

/** Failed sign-ins of one kind, of one account from one place, within a minute. */
export interface FailedSignInRecord {
  id: string
  /** Unknown where nobody has the address that was typed, or no account came into question. */
  userId: string | undefined
  /** The word of the metric: `wrong_credentials`. */
  kind: string
  /** The name of the identity provider, where one was asked. */
  provider: string | undefined
  count: number
  /** The first of them, in ms. */
  failedAt: number
  ip: string
  userAgent: string
}

export function failedSignInStore(db: Queryable) {
  return {
    /** A user who was deleted meanwhile is left out. */
    async add(records: readonly FailedSignInRecord[]): Promise<void> {
      const rows = records.map(({ userId, failedAt, userAgent, provider = null, ...record }) => ({
        ...record,
        user_id: userId === undefined ? null : db.selectFrom('users').select('id').where('id', '=', userId),
        provider,
        failed_at: failedAt,
        user_agent: userAgent.slice(0, 400),
      }))
      await db.insertInto('failed_sign_ins').values(rows).execute()
    },
    /** The newest first. */
    async listOfUser(userId: string, limit: number) {
      const own = db.selectFrom('failed_sign_ins').select(['kind', 'provider', 'count', 'failed_at'])
      return own.where('user_id', '=', userId).orderBy('id', 'desc').limit(limit).execute()
    },
    async forgetOld(before: number): Promise<void> {
      await removeInPortions(db, 'failed_sign_ins', (e) => e('failed_at', '<', before))
    },
  }
}
