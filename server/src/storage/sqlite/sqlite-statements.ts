import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'
import type { CompiledQuery, QueryResult } from 'kysely'

const MAX_PREPARED = 500

interface Prepared {
  statement: StatementSync
  /**
   * The columns of the rows that it answers; none where it answers no rows. To ask the statement each time takes longer than many a
   * statement does.
   */
  columns: readonly string[]
}

/** Statements, prepared once. */
export class Statements {
  readonly #handle: DatabaseSync
  readonly #prepared = new Map<string, Prepared>()

  constructor(handle: DatabaseSync) {
    this.#handle = handle
  }

  run(sql: string): void {
    this.#prepare(sql).statement.run()
  }

  execute<R>(query: CompiledQuery): QueryResult<R> {
    const prepared = this.#prepare(query.sql)
    const { statement, columns } = prepared
    const parameters = query.parameters as SQLInputValue[]
    if (columns.length > 0)
      return { rows: toRows(statement.all(...parameters) as readonly unknown[] as SQLOutputValue[][], prepared) as R[] }
    const { changes, lastInsertRowid } = statement.run(...parameters)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

  forget(): void {
    this.#prepared.clear()
  }

  #prepare(sql: string): Prepared {
    const known = this.#prepared.get(sql)
    if (known) return known
    if (this.#prepared.size >= MAX_PREPARED) this.#prepared.clear()
    const statement = this.#handle.prepare(sql)
    statement.setReturnArrays(true)
    const prepared = { statement, columns: columnsOf(statement) }
    this.#prepared.set(sql, prepared)
    return prepared
  }
}

/** Objects made here are of one shape, and made in two thirds of the time: what the driver makes of a row is a dictionary. */
function toRows(arrays: readonly SQLOutputValue[][], prepared: Prepared): Record<string, SQLOutputValue>[] {
  // SQLite compiles a statement anew once the schema has changed: a `select *` has other columns then.
  if (arrays[0] && arrays[0].length !== prepared.columns.length) prepared.columns = columnsOf(prepared.statement)
  const { columns } = prepared
  return arrays.map((values) => {
    const row: Record<string, SQLOutputValue> = {}
    for (let at = 0; at < columns.length; at++) row[columns[at] as string] = values[at] as SQLOutputValue
    return row
  })
}

function columnsOf(statement: StatementSync): string[] {
  return statement.columns().map(({ name }) => name)
}
