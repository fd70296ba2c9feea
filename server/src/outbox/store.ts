import { newId, type Sealer } from '../kit/index.ts'
import type { Queryable, Storage, Transaction } from '../storage/index.ts'
import type { Job, NewJob } from './job.ts'

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
  { limit, now, leasedUntil }: { limit: number; now: number; leasedUntil: number },
  sealer: Sealer,
): Promise<Job[]> {
  const { db, address } = storage
  const due = db
    .selectFrom('outbox')
    .select('id')
    .where('dead_at', 'is', null)
    .where('run_at', '<=', now)
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
