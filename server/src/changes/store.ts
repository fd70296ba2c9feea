import { sql } from 'kysely'
import { type Queryable, type Storage, type Transaction, takeLock } from '../storage/index.ts'
import { type Change, isKnownKind } from './change.ts'

const DOORBELL = 'portaria_changes'

/**
 * Writes changes as the last statements of a transaction. PostgreSQL hands out sequence numbers before it commits, so a reader could pass over
 * a lower number that commits later; the lock, held until the commit is visible, makes the order of numbers the order of commits.
 */
export async function appendChanges(tx: Transaction, changes: readonly Change[], at: number, storage: Storage): Promise<void> {
  await takeLock(tx, 'changes', storage)
  await tx
    .insertInto('changes')
    .values(changes.map(({ kind, subject }) => ({ kind, subject, at })))
    .execute()
  if (storage.address.dialect === 'postgres') await sql`select pg_notify(${sql.lit(DOORBELL)}, '')`.execute(tx)
}

/** The number of the newest change; 0 when there is none. */
export async function lastSequence(db: Queryable): Promise<number> {
  const { last } = await db
    .selectFrom('changes')
    .select((e) => e.fn.max('seq').as('last'))
    .executeTakeFirstOrThrow()
  return last ?? 0
}

/** Changes after `seq`, oldest first, `limit` rows at most, with the number of the last row read. */
export async function changesAfter(db: Queryable, seq: number, limit: number): Promise<{ changes: Change[]; rows: number; last: number }> {
  const rows = await db
    .selectFrom('changes')
    .select(['seq', 'kind', 'subject'])
    .where('seq', '>', seq)
    .orderBy('seq')
    .limit(limit)
    .execute()
  const changes = rows.flatMap(({ kind, subject }) => (isKnownKind(kind) ? [{ kind, subject }] : []))
  return { changes, rows: rows.length, last: rows.at(-1)?.seq ?? seq }
}

export async function forgetChangesBefore(db: Queryable, at: number): Promise<void> {
  await db.deleteFrom('changes').where('at', '<', at).execute()
}
