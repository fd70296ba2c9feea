import { type FailedSignInRow, prepare, type Queryable, removeInPortions } from '../../storage/index.ts'

/** Failed sign-ins of one kind, of one account from one network, within a minute. */
export interface FailedSignInRecord {
  id: string
  /** Unknown where nobody has the address that was typed, or no account came into question. */
  userId: string | undefined
  /** The word of the metric: `wrong_credentials`. */
  kind: string
  /** The name of the identity provider, where one was asked. */
  provider: string | undefined
  count: number
  /** The first of them, in ms; so is its address and its browser. */
  failedAt: number
  ip: string
  userAgent: string
}

/** A row that is there already was written by a statement whose answer was lost; there may have been more since. */
const insertFailed = prepare((db: Queryable, row: FailedSignInRow) =>
  db
    .insertInto('failed_sign_ins')
    .values({
      id: row.id,
      user_id: row.user_id,
      kind: row.kind,
      provider: row.provider,
      count: row.count,
      failed_at: row.failed_at,
      ip: row.ip,
      user_agent: row.user_agent,
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet((e) => ({ count: e.ref('excluded.count') }))),
)

export function failedSignInStore(db: Queryable) {
  return {
    /** Those of a user who was deleted meanwhile are left out. */
    async add(records: readonly FailedSignInRecord[]): Promise<void> {
      const ids = [...new Set(records.flatMap(({ userId }) => userId ?? []))]
      const there = ids.length === 0 ? [] : await db.selectFrom('users').select('id').where('id', 'in', ids).execute()
      const known = new Set(there.map(({ id }) => id))
      for (const { userId, failedAt, userAgent, provider = null, ...record } of records)
        if (userId === undefined || known.has(userId))
          await insertFailed(db, { ...record, user_id: userId ?? null, provider, failed_at: failedAt, user_agent: userAgent })
    },
    /** The newest first. */
    async listOfUser(userId: string, limit: number) {
      const own = db.selectFrom('failed_sign_ins').select(['kind', 'provider', 'count', 'failed_at'])
      return own.where('user_id', '=', userId).orderBy('id', 'desc').limit(limit).execute()
    },
    async forgetOld(before: number): Promise<void> {
      await removeInPortions(db, 'failed_sign_ins', (e) => e('failed_at', '<', before))
    },
    /** Before the account goes: it may have very many, after an attack. */
    async forgetOfUser(userId: string): Promise<void> {
      await removeInPortions(db, 'failed_sign_ins', (e) => e('user_id', '=', userId))
    },
  }
}
