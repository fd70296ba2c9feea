import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import type { Servers } from './servers.ts'

/** pg's message for a query that passed `query_timeout`; there is no code. */
const NO_ANSWER = 'Query read timeout'

interface LendDeps {
  servers: Pick<Servers, 'attempt' | 'attempts'>
  /** Ends what a server still does for a connection that is about to be closed. */
  cancel: (client: pg.PoolClient) => void
}

/**
 * The pool, with three differences. A connection that did not answer in time is closed and not reused: its server may be gone without a
 * word (moved, for example), and then every query on it would wait in vain. Further queries of its user fail at once. `renew` closes all
 * present connections, each when it is given back. Where there are several servers, a connection that one refuses is asked of the next.
 */
export function lend(pool: pg.Pool, { servers, cancel }: LendDeps): { pool: PostgresPool; renew(): void } {
  let generation = 0
  const opened = new WeakMap<pg.PoolClient, number>()
  pool.on('connect', (client) => opened.set(client, generation))
  const connect = async (): Promise<pg.PoolClient> => {
    const client = await open(pool, servers, servers.attempts)
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
            if (error instanceof Error && error.message === NO_ANSWER) {
              silence = error
              cancel(client)
            }
            throw error
          }
        }
        const release = (destroy?: boolean) => client.release(destroy || silence !== undefined || opened.get(client) !== generation)
        return { query, release } as unknown as PostgresPoolClient // the rest of that interface is for cursors, which nobody uses
      },
    },
  }
}

async function open(pool: pg.Pool, servers: LendDeps['servers'], attemptsLeft: number): Promise<pg.PoolClient> {
  const attempt = servers.attempt()
  try {
    return await pool.connect()
  } catch (error) {
    if (servers.attempt() === attempt || attemptsLeft === 0) throw error
    return open(pool, servers, attemptsLeft - 1)
  }
}
