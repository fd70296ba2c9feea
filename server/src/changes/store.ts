import { sql } from 'kysely'
import { type Queryable, removeInPortions, type Storage, slicesOf, type Transaction, takeLock } from '../storage/index.ts'
import { type Change, isKnownKind } from './change.ts'

const NOTIFY_CHANNEL = 'portaria_changes'

/**
 * Writes changes as the last statements of a transaction. PostgreSQL gives out sequence numbers before the commit, so a reader could skip a
 * lower number that commits later. The lock, held until the commit is visible, makes the order of numbers the order of commits.
 */
export async function appendChanges(tx: Transaction, changes: readonly Change[], at: number, storage: Storage): Promise<void> {
  await takeLock(tx, 'changes', storage)
  for (const slice of slicesOf(changes)) {
    await tx
      .insertInto('changes')
      .values(slice.map(({ kind, subject }) => ({ kind, subject, at })))
      .execute()
  }
  if (storage.address.dialect === 'postgres') await sql`select pg_notify(${sql.lit(NOTIFY_CHANNEL)}, '')`.execute(tx)
}

/** The identity of the feed's history, and the database's time in ms; `undefined` where its clock is this process's own. */
export interface Server {
  history: string
  time: number | undefined
}

/**
 * Equal numbers do not make an equal history: a promoted standby or a restored dump may lack changes that this node has read, and reuse
 * their numbers. On PostgreSQL a different server, start, database or table is another history (any restore makes one of these); on SQLite
 * any change of the file's layout is. Throws for a server that follows another: its data may be old.
 */
export async function readServer(db: Queryable, { address }: Pick<Storage, 'address'>): Promise<Server> {
  if (address.dialect === 'sqlite') {
    const { rows } = await sql<{ schema_version: number }>`select schema_version from pragma_schema_version`.execute(db)
    return { history: String(rows[0]?.schema_version), time: undefined }
  }
  const { rows } = await sql<{ history: string; time: number; follows: boolean }>`
    select concat_ws('/', extract(epoch from pg_postmaster_start_time()), (select oid from pg_database where datname = current_database()),
        pg_relation_filenode('changes')) as history,
      (extract(epoch from clock_timestamp()) * 1000)::bigint as time, pg_is_in_recovery() as follows`.execute(db)
  const [server] = rows
  if (!server || server.follows) throw new Error('the database is a standby: its feed may be behind')
  return { history: server.history, time: server.time }
}

/** A position in the feed: the number of a change, and a mark of that very row. */
export interface Position {
  seq: number
  mark: string | undefined
}

/** The position of the newest change. */
export async function newestPosition(db: Queryable, storage: Pick<Storage, 'address'>): Promise<Position> {
  const [newest] = await rowsOf(db, storage).orderBy('seq', 'desc').limit(1).execute()
  return newest ? { seq: newest.seq, mark: markOf(newest) } : { seq: 0, mark: undefined }
}

/**
 * Changes after a position, oldest first, `limit` rows at most, with the position of the last row; `undefined` when the row of the given
 * position is missing or another.
 */
export async function changesAfter(
  db: Queryable,
  from: Position,
  { limit, address }: { limit: number } & Pick<Storage, 'address'>,
): Promise<{ changes: Change[]; rows: number; position: Position } | undefined> {
  const rows = await rowsOf(db, { address })
    .where('seq', '>=', from.seq)
    .orderBy('seq')
    .limit(limit + 1)
    .execute()
  if (from.mark !== undefined) {
    const [at] = rows.splice(0, 1)
    if (at === undefined || markOf(at) !== from.mark) return undefined
  }
  const changes = rows.flatMap(({ kind, subject }) => (isKnownKind(kind) ? [{ kind, subject }] : []))
  const last = rows.at(-1)
  return { changes, rows: rows.length, position: last ? { seq: last.seq, mark: markOf(last) } : from }
}

/** PostgreSQL's number of the writing transaction differs when a row is written again. */
function rowsOf(db: Queryable, { address }: Pick<Storage, 'address'>) {
  const writer = address.dialect === 'postgres' ? sql<string>`xmin::text` : sql<string>`''`
  return db.selectFrom('changes').select(['seq', 'kind', 'subject', 'at', writer.as('writer')])
}

function markOf({ seq, kind, subject, at, writer }: { seq: number; kind: string; subject: string; at: number; writer: string }): string {
  return [seq, kind, subject, at, writer].join(' ')
}

/** All but the newest: readers stand at that one. */
export async function forgetChangesBefore(db: Queryable, at: number): Promise<void> {
  const { newest } = await db
    .selectFrom('changes')
    .select((e) => e.fn.max('seq').as('newest'))
    .executeTakeFirstOrThrow()
  await removeInPortions(db, 'changes', (e) => e.and([e('at', '<', at), e('seq', '<', newest ?? 0)]))
}
