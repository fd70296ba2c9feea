import { connect } from 'node:net'
import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import type { Schema } from '../schema/schema.ts'
import { createKeptStatements, type KeptStatements } from './kept-statements.ts'
import { lend } from './lend.ts'
import { createServers, type Servers } from './servers.ts'

/** Unless `PORTARIA_DATABASE_CONNECTIONS` says otherwise. */
const MAX_CONNECTIONS = 10
const CONNECT_TIMEOUT_MS = 3_000
/** The time limit of a query: nothing that users wait for takes as long. */
const STATEMENT_TIMEOUT_MS = 10_000
/**
 * A transaction of ours goes from statement to statement without a pause. The server ends one that stands still for this long: its node may
 * be frozen, and others wait for its locks.
 */
const STANDSTILL_MS = 3_000
/** The longest wait for a lock, a little longer than `STANDSTILL_MS`. A lock that is still held then is not that of a frozen node. */
const LOCK_MS = 5_000
/** The time limit of a read of the change feed, and of its connection: a check may be waiting for it. */
const FEED_TIMEOUT_MS = 1_000
const CANCEL_TIMEOUT_MS = 2_000
const CANCEL_REQUEST_CODE = 80_877_102
const CANCEL_REQUEST_BYTES = 16
const INT8_OID = 20
export const NOTIFY_CHANNEL = 'portaria_changes'

type Driver = typeof pg

interface Options {
  /** The time limit of one statement. */
  statementMs?: number
  /** The most connections at a time, without the feed's. */
  connections?: number | undefined
}

/** Opens the database of the first server of `urls` that takes writes. */
export async function openPostgres(
  urls: readonly string[],
  { statementMs = STATEMENT_TIMEOUT_MS, connections = MAX_CONNECTIONS }: Options = {},
) {
  const { default: driver } = await import('pg') // loaded on use: SQLite does not need it
  const servers = createServers(urls, driver)
  const statements = createKeptStatements()
  const admit = async (client: pg.ClientBase) => {
    await servers.refuseStandby(client)
    await statements.admit(client)
  }
  const config = { ...poolConfig(statementMs, driver, servers), max: connections, onConnect: asHook(admit) }
  const { db, renew } = open(new driver.Pool(config), { servers, statements })
  return {
    db,
    renewConnections: renew,
    damage: () => undefined,
    checkPages: async () => 'sound' as const, // it has checksums of its own, and says so at the read
    openFeed: (onNotify: () => void) => openFeed({ servers, driver, onNotify }),
    close: () => db.destroy(),
  }
}

interface FeedDeps {
  servers: Servers
  driver: Driver
  onNotify: () => void
}

/**
 * One connection of its own that listens for NOTIFY and reads the feed, so that neither a busy pool nor a silent server delays the
 * freshness check. The next query reopens a broken connection; missed notifications are harmless, since readers poll as well.
 */
function openFeed({ servers, driver, onNotify }: FeedDeps) {
  const listen = async (client: pg.ClientBase) => {
    await servers.refuseStandby(client)
    client.on('notification', onNotify)
    await client.query(`listen ${NOTIFY_CHANNEL}`)
  }
  const pool = new driver.Pool({
    ...poolConfig(FEED_TIMEOUT_MS, driver, servers),
    application_name: 'portaria feed',
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: FEED_TIMEOUT_MS,
    query_timeout: FEED_TIMEOUT_MS,
    onConnect: asHook(listen),
  })
  const { db } = open(pool, { servers, statements: asTheyCome })
  return { db, close: () => db.destroy() }
}

/** The feed asks little, and outside transactions. */
const asTheyCome: Pick<KeptStatements, 'run'> = { run: (client, text, values) => client.query(text, values) }

function open(pool: pg.Pool, { servers, statements }: { servers: Servers; statements: Pick<KeptStatements, 'run'> }) {
  // The pool replaces a broken connection, and its user gets the fault from the query. Without listeners the process would end.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const lending = lend(pool, { servers, statements, cancel })
  return { db: new Kysely<Schema>({ dialect: new PostgresDialect({ pool: lending.pool }) }), renew: lending.renew }
}

/** A connection's server, and the numbers by which it knows the connection; pg has no types for them. */
interface Connected {
  host: string
  port: number
  processID: number | null
  secretKey: number | null
}

/**
 * Asks the connection's own server to end its work for it, since nobody expects the answer any more. A commit that waits for a lost standby
 * would keep its process there for good, and so would each retry. No other server, and no pooler, takes the request for another connection:
 * it has the connection's secret. Unencrypted, as most clients send it. Resolves once the server has taken it, or does not answer.
 * https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-CANCELING-REQUESTS
 */
function cancel(client: pg.PoolClient): Promise<void> {
  const { host, port, processID, secretKey } = client as unknown as Connected
  if (!processID || secretKey === null) return Promise.resolve()
  const request = Buffer.alloc(CANCEL_REQUEST_BYTES)
  request.writeInt32BE(CANCEL_REQUEST_BYTES, 0)
  request.writeInt32BE(CANCEL_REQUEST_CODE, 4)
  request.writeInt32BE(processID, 8)
  request.writeInt32BE(secretKey, 12)
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
  socket.on('error', () => {}).setTimeout(CANCEL_TIMEOUT_MS, () => socket.destroy())
  socket.end(request)
  return new Promise((resolve) => void socket.once('close', () => resolve()))
}

/** The pool waits for what `onConnect` answers, though its types say `void`. */
function asHook(work: (client: pg.ClientBase) => unknown): (client: pg.ClientBase) => void {
  return work
}

/** Migrations wait for longer, and set the limits of their locks themselves: an index made beside writers waits for all of them. */
function limitsOf(statementMs: number): Pick<pg.PoolConfig, 'idle_in_transaction_session_timeout' | 'lock_timeout'> {
  if (statementMs > STATEMENT_TIMEOUT_MS) return { idle_in_transaction_session_timeout: statementMs }
  return { idle_in_transaction_session_timeout: Math.min(statementMs, STANDSTILL_MS), lock_timeout: Math.min(statementMs, LOCK_MS) }
}

/** A bigint arrives as a number: ours are times and counts, far below 2^53. */
function poolConfig(statementMs: number, { types }: Driver, servers: Servers): pg.PoolConfig {
  const getTypeParser = (id: number, format?: 'text' | 'binary') => (id === INT8_OID ? Number : types.getTypeParser(id, format as 'text'))
  return {
    Client: servers.Client,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'portaria',
    types: { getTypeParser },
    statement_timeout: statementMs,
    query_timeout: statementMs + 1_000,
    ...limitsOf(statementMs),
  }
}
