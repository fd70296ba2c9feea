import { setTimeout } from 'node:timers/promises'
import { type Expression, type ExpressionBuilder, expressionBuilder, PostgresAdapter, type SqlBool, sql } from 'kysely'
import type { Queryable } from './open.ts'
import type { Schema } from './schema/schema.ts'

/** Nothing else is answered on SQLite while a statement runs; PostgreSQL runs it elsewhere. */
const PORTION_MS = { sqlite: 4, postgres: 40 } as const
const LEAST_PAUSE_MS = 2
const FIRST_SIZE = 64
const LEAST_SIZE = 8
const MAX_SIZE = 1_024

/**
 * Does work that may be much a few milliseconds at a time: `portion` takes on `size` rows, in a transaction of its own, and answers how
 * many there were. Between two the service has as long for itself. A portion that took long makes the next one smaller. Answers how many
 * rows there were in all.
 */
export async function inPortions(portion: (size: number) => Promise<number>, portionMs: number = PORTION_MS.sqlite): Promise<number> {
  let all = 0
  for (let size = FIRST_SIZE; ; ) {
    const from = performance.now()
    const done = await portion(size)
    const took = performance.now() - from
    all += done
    if (done < size) return all
    size = Math.max(LEAST_SIZE, Math.min(MAX_SIZE, size * 2, Math.round((size * portionMs) / took)))
    // Not unref: a command of the operator has nothing else that keeps its process alive.
    await setTimeout(Math.max(took, LEAST_PAUSE_MS))
  }
}

/** Removes all rows of a table that are due, in portions. `due` goes by an index, or each portion looks through the whole table. */
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
    PORTION_MS[isPostgres ? 'postgres' : 'sqlite'],
  )
}
