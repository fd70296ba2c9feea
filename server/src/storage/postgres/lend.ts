import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { markAway } from '../away.ts'
import { endsConnection } from '../faults.ts'
import type { KeptStatements } from './kept-statements.ts'
import type { Servers } from './servers.ts'

/** pg's message for a query that passed `query_timeout`; there is no code. */
const NO_ANSWER = 'Query read timeout'

/** When present connections are closed. `now`: their server takes no more writes, and may never answer what they wait for. */
export type Renewal = 'at_release' | 'now'

/** pg has no types for it. A goodbye would wait for a server that is gone. */
interface Connected {
  connection: { stream: { destroy(): void } }
}

interface LendDeps {
  servers: Pick<Servers, 'attempt' | 'attempts'>
  statements: Pick<KeptStatements, 'run'>
  /** Ends what a server still does for a connection. A pooler does so as long as the connection is open: it is closed after that. */
  cancel: (client: pg.PoolClient) => Promise<void>
}

/**
 * The pool, with some differences. A connection that met a fault of its own is closed and not reused: its server may be gone without a word
 * (moved, for example), and then every query on it would wait in vain, or it answers what belongs to no query. Further queries of its user
 * fail at once. Such faults are marked, and those of connecting: what the server itself says has a code. `renew` closes all present
 * connections: `at_release` each when it is given back, `now` at once. Where there are several servers, a connection that one refuses is
 * asked of the next.
 */
export function lend(pool: pg.Pool, { servers, ...deps }: LendDeps): { pool: PostgresPool; renew(when: Renewal): void } {
  let generation = 0
  const inUse = new Set<pg.PoolClient>()
  const opened = new WeakMap<pg.PoolClient, number>()
  pool.on('connect', (client) => opened.set(client, generation))
  const connect = async (): Promise<pg.PoolClient> => {
    const client = await open(pool, servers, servers.attempts)
    if (opened.get(client) === generation) return client
    client.release(true)
    return connect()
  }
  return {
    renew(when) {
      generation += 1
      if (when === 'now') for (const client of inUse) (client as pg.PoolClient & Connected).connection.stream.destroy()
    },
    pool: {
      options: pool.options,
      end: () => pool.end(),
      async connect() {
        const client = await connect()
        inUse.add(client)
        return lent(client, deps, (isBroken) => {
          inUse.delete(client)
          client.release(isBroken || opened.get(client) !== generation)
        })
      },
    },
  }
}

/** A connection for its user of now. `giveBack`: called when the user and the server are done with it. */
function lent(
  client: pg.PoolClient,
  { statements, cancel }: Omit<LendDeps, 'servers'>,
  giveBack: (isBroken: boolean) => void,
): PostgresPoolClient {
  let broken: unknown
  let canceled: Promise<void> | undefined
  const query = async (text: string, values: unknown[]) => {
    if (broken) throw broken
    try {
      return await statements.run(client, text, values)
    } catch (error) {
      if ((isAnswer(error) && !endsConnection(error)) || isMistake(error)) throw error
      broken = markAway(error)
      if (error instanceof Error && error.message === NO_ANSWER) canceled = cancel(client)
      throw error
    }
  }
  const release = (destroy = false) => {
    const end = () => giveBack(destroy || broken !== undefined)
    if (canceled) void canceled.then(end)
    else end()
  }
  return { query, release } as unknown as PostgresPoolClient // the rest of that interface is for cursors, which nobody uses
}

async function open(pool: pg.Pool, servers: LendDeps['servers'], attemptsLeft: number): Promise<pg.PoolClient> {
  const attempt = servers.attempt()
  try {
    return await pool.connect()
  } catch (error) {
    if (servers.attempt() === attempt || attemptsLeft === 0) throw isMistake(error) ? error : markAway(error)
    return open(pool, servers, attemptsLeft - 1)
  }
}

/** Whether the server has said it. */
function isAnswer(error: unknown): error is Error {
  return error instanceof Error && 'severity' in error && typeof error.severity === 'string'
}

/** A mistake in the program says nothing about the database. */
function isMistake(error: unknown): boolean {
  return error instanceof TypeError || error instanceof ReferenceError
}
