import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Dialect, Kysely, type LimitNode, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, ValueNode } from 'kysely'
import type { Schema } from '../schema/schema.ts'
import { findDamagedPages, type OnRead } from './check-pages.ts'
import { isOpenHere, noteOpened, refuseDamagedFiles } from './examine-files.ts'
import { BUSY_TIMEOUT_MS, isBusy } from './sqlite-busy.ts'
import { NodeSqliteDriver } from './sqlite-driver.ts'
import { type AssertSameFiles, watchFiles } from './sqlite-files.ts'

/** The first version whose WAL can't be corrupted by a reset that races a checkpoint. */
const MIN_SQLITE = [3, 51, 3] as const
/**
 * The log is copied into the database at this number of pages: 16 MB, four times SQLite's default. A page of many commits is then copied
 * once for all of them, and the database's own file is synced a quarter as often.
 */
const CHECKPOINT_PAGES = 4_000
/**
 * As much of the database is kept in memory, in KiB: eight times SQLite's default. Purchases of new buyers write to random places of six
 * indexes; with 50,000 subscriptions in the database each cost 1.4 times as much as with 1,000, and with this 1.2 times.
 */
const CACHE_KIB = 16_384

/** Throws `DamagedFiles`, before anything is opened, where the file or its log is cut or damaged. */
export function openSqlite(file: string) {
  if (file !== ':memory:') {
    refuseDamagedFiles(file)
    if (!isOpenHere(file)) makePrivateFile(file)
  }
  const handle = openHandle(file)
  const noteClosed = noteOpened(file)
  const db = new Kysely<Schema>({ dialect: sqliteDialect(handle, watchFiles(file)) })
  const closing = new AbortController()
  let damage: string | undefined
  return {
    db,
    renewConnections: () => {},
    openFeed: () => ({ db, close: async () => {} }),
    damage: () => damage,
    async checkPages(onRead?: OnRead) {
      const state = file === ':memory:' ? 'sound' : await findDamagedPages(file, { onRead, stop: closing.signal })
      damage = typeof state === 'object' && 'damage' in state ? state.damage : undefined
      return state
    },
    async close() {
      closing.abort()
      await db.destroy()
      noteClosed()
    },
  }
}

/** Addresses and password hashes are for this user of the machine only; the files of the log take their mode from this one. */
function makePrivateFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  closeSync(openSync(file, 'a', 0o600))
}

/**
 * One handle, set up in the only order that works: busy timeout, WAL, then `synchronous=FULL` by name (the build's default for WAL is
 * NORMAL). The data for undoing a savepoint is kept in memory: the build would write it to a temporary file, page by page, for each
 * transaction of a group.
 */
export function openHandle(file: string): DatabaseSync {
  const handle = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
  refuseOldSqlite(handle)
  waitForOthers(() => handle.exec('pragma journal_mode=wal'))
  handle.exec('pragma synchronous=full; pragma foreign_keys=on; pragma journal_size_limit=67108864; pragma temp_store=memory')
  handle.exec(`pragma cache_size=-${CACHE_KIB}`)
  handle.exec(`pragma wal_autocheckpoint=${CHECKPOINT_PAGES}`)
  return handle
}

/**
 * The change to WAL needs the file alone and ignores the busy timeout: processes that start together on a new file would refuse each other.
 */
function waitForOthers(work: () => void): void {
  const deadline = performance.now() + BUSY_TIMEOUT_MS
  for (;;) {
    try {
      work()
      return
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
    }
  }
}

function refuseOldSqlite(handle: DatabaseSync): void {
  const version = String(handle.prepare('select sqlite_version() as version').get()?.version)
  const parts = version.split('.').map(Number)
  const difference = MIN_SQLITE.map((least, i) => (parts[i] ?? 0) - least).find((distance) => distance !== 0) ?? 0
  if (difference < 0)
    throw new Error(`SQLite ${version} is too old: at least ${MIN_SQLITE.join('.')} is needed (an older one can corrupt its log)`)
}

function sqliteDialect(handle: DatabaseSync, assertSameFiles: AssertSameFiles): Dialect {
  return {
    createAdapter: () => new TransactionalDdlAdapter(),
    createDriver: () => new NodeSqliteDriver(handle, assertSameFiles),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new LiteralLimits(),
  }
}

/** Limits are written as numbers: SQLite plans a statement anew for each bound limit, which takes longer than most statements do. */
class LiteralLimits extends SqliteQueryCompiler {
  protected override visitLimit(node: LimitNode): void {
    const limit = ValueNode.is(node.limit) ? node.limit.value : undefined
    if (Number.isSafeInteger(limit)) this.append(`limit ${limit}`)
    else super.visitLimit(node)
  }
}

/** SQLite can create tables inside a transaction, so all migrations are one. */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }

  /** There is one, but the driver below hands it out itself: Kysely's own queue would let nobody in before the commit. */
  override get supportsMultipleConnections(): boolean {
    return true
  }
}
