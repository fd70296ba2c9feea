import type { DatabaseConnection, Transaction } from 'kysely'

/** The connections of transactions that are under way. */
const connections = new WeakMap<object, DatabaseConnection>()

/**
 * Does a transaction's work with its connection at hand. Kysely passes each statement through eight promises and an executor of its own,
 * which takes longer than most statements take SQLite; what is prepared needs none of it.
 */
export async function withRawConnection<Schema, T>(tx: Transaction<Schema>, work: (tx: Transaction<Schema>) => Promise<T>): Promise<T> {
  connections.set(tx, await tx.getExecutor().provideConnection(async (connection) => connection))
  try {
    return await work(tx)
  } finally {
    connections.delete(tx) // a statement that comes late is refused by Kysely
  }
}

/** The connection of a transaction that is under way; not of one that has been given plugins, which have to see each statement. */
export function rawConnectionOf(db: object): DatabaseConnection | undefined {
  return connections.get(db)
}
