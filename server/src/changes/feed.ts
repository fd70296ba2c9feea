import { DAY_MS, HOUR_MS, type Now } from '../kit/index.ts'
import type { Storage, Transaction } from '../storage/index.ts'
import type { Change, Heard } from './change.ts'
import { appendChanges, changesAfter, forgetChangesBefore, lastSequence } from './store.ts'

const POLL_MS = 1_000
const PAGE = 1_000
const KEPT_MS = DAY_MS

export type Announce = (change: Change) => void

export interface ChangeFeed {
  /** A transaction whose announced changes are committed with it. This node's followers have heard of them when the promise resolves; every other node's within 2 s. */
  transaction<T>(work: (tx: Transaction, announce: Announce) => Promise<T>): Promise<T>
  follow(follower: (heard: Heard) => void): void
  /** When this node last read the feed to its end, in ms: how fresh its caches are known to be. */
  lastLookAt(): number
  /** Starts to poll and to listen. Rejects when the database can't be read. */
  start(): Promise<void>
  stop(): Promise<void>
  /** Removes what no node needs any more. */
  forgetOld(): Promise<void>
}

export interface FeedDeps {
  storage: Storage
  now: Now
  onFault: (error: unknown) => void
}

export function createChangeFeed(deps: FeedDeps): ChangeFeed {
  const { storage, now } = deps
  const followers: Array<(heard: Heard) => void> = []
  const tell = (heard: Heard) => {
    for (const follower of followers) follower(heard)
  }
  const reader = createReader(tell, deps)
  return {
    async transaction(work) {
      const { answer, announced } = await storage.transaction(async (tx) => {
        const announced: Change[] = [] // in here: a transaction may be run again
        const answer = await work(tx, (change) => announced.push(change))
        if (announced.length > 0) await appendChanges(tx, announced, now(), storage)
        return { answer, announced }
      })
      announced.forEach(tell)
      return answer
    },
    follow: (follower) => void followers.push(follower),
    forgetOld: () => forgetChangesBefore(storage.db, now() - KEPT_MS),
    ...reader,
  }
}

/** Reads the feed page by page, on every ring of the doorbell and every second anyway. One read at a time; a ring during a read asks for another. */
function createReader(tell: (heard: Heard) => void, { storage, now, onFault }: FeedDeps) {
  let last = 0
  let lookedAt = 0
  let reading: Promise<void> | undefined
  let rungAgain = false
  let timer: NodeJS.Timeout | undefined
  let stopListening: (() => Promise<void>) | undefined

  const readToEnd = async () => {
    if (now() - lookedAt > KEPT_MS - HOUR_MS) return startOver()
    for (;;) {
      const startedAt = now()
      const page = await changesAfter(storage.db, last, PAGE)
      last = page.last
      page.changes.forEach(tell)
      if (page.rows < PAGE) {
        lookedAt = startedAt
        return
      }
    }
  }
  /** Behind by more than the feed keeps: what was missed is unknown, so everything is forgotten. */
  const startOver = async () => {
    const startedAt = now()
    last = await lastSequence(storage.db)
    tell({ kind: 'everything_changed' })
    lookedAt = startedAt
  }
  const ring = () => {
    if (reading !== undefined) {
      rungAgain = true
      return
    }
    reading = readToEnd()
      .catch(onFault)
      .finally(() => {
        reading = undefined
        if (!rungAgain) return
        rungAgain = false
        ring()
      })
  }
  return {
    lastLookAt: () => lookedAt,
    async start() {
      await startOver()
      timer = setInterval(ring, POLL_MS).unref()
      stopListening = await storage.listen(ring)
    },
    async stop() {
      clearInterval(timer)
      await stopListening?.()
      await reading
    },
  }
}
