import type { Kysely, Transaction as KyselyTransaction } from 'kysely'
import type { DatabaseAddress } from './database-url.ts'
import { guardOuterHandle } from './outer-handle.ts'
import { openPostgres } from './postgres.ts'
import type { Schema } from './schema.ts'
import { openSqlite } from './sqlite.ts'

/** What a store needs to ask its questions: the open database, or the transaction that is under way. */
export type Queryable = Kysely<Schema>
export type Transaction = KyselyTransaction<Schema>

export interface Storage {
  readonly db: Queryable
  readonly address: DatabaseAddress
  /**
   * Runs `work` in one transaction: all of it is on disk when the promise resolves, none of it when it rejects. Await nothing but `tx` inside: `db` refuses there. Where
   * PostgreSQL ends it in favour of another (a deadlock), it is run again, twice at most: `work` changes nothing outside the database.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** Calls `ring` whenever another process of the same PostgreSQL rings the doorbell; on SQLite never (readers poll). Answers how to stop. */
  listen(ring: () => void): Promise<() => Promise<void>>
  close(): Promise<void>
}

/** Opens the database without touching its tables. A SQLite file is made when it is missing; a PostgreSQL that is away shows at the first query. */
export async function openStorage(address: DatabaseAddress): Promise<Storage> {
  const { db, listen, close } = address.dialect === 'sqlite' ? openSqlite(address.file) : await openPostgres(address.url)
  return { ...guardOuterHandle(db), address, listen, close }
}
