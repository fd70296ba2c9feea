import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from 'kysely'
import { tidyIfDue } from '../src/housekeeping/index.ts'
import { DAY_MS, firstIdAt, HOUR_MS } from '../src/kit/index.ts'
import { type Queryable, type Retention, retention } from '../src/storage/index.ts'
import { eachDatabase, type TestDatabase } from './support/databases.ts'
import { startService } from './support/service.ts'

type Name = TestDatabase['name']
type Values = Record<string, string | number | null>
const entries = Object.entries<Retention>(retention)

/** Those of rows that are due and of rows that are not, where any value would not do. `id`: of that time, which some tables go by. */
const values: Partial<Record<string, (id: string) => Values>> = {
  outbox: () => ({ kind: 'mail' }),
  app_events: (id) => ({ id }),
  notification_runs: (id) => ({ id, state: 'done' }),
  notifications: (id) => ({ id, digest: id, status: 'test' }),
  described_clients: () => ({ refused_at: null }),
}

eachDatabase('What is kept, and for how long', (database) => {
  it('is in one list, with every table that there is and no other', async () => {
    const service = await startService(await database.fresh())
    const there = await tablesOf(service.context.storage.db, database.name)
    // Kysely's own list of what was applied: a row for each migration.
    assert.deepEqual(there.filter((table) => table !== 'applied_migrations').sort(), Object.keys(retention).sort())
  })

  it('goes with the row it belongs to by the database itself, where the list says so', async () => {
    const service = await startService(await database.fresh())
    const cascades = await cascadesOf(service.context.storage.db, database.name)
    for (const [table, entry] of entries)
      if ('goesWith' in entry) assert.ok(cascades.has(`${table} with ${entry.goesWith}`), `${table} does not go with ${entry.goesWith}`)
  })

  it('is removed by housekeeping an hour after it is due at the latest, and not an hour before', async () => {
    const clock = { now: Date.now() }
    const service = await startService(await database.fresh(), { clock })
    const { db } = service.context.storage
    const removed = entries.flatMap(([table, entry]) => ('removedAfterMs' in entry ? [{ table, ...entry }] : []))
    assert.ok(removed.length >= 14)
    const plant = (table: string, since: string, { at, name }: { at: number; name: string }) =>
      insertRow(db, { database: database.name, table, given: { [since]: at, ...values[table]?.(firstIdAt(at)) }, name })
    for (const { table, since, removedAfterMs } of removed) {
      await plant(table, since, { at: clock.now - removedAfterMs - HOUR_MS, name: 'due' })
      await plant(table, since, { at: clock.now - removedAfterMs + HOUR_MS, name: 'kept' })
    }
    const countOf = async (table: string, since: string, from: number) => {
      const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}
        where ${sql.ref(since)} between ${from - 1_000} and ${from + 1_000}`.execute(db)
      return Number(rows[0]?.n)
    }
    await sql`delete from settings where name = 'tidied_at'`.execute(db)
    // The round before was a moment ago: of events those of a day at most go in one.
    await sql`insert into settings (name, value) values ('events_removed_until', ${String(clock.now - 91 * DAY_MS)})`.execute(db)
    await tidyIfDue(service.context)
    for (const { table, since, removedAfterMs } of removed) {
      assert.equal(await countOf(table, since, clock.now - removedAfterMs - HOUR_MS), 0, `${table} keeps what was due`)
      assert.equal(await countOf(table, since, clock.now - removedAfterMs + HOUR_MS), 1, `${table} does not keep what was not due`)
    }
  })
})

async function tablesOf(db: Queryable, database: Name): Promise<string[]> {
  const { rows } =
    database === 'sqlite'
      ? await sql<{ name: string }>`select name from sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\'`.execute(
          db,
        )
      : await sql<{ name: string }>`select tablename as name from pg_tables where schemaname = current_schema()`.execute(db)
  return rows.map(({ name }) => name)
}

/** As `table with parent`. */
async function cascadesOf(db: Queryable, database: Name): Promise<ReadonlySet<string>> {
  const { rows } =
    database === 'sqlite'
      ? await sql<{ child: string; parent: string }>`select m.name as child, f."table" as parent
          from sqlite_schema m, pragma_foreign_key_list(m.name) f where m.type = 'table' and f.on_delete = 'CASCADE'`.execute(db)
      : await sql<{ child: string; parent: string }>`select c.relname as child, p.relname as parent from pg_constraint k
          join pg_class c on c.oid = k.conrelid join pg_class p on p.oid = k.confrelid where k.contype = 'f' and k.confdeltype = 'c'`.execute(
          db,
        )
  return new Set(rows.map(({ child, parent }) => `${child} with ${parent}`))
}

interface Column {
  name: string
  is_text: boolean | number
  is_needed: boolean | number
}

/** A row with `given`, and something in every other column that needs a value. It refers to nothing that is there. */
async function insertRow(
  db: Queryable,
  { database, table, given, name }: { database: Name; table: string; given: Values; name: string },
): Promise<void> {
  const columns =
    database === 'sqlite'
      ? await sql<Column>`select name, lower(type) in ('text', 'varchar') as is_text, ("notnull" or pk) and dflt_value is null as is_needed from pragma_table_info(${table})`.execute(
          db,
        )
      : await sql<Column>`select column_name as name, data_type in ('text', 'character varying') as is_text, is_nullable = 'NO' and column_default is null and is_identity = 'NO' as is_needed
          from information_schema.columns where table_schema = current_schema() and table_name = ${table}`.execute(db)
  const row: Values = {}
  for (const { name: column, is_text, is_needed } of columns.rows)
    if (is_needed && column !== 'seq') row[column] = is_text ? `${table} ${name}` : 1
  const all = Object.entries({ ...row, ...given })
  const insert = sql`insert into ${sql.table(table)} (${sql.join(all.map(([column]) => sql.ref(column)))})
    values (${sql.join(all.map(([, value]) => value))})`
  if (database === 'sqlite') {
    await sql`pragma foreign_keys=off`.execute(db)
    await insert.execute(db)
    await sql`pragma foreign_keys=on`.execute(db)
    return
  }
  await db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await insert.execute(tx)
  })
}
