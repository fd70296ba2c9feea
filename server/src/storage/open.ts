import type { Kysely, Transaction as KyselyTransaction } from 'kysely'
import type { DatabaseAddress } from './database-url.ts'
import { timeline as ours, type Timeline } from './migrations/timeline.ts'
import { openPostgres } from './postgres.ts'
import type { Schema } from './schema/schema.ts'
import { openSqlite } from './sqlite/sqlite.ts'
import { guardRootHandle } from './transactions/root-handle.ts'

/** What a store needs to ask its questions: the open database, or the transaction that is under way. */
export type Queryable = Kysely<Schema>
export type Transaction = KyselyTransaction<Schema>

export interface Storage {
  readonly db: Queryable
  readonly address: DatabaseAddress
  /** What this version knows of the tables. */
  readonly timeline: Timeline
  /**
   * Runs `work` in one transaction: all of it is on disk when the promise resolves, none of it when it rejects. Await nothing but `tx`
   * inside: `db` refuses there. Where PostgreSQL ends it in favour of another (a deadlock), it is run again, twice at most: `work` changes
   * nothing outside the database.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /**
   * What reads the change feed: on PostgreSQL a connection of its own that is given up after a second without an answer, and calls
   * `onNotify` whenever another process notifies; on SQLite the same handle, without notifications (readers poll).
   */
  openFeed(onNotify: () => void): { db: Queryable; close(): Promise<void> }
  /** Lends out no connection again that is open now: at its other end may be a server that is not the one any more. */
  renewConnections(): void
  close(): Promise<void>
}

/**
 * Opens the database without touching its tables. A SQLite file is made when it is missing; a PostgreSQL that is away shows at the first
 * query.
 */
export async function openStorage(address: DatabaseAddress, timeline: Timeline = ours): Promise<Storage> {
  const { db, close, ...opened } = address.dialect === 'sqlite' ? openSqlite(address.file) : await openPostgres(address.url)
  return { ...opened, ...guardRootHandle(db), address, timeline, close }
}
