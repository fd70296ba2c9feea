import { inPages, type OutboxRow, type Page, type Queryable } from '../../storage/index.ts'
import type { JobRecord } from '../job.ts'

/** By id, so the newest last; `only: 'dead'` lists the dead letters. */
export async function listJobs(
  db: Queryable,
  { limit, cursor, only }: { limit: number; cursor?: string; only?: 'dead' },
): Promise<JobRecord[]> {
  const after = cursor === undefined ? undefined : { value: cursor, id: cursor }
  return listJobsPage(db, { only }, { sort: 'created_at', direction: 'asc', after, limit })
}

/** A page in the order of the ids, which is the order of time. */
export async function listJobsPage(db: Queryable, { only }: { only?: 'dead' | 'living' | undefined }, page: Page): Promise<JobRecord[]> {
  let query = withPauses(db)
  if (only === 'dead') query = query.where('dead_at', 'is not', null)
  if (only === 'living') query = query.where('dead_at', 'is', null)
  return (await inPages(query, { column: 'id', id: 'id', page }).execute()).map(toRecord)
}

export async function findJob(db: Queryable, id: string): Promise<JobRecord | undefined> {
  const row = await withPauses(db).where('id', '=', id).executeTakeFirst()
  return row && toRecord(row)
}

/** Makes a job due again, after any pause of its lane, with all its attempts; `undefined` when it is not there, or a worker has it. */
export async function reviveJob(db: Queryable, id: string, now: number): Promise<JobRecord | undefined> {
  const row = await db
    .updateTable('outbox')
    .set({ run_at: now, attempts: 0, dead_at: null })
    .where('id', '=', id)
    .where((where) => where.or([where('leased_until', 'is', null), where('leased_until', '<=', now)]))
    .returning('id')
    .executeTakeFirst()
  return row && findJob(db, row.id)
}

/** The same for every dead letter. Answers their number. */
export async function reviveDeadJobs(db: Queryable, now: number): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('outbox')
    .set({ run_at: now, attempts: 0, dead_at: null })
    .where('dead_at', 'is not', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Removes a job; `undefined` when it is not there, or a worker has it. */
export async function takeIdleJob(db: Queryable, id: string, now: number): Promise<JobRecord | undefined> {
  const row = await db
    .deleteFrom('outbox')
    .where('id', '=', id)
    .where((where) => where.or([where('leased_until', 'is', null), where('leased_until', '<=', now)]))
    .returning(shown)
    .executeTakeFirst()
  return row && toRecord(row)
}

/** With the pause of its lane, which delays a job. */
function withPauses(db: Queryable) {
  return db.selectFrom('outbox').leftJoin('outbox_lanes', 'outbox_lanes.lane', 'outbox.lane').select(shown).select('paused_until')
}

const shown = ['id', 'kind', 'attempts', 'created_at', 'run_at', 'leased_until', 'dead_at', 'last_error'] as const

function toRecord(row: Pick<OutboxRow, (typeof shown)[number]> & { paused_until?: number | null }): JobRecord {
  return {
    id: row.id,
    kind: row.kind,
    attempts: row.attempts,
    createdAt: row.created_at,
    runAt: row.dead_at === null ? Math.max(row.run_at, row.paused_until ?? 0) : row.run_at,
    leasedUntil: row.leased_until ?? undefined,
    deadAt: row.dead_at ?? undefined,
    lastError: row.last_error ?? undefined,
  }
}
