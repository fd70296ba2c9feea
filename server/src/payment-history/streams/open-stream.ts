import { newId } from '../../kit/index.ts'
import type { Transaction } from '../../storage/index.ts'
import type { StreamKey } from '../../subscriptions/index.ts'
import { eventStore } from '../events/event-store.ts'
import type { PlanBy } from '../events/merge-events-store.ts'
import type { PaymentEvent } from '../events/payment-event.ts'
import type { EventStream } from './event-stream.ts'
import { movedEventStore } from './moved-event-store.ts'
import { streamStore } from './stream-store.ts'

/** The stream of this key, made if it was missing (then with these `planRefs`), and held until the transaction ends. */
export function openStream(
  tx: Transaction,
  key: StreamKey,
  { planRefs, ...rest }: { productId: string | undefined; planRefs?: readonly string[]; at: number },
): Promise<EventStream> {
  return streamStore(tx).holdStream(key, { id: newId(), planRefs: planRefs && newestRefs(planRefs), ...rest })
}

/** The stream of this id, held until the transaction ends; the whole, if it is a part of another. */
export async function wholeStream(tx: Transaction, id: string): Promise<EventStream> {
  const { stream } = await streamStore(tx).holdById(id)
  return stream.mergedInto === undefined ? stream : wholeStream(tx, stream.mergedInto)
}

/**
 * Adds one event to a held stream, which then has to be folded. Answers the event as it is kept, and the former id of its payment, if the
 * same event named another payment before: one event is of one payment.
 */
export async function addEvent(
  tx: Transaction,
  stream: EventStream,
  { event, notificationId, planBy }: { event: PaymentEvent; notificationId: string | undefined; planBy: PlanBy },
  { at }: { at: number },
): Promise<{ kept: PaymentEvent; formerId: string | undefined }> {
  const kept = stream.isBuyerForgotten ? { ...event, email: undefined } : event
  const knownId = await eventStore(tx).add(stream.id, kept, { notificationId, at, planBy })
  const { paymentId } = kept
  if (paymentId === undefined || knownId === undefined || knownId === paymentId) return { kept, formerId: undefined }
  await movedEventStore(tx).renamePayments([stream.id], [knownId], paymentId)
  return { kept, formerId: knownId }
}

/** No subscription changes its plan so often. The oldest are forgotten. */
const MAX_REFS = 30

/** Remembers the gateway's ids by which a payment of a held stream names its plan, if they are new. */
export async function notePlanRefs(tx: Transaction, { id, planRefs }: EventStream, refs: readonly string[]): Promise<void> {
  const fresh = refs.filter((ref) => !planRefs.includes(ref))
  if (fresh.length > 0) await streamStore(tx).setPlanRefs(id, newestRefs([...planRefs, ...fresh]))
}

function newestRefs(refs: readonly string[]): string[] {
  return [...new Set(refs)].slice(-MAX_REFS)
}
