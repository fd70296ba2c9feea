import { sql } from 'kysely'
import type { Queryable, Storage } from '../storage/index.ts'

/** A session as its person sees it. Times in ms. */
export interface OwnSession {
  id: string
  ip: string
  userAgent: string
  createdAt: number
  /** As of a few minutes ago, that of its product sessions included. */
  lastSeenAt: number
  /** Somebody of the operator's acts in it, and not its person. */
  isSupports: boolean
  /** The external products it was used for. */
  products: string[]
}

/** Sessions as their person sees and ends them, and when each was last seen. */
export function ownSessionStore(db: Queryable) {
  return {
    /**
     * Notes when sessions were last seen, all in one statement; an earlier time than the one there changes nothing. Rows that another transaction holds are
     * passed over, so that this waits for nobody and nobody in a circle for it: they will be seen again.
     */
    async markSeen(seen: ReadonlyMap<string, number>, { dialect }: Storage['address']): Promise<void> {
      const rows = [...seen].map(([id, at]) => sql`(cast(${id} as text), cast(${at} as bigint))`)
      const free = dialect === 'postgres' ? sql`for no key update skip locked` : sql``
      await sql`
        update sessions set last_seen_at = seen.column2 from (values ${sql.join(rows)}) as seen
        where sessions.id = seen.column1 and (last_seen_at is null or last_seen_at < seen.column2)
          and sessions.id in (select id from sessions where id in (${sql.join([...seen.keys()])}) ${free})`.execute(db)
    },
    /** A person's live sessions of the domain, newest first; `cursor` is the id of the last one of the page before. */
    async listOwn(
      userId: string,
      { now, limit, cursor }: { now: number; limit: number; cursor?: string | undefined },
    ): Promise<OwnSession[]> {
      let query = db
        .selectFrom('sessions')
        .select(['id', 'ip', 'user_agent', 'created_at', 'last_seen_at', 'acting_user_id'])
        .where('user_id', '=', userId)
        .where('parent_id', 'is', null)
        .where('ended_at', 'is', null)
        .where('expires_at', '>', now)
        .orderBy('id', 'desc')
        .limit(limit)
      if (cursor !== undefined) query = query.where('id', '<', cursor)
      const own = await query.execute()
      const children = own.length === 0 ? [] : await listChildren(own.map(({ id }) => id))
      return own.map((row) => {
        const below = children.filter(({ parent_id }) => parent_id === row.id)
        const times = [row, ...below].map(({ last_seen_at, created_at }) => last_seen_at ?? created_at)
        return {
          id: row.id,
          ip: row.ip,
          userAgent: row.user_agent,
          createdAt: row.created_at,
          lastSeenAt: Math.max(...times),
          isSupports: row.acting_user_id !== null,
          products: [...new Set(below.map(({ name }) => name))],
        }
      })
    },
    /** All that is kept of a person's sessions, ended ones too, newest first. */
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
          'acting_user_id',
        ])
        .where('user_id', '=', userId)
        .orderBy('sessions.created_at', 'desc')
        .limit(limit)
        .execute()
    },
    /** Ends a person's sessions in a product, and answers their ids. */
    async endInProduct({ userId, productId }: { userId: string; productId: string }, reason: string, at: number): Promise<string[]> {
      const rows = await db
        .updateTable('sessions')
        .set({ ended_at: at, ended_reason: reason })
        .where('user_id', '=', userId)
        .where('product_id', '=', productId)
        .where('ended_at', 'is', null)
        .returning('id')
        .execute()
      return rows.map((row) => row.id)
    },
    /** Whether a live session of the domain is this person's. */
    async isOwn(id: string, userId: string): Promise<boolean> {
      const row = await db
        .selectFrom('sessions')
        .select('id')
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .where('parent_id', 'is', null)
        .where('ended_at', 'is', null)
        .executeTakeFirst()
      return row !== undefined
    },
  }

  /** The product sessions that came from these. */
  function listChildren(parents: readonly string[]) {
    return db
      .selectFrom('sessions')
      .innerJoin('products', 'products.id', 'sessions.product_id')
      .select(['parent_id', 'last_seen_at', 'sessions.created_at', 'name'])
      .where('parent_id', 'in', parents)
      .where('ended_at', 'is', null)
      .execute()
  }
}
