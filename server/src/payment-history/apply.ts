import { type Transaction, takeLockOnBuyer } from '../storage/index.ts'
import { type StreamKey, type Subscription, subscriptionStore } from '../subscriptions/index.ts'
import { eventStore } from './events/event-store.ts'
import type { PaymentEvent } from './events/payment-event.ts'
import type { FoldedSubscription } from './fold/conclude.ts'
import { foldEvents } from './fold/fold.ts'
import type { EventStream } from './streams/event-stream.ts'
import { addEvent, openStream } from './streams/open-stream.ts'
import { type ApplyDeps, writeAll } from './write-subscriptions.ts'

/** An event, its stream, and the product that was bought. */
export interface NewEvent {
  stream: StreamKey
  productId: string | undefined
  event: PaymentEvent
  /** The notification that brought it, if one did. */
  notificationId: string | undefined
}

/**
 * Adds one event to its stream, inside the caller's transaction, and folds all events of the stream into its subscriptions. The same event
 * again changes nothing. A subscription is made or changed in no other way. Answers the last subscription of the stream.
 */
export async function applyEvent(
  tx: Transaction,
  { stream: key, productId, event, notificationId }: NewEvent,
  deps: ApplyDeps,
): Promise<Subscription> {
  const stream = await openStream(tx, key, { productId, at: deps.at })
  const { kept } = await addEvent(tx, stream, { event, notificationId, planBy: 'either' }, deps)
  return foldStream(tx, stream, { only: stream.isNew ? kept : undefined }, deps)
}

/**
 * Folds all events of a held stream, writes its subscriptions, and answers the last. `only`: its single event, if that is known. `joins`:
 * purchases of a buyer who is not forgotten became a part of the last one, which has that buyer's address then.
 */
export async function foldStream(
  tx: Transaction,
  stream: EventStream,
  { only, joins = false }: { only: PaymentEvent | undefined; joins?: boolean },
  deps: ApplyDeps,
): Promise<Subscription> {
  const folded = foldEvents(only ? [only] : await eventStore(tx).list(stream.id))
  // The lock comes before the rows are read. A user who verifies an address links its purchases either before this point, or after this
  // transaction has ended.
  for (const email of addressesOf(folded)) await takeLockOnBuyer(tx, email, deps.storage)
  const stored = only ? [] : await subscriptionStore(tx).listOfStream(stream.id)
  const known = stored.map((one, i) => (joins && i === stored.length - 1 ? { ...one, isBuyerForgotten: false } : one))
  return writeAll(tx, { stream, folded, known }, deps)
}

/** Sorted, so no two transactions wait for each other. */
function addressesOf(folded: readonly FoldedSubscription[]): string[] {
  return [...new Set(folded.flatMap(({ email }) => email ?? []))].sort()
}
