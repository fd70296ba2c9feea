import type pg from 'pg'
import { sha256Hex } from '../../kit/index.ts'
import { isLostStatement, isStaleStatement } from '../faults.ts'
import { plannedOf } from '../prepared-texts.ts'

/** The server keeps a statement that has run so often: the others are not worth its memory. */
const RUNS_BEFORE_KEPT = 20
/** Of those that are not prepared. The prepared ones are few, and each has a place. */
const MOST_KEPT = 150
/** Longer ones have rows of values, and hardly come twice. */
const MOST_CHARACTERS = 8_000
/** Texts whose runs are counted at a time. */
const MOST_COUNTED = 1_000
/**
 * After so many kept statements a connection's plans are made anew, then after twice as many, and so on, but never after more than these:
 * reads come as often while a table is small.
 */
const FIRST_PLANS = 64
const MOST_RUNS_OF_PLANS = 5_000

/** After so many lost statements none is kept any more. */
const MOST_LOST = 2

interface Connection {
  runs: number
  plansEndAt: number
}

/** A server that gets a statement's text parses and plans it. That is half of PostgreSQL's work for a purchase. */
export interface KeptStatements {
  /** To be called on each new connection, before it is used. */
  admit(client: pg.ClientBase): Promise<void>
  /** Runs a statement, under a name by which the connection's server keeps it parsed and planned, if that is safe and worth it. */
  run(client: pg.ClientBase, text: string, values: unknown[]): Promise<pg.QueryResult>
}

/**
 * Statements are kept where three things hold.
 *
 * - They run in a transaction, or are prepared (`prepare.ts`). These find their rows by key, so one plan suits all values. A list whose
 *   filter fits one row or a million is planned for its values each time.
 * - The connection leads to one server process. Behind a pooler each transaction may come to another one; there the process that answers is
 *   not the one that the connection was announced with.
 * - Their plans are young. One that was made for an empty table reads it from end to end when it has a million rows. The server makes plans
 *   anew after an ANALYZE, which may come a minute late. So each connection has it do so after twice as many statements as before.
 */
export function createKeptStatements(): KeptStatements {
  const runs = new Map<string, number>()
  const names = new Map<string, string>()
  let unprepared = 0
  const connections = new WeakMap<pg.ClientBase, Connection>()
  /** How often all were forgotten: a name whose statement is stale does not come again. */
  let times = 0
  let lost = 0

  /**
   * The name of a statement, once it has one. It is made of the text: of two nodes that share a server's process without knowing, neither
   * can run what the other one means by it.
   */
  function nameOf(text: string): string | undefined {
    const name = names.get(text)
    const isPrepared = plannedOf(text) === 'once'
    if (name || text.length > MOST_CHARACTERS || (unprepared >= MOST_KEPT && !isPrepared)) return name
    const count = (runs.get(text) ?? 0) + 1
    if (count === RUNS_BEFORE_KEPT) {
      if (!isPrepared) unprepared += 1
      names.set(text, `kept_${times}_${sha256Hex(text).slice(0, 32)}`)
      runs.delete(text)
    } else {
      if (runs.size >= MOST_COUNTED) runs.clear()
      runs.set(text, count)
    }
    return names.get(text)
  }

  return {
    async admit(client) {
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
      const { processID } = client as { processID?: number | null }
      if (rows[0]?.pid === processID) connections.set(client, { runs: 0, plansEndAt: FIRST_PLANS })
    },
    async run(client, text, values) {
      const connection = lost < MOST_LOST ? connections.get(client) : undefined
      const isInTransaction = client.getTransactionStatus() === 'T'
      const planned = plannedOf(text) ?? (isInTransaction ? 'once' : 'each_time')
      const isKeepable = connection && values.length > 0 && planned === 'once'
      const name = isKeepable ? nameOf(text) : undefined
      if (!connection || !name) return client.query(text, values)
      connection.runs += 1
      if (connection.runs === connection.plansEndAt) {
        connection.plansEndAt += Math.min(connection.plansEndAt, MOST_RUNS_OF_PLANS)
        await client.query('discard plans')
      }
      try {
        return await client.query({ name, text, values })
      } catch (error) {
        // More than one: something between here and the server shares its processes, and was not noticed.
        if (isLostStatement(error)) {
          connections.delete(client)
          lost++
        }
        if (isStaleStatement(error)) {
          names.clear()
          unprepared = 0
          times++
        }
        // The server has not begun it. A transaction is over then, and is run again by whoever began it (`isConflict`).
        if (!isInTransaction && (isLostStatement(error) || isStaleStatement(error))) return client.query(text, values)
        throw error
      }
    },
  }
}
