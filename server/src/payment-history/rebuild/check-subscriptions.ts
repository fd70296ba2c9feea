import type { Now } from '../../kit/index.ts'
import { type GraceDays, listGraceDays } from '../../products/index.ts'
import type { Queryable, Storage } from '../../storage/index.ts'
import { streamStore } from '../streams/stream-store.ts'
import { readGrace } from '../write-subscriptions.ts'
import { compareStream, type Difference, givesAccess } from './compare.ts'
import { storedStore } from './stored-store.ts'

/** So many streams are read at once: their events fit into memory, and a service beside it goes on. */
const PAGE = 200

export interface Checked {
  streams: number
  subscriptions: number
  /** So many of them give access now. */
  giving: number
  differences: Difference[]
}

/**
 * Folds the events of every stream again and compares what they come to with the subscriptions that are stored. Writes nothing, and may
 * run beside the service: a stream that differs is read once more while no event can be added to it.
 */
export async function checkSubscriptions({
  storage,
  now,
  onStream,
}: {
  storage: Storage
  now: Now
  onStream?: (count: number) => void
}): Promise<Checked> {
  const checked: Checked = { streams: 0, subscriptions: 0, giving: 0, differences: [] }
  const at = now()
  const days = new Map<string, GraceDays>()
  for (let after = ''; ; ) {
    const page = await storedStore(storage.db).page(after, PAGE)
    for (const stream of page) {
      checked.streams += 1
      onStream?.(checked.streams)
      checked.subscriptions += stream.subscriptions.length
      checked.giving += stream.subscriptions.filter(({ accessUntil }) => givesAccess({ accessUntil }, at)).length
      if (compareStream(stream, await daysOf(storage.db, stream.productId, days)).length === 0) continue
      checked.differences.push(...(await checkHeld(stream.id, storage)))
    }
    const last = page.at(-1)
    if (!last || page.length < PAGE) return checked
    after = last.id
  }
}

async function daysOf(db: Queryable, productId: string | undefined, known: Map<string, GraceDays>): Promise<GraceDays> {
  if (productId === undefined) return {}
  const days = known.get(productId) ?? (await listGraceDays(db, productId))
  known.set(productId, days)
  return days
}

function checkHeld(streamId: string, storage: Storage): Promise<Difference[]> {
  return storage.transaction(async (tx) => {
    await streamStore(tx).holdById(streamId)
    const stream = await storedStore(tx).findById(streamId)
    if (!stream) return []
    return compareStream(stream, stream.productId === undefined ? {} : await readGrace(tx, stream.productId, storage))
  })
}
