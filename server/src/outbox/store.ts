import { newId, type Sealer } from '../kit/index.ts'
import type { OutboxRow, Queryable, Storage, Transaction } from '../storage/index.ts'
import type { Job, JobKind, JobRecord, NewJob } from './job.ts'

const place = (id: string) => `outbox.payload_sealed.${id}`

/** Writes a job in the transaction of what it follows: both are there or neither. Answers its id. */
export async function addJob(tx: Transaction, { kind, payload }: NewJob, { sealer, at }: { sealer: Sealer; at: number }): Promise<string> {
  const id = newId()
  const row = { id, kind, payload_sealed: sealer.seal(JSON.stringify(payload), place(id)), attempts: 0, run_at: at, created_at: at }
  await tx
    .insertInto('outbox')
    .values({ ...row, leased_until: null, dead_at: null, last_error: null })
    .execute()
  return id
}

/**
 * Takes due jobs for one worker until `leasedUntil`, and counts the attempt. Of any number of workers on any nodes exactly one gets a job; when it
 * dies, the lease runs out and another does.
 */
export async function leaseJobs(
  storage: Storage,
  { limit, now, leasedUntil, kinds }: { limit: number; now: number; leasedUntil: number; kinds: readonly string[] },
  sealer: Sealer,
): Promise<Job[]> {
  const { db, address } = storage
  const due = db
    .selectFrom('outbox')
    .select('id')
    .where('dead_at', 'is', null)
    .where('run_at', '<=', now)
    .where('kind', 'in', kinds)
    .where((where) => where.or([where('leased_until', 'is', null), where('leased_until', '<=', now)]))
    .orderBy('run_at')
    .limit(limit)
  const rows = await db
    .updateTable('outbox')
    .set((e) => ({ leased_until: leasedUntil, attempts: e('attempts', '+', 1) }))
    .where('id', 'in', address.dialect === 'postgres' ? due.forUpdate().skipLocked() : due)
    .returning(['id', 'kind', 'payload_sealed', 'attempts'])
    .execute()
  return rows.map(({ id, kind, payload_sealed, attempts }) => {
    const payload = sealer.open(payload_sealed, place(id))
    return { id, kind, attempts, payload: payload === undefined ? undefined : JSON.parse(payload) }
  })
}

export async function removeJob(db: Queryable, id: string): Promise<void> {
  await db.deleteFrom('outbox').where('id', '=', id).execute()
}

export async function postponeJob(db: Queryable, id: string, { runAt, error }: { runAt: number; error: string }): Promise<void> {
  await db.updateTable('outbox').set({ run_at: runAt, leased_until: null, last_error: error }).where('id', '=', id).execute()
}

/** Keeps a job that nobody will try again, for the operator to see. */
export async function buryJob(db: Queryable, id: string, { at, error }: { at: number; error: string }): Promise<void> {
  await db.updateTable('outbox').set({ dead_at: at, leased_until: null, last_error: error }).where('id', '=', id).execute()
}

/** By id, so the newest last; with `only: 'dead'` the dead letters alone. */
export async function listJobs(
  db: Queryable,
  { limit, cursor, only }: { limit: number; cursor?: string; only?: 'dead' },
): Promise<JobRecord[]> {
  let query = db.selectFrom('outbox').select(shown).orderBy('id').limit(limit)
  if (cursor !== undefined) query = query.where('id', '>', cursor)
  if (only === 'dead') query = query.where('dead_at', 'is not', null)
  return (await query.execute()).map(toRecord)
}

export async function findJob(db: Queryable, id: string): Promise<JobRecord | undefined> {
  const row = await db.selectFrom('outbox').select(shown).where('id', '=', id).executeTakeFirst()
  return row && toRecord(row)
}

/** Makes a job due now, with all its attempts before it again; `undefined` when it is not there, or a worker has it. */
export async function reviveJob(db: Queryable, id: string, now: number): Promise<JobRecord | undefined> {
  const row = await db
    .updateTable('outbox')
    .set({ run_at: now, attempts: 0, dead_at: null })
    .where('id', '=', id)
    .where((where) => where.or([where('leased_until', 'is', null), where('leased_until', '<=', now)]))
    .returning(shown)
    .executeTakeFirst()
  return row && toRecord(row)
}

/** The same for every dead letter. Answers how many there were. */
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

const shown = ['id', 'kind', 'attempts', 'created_at', 'run_at', 'leased_until', 'dead_at', 'last_error'] as const

function toRecord(row: Pick<OutboxRow, (typeof shown)[number]>): JobRecord {
  return {
    id: row.id,
    kind: row.kind,
    attempts: row.attempts,
    createdAt: row.created_at,
    runAt: row.run_at,
    leasedUntil: row.leased_until ?? undefined,
    deadAt: row.dead_at ?? undefined,
    lastError: row.last_error ?? undefined,
  }
}

/** A page of what is sealed, in the order of the ids. */
export async function listSealedJobs(
  db: Queryable,
  { limit, cursor }: { limit: number; cursor: string },
): Promise<Array<{ id: string; sealed: string; isDead: boolean }>> {
  const columns = ['id', 'payload_sealed', 'dead_at'] as const
  const rows = await db.selectFrom('outbox').select(columns).where('id', '>', cursor).orderBy('id').limit(limit).execute()
  return rows.map(({ id, payload_sealed, dead_at }) => ({ id, sealed: payload_sealed, isDead: dead_at !== null }))
}

export async function resealJob(db: Queryable, id: string, sealed: string): Promise<void> {
  await db.updateTable('outbox').set({ payload_sealed: sealed }).where('id', '=', id).execute()
}

/** How many jobs wait and how many are dead letters, for the metrics. */
export async function countJobs(db: Queryable): Promise<{ waiting: number; dead: number }> {
  const rows = await db
    .selectFrom('outbox')
    .select((e) => [e.fn.countAll<number>().as('all'), e.fn.count<number>('dead_at').as('dead')])
    .execute()
  const { all = 0, dead = 0 } = rows[0] ?? {}
  return { waiting: Number(all) - Number(dead), dead: Number(dead) }
}

/** How many of one kind were given up. */
export async function countDeadJobs(db: Queryable, kind: JobKind): Promise<number> {
  const { count } = await db
    .selectFrom('outbox')
    .select((e) => e.fn.countAll().as('count'))
    .where('kind', '=', kind)
    .where('dead_at', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}
