import type { ChangeFeed } from '../../changes/index.ts'
import type { Now } from '../../kit/index.ts'
import { listGraceDays } from '../../products/index.ts'
import type { Storage } from '../../storage/index.ts'
import { foldStream } from '../apply.ts'
import { streamStore } from '../streams/stream-store.ts'
import { compareStream, compareSubscriptions, type Difference, losesAccess } from './compare.ts'
import { storedStore } from './stored-store.ts'

export interface FixDeps {
  storage: Storage
  changes: ChangeFeed
  now: Now
}

export interface Fixed {
  /** The subscriptions as they were and as they are now, in what was changed. */
  changed: Difference[]
  /** The number of them that gave access until now, and give none. */
  lost: number
}

/**
 * Writes the subscriptions of a stream as its stored events come to them, in one transaction, in which no event can be added to it. A
 * stream that is right already is left, and so is one that is a part of another, or without events: nothing follows from it. Links stay.
 */
export function fixStream(id: string, { storage, changes, now }: FixDeps): Promise<Fixed> {
  return changes.transaction(async (tx, announce) => {
    const at = now()
    const { stream } = await streamStore(tx).holdById(id)
    const before = await storedStore(tx).findById(id)
    if (!before || stream.mergedInto !== undefined || before.events.length === 0) return { changed: [], lost: 0 }
    // Without the lock on grace: every transaction takes it after those on buyers, and the fold takes both.
    const days = before.productId === undefined ? {} : await listGraceDays(tx, before.productId)
    if (compareStream(before, days).length === 0) return { changed: [], lost: 0 }
    await foldStream(tx, stream, { only: undefined }, { announce, storage, at })
    const after = await storedStore(tx).findById(id)
    const changed = compareSubscriptions(before, after?.subscriptions ?? [])
    return { changed, lost: changed.filter((difference) => losesAccess(difference, at)).length }
  })
}
