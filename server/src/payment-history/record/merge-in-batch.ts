import type { Transaction } from '../../storage/index.ts'
import type { EventStream } from '../streams/event-stream.ts'
import type { HeldMatch } from '../streams/hold-match.ts'
import { type Merged, mergeStreams, type SamePayment } from '../streams/merge-streams.ts'
import { movedEventStore } from '../streams/moved-event-store.ts'
import { paymentStore } from '../streams/payment-store.ts'
import type { ApplyDeps } from '../write-subscriptions.ts'
import type { Batch } from './batch.ts'

/** Merges the streams into one, and the payment's names names of one payment, in its events as well. */
export async function merge(
  tx: Transaction,
  batch: Batch,
  { match, source, productId, into, mergedStreams }: HeldMatch,
  deps: ApplyDeps,
): Promise<EventStream> {
  const { paymentId, formerIds, planBy } = match
  const streamIds = [into, ...mergedStreams].map(({ id }) => id)
  const unite = (ids: readonly string[], id: string) => paymentStore(tx).unite({ gateway: source, productId, streamIds }, ids, id)
  if (paymentId !== undefined && formerIds.length > 0) {
    await unite(formerIds, paymentId)
    await movedEventStore(tx).renamePayments(streamIds, formerIds, paymentId)
  }
  if (mergedStreams.length === 0) return into
  const how = { ...deps, planBy: planBy === 'either' ? planBy : ('known' as const), paymentId }
  const { stream, same } = await mergeAll(tx, batch, { into, mergedStreams }, how)
  for (const { formerId, paymentId: kept } of same) await unite([formerId], kept)
  return stream
}

async function mergeAll(
  tx: Transaction,
  batch: Batch,
  { into, mergedStreams }: Pick<HeldMatch, 'into' | 'mergedStreams'>,
  deps: Parameters<typeof mergeStreams>[3],
): Promise<{ stream: EventStream; same: SamePayment[] }> {
  const { merged, same } = await mergeStreams(tx, into, mergedStreams, deps)
  const before = [into, ...mergedStreams].flatMap(({ id }) => batch.streams.get(id)?.merged ?? [])
  for (const { id } of mergedStreams) batch.streams.delete(id)
  for (const added of batch.added) if (mergedStreams.some(({ id }) => id === added.streamId)) added.streamId = into.id
  batch.streams.set(into.id, { stream: merged.stream, only: undefined, merged: before.reduce(joinMerged, merged) })
  return { stream: merged.stream, same }
}

function joinMerged(merged: Merged, other: Merged): Merged {
  return {
    stream: merged.stream,
    subscriptions: [...merged.subscriptions, ...other.subscriptions],
    emailHash: merged.emailHash ?? other.emailHash,
    forgotten: [...merged.forgotten, ...other.forgotten],
  }
}
