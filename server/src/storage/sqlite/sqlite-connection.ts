import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'

/** One user's turn on the connection. */
export class NodeSqliteConnection implements DatabaseConnection {
  place: 'outside' | 'first_of_group' | 'later_of_group' | 'behind_savepoint' = 'outside'
  /** The turn has gone to the next one already. */
  isOver = false
  readonly #execute: <R>(query: CompiledQuery, turn: NodeSqliteConnection) => Promise<QueryResult<R>>

  constructor(execute: <R>(query: CompiledQuery, turn: NodeSqliteConnection) => Promise<QueryResult<R>>) {
    this.#execute = execute
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#execute(query, this)
  }

  // biome-ignore lint/correctness/useYield: streaming is part of Kysely's interface and of none of our queries
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('streaming is not supported on SQLite')
  }
}
