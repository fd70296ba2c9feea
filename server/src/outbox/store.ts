import type { Queryable, Transaction } from '../storage/index.ts'
import type { Job } from './job.ts'

/** Pauses a lane for all nodes until then (ms). A longer pause stays. */
export async function pauseLane(db: Queryable, lane: string, until: number): Promise<void> {
  await db
    .insertInto('outbox_lanes')
    .values({ lane, paused_until: until })
    .onConflict((conflict) => conflict.column('lane').doUpdateSet({ paused_until: until }).where('outbox_lanes.paused_until', '<', until))
    .execute()
}

/** Ends a worker's lease, and holds the job; `false`: the lease is another's by now, or the job is gone. */
export async function endLease(tx: Transaction, { id, leasedUntil }: Pick<Job, 'id' | 'leasedUntil'>): Promise<boolean> {
  const own = tx.updateTable('outbox').set({ leased_until: null }).where('id', '=', id).where('leased_until', '=', leasedUntil)
  return Number((await own.executeTakeFirst()).numUpdatedRows) > 0
}

export async function removeJob(db: Queryable, id: string): Promise<void> {
  await db.deleteFrom('outbox').where('id', '=', id).execute()
}

export async function postponeJob(db: Queryable, id: string, { runAt, error }: { runAt: number; error: string }): Promise<void> {
  await db.updateTable('outbox').set({ run_at: runAt, leased_until: null, last_error: error }).where('id', '=', id).execute()
}

/** Keeps a job that was given up, for the operator to see. */
export async function deadLetterJob(db: Queryable, id: string, { at, error }: { at: number; error: string }): Promise<void> {
  await db.updateTable('outbox').set({ dead_at: at, leased_until: null, last_error: error }).where('id', '=', id).execute()
}
