import { sql } from 'kysely'
import type { Queryable } from './open.ts'

/** A table, or one of its columns whose empty values do not count. */
type Counted = string | readonly [table: string, column: string]

/** The number of rows or values of these together: how much there is of a work that goes through them all. */
export async function countValues(db: Queryable, columns: readonly Counted[]): Promise<number> {
  let sum = 0
  for (const counted of columns) {
    const [table, value] = typeof counted === 'string' ? [counted, sql.raw('*')] : [counted[0], sql.ref(counted[1])]
    const { rows } = await sql<{ n: number | string }>`select count(${value}) as n from ${sql.table(table)}`.execute(db)
    sum += Number(rows[0]?.n ?? 0)
  }
  return sum
}
