import { sql } from 'kysely'
import type { Storage } from '../../src/storage/index.ts'

/** Tables, columns, keys and indexes, in words that both databases share. */
export async function shapeOf({ db, address }: Storage) {
  const tables = (await db.introspection.getTables()).map(({ name, columns }) => ({ name, columns: columns.map(describeColumn) }))
  const { indexes, references, rules } = address.dialect === 'sqlite' ? await readSqlite(db) : await readPostgres(db)
  return { tables: tables.sort(byName), indexes: indexes.sort(), references: references.sort(), rules: rules.sort() }
}

export type TableShape = Awaited<ReturnType<typeof shapeOf>>

type Column = { name: string; dataType: string; isNullable: boolean; isAutoIncrementing: boolean; hasDefaultValue: boolean }

function describeColumn({ name, dataType, isNullable, isAutoIncrementing, hasDefaultValue }: Column): string {
  const type = isAutoIncrementing ? 'sequence' : dataType.toLowerCase().replace('int8', 'bigint').replace('int4', 'integer')
  return `${name} ${type}${isNullable && !isAutoIncrementing ? '' : hasDefaultValue && !isAutoIncrementing ? ' not null with a default' : ' not null'}`
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
  const triggers = await sql<{
    text: string
  }>`select tbl_name || ' trigger ' || name as text from sqlite_master where type = 'trigger'`.execute(db)
  return { indexes, references, rules: triggers.rows.map(({ text }) => text) }
}

async function readPostgres(db: Storage['db']) {
  const found = await sql<{ table: string; name: string; unique: boolean; primary: boolean; constrained: boolean; columns: string }>`
    select t.relname as table, i.relname as name, x.indisunique as unique, x.indisprimary as primary,
      exists (select from pg_constraint c where c.conindid = x.indexrelid and c.contype in ('u', 'p')) as constrained,
      (select string_agg(a.attname, ',' order by k.n) from unnest(x.indkey) with ordinality k(attnum, n)
        join pg_attribute a on a.attrelid = t.oid and a.attnum = k.attnum) as columns
    from pg_index x join pg_class t on t.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
    where t.relnamespace = 'public'::regnamespace`.execute(db)
  const foreign = await sql<{ text: string }>`
    select c.conrelid::regclass || '.' || a.attname || ' → ' || c.confrelid::regclass || '.' || b.attname || ' ' ||
      case c.confdeltype when 'c' then 'cascade' when 'a' then 'no action' when 'n' then 'set null' else c.confdeltype::text end as text
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
      join pg_attribute b on b.attrelid = c.confrelid and b.attnum = c.confkey[1] where c.contype = 'f'`.execute(db)
  const indexes = found.rows.map(({ table, name, unique, primary, constrained, columns }) =>
    primary ? `${table} key (${columns})` : `${table}(${columns})${unique ? ' unique' : ''}${constrained ? '' : ` ${name}`}`,
  )
  const rules = await sql<{ text: string }>`
    select conrelid::regclass || ' check ' || conname as text from pg_constraint where contype = 'c' and conrelid <> 0
      and connamespace = 'public'::regnamespace
    union select tgrelid::regclass || ' trigger ' || tgname from pg_trigger where not tgisinternal`.execute(db)
  return { indexes, references: foreign.rows.map(({ text }) => text), rules: rules.rows.map(({ text }) => text) }
}

/** Why a version that knows only the tables before can't go on working with those after; empty when it can. */
export function takenAway(before: TableShape, after: TableShape): string[] {
  const faults: string[] = []
  const columnsOf = new Map(before.tables.map(({ name, columns }) => [name, columns.map((column) => column.split(' ')[0])]))
  /** Of a table that was there, and of no column that is new: those are absent in what an older version writes. */
  const isOfOld = (text: string) => {
    const [table = '', ...rest] = text.match(/\w+/g) ?? []
    const named = / (check|trigger) /.test(text) ? [] : rest.slice(0, text.includes(' → ') ? 1 : undefined)
    const columns = text.includes('(') ? (/\(([^)]*)\)/.exec(text)?.[1] ?? '').split(',') : named
    const known = columnsOf.get(table)
    return known !== undefined && columns.every((column) => known.includes(column))
  }
  for (const { name, columns } of before.tables) {
    const now = after.tables.find((table) => table.name === name)?.columns ?? []
    for (const column of columns) if (!now.includes(column)) faults.push(`${name}.${column} is gone or of another kind`)
    for (const column of now)
      if (!columns.includes(column) && / not null$/.test(column)) faults.push(`${name}.${column} must be given, and has no default`)
  }
  const refuses = (text: string) => / key \(| unique/.test(text)
  const gone = [...before.indexes.filter(refuses), ...before.references].filter(
    (text) => ![...after.indexes, ...after.references].includes(text),
  )
  const asked = [...after.indexes.filter(refuses), ...after.references, ...after.rules].filter(
    (text) => isOfOld(text) && ![...before.indexes, ...before.references, ...before.rules].includes(text),
  )
  return [...faults, ...gone.map((text) => `${text} is gone`), ...asked.map((text) => `${text} refuses what was allowed`)]
}

function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : 1
}
