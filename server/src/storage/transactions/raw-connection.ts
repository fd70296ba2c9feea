import type { DatabaseConnection, Transaction } from 'kysely'

/** The connections of running transactions. */
const connections = new WeakMap<object, DatabaseConnection>()

/**
 * Runs a transaction's work with its connection at hand. Kysely passes each statement through eight promises and an executor of its own,
 * which takes longer than most statements take SQLite; prepared ones need none of it.
 */
export async function withRawConnection<Schema, T>(tx: Transaction<Schema>, work: (tx: Transaction<Schema>) => Promise<T>): Promise<T> {
  connections.set(tx, await tx.getExecutor().provideConnection(async (connection) => connection))
  try {
    return await work(tx)
  } finally {
    connections.delete(tx) // Kysely refuses a late statement
  }
}

/** The connection of a running transaction; not of one with plugins, which have to see each statement. */
export function rawConnectionOf(db: object): DatabaseConnection | undefined {
  return connections.get(db)
}
