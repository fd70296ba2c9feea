import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Queryable, Storage } from '../open.ts'
import type { TableShape } from './shapes.ts'
import { COPY_SETTINGS } from './states.ts'

export type Row = Record<string, string | number | null>
/** The values of a primary key. */
export type Key = ReadonlyArray<string | number>

/** Numbers of transactions mean something in one PostgreSQL alone. In another database no transaction of that time runs. */
const OF_ONE_SERVER: Readonly<Record<string, string>> = { access_scans: 'after_transaction', user_scans: 'after_transaction' }
/** The database numbers these itself, unless it is asked not to. */
const NUMBERED = { table: 'changes', column: 'seq' }

/** A page of rows in the order of the primary key, as this database sorts it, after a key. What a copy notes of itself is left out. */
export async function readPage(
  db: Queryable,
  { name, columns, key }: TableShape,
  { after, limit }: { after: Key | undefined; limit: number },
): Promise<Row[]> {
  const keys = sql.join(key.map((column) => sql.ref(column)))
  const conditions: RawBuilder<unknown>[] = []
  if (after) conditions.push(sql`(${keys}) > (${sql.join([...after])})`)
  if (name === 'settings') conditions.push(isNoNote())
  const where = conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : sql``
  const selected = sql.join(columns.map((column) => (OF_ONE_SERVER[name] === column ? sql`null as ${sql.ref(column)}` : sql.ref(column))))
  const { rows } = await sql<Row>`select ${selected} from ${sql.table(name)} ${where} order by ${keys} limit ${sql.lit(limit)}`.execute(db)
  return rows
}

export function keyOf(row: Row, { key }: TableShape): Key {
  return key.map((column) => row[column] as string | number)
}

export async function insertPage(tx: Queryable, { name, columns }: TableShape, rows: readonly Row[], dialect: Dialect): Promise<void> {
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column] ?? null))})`)
  const own = dialect === 'postgres' && name === NUMBERED.table ? sql`overriding system value` : sql``
  await sql`insert into ${sql.table(name)} (${sql.join(columns.map((column) => sql.ref(column)))}) ${own} values ${sql.join(values)}`.execute(
    tx,
  )
}

type Dialect = Storage['address']['dialect']

/** Has the database go on numbering after the highest copied number. SQLite does so by itself. */
export async function continueNumbers(tx: Queryable, dialect: Dialect): Promise<void> {
  if (dialect === 'sqlite') return
  const { table, column } = NUMBERED
  await sql`select setval(pg_get_serial_sequence(${table}, ${column}), greatest(max(${sql.ref(column)}), 1), max(${sql.ref(column)}) is not null)
    from ${sql.table(table)}`.execute(tx)
}

/** Whether a table has no row but the notes of a copy. */
export async function isEmptyTable(db: Queryable, name: string): Promise<boolean> {
  const own = name === 'settings' ? sql`where ${isNoNote()}` : sql``
  return (await sql`select 1 from ${sql.table(name)} ${own} limit 1`.execute(db)).rows.length === 0
}

function isNoNote(): RawBuilder<unknown> {
  return sql`name not in (${sql.join(COPY_SETTINGS.map((setting) => sql.lit(setting)))})`
}

/** The number of a table's rows, and a digest that is the same in whatever order they are read. */
export interface Digest {
  rows: number
  digest: string
}

/** Numbers that a sum of digests never reaches: the sum is taken modulo 2^256, so that it stays as long as one of them. */
const MODULUS = 1n << 256n

/** Reads the whole table. `step` is called with the number of rows of each page. */
export async function digestTable(db: Queryable, shape: TableShape, step: (rows: number) => void = () => {}): Promise<Digest> {
  let sum = 0n
  let rows = 0
  for await (const page of readPages(db, shape)) {
    for (const row of page) sum = (sum + digestOf(row, shape)) % MODULUS
    rows += page.length
    step(page.length)
  }
  return { rows, digest: sum.toString(16).padStart(64, '0') }
}

function digestOf(row: Row, { columns }: TableShape): bigint {
  const text = JSON.stringify(columns.map((column) => row[column]))
  return BigInt(`0x${createHash('sha256').update(text).digest('hex')}`)
}

const MAX_ROWS = 500
/** A page is about so many characters: a row may have a payload of a megabyte, and thousands of rows none. */
const PAGE_CHARACTERS = 4_000_000
/** PostgreSQL takes 65,535 values in a statement, SQLite 32,766. */
const MAX_VALUES = 32_000

/** All pages of a table after a key. */
export async function* readPages(db: Queryable, shape: TableShape, from?: Key): AsyncGenerator<Row[]> {
  const most = Math.min(MAX_ROWS, Math.floor(MAX_VALUES / shape.columns.length))
  let limit = Math.min(most, 32)
  for (let after = from; ; ) {
    const page = await readPage(db, shape, { after, limit })
    const last = page.at(-1)
    if (!last) return
    yield page
    if (page.length < limit) return
    after = keyOf(last, shape)
    const perRow = Math.max(1, charactersOf(page) / page.length)
    limit = Math.max(1, Math.min(most, limit * 2, Math.floor(PAGE_CHARACTERS / perRow)))
  }
}

function charactersOf(page: readonly Row[]): number {
  let sum = 0
  for (const row of page) for (const value of Object.values(row)) sum += typeof value === 'string' ? value.length : 8
  return sum
}
