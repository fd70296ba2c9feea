import { DAY_MS } from '../kit/index.ts'
import type { Queryable } from '../storage/index.ts'

/** How long a worker has a job at most. */
export const LEASE_MS = 60_000

/**
 * Brings back what a clock has written that was set back since: it would wait as long as that clock was ahead. A job that was never tried
 * is due at once, no other waits for more than a day, and neither does a lane. `at`: the database's time, by which leases are held.
 */
export async function fixTimesAhead(db: Queryable, at: number): Promise<void> {
  const latest = at + DAY_MS
  const jobs = db.updateTable('outbox').where('dead_at', 'is', null)
  await jobs.set({ run_at: at }).where('attempts', '=', 0).where('run_at', '>', at).execute()
  await jobs.set({ run_at: latest }).where('attempts', '>', 0).where('run_at', '>', latest).execute()
  await jobs
    .set({ leased_until: at + LEASE_MS })
    .where('leased_until', '>', at + LEASE_MS)
    .execute()
  await db.updateTable('outbox_lanes').set({ paused_until: latest }).where('paused_until', '>', latest).execute()
}
