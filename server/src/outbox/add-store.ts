import { newId, type Sealer } from '../kit/index.ts'
import { type OutboxRow, prepare, type Transaction } from '../storage/index.ts'
import { type NewJob, type OpenJobKind, payloadPlace } from './job.ts'

/** Writes a job in the transaction that causes it, so that both are there or neither. Answers its id. */
export async function addJob(
  tx: Transaction,
  { id = newId(), kind, payload, lane }: NewJob,
  { sealer, at }: { sealer: Sealer; at: number },
): Promise<string> {
  const row = { id, kind, payload_sealed: sealer.seal(JSON.stringify(payload), payloadPlace(id)), attempts: 0, run_at: at, created_at: at }
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
  db
    .insertInto('outbox')
    .values({
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
    })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((e) => ({
        payload_sealed: e.ref('excluded.payload_sealed'),
        attempts: e.ref('excluded.attempts'),
        run_at: e.ref('excluded.run_at'),
        dead_at: e.ref('excluded.dead_at'),
      })),
    ),
)
