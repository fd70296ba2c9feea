import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** Whether a column has the id; empty: whether it has none. */
export function isId(column: string, id: string): RawBuilder<SqlBool> {
  return id === '' ? sql`${sql.ref(column)} is null` : sql`${sql.ref(column)} = ${id}`
}

/**
 * The same of a few rows that are found by something else. It is written so that no index over ids serves: SQLite would go through all
 * rows of this one.
 */
export function isIdOfFew(column: string, id: string): RawBuilder<SqlBool> {
  return id === '' ? sql`${sql.ref(column)} || '' is null` : sql`${sql.ref(column)} || '' = ${id}`
}
