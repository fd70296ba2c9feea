import type { Transaction } from '../../storage/index.ts'
import { foldStream } from '../apply.ts'
import type { EventStream } from '../streams/event-stream.ts'
import { foldMerged } from '../streams/merge-streams.ts'
import type { ApplyDeps } from '../write-subscriptions.ts'
import { addToBatch } from './add-to-batch.ts'
import type { AddEvent, Batch, RecordedEvent } from './batch.ts'

/**
 * Records the events that `give` adds, in the caller's transaction. Each is added to its stream at once, so the next is resolved with it.
 * Each stream is folded once, at the end. Answers the events in the order in which they were added.
 */
export async function recordEvents(tx: Transaction, give: (add: AddEvent) => Promise<void>, deps: ApplyDeps): Promise<RecordedEvent[]> {
  const batch: Batch = { streams: new Map(), added: [] }
  await give((event, found) => addToBatch(tx, batch, { event, found }, deps))
  const folded = await foldAll(tx, batch, deps)
  return batch.added.map(({ streamId, ...added }) => {
    const { stream, subscriptionId } = folded.get(streamId) ?? {}
    if (!stream || subscriptionId === undefined) throw new Error('an event of a stream that was not folded')
    return { ...added, subscriptionId, isBuyerForgotten: stream.isBuyerForgotten }
  })
}

/** Folds every stream that was touched, in one order for all transactions. */
async function foldAll(
  tx: Transaction,
  { streams }: Batch,
  deps: ApplyDeps,
): Promise<Map<string, { stream: EventStream; subscriptionId: string }>> {
  const all = new Map<string, { stream: EventStream; subscriptionId: string }>()
  for (const { stream, only, merged } of [...streams.values()].sort((a, b) => (a.stream.id < b.stream.id ? -1 : 1))) {
    const { id } = merged ? await foldMerged(tx, { ...merged, stream }, deps) : await foldStream(tx, stream, { only }, deps)
    all.set(stream.id, { stream, subscriptionId: id })
  }
  return all
}
