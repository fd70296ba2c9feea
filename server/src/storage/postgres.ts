import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import type { Schema } from './schema/schema.ts'

const MAX_CONNECTIONS = 10
const CONNECT_TIMEOUT_MS = 3_000
/** What a question of the service may take: nothing that people wait for takes as long. */
const STATEMENT_TIMEOUT_MS = 10_000
/** What one look at the change feed may take, and the connection for it: whoever is checked meanwhile may be waiting for it. */
const FEED_TIMEOUT_MS = 1_000
const INT8_OID = 20
/** pg's words for a query that passed `query_timeout`; there is no code. */
const NO_ANSWER = 'Query read timeout'
export const NOTIFY_CHANNEL = 'portaria_changes'

type Driver = typeof pg

/** `statementMs`: what one statement may take before it is ended. */
export async function openPostgres(url: string, { statementMs = STATEMENT_TIMEOUT_MS }: { statementMs?: number } = {}) {
  const { default: driver } = await import('pg') // loaded on use: a service on SQLite never pays for it
  const { db, renew } = open(new driver.Pool(poolConfig(url, statementMs, driver)))
  return { db, renewConnections: renew, openFeed: (onNotify: () => void) => openFeed(url, driver, onNotify), close: () => db.destroy() }
}

/**
 * One connection of its own that listens for NOTIFY and reads the feed, so that neither a busy pool nor a silent server delays the answer
 * to how old the node's knowledge is. The next query reopens a broken connection; missed notifications are harmless, since readers poll as
 * well.
 */
function openFeed(url: string, driver: Driver, onNotify: () => void) {
  /** The pool waits for what this answers, though its types say that it answers nothing. */
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
  // A connection that breaks is replaced by the pool, and whoever uses it hears of it from the query; without listeners the process would
  // die of it.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const lending = lend(pool)
  return { db: new Kysely<Schema>({ dialect: new PostgresDialect({ pool: lending.pool }) }), renew: lending.renew }
}

/**
 * The pool, but a connection that did not answer in time is closed, not lent out again: its other end may be gone without a word (a server
 * that has moved), and then every question to it would wait in vain. What else its user asks fails at once. `renew` closes all there are,
 * each when it is given back.
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
