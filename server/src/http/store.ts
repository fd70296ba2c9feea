import { sql } from 'kysely'
import type { Queryable } from '../storage/index.ts'
import type { LimitStore } from './limits.ts'

export function limitStore(db: Queryable): LimitStore {
  return {
    async count({ key, most, windowMs }, now) {
      const { count, window_ends_at } = await db
        .insertInto('rate_limits')
        .values({ key, count: 1, window_ends_at: now + windowMs })
        .onConflict((conflict) =>
          conflict.column('key').doUpdateSet({
            count: sql`case when rate_limits.window_ends_at <= ${now} then 1 else rate_limits.count + 1 end`,
            window_ends_at: sql`case when rate_limits.window_ends_at <= ${now} then ${now + windowMs} else rate_limits.window_ends_at end`,
          }),
        )
        .returning(['count', 'window_ends_at'])
        .executeTakeFirstOrThrow()
      return { within: count <= most, retryAfterSeconds: Math.max(1, Math.ceil((window_ends_at - now) / 1000)) }
    },
    async uncount(key) {
      await db
        .updateTable('rate_limits')
        .set((e) => ({ count: e('count', '-', 1) }))
        .where('key', '=', key)
        .where('count', '>', 0)
        .execute()
    },
    async clear(key) {
      await db.deleteFrom('rate_limits').where('key', '=', key).execute()
    },
  }
}

/** Removes counters whose window is over. */
export async function forgetOldLimits(db: Queryable, now: number): Promise<void> {
  await db.deleteFrom('rate_limits').where('window_ends_at', '<=', now).execute()
}
