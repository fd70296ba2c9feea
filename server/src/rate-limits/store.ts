import { sql } from 'kysely'
import { MINUTE_MS } from '../kit/index.ts'
import { type Queryable, removeInPortions } from '../storage/index.ts'
import type { Limit, LimitStore } from './limit.ts'

/** The difference between nodes' clocks that is allowed for. A window that ends even later was opened by a wrong clock. */
const CLOCKS_APART_MS = 5 * MINUTE_MS

export function limitStore(db: Queryable): LimitStore {
  const uncount = async (...keys: string[]) => {
    await db
      .insertInto('rate_limits')
      .values(keys.sort().map((key) => ({ key, count: 0, window_ends_at: 0 }))) // gone meanwhile; housekeeping removes them
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet({ count: sql`case when rate_limits.count > 0 then rate_limits.count - 1 else 0 end` }),
      )
      .execute()
  }
  const isOver = (now: number) =>
    sql`rate_limits.window_ends_at <= ${now} or rate_limits.window_ends_at > excluded.window_ends_at + ${CLOCKS_APART_MS}`
  /** In the order of their keys, as above: two statements that hold several rows would otherwise deadlock. */
  const add = (limits: readonly Limit[], now: number) =>
    db
      .insertInto('rate_limits')
      .values(byKey(limits).map(({ key, windowMs }) => ({ key, count: 1, window_ends_at: now + windowMs })))
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet({
          count: sql`case when ${isOver(now)} then 1 else rate_limits.count + 1 end`,
          window_ends_at: sql`case when ${isOver(now)} then excluded.window_ends_at else rate_limits.window_ends_at end`,
        }),
      )
      .returning(['key', 'count', 'window_ends_at'])
      .execute()
  return {
    async count(limit, now) {
      const [row] = await add([limit], now)
      if (!row) throw new Error('a limit was not counted')
      return { within: row.count <= limit.most, retryAfterSeconds: secondsUntil(row.window_ends_at, now) }
    },
    async countAll(limits, now) {
      const mostOf = new Map(limits.map(({ key, most }) => [key, most]))
      const longest = Math.max(...limits.map(({ windowMs }) => windowMs))
      const keys = [...mostOf.keys()]
      const full = await db
        .selectFrom('rate_limits')
        .select(['key', 'count', 'window_ends_at'])
        .where('key', 'in', keys)
        .where('window_ends_at', '>', now)
        .where('window_ends_at', '<=', now + longest + CLOCKS_APART_MS)
        .execute()
      const refused = full.find(({ key, count }) => count >= (mostOf.get(key) ?? 0))
      if (refused) return { within: false, retryAfterSeconds: secondsUntil(refused.window_ends_at, now) }
      const rows = await add(limits, now)
      const beyond = rows.find(({ key, count }) => count > (mostOf.get(key) ?? 0))
      if (beyond) await uncount(...keys)
      return { within: !beyond, retryAfterSeconds: beyond ? secondsUntil(beyond.window_ends_at, now) : 0 }
    },
    uncount,
    async clear(key) {
      await db.deleteFrom('rate_limits').where('key', '=', key).execute()
    },
  }
}

const byKey = (limits: readonly Limit[]) => [...limits].sort((a, b) => (a.key < b.key ? -1 : 1))
const secondsUntil = (endsAt: number, now: number) => Math.max(1, Math.ceil((endsAt - now) / 1000))

/** Removes counters whose window is over. */
export async function forgetOldLimits(db: Queryable, now: number): Promise<void> {
  await removeInPortions(db, 'rate_limits', (e) => e('window_ends_at', '<=', now))
}
