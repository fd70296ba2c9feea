import type { ChangeEvent, ChangeFeed, Knowledge } from '../../changes/index.ts'
import { BoundedMap, DAY_MS, inTurns, type Now } from '../../kit/index.ts'
import type { Storage } from '../../storage/index.ts'
import type { LiveSession } from '../session.ts'
import { sessionStore } from '../store.ts'

/** About 220 MB when full, with the tokens of their checks. */
export const MAX_REMEMBERED = 120_000
/** A session that nobody has used for so long is forgotten. While the database is away, only what is remembered is answered. */
const UNUSED_MS = DAY_MS
const MAX_READS = 3

/** The live sessions this node has seen, kept true by the change feed. */
export interface LiveSessions {
  /**
   * The session, from memory or by one read; `undefined` when it has ended, expired, or never existed. Throws when the database is away and
   * the session is not in memory.
   */
  find(id: string): Promise<LiveSession | undefined>
  /** Whether memory may be trusted at this moment (`at`): the feed was just read, or can't be read since less than 15 minutes. */
  isTrusted(at?: number): boolean
  /** At once, however many there are. */
  forgetEverything(): void
  /** Whether something has happened to the session since it was read: it must be read again. */
  isStale(session: LiveSession): boolean
  /** Notes that a session was used just now. It costs an assignment, because the check does it thousands of times a second. */
  note(session: LiveSession, at?: number): void
  /**
   * The last use of each session that was used since the last call, in ms by its id. Sessions that have expired, or that nobody has used
   * for a day, are forgotten with it.
   */
  takeLastSeen(): Promise<Map<string, number>>
  size(): number
}

interface Fill {
  id: string
  /** Set by a change about this session or, until its user is known, about any user. */
  spoiled: boolean
}

export function createLiveSessions({ storage, changes, now }: { storage: Storage; changes: ChangeFeed; now: Now }): LiveSessions {
  const createMemory = () => ({
    byId: new BoundedMap<string, LiveSession>(MAX_REMEMBERED, (evicted) => forget(evicted)),
    byUser: new Map<string, Set<LiveSession>>(),
  })
  let { byId, byUser } = createMemory()
  let era = 0
  const isStale = (session: LiveSession) => session.stale || session.era !== era
  const fills = new Set<Fill>()
  const store = sessionStore(storage.db)

  /** Last uses of sessions that memory has dropped since. */
  let seen = new Map<string, number>()
  const keepSeen = ({ id, seenAt, takenAt }: LiveSession) => {
    if (seenAt !== takenAt && seenAt > (seen.get(id) ?? 0) && (seen.size < MAX_REMEMBERED || seen.has(id))) seen.set(id, seenAt)
  }

  const forget = (session: LiveSession) => {
    session.stale = true
    keepSeen(session)
    for (const id of usersOf(session)) {
      const others = byUser.get(id)
      others?.delete(session)
      if (others?.size === 0) byUser.delete(id)
    }
  }
  const drop = (session: LiveSession) => {
    byId.delete(session.id)
    forget(session)
  }
  const remember = (session: LiveSession) => {
    session.era = era
    byId.set(session.id, session)
    for (const id of usersOf(session)) {
      const others = byUser.get(id)
      if (others) others.add(session)
      else byUser.set(id, new Set([session]))
    }
  }
  const forgetEverything = () => {
    const forgotten = byId
    era++
    ;({ byId, byUser } = createMemory())
    for (const fill of fills) fill.spoiled = true
    void inTurns(forgotten.values(), keepSeen)
  }
  const hear = (change: ChangeEvent) => {
    if (change.kind === 'session_ended') {
      const session = byId.get(change.subject)
      if (session) drop(session)
      for (const fill of fills) if (fill.id === change.subject) fill.spoiled = true
    } else if (change.kind === 'user_changed') {
      for (const session of [...(byUser.get(change.subject) ?? [])]) drop(session)
      for (const fill of fills) fill.spoiled = true
    } else if (change.kind === 'product_changed' || change.kind === 'everything_changed') forgetEverything()
  }
  changes.follow(hear)

  /** A read that began before a change must not be kept: it is read again, and after several changes answered without being remembered. */
  const read = async (id: string, triesLeft: number): Promise<LiveSession | undefined> => {
    const fill: Fill = { id, spoiled: false }
    fills.add(fill)
    try {
      const session = await store.findLive(id, now())
      if (fill.spoiled && triesLeft > 1) return read(id, triesLeft - 1)
      if (session && fill.spoiled) session.stale = true
      else if (session) remember(session)
      return session
    } finally {
      fills.delete(fill) // in the turn in which it is remembered: no change may come in between
    }
  }

  const note = (session: LiveSession, at = now()) => {
    if (session.impersonation) return // no read has named its user
    session.seenAt = at
    if (isStale(session)) keepSeen(session)
  }
  const isTrusted = (at?: number) => mayBeGoneBy(changes.knowledge(at))
  return {
    isTrusted,
    forgetEverything,
    size: () => byId.size,
    note,
    isStale,
    async takeLastSeen() {
      const at = now()
      await inTurns(byId.values(), (session) => {
        keepSeen(session)
        session.takenAt = session.seenAt
        const isUnused = session.impersonation === undefined && at - session.seenAt > UNUSED_MS
        if (isUnused || session.expiresAt <= at) drop(session)
      })
      const taken = seen
      seen = new Map()
      return taken
    },
    async find(id) {
      const known = byId.get(id)
      const isKnown = known && isTrusted() && known.claimsUntil > now()
      const session = isKnown ? known : await read(id, MAX_READS)
      if (!session || session.expiresAt <= now()) return undefined
      note(session)
      return session
    },
  }
}

const mayBeGoneBy = (knowledge: Knowledge) => knowledge === 'current' || knowledge === 'away'

/** The users whose changes end it: its own, and the administrator of an impersonation. */
function usersOf({ userId, impersonation }: LiveSession): string[] {
  return impersonation ? [userId, impersonation.userId] : [userId]
}
