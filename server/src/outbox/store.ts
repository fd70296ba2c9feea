import { sql } from 'kysely'
import { newId, type Sealer } from '../kit/index.ts'
import { inPages, type OutboxRow, type Page, prepare, type Queryable, type Storage, type Transaction } from '../storage/index.ts'
import { isOpenKind, type Job, type JobRecord, type NewJob, type OpenJobKind } from './job.ts'

const place = (id: string) => `outbox.payload_sealed.${id}`

/** Writes a job in the transaction that causes it, so that both are there or neither. Answers its id. */
export async function addJob(
  tx: Transaction,
  { kind, payload, lane }: NewJob,
  { sealer, at }: { sealer: Sealer; at: number },
): Promise<string> {
  const id = newId()
  const row = { id, kind, payload_sealed: sealer.seal(JSON.stringify(payload), place(id)), attempts: 0, run_at: at, created_at: at }
  await insertJob(tx, { ...row, payload: null, lane: lane ?? null, leased_until: null, dead_at: null, last_error: null })
  return id
}

/** The same for a job whose payload is ids alone. */
export async function addOpenJob(
  tx: Transaction,
  { kind, payload, lane }: { kind: OpenJobKind; payload: Record<string, string>; lane: `${string}/${string}` },
  at: number,
): Promise<void> {
  const row = { id: newId(), kind, payload_sealed: '', payload: JSON.stringify(payload), lane, attempts: 0, run_at: at, created_at: at }
  await insertJob(tx, { ...row, leased_until: null, dead_at: null, last_error: null })
}

const insertJob = prepare((db, row: OutboxRow) =>
  db.insertInto('outbox').values({
    id: row.id,
    kind: row.kind,
    payload_sealed: row.payload_sealed,
    payload: row.payload,
    lane: row.lane,
    attempts: row.attempts,
    run_at: row.run_at,
    leased_until: row.leased_until,
    dead_at: row.dead_at,
    last_error: row.last_error,
    created_at: row.created_at,
  }),
)

interface Leasing {
  kinds: readonly string[]
  full: { lanes: readonly string[]; groups: readonly string[] }
  /** This node's time says which jobs seem due; the database's decides whether one is due and free, and until when. */
  now: number
  leaseTime: () => Promise<number>
  leaseMs: number
}

/**
 * Takes the longest due job for one worker for `leaseMs`, and counts the attempt; skips lanes that are full or paused. Exactly one of any
 * number of workers gets a job; when it dies, its lease expires. The cost depends on the number of lanes, not of pending jobs.
 */
export async function leaseJob(storage: Storage, leasing: Leasing, sealer: Sealer): Promise<Job | undefined> {
  const { full } = leasing
  const isFull = (lane: string) => full.lanes.includes(lane) || full.groups.some((group) => lane.startsWith(`${group}/`))
  for (const queue of await listQueues(storage.db, leasing)) {
    if (queue.lane !== null && isFull(queue.lane)) continue
    const row = await leaseFrom(storage, queue, { at: await leasing.leaseTime(), leaseMs: leasing.leaseMs })
    if (row) return toJob(row, sealer)
  }
  return undefined
}

/** The jobs of one kind in one lane, or in none. */
interface Queue {
  kind: string
  lane: string | null
}

/**
 * The lanes with a due job, the longest due first, from lane to lane by their index: one lane can have thousands of jobs. The lease itself
 * decides whether a job is still there.
 */
async function listQueues(db: Queryable, { kinds, now }: Leasing): Promise<Queue[]> {
  const ofKinds = sql.join(
    kinds.map((kind) => sql`select cast(${kind} as text) as kind`),
    sql` union all `,
  )
  const firstLane = sql`select lane from outbox where dead_at is null and outbox.kind = kinds.kind and lane is not null order by lane limit 1`
  const nextLane = sql`select outbox.lane from outbox where dead_at is null and outbox.kind = queues.kind and outbox.lane > queues.lane order by outbox.lane limit 1`
  const isDue = sql`dead_at is null and outbox.kind = queues.kind and run_at <= ${now} and (leased_until is null or leased_until <= ${now})`
  const { rows } = await sql<Queue>`
    with recursive kinds as (${ofKinds}),
    queues(kind, lane) as (
      select kind, (${firstLane}) from kinds
      union all
      select kind, (${nextLane}) from queues where lane is not null
    )
    select kind, lane from (
      select kind, lane, (select run_at from outbox where ${isDue} and outbox.lane = queues.lane order by run_at limit 1) as due_at
      from queues where lane is not null and lane not in (select lane from outbox_lanes where paused_until > ${now})
      union all
      select kind, null as lane, (select run_at from outbox where ${isDue} and outbox.lane is null order by run_at limit 1) as due_at
      from kinds as queues
    ) as due_lanes
    where due_at is not null order by due_at`.execute(db)
  return rows
}

async function leaseFrom({ db, address }: Storage, { kind, lane }: Queue, { at, leaseMs }: { at: number; leaseMs: number }) {
  const paused = db.selectFrom('outbox_lanes').select('lane').where('paused_until', '>', at)
  const due = db
    .selectFrom('outbox')
    .select('id')
    .where('dead_at', 'is', null)
    .where('kind', '=', kind)
    .where('lane', lane === null ? 'is' : '=', lane)
    .where((where) => where.or([where('lane', 'is', null), where('lane', 'not in', paused)]))
    .where('run_at', '<=', at)
    .where((where) => where.or([where('leased_until', 'is', null), where('leased_until', '<=', at)]))
    .orderBy('run_at')
    .limit(1)
  return db
    .updateTable('outbox')
    .set((e) => ({ leased_until: at + leaseMs, attempts: e('attempts', '+', 1) }))
    .where('id', '=', address.dialect === 'postgres' ? due.forUpdate().skipLocked() : due)
    .returning(['id', 'kind', 'payload_sealed', 'payload', 'lane', 'attempts'])
    .executeTakeFirst()
}

function toJob({ id, kind, payload_sealed, payload: open, lane, attempts }: LeasedRow, sealer: Sealer): Job {
  // A payload in the clear counts for these kinds alone: whoever can write rows must not be able to send mails.
  const payload = isOpenKind(kind) ? (open ?? undefined) : sealer.open(payload_sealed, place(id))
  return { id, kind, attempts, lane: lane ?? undefined, payload: payload === undefined ? undefined : JSON.parse(payload) }
}

type LeasedRow = Pick<OutboxRow, 'id' | 'kind' | 'payload_sealed' | 'payload' | 'lane' | 'attempts'>

/** Pauses a lane for all nodes until then (ms). A longer pause stays. */
export async function pauseLane(db: Queryable, lane: string, until: number): Promise<void> {
  await db
    .insertInto('outbox_lanes')
    .values({ lane, paused_until: until })
    .onConflict((conflict) => conflict.column('lane').doUpdateSet({ paused_until: until }).where('outbox_lanes.paused_until', '<', until))
    .execute()
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

/** A page of jobs with sealed payloads, in the order of the ids. */
export async function listSealedJobs(
  db: Queryable,
  { limit, cursor }: { limit: number; cursor: string },
): Promise<Array<{ id: string; sealed: string; isDead: boolean }>> {
  const columns = ['id', 'payload_sealed', 'dead_at'] as const
  const sealed = db.selectFrom('outbox').select(columns).where('payload', 'is', null)
  const rows = await sealed.where('id', '>', cursor).orderBy('id').limit(limit).execute()
  return rows.map(({ id, payload_sealed, dead_at }) => ({ id, sealed: payload_sealed, isDead: dead_at !== null }))
}

export async function resealJob(db: Queryable, id: string, sealed: string): Promise<void> {
  await db.updateTable('outbox').set({ payload_sealed: sealed }).where('id', '=', id).execute()
}

/** Writes what remains of a job, in the transaction of the part that was done: if its worker dies, the next one continues there. */
export async function rewriteJob(tx: Transaction, id: string, payload: unknown, sealer: Sealer): Promise<void> {
  await resealJob(tx, id, sealer.seal(JSON.stringify(payload), place(id)))
}
