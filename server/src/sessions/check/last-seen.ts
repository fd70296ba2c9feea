import type { Storage } from '../../storage/index.ts'
import { userSessionStore } from '../user-session-store.ts'
import type { LiveSessions } from './live-sessions.ts'

/** How often a node writes down which sessions it has seen: so far behind is what their people read. */
export const LAST_SEEN_FLUSH_MS = 3 * 60_000
/** Of a statement; two values a row, of the 32,766 that SQLite takes at most. */
const MAX_ROWS = 5_000

/** Writes down when the sessions that this node has seen since the last call were last used. What a failure loses is seen again soon. */
export async function flushLastSeen(sessions: Pick<LiveSessions, 'takeLastSeen'>, { db, address }: Storage): Promise<void> {
  const seen = [...sessions.takeLastSeen()]
  for (let from = 0; from < seen.length; from += MAX_ROWS) {
    await userSessionStore(db).markLastSeen(new Map(seen.slice(from, from + MAX_ROWS)), address)
  }
}
