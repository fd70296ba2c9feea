import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { CompiledQuery, QueryResult } from 'kysely'

const MAX_PREPARED = 500

/** Statements, prepared once. */
export class Statements {
  readonly #handle: DatabaseSync
  readonly #prepared = new Map<string, StatementSync>()

  constructor(handle: DatabaseSync) {
    this.#handle = handle
  }

  run(sql: string): void {
    this.#prepare(sql).run()
  }

  execute<R>(query: CompiledQuery): QueryResult<R> {
    const statement = this.#prepare(query.sql)
    const parameters = query.parameters as SQLInputValue[]
    if (statement.columns().length > 0) return { rows: statement.all(...parameters) as R[] }
    const { changes, lastInsertRowid } = statement.run(...parameters)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

  forget(): void {
    this.#prepared.clear()
  }

  #prepare(sql: string): StatementSync {
    const known = this.#prepared.get(sql)
    if (known) return known
    if (this.#prepared.size >= MAX_PREPARED) this.#prepared.clear()
    const statement = this.#handle.prepare(sql)
    this.#prepared.set(sql, statement)
    return statement
  }
}
