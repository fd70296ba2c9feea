import { sql } from 'kysely'
import type { Sealer } from '../kit/index.ts'
import type { OutboxRow, Queryable, Storage } from '../storage/index.ts'
import { isOpenKind, type Job, payloadPlace } from './job.ts'

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
 * number of workers gets a job; when it dies, its lease expires, and its attempt does not count. The cost depends on the number of lanes,
 * not of pending jobs.
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

/** An attempt whose lease ran out came to no end, as in a crash, and is made again. A job that begins anew keeps an old lease: 0 counts. */
const counted = sql<number>`case when leased_until is null or attempts = 0 then attempts + 1 else attempts end`

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
    .set({ leased_until: at + leaseMs, attempts: counted })
    .where('id', '=', address.dialect === 'postgres' ? due.forUpdate().skipLocked() : due)
    .returning(['id', 'kind', 'payload_sealed', 'payload', 'lane', 'attempts', 'leased_until'])
    .executeTakeFirst()
}

function toJob({ id, kind, payload_sealed, payload: open, lane, attempts, leased_until }: LeasedRow, sealer: Sealer): Job {
  // A payload in the clear counts for these kinds alone: whoever can write rows must not be able to send mails.
  const payload = isOpenKind(kind) ? (open ?? undefined) : sealer.open(payload_sealed, payloadPlace(id))
  const leasedUntil = leased_until ?? 0
  return { id, kind, attempts, leasedUntil, lane: lane ?? undefined, payload: payload === undefined ? undefined : JSON.parse(payload) }
}

type LeasedRow = Pick<OutboxRow, 'id' | 'kind' | 'payload_sealed' | 'payload' | 'lane' | 'attempts' | 'leased_until'>
