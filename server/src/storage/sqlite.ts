import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { Schema } from './schema.ts'

/** The first version whose WAL can't be corrupted by a reset that races a checkpoint. */
const MIN_SQLITE = [3, 51, 3] as const
const BUSY_TIMEOUT_MS = 5_000
const MAX_PREPARED = 500

export function openSqlite(file: string) {
  if (file !== ':memory:') makePrivateFile(file)
  const handle = openHandle(file)
  const db = new Kysely<Schema>({ dialect: sqliteDialect(handle) })
  return { db, listen: async () => async () => {}, close: () => db.destroy() }
}

/** Addresses and password hashes are for this user's eyes alone; the files of the log take their mode from this one. */
function makePrivateFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  closeSync(openSync(file, 'a', 0o600))
}

/** One handle, set up in the one order that works: busy time-out, WAL, then `synchronous=FULL` by name (the build's default for WAL is NORMAL). */
export function openHandle(file: string): DatabaseSync {
  const handle = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
  refuseOldSqlite(handle)
  handle.exec('pragma journal_mode=wal; pragma synchronous=full; pragma foreign_keys=on; pragma journal_size_limit=67108864')
  return handle
}

function refuseOldSqlite(handle: DatabaseSync): void {
  const version = String(handle.prepare('select sqlite_version() as version').get()?.version)
  const parts = version.split('.').map(Number)
  const difference = MIN_SQLITE.map((least, i) => (parts[i] ?? 0) - least).find((distance) => distance !== 0) ?? 0
  if (difference < 0)
    throw new Error(`SQLite ${version} is too old: at least ${MIN_SQLITE.join('.')} is needed (an older one can corrupt its log)`)
}

function sqliteDialect(handle: DatabaseSync): Dialect {
  return {
    createAdapter: () => new TransactionalDdlAdapter(),
    createDriver: () => new NodeSqliteDriver(handle),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

/** SQLite can create tables inside a transaction, so all migrations are one. */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** Exactly one connection for the process, handed out one user at a time: a second writing handle would stop the event loop for the busy time-out. */
class NodeSqliteDriver implements Driver {
  readonly #handle: DatabaseSync
  readonly #connection: NodeSqliteConnection
  readonly #waiting: Array<() => void> = []
  #taken = false

  constructor(handle: DatabaseSync) {
    this.#handle = handle
    this.#connection = new NodeSqliteConnection(handle)
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#taken) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#taken = true
    return this.#connection
  }

  async beginTransaction(): Promise<void> {
    this.#handle.exec('begin immediate')
  }

  async commitTransaction(): Promise<void> {
    this.#handle.exec('commit')
  }

  /** A full disk has rolled back already; only an open transaction is rolled back again. */
  async rollbackTransaction(): Promise<void> {
    if (this.#handle.isTransaction) this.#handle.exec('rollback')
  }

  async releaseConnection(): Promise<void> {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#taken = false
  }

  async destroy(): Promise<void> {
    this.#connection.forgetStatements()
    this.#handle.close()
  }
}

class NodeSqliteConnection implements DatabaseConnection {
  readonly #handle: DatabaseSync
  readonly #prepared = new Map<string, StatementSync>()

  constructor(handle: DatabaseSync) {
    this.#handle = handle
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const statement = this.#prepare(query.sql)
    const parameters = query.parameters as SQLInputValue[]
    if (statement.columns().length > 0) return { rows: statement.all(...parameters) as R[] }
    const { changes, lastInsertRowid } = statement.run(...parameters)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

  // biome-ignore lint/correctness/useYield: streaming is part of Kysely's interface and of none of our queries
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('streaming is not supported on SQLite')
  }

  forgetStatements(): void {
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
