import { setTimeout } from 'node:timers/promises'
import { type Expression, type ExpressionBuilder, expressionBuilder, PostgresAdapter, type SqlBool, sql } from 'kysely'
import type { Queryable } from './open.ts'
import type { Schema } from './schema/schema.ts'

/** How long a portion may take. On SQLite nothing else runs during a statement; PostgreSQL runs it elsewhere. */
export const PORTION_MS = { sqlite: 4, postgres: 40 } as const
const LEAST_PAUSE_MS = 2
const FIRST_SIZE = 64
const LEAST_SIZE = 8
const MAX_SIZE = 1_024
/** SQLite takes 32,766 values in one statement, PostgreSQL 65,535: rows of a few dozen columns fit. */
const ROWS_OF_ONE_STATEMENT = 500

/** Slices of a list that may be of any length, each short enough for one statement. */
export function* slicesOf<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < rows.length; from += ROWS_OF_ONE_STATEMENT) yield rows.slice(from, from + ROWS_OF_ONE_STATEMENT)
}

/**
 * Does long work in portions of a few milliseconds: `portion` handles up to `size` rows, in a transaction of its own, and answers their
 * number. Between two portions the service has as much time for itself. After a slow portion the next one is smaller. Answers the number of
 * all rows.
 */
export async function inPortions(
  portion: (size: number) => Promise<number>,
  { portionMs = PORTION_MS.sqlite, firstSize = FIRST_SIZE }: { portionMs?: number; firstSize?: number } = {},
): Promise<number> {
  let all = 0
  for (let size = firstSize; ; ) {
    const from = performance.now()
    const done = await portion(size)
    const took = performance.now() - from
    all += done
    if (done < size) return all
    size = Math.max(LEAST_SIZE, Math.min(MAX_SIZE, size * 2, Math.round((size * portionMs) / took)))
    // Not unref: nothing else keeps the process of a command alive.
    await setTimeout(Math.max(took, LEAST_PAUSE_MS))
  }
}

/** Removes all due rows of a table, in portions. `due` must use an index, or each portion scans the whole table. */
export function removeInPortions<Table extends keyof Schema & string>(
  db: Queryable,
  table: Table,
  due: (e: ExpressionBuilder<Schema, Table>) => Expression<SqlBool>,
): Promise<number> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const row = sql.ref(isPostgres ? 'ctid' : 'rowid')
  return inPortions(
    async (size) => {
      const some = sql`select ${row} from ${sql.table(table)} where ${due(expressionBuilder<Schema, Table>())} limit ${sql.lit(size)}`
      const among = isPostgres ? sql`= any(array(${some}))` : sql`in (${some})`
      const { numAffectedRows } = await sql`delete from ${sql.table(table)} where ${row} ${among}`.execute(db)
      return Number(numAffectedRows)
    },
    { portionMs: PORTION_MS[isPostgres ? 'postgres' : 'sqlite'] },
  )
}
