import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import type { Schema } from './schema/schema.ts'

const MAX_CONNECTIONS = 10
const CONNECT_TIMEOUT_MS = 3_000
/** The time limit of a query: nothing that users wait for takes as long. */
const STATEMENT_TIMEOUT_MS = 10_000
/** The time limit of a read of the change feed, and of its connection: a check may be waiting for it. */
const FEED_TIMEOUT_MS = 1_000
const INT8_OID = 20
/** pg's message for a query that passed `query_timeout`; there is no code. */
const NO_ANSWER = 'Query read timeout'
export const NOTIFY_CHANNEL = 'portaria_changes'

type Driver = typeof pg

/** `statementMs`: the time limit of one statement. */
export async function openPostgres(url: string, { statementMs = STATEMENT_TIMEOUT_MS }: { statementMs?: number } = {}) {
  const { default: driver } = await import('pg') // loaded on use: SQLite does not need it
  const { db, renew } = open(new driver.Pool(poolConfig(url, statementMs, driver)))
  return { db, renewConnections: renew, openFeed: (onNotify: () => void) => openFeed(url, driver, onNotify), close: () => db.destroy() }
}

/**
 * One connection of its own that listens for NOTIFY and reads the feed, so that neither a busy pool nor a silent server delays the
 * freshness check. The next query reopens a broken connection; missed notifications are harmless, since readers poll as well.
 */
function openFeed(url: string, driver: Driver, onNotify: () => void) {
  /** The pool waits for the result of this function, though its types say `void`. */
  const listen = (client: pg.ClientBase): unknown => {
    client.on('notification', onNotify)
    return client.query(`listen ${NOTIFY_CHANNEL}`)
  }
  const pool = new driver.Pool({
    ...poolConfig(url, FEED_TIMEOUT_MS, driver),
    application_name: 'portaria feed',
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: FEED_TIMEOUT_MS,
    query_timeout: FEED_TIMEOUT_MS,
    onConnect: listen,
  })
  const { db } = open(pool)
  return { db, close: () => db.destroy() }
}

function open(pool: pg.Pool) {
  // The pool replaces a broken connection, and its user gets the fault from the query. Without listeners the process would end.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const lending = lend(pool)
  return { db: new Kysely<Schema>({ dialect: new PostgresDialect({ pool: lending.pool }) }), renew: lending.renew }
}

/**
 * The pool, with one difference: a connection that did not answer in time is closed and not reused. Its server may be gone without a word
 * (moved, for example), and then every query on it would wait in vain. Further queries of its user fail at once. `renew` closes all present
 * connections, each when it is given back.
 */
function lend(pool: pg.Pool): { pool: PostgresPool; renew(): void } {
  let generation = 0
  const opened = new WeakMap<pg.PoolClient, number>()
  pool.on('connect', (client) => opened.set(client, generation))
  const connect = async (): Promise<pg.PoolClient> => {
    const client = await pool.connect()
    if (opened.get(client) === generation) return client
    client.release(true)
    return connect()
  }
  return {
    renew: () => void generation++,
    pool: {
      options: pool.options,
      end: () => pool.end(),
      async connect() {
        const client = await connect()
        let silence: unknown
        const query = async (text: string, values: unknown[]) => {
          if (silence) throw silence
          try {
            return await client.query(text, values)
          } catch (error) {
            if (error instanceof Error && error.message === NO_ANSWER) silence = error
            throw error
          }
        }
        const release = (destroy?: boolean) => client.release(destroy || silence !== undefined || opened.get(client) !== generation)
        return { query, release } as unknown as PostgresPoolClient // the rest of that interface is for cursors, which nobody uses
      },
    },
  }
}

/** A bigint arrives as a number: ours are times and counts, far below 2^53. */
function poolConfig(url: string, statementMs: number, { types }: Driver): pg.PoolConfig {
  const getTypeParser = (id: number, format?: 'text' | 'binary') => (id === INT8_OID ? Number : types.getTypeParser(id, format as 'text'))
  return {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'portaria',
    types: { getTypeParser },
    max: MAX_CONNECTIONS,
    statement_timeout: statementMs,
    query_timeout: statementMs + 1_000,
    idle_in_transaction_session_timeout: statementMs,
  }
}
