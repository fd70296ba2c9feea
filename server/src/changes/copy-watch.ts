import { findCopy, type Storage } from '../storage/index.ts'
import type { ChangeFeed } from './feed.ts'

/** Whether the database is being copied, or has been, so that it can be read only. The fence in the database decides; this is for pages. */
export interface CopyWatch {
  isCopied(): boolean
  /** Waits until this node has read every change that it knows of. It never rejects: with the database away the last answer stays. */
  refresh(): Promise<void>
}

export function createCopyWatch({
  storage,
  changes,
  onFault,
}: {
  storage: Storage
  changes: Pick<ChangeFeed, 'follow'>
  onFault: (error: unknown) => void
}): CopyWatch {
  let isCopied = false
  let isStale = true
  let reading: Promise<void> | undefined
  const read = async () => {
    while (isStale) {
      isStale = false // a change from here on is read by the next round
      isCopied = (await findCopy(storage.db)) !== undefined
    }
  }
  const refresh = () => {
    if (!isStale && !reading) return Promise.resolve()
    reading ??= read()
      .catch((error) => {
        isStale = true
        onFault(error)
      })
      .finally(() => {
        reading = undefined
      })
    return reading
  }
  changes.follow(({ kind }) => {
    if (kind !== 'copy_changed' && kind !== 'everything_changed') return
    isStale = true
    void refresh()
  })
  return { isCopied: () => isCopied, refresh }
}
