import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Storage } from '../../storage/index.ts'
import { userSessionStore } from '../user-session-store.ts'
import type { LiveSessions } from './live-sessions.ts'

/** A node writes down this often which sessions it has seen. Users read a time that is this old at most. */
export const LAST_SEEN_FLUSH_MS = 3 * 60_000
/** Rows of a statement: SQLite holds the event loop meanwhile. */
const MAX_ROWS = 200

/**
 * Writes down when the sessions that this node has seen since the last call were last used. A failed write is made up for by the session's
 * next use.
 */
export async function flushLastSeen(sessions: Pick<LiveSessions, 'takeLastSeen'>, { db, address }: Storage): Promise<void> {
  const seen = [...(await sessions.takeLastSeen())]
  for (let from = 0; from < seen.length; from += MAX_ROWS) {
    await userSessionStore(db).markLastSeen(new Map(seen.slice(from, from + MAX_ROWS)), address)
    await nextTurn()
  }
}
