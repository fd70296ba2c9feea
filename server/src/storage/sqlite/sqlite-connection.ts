import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'

/** One user's turn on the connection. */
export class NodeSqliteConnection implements DatabaseConnection {
  place: 'outside' | 'first_of_group' | 'later_of_group' | 'behind_savepoint' = 'outside'
  /** The turn has gone to the next one already. */
  isOver = false
  /** It waits for another process until then, by `performance.now()`. */
  readonly waitsUntil: number
  readonly #execute: <R>(query: CompiledQuery) => Promise<QueryResult<R>>

  constructor(waitsUntil: number, execute: <R>(query: CompiledQuery) => Promise<QueryResult<R>>) {
    this.waitsUntil = waitsUntil
    this.#execute = execute
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#execute(query)
  }

  // biome-ignore lint/correctness/useYield: streaming is part of Kysely's interface and of none of our queries
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('streaming is not supported on SQLite')
  }
}
