import { sql } from 'kysely'
import type { Storage } from '../open.ts'
import { listTables } from './fence.ts'

type Place = Pick<Storage, 'db' | 'address'>

/** A table as both databases have it. */
export interface TableShape {
  name: string
  /** All columns, in the order of their names. */
  columns: readonly string[]
  /** The columns of the primary key, in its order. */
  key: readonly string[]
  /** Those that hold whole numbers, with the largest that PostgreSQL has room for. All others hold texts. */
  numbers: ReadonlyMap<string, number>
}

/** The migrations that each database has applied are its own. */
const OF_EACH = 'applied_migrations'

export interface Shapes {
  /** Each after those that it refers to. */
  tables: TableShape[]
  /** Tables of other programs, in one of the databases alone. */
  leftOut: string[]
}

/** The tables of two databases of the same version. Throws where a table has another column on one side: then nothing can be compared. */
export async function readShapes({ sqlite, postgres }: { sqlite: Place; postgres: Place }): Promise<Shapes> {
  const [ours, theirs] = [await listTables(sqlite), await listTables(postgres)]
  const shared = ours.filter((name) => theirs.includes(name) && name !== OF_EACH)
  const columns = await postgresColumns(postgres)
  const shapes: TableShape[] = []
  const refersTo = new Map<string, string[]>()
  for (const name of shared) {
    const theirColumns = columns.get(name) ?? []
    const numbers = new Map(theirColumns.flatMap(({ name: column, most }) => (most === null ? [] : [[column, most]])))
    const shape = { ...(await sqliteShape(sqlite, name)), numbers }
    const other = theirColumns.map((column) => column.name).sort()
    if (shape.columns.join() !== other.join()) throw new Error(`the table ${name} has other columns in PostgreSQL: ${other.join(', ')}`)
    shapes.push(shape)
    refersTo.set(name, await referredBy(sqlite, name))
  }
  const leftOut = [...new Set([...ours, ...theirs])].filter((name) => !shared.includes(name) && name !== OF_EACH)
  return { tables: inOrder(shapes, refersTo), leftOut }
}

async function sqliteShape({ db }: Place, name: string): Promise<Omit<TableShape, 'numbers'>> {
  const { rows } = await sql<{ name: string; pk: number }>`select name, pk from pragma_table_info(${name})`.execute(db)
  const key = rows.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk)
  if (key.length === 0) throw new Error(`the table ${name} has no primary key`)
  return { name, columns: rows.map((row) => row.name).sort(), key: key.map((row) => row.name) }
}

async function referredBy({ db }: Place, name: string): Promise<string[]> {
  const { rows } = await sql<{ table: string }>`select "table" from pragma_foreign_key_list(${name})`.execute(db)
  return rows.map(({ table }) => table)
}

/** `most`: the largest number of the column; `null` where it holds texts. */
interface Column {
  name: string
  most: number | null
}

async function postgresColumns({ db }: Place): Promise<Map<string, Column[]>> {
  const { rows } = await sql<Column & { table: string }>`select table_name::text as table, column_name::text as name,
    case data_type when 'integer' then 2147483647 when 'bigint' then 9007199254740991 end as most
    from information_schema.columns where table_schema = current_schema()`.execute(db)
  const columns = new Map<string, Column[]>()
  for (const { table, ...column } of rows) columns.set(table, [...(columns.get(table) ?? []), column])
  return columns
}

function inOrder(shapes: readonly TableShape[], refersTo: ReadonlyMap<string, readonly string[]>): TableShape[] {
  const ordered: TableShape[] = []
  const isPlaced = (name: string) => ordered.some((shape) => shape.name === name)
  while (ordered.length < shapes.length) {
    const ready = shapes.filter(({ name }) => !isPlaced(name) && (refersTo.get(name) ?? []).every(isPlaced))
    if (ready.length === 0) throw new Error('tables refer to each other in a circle')
    ordered.push(...ready)
  }
  return ordered
}
