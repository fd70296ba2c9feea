import { sql } from 'kysely'
import { READ_ONLY_CODE, READ_ONLY_MESSAGE } from '../faults.ts'
import { type AnyTransaction, takeLock } from '../locks.ts'
import { inTransaction } from '../migrations/apply-migrations.ts'
import type { Tables } from '../migrations/migration.ts'
import type { Storage } from '../open.ts'
import { type Copy, findCopy } from './states.ts'

type Place = Pick<Storage, 'db' | 'address'>
type Dialect = Storage['address']['dialect']

const EVENTS = { sqlite: ['insert', 'update', 'delete'], postgres: ['write', 'truncate'] } as const
const PREFIX = 'portaria_read_only'

/**
 * Makes every table refuse each write, whoever asks: triggers hold for older versions, commands and other programs, and stay when their
 * process dies. When the promise resolves, every transaction that had written has ended. A repeated call goes on. `false` when the copy was
 * given up meanwhile: without its note nobody would know of the fence. The note is looked for behind each table's lock, where `lowerFence`
 * waits.
 */
export async function raiseFence(place: Place, { id }: Pick<Copy, 'id'>): Promise<boolean> {
  if (place.address.dialect === 'postgres') await inTransaction(place, (tx) => makeFunction(tx, place))
  try {
    await onEach(place, await listUnfenced(place), async (tx, table, dialect) => {
      await fenceTable(tx, table, dialect)
      if ((await findCopy(tx as Place['db']))?.id !== id) throw new CopyGone('the copy was given up')
    })
    return true
  } catch (error) {
    if (error instanceof CopyGone) return false
    throw error
  }
}

/** Rolls back the fence of a table. */
class CopyGone extends Error {}

/** Makes every table writable again. A repeated call goes on. */
export async function lowerFence(place: Place): Promise<void> {
  await onEach(place, await listTables(place), openTable)
}

/**
 * SQLite: all in one transaction, since processes that write without a pause leave another one few turns. PostgreSQL: each table in a
 * transaction of its own, or who uses one of them would wait until all are free at once.
 */
async function onEach(place: Place, tables: readonly string[], work: (tx: Tables, table: string, dialect: Dialect) => Promise<void>) {
  const { dialect } = place.address
  const turns = dialect === 'sqlite' ? [tables] : tables.map((table) => [table])
  for (const turn of turns)
    await inTransaction(place, async (tx) => {
      for (const table of turn) await work(tx, table, dialect)
    })
}

/** Writes to some tables of a fenced database: in this transaction alone they have no fence. */
export async function throughFence<T>(place: Place, tables: readonly string[], work: (tx: Tables) => Promise<T>): Promise<T> {
  const { dialect } = place.address
  return inTransaction(place, async (tx) => {
    for (const table of tables) await openTable(tx, table, dialect)
    const answer = await work(tx)
    for (const table of tables) await fenceTable(tx, table, dialect)
    return answer
  })
}

/** Whether any table has a fence. A fence without a copy's note is nobody's. */
export async function hasFence({ db, address }: Place): Promise<boolean> {
  const { rows } = await (address.dialect === 'sqlite'
    ? sql`select 1 from sqlite_master where type = 'trigger' and name like ${`${PREFIX}%`} limit 1`
    : sql`select 1 from pg_trigger join pg_class on pg_class.oid = tgrelid
        where tgname like ${`${PREFIX}%`} and relnamespace = current_schema()::regnamespace limit 1`
  ).execute(db)
  return rows.length > 0
}

/** The tables without a fence, among all of them. */
export async function listUnfenced(place: Place): Promise<string[]> {
  const { rows } = await (place.address.dialect === 'sqlite'
    ? sql<{ name: string }>`select tbl_name as name from sqlite_master where type = 'trigger' and name like ${`${PREFIX}%`}
        group by tbl_name having count(*) = ${EVENTS.sqlite.length}`
    : sql<{ name: string }>`select relname as name from pg_trigger join pg_class on pg_class.oid = tgrelid
        where tgname like ${`${PREFIX}%`} and relnamespace = current_schema()::regnamespace group by relname having count(*) = ${sql.lit(EVENTS.postgres.length)}`
  ).execute(place.db)
  const fenced = new Set(rows.map(({ name }) => name))
  return (await listTables(place)).filter((name) => !fenced.has(name))
}

/** All tables of this database's own schema, without the system's, in the order of their names. */
export async function listTables({ db, address }: Place): Promise<string[]> {
  const { rows } = await (address.dialect === 'sqlite'
    ? sql<{ name: string }>`select name from sqlite_master where type = 'table' and name not like 'sqlite\\_%' escape '\\' order by name`
    : sql<{ name: string }>`select tablename::text as name from pg_tables where schemaname = current_schema() order by tablename`
  ).execute(db)
  return rows.map(({ name }) => name)
}

async function makeFunction(tx: AnyTransaction, place: Place): Promise<void> {
  await takeLock(tx, 'copy', place) // two processes that make one function at once refuse each other
  await sql`create or replace function ${sql.id(PREFIX)}() returns trigger language plpgsql as ${sql.lit(
    `begin raise exception '${READ_ONLY_MESSAGE}' using errcode = '${READ_ONLY_CODE}'; end`,
  )}`.execute(tx)
}

async function fenceTable(tx: Tables, table: string, dialect: Dialect): Promise<void> {
  await openTable(tx, table, dialect)
  for (const event of EVENTS[dialect]) {
    const trigger = sql.id(triggerOf(event, table))
    const on = sql.table(table)
    if (dialect === 'sqlite')
      await sql`create trigger ${trigger} before ${sql.raw(event)} on ${on} begin select raise(abort, ${sql.lit(READ_ONLY_MESSAGE)}); end`.execute(
        tx,
      )
    else if (event === 'write')
      // For each row: a statement that changes nothing is no write, as on SQLite.
      await sql`create trigger ${trigger} before insert or update or delete on ${on} for each row execute function ${sql.id(PREFIX)}()`.execute(
        tx,
      )
    else await sql`create trigger ${trigger} before truncate on ${on} for each statement execute function ${sql.id(PREFIX)}()`.execute(tx)
  }
}

async function openTable(tx: Tables, table: string, dialect: Dialect): Promise<void> {
  // First, or another process may make the trigger between our two statements.
  if (dialect === 'postgres') await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(tx)
  for (const event of EVENTS[dialect]) {
    const trigger = sql.id(triggerOf(event, table))
    await (dialect === 'sqlite'
      ? sql`drop trigger if exists ${trigger}`
      : sql`drop trigger if exists ${trigger} on ${sql.table(table)}`
    ).execute(tx)
  }
}

/** SQLite's triggers have names of their own in the whole database; PostgreSQL's names have 63 characters. */
function triggerOf(event: string, table: string): string {
  return `${PREFIX}_${event}_${table}`
}
