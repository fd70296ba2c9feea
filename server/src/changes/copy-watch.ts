import { findCopy, type Storage } from '../storage/index.ts'
import type { ChangeFeed } from './feed.ts'
import { createReadyMemory, type ReadyMemory } from './memory.ts'

/** Whether the database is being copied, or has been, so that it can be read only. The fence in the database decides; this is for pages. */
export interface CopyWatch extends Pick<ReadyMemory<boolean>, 'refresh'> {
  isCopied(): boolean
}

export function createCopyWatch({
  storage,
  ...deps
}: {
  storage: Storage
  changes: Pick<ChangeFeed, 'follow'>
  onFault: (error: unknown) => void
}): CopyWatch {
  const read = async () => (await findCopy(storage.db)) !== undefined
  const { last, refresh } = createReadyMemory(false, read, { ...deps, kind: 'copy_changed' })
  return { isCopied: last, refresh }
}
