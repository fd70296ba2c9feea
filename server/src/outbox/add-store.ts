import { newId, type Sealer } from '../kit/index.ts'
import { type OutboxRow, prepare, slicesOf, type Transaction } from '../storage/index.ts'
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

/** The same for jobs whose payloads are ids alone, of any number. */
export async function addOpenJobs(
  tx: Transaction,
  jobs: ReadonlyArray<{ kind: OpenJobKind; payload: Record<string, string>; lane: `${string}/${string}` }>,
  at: number,
): Promise<void> {
  const common = { payload_sealed: '', attempts: 0, run_at: at, created_at: at, leased_until: null, dead_at: null, last_error: null }
  const rows = jobs.map(({ kind, payload, lane }) => ({ ...common, id: newId(), kind, payload: JSON.stringify(payload), lane }))
  const [only, ...more] = rows
  if (only && more.length === 0) await insertJob(tx, only)
  else for (const slice of slicesOf(rows)) await tx.insertInto('outbox').values(slice).execute()
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
