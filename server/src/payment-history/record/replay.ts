import { normaliseEmail } from '../../kit/index.ts'
import type { Storage, Transaction } from '../../storage/index.ts'
import { foldStream } from '../apply.ts'
import type { PaymentEvent } from '../events/payment-event.ts'
import { matchStream } from '../streams/match-stream.ts'
import { addEvent, openStream, wholeStream } from '../streams/open-stream.ts'
import { ownRef } from '../streams/own-ref.ts'
import { paymentStore } from '../streams/payment-store.ts'
import type { RecordedEvent } from './batch.ts'
import { type AppliedEvent, aliasSource, type NormalizedEvent } from './normalized-event.ts'
import { recordEvents } from './record-events.ts'
import type { Resolved } from './resolved.ts'

/** An event that a notification has added to a stream, which is named here as it is stored. */
export interface ReplayedEvent {
  /** The notification's. */
  id: string
  source: string
  streamId: string
  applied: AppliedEvent
}

/** An event that no notification has brought: the operator's own. */
export interface OperatorEvent {
  streamId: string
  source: string
  ref: string
  productId: string | undefined
  event: PaymentEvent
}

/** Adds an event of a notification to an empty history. Answers `undefined` where nothing says yet of which payment it is. */
export async function replayApplied(
  tx: Transaction,
  { id, source: sender, streamId, applied }: ReplayedEvent,
  storage: Storage,
): Promise<RecordedEvent[] | undefined> {
  const normalized = { ...applied.normalized, stream: withoutBuyer(applied.normalized.stream, streamId) }
  const { stream, event } = normalized
  const source = aliasSource(sender, normalized)
  const match = stream.by === 'gateway' ? await matchStream(tx, source, { stream, kind: event.kind }) : undefined
  const ref = stream.by === 'gateway' ? match?.ref : ownRef(stream, undefined)
  if (ref === undefined) return undefined
  const found: Resolved = {
    ref,
    email: emailOf(normalized),
    plan: { planId: applied.planId, productId: applied.productId },
    paymentId: match ? match.paymentId : event.paymentId,
    ...(match && { match }),
    ...(applied.period && { period: { periodStart: applied.period.periodStart, periodEnd: applied.period.periodEnd } }),
  }
  const deps = { announce: () => {}, storage, at: event.at }
  return recordEvents(tx, (add) => add({ notificationId: id, source, normalized }, found), deps)
}

/**
 * Renames a stream that is named by its buyer after the stored stream. The address of that day, and its spelling, are known of nobody who
 * is forgotten.
 */
function withoutBuyer(stream: NormalizedEvent['stream'], streamId: string): NormalizedEvent['stream'] {
  const own = { by: 'own', ref: `buyer ${streamId}` } as const
  if (stream.by === 'buyer') return own
  return stream.by === 'gateway' && stream.own?.stream.by === 'buyer' ? { ...stream, own: { ...stream.own, stream: own } } : stream
}

/** Only a payment of the own checkout says whose it is. */
function emailOf({ stream, event, email }: NormalizedEvent): string | undefined {
  const isOwn = stream.by !== 'gateway' || stream.own !== undefined
  return email === undefined || (isOwn && event.kind !== 'paid') ? undefined : normaliseEmail(email)
}

/**
 * Adds an operator's event, as it is stored, to its stream in the new history. The payment gets the name that it has there. `streamId`:
 * that stream, where there is one. Answers the stream.
 */
export async function replayOperatorEvent(
  tx: Transaction,
  { source, ref, productId, event }: OperatorEvent,
  { streamId, storage }: { streamId: string | undefined; storage: Storage },
): Promise<string> {
  const deps = { announce: () => {}, storage, at: event.at }
  const stream =
    streamId === undefined ? await openStream(tx, { source, ref }, { productId, at: event.at }) : await wholeStream(tx, streamId)
  const names = event.paymentId === undefined || productId === undefined ? [] : [event.paymentId]
  const [known] = await paymentStore(tx).find(source, productId ?? '', names)
  const named = { ...event, paymentId: known?.paymentId ?? event.paymentId }
  await addEvent(tx, stream, { event: named, notificationId: undefined, planBy: 'either' }, deps)
  await foldStream(tx, stream, { only: undefined }, deps)
  return stream.id
}
