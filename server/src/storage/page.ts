import { type SelectQueryBuilder, sql } from 'kysely'

/** The last row of the page before: its sort value, and its id, which orders equal ones. */
export interface PageAfter {
  value: string | number
  id: string
}

/** One page of a list, in the order of a column that is never null and then of the id. */
export interface Page<Sort extends string = string> {
  sort: Sort
  direction: 'asc' | 'desc'
  after: PageAfter | undefined
  limit: number
}

/**
 * Orders a query by a column and the id and takes one page of it. The cursor is one row value, `(column, id) > (?, ?)`, which both
 * databases look up in an index over the two. `column` and `id` are names of ours, never input.
 */
export function inPages<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  { column, id, page: { direction, after, limit } }: { column: string; id: string; page: Page },
): SelectQueryBuilder<DB, TB, O> {
  const [by, key] = [sql.ref(column), sql.ref(id)]
  const isById = column === id
  const sorted = isById ? query.orderBy(key, direction) : query.orderBy(by, direction).orderBy(key, direction)
  const limited = sorted.limit(limit)
  if (!after) return limited
  const beyond = sql.raw(direction === 'asc' ? '>' : '<')
  return limited.where(
    isById ? sql<boolean>`${key} ${beyond} ${after.id}` : sql<boolean>`(${by}, ${key}) ${beyond} (${after.value}, ${after.id})`,
  )
}
