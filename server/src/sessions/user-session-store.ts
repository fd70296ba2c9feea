import { sql } from 'kysely'
import type { Queryable, Storage } from '../storage/index.ts'

/** Sessions as their user sees and ends them, with their last use. */
export function userSessionStore(db: Queryable) {
  return {
    /** The number of a user's live sessions, those of products included. */
    async countLive(userId: string, now: number): Promise<number> {
      const { count } = await db
        .selectFrom('sessions')
        .select((e) => e.fn.countAll().as('count'))
        .where('user_id', '=', userId)
        .where('impersonator_id', 'is', null)
        .where('ended_at', 'is', null)
        .where('expires_at', '>', now)
        .executeTakeFirstOrThrow()
      return Number(count)
    },
    /**
     * Notes when sessions were last seen, in one statement; an earlier time changes nothing. Rows held by another transaction are skipped,
     * so that this never waits and never deadlocks: their next use is noted.
     */
    async markLastSeen(seen: ReadonlyMap<string, number>, { dialect }: Storage['address']): Promise<void> {
      const rows = [...seen].map(([id, at]) => sql`(cast(${id} as text), cast(${at} as bigint))`)
      const free = dialect === 'postgres' ? sql`for no key update skip locked` : sql``
      await sql`
        update sessions set last_seen_at = seen.column2 from (values ${sql.join(rows)}) as seen
        where sessions.id = seen.column1 and (last_seen_at is null or last_seen_at < seen.column2)
          and sessions.id in (select id from sessions where id in (${sql.join([...seen.keys()])}) ${free})`.execute(db)
    },
    /** All sessions of a user in the database, ended ones included, newest first. */
    async listOfUser(userId: string, limit: number) {
      return db
        .selectFrom('sessions')
        .leftJoin('products', 'products.id', 'sessions.product_id')
        .select([
          'sessions.id',
          'products.name as product',
          'sessions.created_at',
          'last_seen_at',
          'expires_at',
          'ended_at',
          'ended_reason',
          'ip',
          'user_agent',
          'impersonator_id',
          'sign_in_method',
        ])
        .where('user_id', '=', userId)
        .orderBy('sessions.created_at', 'desc')
        .limit(limit)
        .execute()
    },
  }
}
