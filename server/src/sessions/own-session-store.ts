import { sql } from 'kysely'
import type { Queryable } from '../storage/index.ts'

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

interface OwnPage {
  /** The requesting session. */
  here: string
  now: number
  limit: number
  cursor?: string | undefined
}

/** Sessions of the domain, as their user sees them. */
export function ownSessionStore(db: Queryable) {
  return {
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
