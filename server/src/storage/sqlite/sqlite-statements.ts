import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { CompiledQuery, QueryResult } from 'kysely'

const MAX_PREPARED = 500

interface Prepared {
  statement: StatementSync
  /** Whether it answers rows; to ask the statement each time takes longer than many a statement does. */
  hasRows: boolean
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
    const { statement, hasRows } = this.#prepare(query.sql)
    const parameters = query.parameters as SQLInputValue[]
    if (hasRows) return { rows: statement.all(...parameters) as R[] }
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
    const prepared = { statement, hasRows: statement.columns().length > 0 }
    this.#prepared.set(sql, prepared)
    return prepared
  }
}
