import type { Transaction } from '../storage/index.ts'
import type { Change, ChangeEvent } from './change.ts'
import { createReader, KEPT_MS, type Knowledge, type ReaderDeps } from './reader.ts'
import { appendChanges, forgetChangesBefore } from './store.ts'

export type Announce = (change: Change) => void

export interface ChangeFeed {
  /**
   * A transaction whose announced changes are committed with it. When the promise resolves this node's followers know them; every other
   * node's know within 2 s.
   */
  transaction<T>(work: (tx: Transaction, announce: Announce) => Promise<T>): Promise<T>
  follow(follower: (change: ChangeEvent) => void): void
  /** When this node last read the feed to its end, in ms: its caches are at least that fresh. */
  lastLookAt(): number
  /** Whether this node's memory may be used now (`at`, for whoever has just read the clock). Every check asks, so it costs little. */
  knowledge(at?: number): Knowledge
  /** The same, after a read of the feed where that helps: three seconds at most, and it never rejects. */
  refresh(): Promise<Knowledge>
  /** Starts to poll and to listen. Where the first read fails nothing is known, until a later one succeeds. Never rejects. */
  start(): Promise<void>
  stop(): Promise<void>
  /** Removes changes that no node needs any more. */
  forgetOld(): Promise<void>
}

/** Work at the end of each transaction that announces something, before its commit. */
export type BeforeCommit = (tx: Transaction, announced: readonly Change[]) => Promise<void>

export function createChangeFeed(deps: ReaderDeps & { beforeCommit?: BeforeCommit }): ChangeFeed {
  const { storage, clock, beforeCommit } = deps
  const followers: Array<(change: ChangeEvent) => void> = []
  const deliver = (change: ChangeEvent) => {
    for (const follower of followers) follower(change)
  }
  const reader = createReader(deliver, deps)
  return {
    async transaction(work) {
      const { answer, announced } = await storage.transaction(async (tx) => {
        const announced: Change[] = [] // inside, since a transaction may run again
        const answer = await work(tx, (change) => announced.push(change))
        if (announced.length > 0) await beforeCommit?.(tx, announced)
        if (announced.length > 0) await appendChanges(tx, announced, clock.now(), storage)
        return { answer, announced }
      })
      for (const { kind, subject } of announced) deliver({ kind, subject })
      return answer
    },
    follow: (follower) => void followers.push(follower),
    forgetOld: () => forgetChangesBefore(storage.db, clock.now() - KEPT_MS),
    ...reader,
  }
}
