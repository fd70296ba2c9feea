import type { Sealer } from '../../kit/index.ts'
import type { Queryable, Transaction } from '../../storage/index.ts'
import { payloadPlace } from '../job.ts'

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
  await resealJob(tx, id, sealer.seal(JSON.stringify(payload), payloadPlace(id)))
}
