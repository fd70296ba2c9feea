import { sql } from 'kysely'
import type { Queryable, Storage } from '../storage/index.ts'
import { ENDED, type EndedSession, toEnded } from './store.ts'

/** A session as its user sees it. Times in ms. */
export interface OwnSession {
  id: string
  ip: string
  userAgent: string
  createdAt: number
  /** Accurate to a few minutes, its product sessions included. */
  lastSeenAt: number
  /** An impersonation by an administrator. */
  isSupports: boolean
  /** The external products it was used for. */
  products: string[]
}

/** A user's sessions that passkey `passkeyId` has begun; `keep` is the requesting one. */
export interface OfPasskey {
  userId: string
  passkeyId: string
  keep: string
}

interface OwnPage {
  /** The requesting session. */
  here: string
  now: number
  limit: number
  cursor?: string | undefined
}

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
    /**
     * A user's live sessions of the domain: on the first page the requesting one (`here`) first, then the others, newest first. `cursor` is
     * the last id of the page before. Reads no more rows than it answers.
     */
    async listOwn(userId: string, page: OwnPage): Promise<OwnSession[]> {
      const own = (await (page.cursor === undefined ? firstOwn(userId, page) : othersOf(userId, page)).execute()).slice(0, page.limit)
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
          isSupports: row.impersonator_id !== null,
          products: [...new Set(below.map(({ name }) => name))],
        }
      })
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
        ])
        .where('user_id', '=', userId)
        .orderBy('sessions.created_at', 'desc')
        .limit(limit)
        .execute()
    },
    /** Ends a user's sessions in a product; answers those that were live. */
    async endInProduct({ userId, productId }: { userId: string; productId: string }, reason: string, at: number): Promise<EndedSession[]> {
      const rows = await db
        .updateTable('sessions')
        .set({ ended_at: at, ended_reason: reason })
        .where('user_id', '=', userId)
        .where('product_id', '=', productId)
        .where('ended_at', 'is', null)
        .returning(ENDED)
        .execute()
      return rows.map(toEnded)
    },
    /**
     * Ends the live sessions of the domain that a passkey has begun, but the one to keep, with their product sessions, parents first as in
     * `sessionStore.end`. Answers those that were live.
     */
    async endOfPasskey({ userId, passkeyId, keep }: OfPasskey, reason: string, at: number): Promise<EndedSession[]> {
      const ending = () =>
        db.updateTable('sessions').set({ ended_at: at, ended_reason: reason }).where('ended_at', 'is', null).returning(ENDED)
      const parents = await ending()
        .where('user_id', '=', userId)
        .where('parent_id', 'is', null)
        .where('passkey_id', '=', passkeyId)
        .where('id', '!=', keep)
        .execute()
      if (parents.length === 0) return []
      const of = parents.map(({ id }) => id)
      const children = await ending().where('parent_id', 'in', of).execute()
      return [...parents, ...children].map(toEnded)
    },
    /** Whether a live session of the domain is this user's. */
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

  function liveOf(userId: string, now: number) {
    return db
      .selectFrom('sessions')
      .select(['id', 'ip', 'user_agent', 'created_at', 'last_seen_at', 'impersonator_id'])
      .where('user_id', '=', userId)
      .where('parent_id', 'is', null)
      .where('ended_at', 'is', null)
      .where('expires_at', '>', now)
  }

  function othersOf(userId: string, { here, now, limit, cursor }: OwnPage) {
    const others = liveOf(userId, now).where('id', '!=', here).orderBy('id', 'desc').limit(limit)
    return cursor === undefined ? others : others.where('id', '<', cursor)
  }

  /** Two index scans in one statement: one order over both would sort all of the user's rows. */
  function firstOwn(userId: string, page: OwnPage) {
    const own = db
      .selectFrom(liveOf(userId, page.now).where('id', '=', page.here).as('own'))
      .selectAll()
      .select(sql<number>`0`.as('place'))
    const others = db.selectFrom(othersOf(userId, page).as('others')).selectAll().select(sql<number>`1`.as('place'))
    return own.unionAll(others).orderBy('place').orderBy('id', 'desc')
  }

  /** The product sessions under these. */
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
