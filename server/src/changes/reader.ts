import { type Clock, HOUR_MS, MINUTE_MS } from '../kit/index.ts'
import { retention, type Storage } from '../storage/index.ts'
import type { ChangeEvent } from './change.ts'
import { changesAfter, newestPosition, type Position, readServer } from './store.ts'

export const KEPT_MS = retention.changes.removedAfterMs
const POLL_MS = 1_000
const PAGE = 1_000
/** The longest time until a node knows of a change made at another. */
const CURRENT_MS = 2_000
/** After a failed read nobody waits for another: the next one has begun by then. */
const FAILED_MS = 5_000
/** A read without an answer for so long counts as failed until it ends: where several servers are silent, it tries each of them. */
const LATE_MS = 3_000
const TICK_MS = 250
/** The process stood still, where a tick comes so late. */
const STILL_MS = 750
/** With the database away, a node uses its memory for this long. */
const TRUSTED_MS = 15 * MINUTE_MS

/**
 * Whether a node's memory may be used. `current`: everything older than two seconds is known. `unknown`: the feed was not read for that
 * long (the process stood still, the connection fell silent), and one read will show it. `away`: the database can't be read; knowledge of
 * the last 15 minutes may be used. `lost`: none may be used.
 */
export type Knowledge = 'current' | 'unknown' | 'away' | 'lost'

export interface ReaderDeps {
  storage: Storage
  clock: Clock
  onFault: (error: unknown) => void
}

/**
 * Reads the feed page by page, on every NOTIFY and once a second. Reads never overlap: a NOTIFY during a read starts another one after it.
 */
export function createReader(deliver: (change: ChangeEvent) => void, { storage, clock, onFault }: ReaderDeps) {
  let history: string | undefined
  /** The history for which connections were renewed: once, though it may take several reads to start over. */
  let renewedFor: string | undefined
  let position: Position = { seq: 0, mark: undefined }
  let lookedAt = 0
  let failedAt: number | undefined
  let looking: Promise<void> | undefined
  /** Of whoever waits for a look: resolved when it ends, and when it is late. */
  let waiting = Promise.withResolvers<void>()
  let watching: ReturnType<typeof eachWithoutPause> | undefined
  let askedAgain = false
  let timer: NodeJS.Timeout | undefined
  let feed: ReturnType<Storage['openFeed']> | undefined

  const read = async ({ db }: NonNullable<typeof feed>) => {
    const askedAt = clock.own()
    const server = await readServer(db, storage)
    watching?.restart()
    clock.compare({ askedAt, answeredAt: clock.own(), time: server.time })
    const startedAt = askedAt + clock.now() - clock.own()
    if (server.history !== history) {
      if (history !== undefined && server.history !== renewedFor) storage.renewConnections('now')
      renewedFor = server.history
      await startOver(db)
      history = server.history // last: a read that fails before everything is forgotten has to be made again
    } else if (startedAt - lookedAt > KEPT_MS - HOUR_MS) await startOver(db)
    else await readToEnd(db)
    lookedAt = startedAt
    failedAt = undefined
  }
  const readToEnd = async (db: Storage['db']) => {
    for (;;) {
      const page = await changesAfter(db, position, { limit: PAGE, ...storage })
      watching?.restart()
      if (page === undefined) return startOver(db)
      position = page.position
      page.changes.forEach(deliver)
      if (page.rows < PAGE) return
    }
  }
  /** Changes were missed, or the remembered ones were undone: everything is forgotten. */
  const startOver = async (db: Storage['db']) => {
    position = await newestPosition(db, storage)
    deliver({ kind: 'everything_changed' })
  }
  /**
   * A broken or silent connection does not show that the database is away; only a newly opened one does. Other open ones may be as dead.
   */
  const tryTwice = async (opened: NonNullable<typeof feed>) => {
    try {
      await read(opened)
    } catch {
      await read(opened)
      storage.renewConnections('at_release')
    }
  }
  const look = (): Promise<void> => {
    if (looking !== undefined) askedAgain = true
    looking ??= startLook()
    return looking
  }
  const release = () => {
    waiting.resolve()
    waiting = Promise.withResolvers()
  }
  const startLook = () => {
    watching = eachWithoutPause(LATE_MS, () => {
      failedAt = clock.now()
      release()
    })
    return (feed ? tryTwice(feed) : Promise.reject(new Error('the change feed is not being read')))
      .catch((error) => {
        failedAt = clock.now()
        onFault(error)
      })
      .finally(() => {
        watching?.stop()
        looking = undefined
        release()
        const isNext = askedAgain && feed !== undefined
        askedAgain = false
        if (isNext) void look()
      })
  }
  /** Waits for one look, for as long as that may still help. */
  const waitForLook = () => {
    if (!looking) void look()
    return waiting.promise
  }
  const isWithin = (now: number, at: number, ms: number) => Math.abs(now - at) <= ms
  const knowledge = (now = clock.now()): Knowledge => {
    if (isWithin(now, lookedAt, CURRENT_MS)) return 'current'
    if (failedAt === undefined || !isWithin(now, failedAt, FAILED_MS)) return 'unknown'
    return isWithin(now, lookedAt, TRUSTED_MS) ? 'away' : 'lost'
  }
  return {
    lastLookAt: () => lookedAt,
    knowledge,
    /** Reads the feed where that would help. Never rejects. */
    async refresh(): Promise<Knowledge> {
      if (knowledge() === 'unknown') await waitForLook()
      // A read that began before the process stood still is as old as that.
      if (knowledge() === 'unknown') await waitForLook()
      return knowledge()
    },
    async start() {
      feed = storage.openFeed(() => feed && void look())
      await look()
      timer = setInterval(() => void look(), POLL_MS).unref()
    },
    async stop() {
      clearInterval(timer)
      const last = feed
      feed = undefined // first: what comes meanwhile is not read with a connection that is being closed
      await looking
      await last?.close()
    },
  }
}

/**
 * Calls `work` after every `ms` of waiting without a pause, until it is stopped. After a time in which the process stood still it begins
 * anew: what came meanwhile is still unread.
 */
function eachWithoutPause(ms: number, work: () => void): { restart(): void; stop(): void } {
  let last = performance.now()
  let waited = 0
  const tick = () => {
    const sinceLast = performance.now() - last
    last += sinceLast
    waited = sinceLast > STILL_MS ? 0 : waited + sinceLast
    if (waited < ms) return
    waited = 0
    work()
  }
  const timer = setInterval(tick, TICK_MS).unref()
  return {
    restart() {
      waited = 0
    },
    stop: () => clearInterval(timer),
  }
}
