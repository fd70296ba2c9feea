import type { Kysely, Transaction as KyselyTransaction } from 'kysely'
import { type DatabaseAddress, serverUrls } from './database-url.ts'
import { timeline as ours, type Timeline } from './migrations/timeline.ts'
import type { Renewal } from './postgres/lend.ts'
import { openPostgres } from './postgres/postgres.ts'
import type { Schema } from './schema/schema.ts'
import type { OnRead, PagesState } from './sqlite/check-pages.ts'
import { openSqlite } from './sqlite/sqlite.ts'
import { guardRootHandle } from './transactions/root-handle.ts'

/** The handle for a store's queries: the open database, or the running transaction. */
export type Queryable = Kysely<Schema>
export type Transaction = KyselyTransaction<Schema>

export interface Storage {
  readonly db: Queryable
  readonly address: DatabaseAddress
  /** The tables that this version knows. */
  readonly timeline: Timeline
  /**
   * Runs `work` in one transaction: all of it is on disk when the promise resolves, none of it when it rejects. Await nothing but `tx`
   * inside: `db` refuses there. After a deadlock on PostgreSQL it is run again, twice at most: so `work` must change nothing outside the
   * database.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /**
   * Reads the change feed. On PostgreSQL it is a connection of its own that is closed after a second without an answer, and calls
   * `onNotify` whenever another process notifies. On SQLite it is the same handle, without notifications (readers poll).
   */
  openFeed(onNotify: () => void): { db: Queryable; close(): Promise<void> }
  /** Reuses no connection that is open now: the server at its other end may have been replaced. `now`: it has been. */
  renewConnections(when: Renewal): void
  /** On SQLite reads every page, in a process of its own. It takes seconds for each gigabyte, and ends with `close`. */
  checkPages(onRead?: OnRead): Promise<PagesState>
  /** The damage that `checkPages` found last. */
  damage(): string | undefined
  close(): Promise<void>
}

/** Opens the database without touching its tables. A missing SQLite file is made; a PostgreSQL that is away shows at the first query. */
export async function openStorage(address: DatabaseAddress, timeline: Timeline = ours): Promise<Storage> {
  const { db, close, ...opened } =
    address.dialect === 'sqlite' ? openSqlite(address.file) : await openPostgres(serverUrls(address.url), address)
  return { ...opened, ...guardRootHandle(db), address, timeline, close }
}
