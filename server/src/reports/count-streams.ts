import type { Now } from '../kit/index.ts'
import { type GraceDays, listGraceDays } from '../products/index.ts'
import { inPortions, PORTION_MS, type Queryable, type Storage, type Transaction, takeLock } from '../storage/index.ts'
import { countStream } from './count-stream.ts'
import { dayIn } from './days.ts'
import { differenceOf, type Entry } from './entry.ts'
import { putLists } from './lists/put-lists-store.ts'
import { type DueStream, reportStore } from './store.ts'
import { continueRecount } from './totals/recount-store.ts'
import { readZone } from './zone.ts'

/** The most streams that a reader waits for. */
const MAX_COUNTED = 64
/** To count as many takes half a second, in portions within a minute. */
const FEW = 1_000
/** A stream takes longer than a row that is removed. */
const FIRST_SIZE = 8

/** Where counting ends, though there may be more. */
interface Bounds {
  atMost?: number
  /** Ms. */
  forMs?: number
  /** Called with the number of streams that were counted so far. */
  onCounted?: (count: number) => void
}

/**
 * Counts the streams that have changed since they were counted, within the bounds, and answers how many it has counted. Any number of nodes
 * may do it at once; one of them does it. A reader is not kept waiting: a stream and the sums change together.
 */
export async function countStreams(
  { storage, now }: { storage: Storage; now: Now },
  { atMost = Number.POSITIVE_INFINITY, forMs = Number.POSITIVE_INFINITY, onCounted }: Bounds = {},
): Promise<number> {
  const endsAt = performance.now() + forMs
  let counted = 0
  // After an upgrade every stream is counted.
  const countPortion = async (size: number) => {
    const limit = Math.min(size, atMost - counted)
    const { done, isOver } = await storage.transaction((tx) => countSome(tx, { storage, limit, at: now() }))
    counted += done
    onCounted?.(counted)
    return isOver || counted >= atMost || performance.now() >= endsAt ? 0 : size
  }
  await inPortions(countPortion, { portionMs: PORTION_MS[storage.address.dialect], firstSize: FIRST_SIZE })
  return counted
}

/**
 * Counts what little may have come since the last look, before figures or lists are read. Answers whether more is left, which is counted in
 * the background.
 */
export async function countForReader(deps: { storage: Storage; now: Now }): Promise<{ isCounting: boolean }> {
  await countStreams(deps, { atMost: MAX_COUNTED })
  return { isCounting: await reportStore(deps.storage.db).hasDue() }
}

/** Whether so many streams are not counted that it takes long. */
export function isMuchUncounted(db: Queryable): Promise<boolean> {
  return reportStore(db).hasDue(FEW)
}

/** The number of streams that are not counted. */
export function countUncounted(db: Queryable): Promise<number> {
  return reportStore(db).countDue()
}

/** Answers how many it has counted, and whether nothing is left. */
async function countSome(
  tx: Transaction,
  { storage, limit, at }: { storage: Pick<Storage, 'address'>; limit: number; at: number },
): Promise<{ done: number; isOver: boolean }> {
  await takeLock(tx, 'reports', storage)
  const zone = await readZone(tx)
  const store = reportStore(tx)
  const streams = await store.takeDue(limit, { at, isPostgres: storage.address.dialect === 'postgres' })
  if (streams.length === 0) return { done: 0, isOver: (await continueRecount(tx, limit, zone)) === 0 }
  const dayOf = dayIn(zone)
  const grace = await readGraceOf(tx, streams)
  const counted = streams.map((stream) => ({
    ...stream,
    now: { zone, ...countStream({ ...stream, grace: grace.get(stream.productId) ?? {} }, dayOf) },
  }))
  // A stream that was counted in another zone leaves the sums of that one, and comes to those of this one.
  for (const former of new Set(counted.map((one) => one.counted.zone)))
    if (former !== zone && former !== '') await store.add(former, leaving(counted.filter((one) => one.counted.zone === former)))
  const isOfZone = (one: { counted: { zone: string } }) => one.counted.zone === zone
  await store.add(
    zone,
    differenceOf(
      counted.filter(isOfZone).flatMap((one) => one.counted.entries),
      counted.flatMap((one) => one.now.entries),
    ),
  )
  await store.putCounted(counted.map(({ id, now }) => ({ id, counted: now })))
  await putLists(
    tx,
    zone,
    counted.map(({ id, now }) => ({ id, ...now.lists })),
  )
  return { done: streams.length, isOver: false }
}

/** The entries by which the sums of a former zone change when these streams leave it. */
function leaving(streams: ReadonlyArray<{ counted: { entries: readonly Entry[] } }>): Entry[] {
  return differenceOf(
    streams.flatMap(({ counted }) => counted.entries),
    [],
  )
}

async function readGraceOf(tx: Transaction, streams: readonly DueStream[]): Promise<Map<string | undefined, GraceDays>> {
  const grace = new Map<string | undefined, GraceDays>()
  for (const { productId } of streams)
    if (productId !== undefined && !grace.has(productId)) grace.set(productId, await listGraceDays(tx, productId))
  return grace
}
