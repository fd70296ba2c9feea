import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from 'kysely'
import { eachDatabase } from '../../test/databases.ts'
import { migrate, openStorage, parseDatabaseUrl, pendingMigrations, type Storage } from './index.ts'

const shapes = new Map<string, Awaited<ReturnType<typeof shapeOf>>>()

async function open(url: string): Promise<Storage> {
  return openStorage(parseDatabaseUrl(url) ?? assert.fail())
}

/** Tables, columns, keys and indexes, in words that both databases share. */
async function shapeOf({ db, address }: Storage) {
  const tables = (await db.introspection.getTables()).map(({ name, columns }) => ({ name, columns: columns.map(describeColumn) }))
  const { indexes, references } = address.dialect === 'sqlite' ? await readSqlite(db) : await readPostgres(db)
  return { tables: tables.sort(byName), indexes: indexes.sort(), references: references.sort() }
}

type Column = { name: string; dataType: string; isNullable: boolean; isAutoIncrementing: boolean }

function describeColumn({ name, dataType, isNullable, isAutoIncrementing }: Column): string {
  const type = isAutoIncrementing ? 'sequence' : dataType.toLowerCase().replace('int8', 'bigint').replace('int4', 'integer')
  return `${name} ${type}${isNullable && !isAutoIncrementing ? '' : ' not null'}`
}

async function readSqlite(db: Storage['db']) {
  const names = (await db.introspection.getTables()).map(({ name }) => name)
  const indexes: string[] = []
  const references: string[] = []
  for (const table of names) {
    const list = await sql<{ name: string; unique: number; origin: string }>`select * from pragma_index_list(${table})`.execute(db)
    for (const { name, unique, origin } of list.rows) {
      if (origin === 'pk') continue
      const info = await sql<{ name: string }>`select name from pragma_index_info(${name}) order by seqno`.execute(db)
      indexes.push(`${table}(${info.rows.map((row) => row.name).join(',')})${unique ? ' unique' : ''}${origin === 'c' ? ` ${name}` : ''}`)
    }
    const keys = await sql<{ name: string }>`select name from pragma_table_info(${table}) where pk > 0 order by pk`.execute(db)
    indexes.push(`${table} key (${keys.rows.map((row) => row.name).join(',')})`)
    const foreign = await sql<{
      table: string
      from: string
      to: string
      on_delete: string
    }>`select * from pragma_foreign_key_list(${table})`.execute(db)
    for (const row of foreign.rows) references.push(`${table}.${row.from} → ${row.table}.${row.to} ${row.on_delete.toLowerCase()}`)
  }
  return { indexes, references }
}

async function readPostgres(db: Storage['db']) {
  const found = await sql<{ table: string; name: string; unique: boolean; primary: boolean; constrained: boolean; columns: string }>`
    select t.relname as table, i.relname as name, x.indisunique as unique, x.indisprimary as primary,
      exists (select from pg_constraint c where c.conindid = x.indexrelid and c.contype in ('u', 'p')) as constrained,
      (select string_agg(a.attname, ',' order by k.n) from unnest(x.indkey) with ordinality k(attnum, n)
        join pg_attribute a on a.attrelid = t.oid and a.attnum = k.attnum) as columns
    from pg_index x join pg_class t on t.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
    where t.relnamespace = 'public'::regnamespace and t.relname not like 'kysely%'`.execute(db)
  const foreign = await sql<{ text: string }>`
    select c.conrelid::regclass || '.' || a.attname || ' → ' || c.confrelid::regclass || '.' || b.attname || ' ' ||
      case c.confdeltype when 'c' then 'cascade' when 'a' then 'no action' when 'n' then 'set null' else c.confdeltype::text end as text
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
      join pg_attribute b on b.attrelid = c.confrelid and b.attnum = c.confkey[1] where c.contype = 'f'`.execute(db)
  const indexes = found.rows.map(({ table, name, unique, primary, constrained, columns }) =>
    primary ? `${table} key (${columns})` : `${table}(${columns})${unique ? ' unique' : ''}${constrained ? '' : ` ${name}`}`,
  )
  return { indexes, references: foreign.rows.map(({ text }) => text) }
}

function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : 1
}

eachDatabase('The migrations', (database) => {
  it('bring an empty database up to date once, and then have nothing left to do', async () => {
    const storage = await open((await database.empty()).url)
    const all = await pendingMigrations(storage)
    assert.equal(all[0], '0001-front-door')
    assert.deepEqual(await migrate(storage), all)
    assert.deepEqual(await pendingMigrations(storage), [])
    const before = await shapeOf(storage)
    assert.deepEqual(await migrate(storage), [])
    assert.deepEqual(await shapeOf(storage), before)
    shapes.set(database.name, before)
    await storage.close()
  })

  it('leave nothing behind when one of them fails, and work the next time', async () => {
    const { url } = await database.empty()
    const storage = await open(url)
    await sql`create table audit (something text)`.execute(storage.db)
    await assert.rejects(migrate(storage), /audit/)
    const tables = (await storage.db.introspection.getTables()).map(({ name }) => name)
    assert.deepEqual(tables, ['audit'])
    await sql`drop table audit`.execute(storage.db)
    assert.ok((await migrate(storage)).length > 0)
    await storage.close()
  })
})

it('The migrations make the same tables, columns, keys and indexes on both databases', () => {
  const sqlite = shapes.get('sqlite')
  assert.ok(sqlite && sqlite.tables.length > 15 && sqlite.indexes.length > 30 && sqlite.references.length > 8)
  assert.deepEqual(sqlite, shapes.get('postgres'))
})
