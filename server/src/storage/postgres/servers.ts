import type pg from 'pg'
import { DatabaseAway } from '../away.ts'

/** PgBouncer's message for a setting that it does not manage. */
const REFUSED_SETTING = /unsupported startup parameter/i

/**
 * The servers that one address names, of which one takes writes at a time. Connections go to the same one until it can't be reached, or has
 * become a standby; then to the next in line.
 */
export interface Servers {
  /** A client for the pool, which connects to the server whose turn it is. */
  Client: new (
    config?: pg.ClientConfig,
  ) => pg.Client
  /** Refuses a connection to a standby: to be called on each new one. Asks nothing where there is one server alone. */
  refuseStandby(client: pg.ClientBase): Promise<void>
  /** Changes whenever a further attempt will be made in another way than the one before. */
  attempt(): number
  /** So many attempts reach each server in each way. */
  attempts: number
}

/** The server answers, and takes no writes. */
class StandbyOnly extends DatabaseAway {
  override name = 'StandbyOnly'
  constructor() {
    super('the server is a standby, which takes no writes')
  }
}

type Connected = (error: Error | null) => void

/** `urls`: an address for each server. */
export function createServers(urls: readonly string[], driver: typeof pg): Servers {
  let turn = 0
  let attempt = 0
  let limitsRefused = false
  const placeOf = new WeakMap<object, string>()

  function leave(client: object): void {
    if (placeOf.get(client) !== urls[turn] || urls.length === 1) return
    turn = (turn + 1) % urls.length
    attempt += 1
  }
  function note(client: object, error: Error): Error {
    if (!REFUSED_SETTING.test(error.message)) leave(client)
    else if (!limitsRefused) {
      // Statements are limited from this side still, and by what the operator sets for the role.
      limitsRefused = true
      attempt += 1
    }
    return error
  }

  class Client extends driver.Client {
    constructor(config?: pg.ClientConfig) {
      const place = urls[turn] ?? ''
      const limits = limitsRefused && { statement_timeout: false as const, idle_in_transaction_session_timeout: 0, lock_timeout: 0 }
      super({ ...config, connectionString: place, ...limits })
      placeOf.set(this, place)
    }
    override connect(): Promise<pg.Client>
    override connect(callback: Connected): void
    override connect(callback?: Connected): Promise<pg.Client> | undefined {
      if (!callback) return super.connect().catch((error) => Promise.reject(note(this, error)))
      super.connect((error: Error | null) => callback(error && note(this, error)))
      return undefined
    }
  }
  return {
    Client,
    attempt: () => attempt,
    attempts: urls.length + 1,
    async refuseStandby(client) {
      if (urls.length === 1) return
      const { rows } = await client.query<{ is_standby: boolean }>('select pg_is_in_recovery() as is_standby')
      if (!rows[0]?.is_standby) return
      leave(client)
      throw new StandbyOnly()
    },
  }
}
