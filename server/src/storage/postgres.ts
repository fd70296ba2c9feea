import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import type { Schema } from './schema.ts'

const MAX_CONNECTIONS = 10
const CONNECT_TIMEOUT_MS = 3_000
/** What a question of the service may take: nothing that people wait for takes as long. */
const STATEMENT_TIMEOUT_MS = 10_000
const RECONNECT_MS = 1_000
const INT8_OID = 20
/** pg's words for a query that passed `query_timeout`; there is no code. */
const NO_ANSWER = 'Query read timeout'
export const DOORBELL_CHANNEL = 'portaria_changes'

/** `statementMs`: what one statement may take before it is ended. */
export async function openPostgres(url: string, { statementMs = STATEMENT_TIMEOUT_MS }: { statementMs?: number } = {}) {
  const { default: driver } = await import('pg') // loaded on use: a service on SQLite never pays for it
  const pool = new driver.Pool(poolConfig(url, statementMs, driver))
  // A connection that breaks is replaced by the pool, and whoever uses it hears of it from the query; without listeners the process would die of it.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: withoutSilent(pool) }) })
  return { db, listen: (ring: () => void) => listenOn(() => new driver.Client(clientConfig(url)), ring), close: () => db.destroy() }
}

/**
 * The pool, but a connection that did not answer in time is closed, not lent out again: its other end may be gone without a word (a server that has
 * moved), and then every question to it would wait in vain. What else its user asks fails at once.
 */
function withoutSilent(pool: pg.Pool): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect()
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
      const release = (destroy?: boolean) => client.release(destroy || silence !== undefined)
      return { query, release } as unknown as PostgresPoolClient // the rest of that interface is for cursors, which nobody uses
    },
  }
}

/** A bigint arrives as a number: ours are times and counts, far below 2^53. */
function poolConfig(url: string, statementMs: number, { types }: typeof pg): pg.PoolConfig {
  const getTypeParser = (id: number, format?: 'text' | 'binary') => (id === INT8_OID ? Number : types.getTypeParser(id, format as 'text'))
  return {
    ...clientConfig(url),
    types: { getTypeParser },
    max: MAX_CONNECTIONS,
    statement_timeout: statementMs,
    query_timeout: statementMs + 1_000,
    idle_in_transaction_session_timeout: statementMs,
  }
}

function clientConfig(url: string): pg.ClientConfig {
  return { connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS, keepAlive: true, application_name: 'portaria' }
}

/** Keeps one connection that listens, and opens it again whenever it breaks. Missed rings are harmless: readers poll as well. */
async function listenOn(connect: () => pg.Client, ring: () => void): Promise<() => Promise<void>> {
  let stopped = false
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  const again = () => {
    client = undefined
    if (!stopped) timer = setTimeout(open, RECONNECT_MS).unref()
  }
  const open = () => {
    const fresh = connect()
    let broken = false
    const onBreak = () => {
      if (broken) return
      broken = true
      fresh.end().catch(() => undefined) // it is broken already; a second failure says nothing new
      again()
    }
    fresh.on('error', onBreak)
    fresh.on('end', onBreak)
    fresh.on('notification', ring)
    client = fresh
    fresh
      .connect()
      .then(() => fresh.query(`listen ${DOORBELL_CHANNEL}`))
      .then(ring, onBreak)
  }
  open()
  return async () => {
    stopped = true
    clearTimeout(timer)
    await client?.end()
  }
}
