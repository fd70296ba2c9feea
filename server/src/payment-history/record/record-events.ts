import type { Transaction } from '../../storage/index.ts'
import { type ApplyDeps, foldStream } from '../apply.ts'
import { eventStore } from '../events/event-store.ts'
import type { PaymentEvent } from '../events/payment-event.ts'
import type { EventStream } from '../streams/event-stream.ts'
import { type HeldMatch, holdMatch } from '../streams/hold-match.ts'
import { type GatewayStream, namesOf } from '../streams/match-stream.ts'
import { mergeStore } from '../streams/merge-store.ts'
import { foldMerged, type Merged, mergeStreams, type SamePayment } from '../streams/merge-streams.ts'
import { addEvent, notePlanRefs, openStream } from '../streams/open-stream.ts'
import { isOfAll, joinOwn, openOwn } from '../streams/own-stream.ts'
import { paymentStore } from '../streams/payment-store.ts'
import type { AmountMismatch, AppliedEvent, NormalizedEvent } from './normalized-event.ts'
import { completeEvent, type Resolved } from './resolve-event.ts'

/** The normalized event of a notification, to be added to its stream. */
export interface NotifiedEvent {
  notificationId: string
  source: string
  normalized: NormalizedEvent
}

/** An event that was added to its stream, and what the stream came to. */
export interface RecordedEvent {
  notificationId: string
  applied: AppliedEvent
  subscriptionId: string
  /** Its plan is registered nowhere: the operator has to say which it is. */
  isPlanMissing: boolean
  mismatch: AmountMismatch | undefined
  /** The address was left out of the event: nothing else may keep it either. */
  isBuyerForgotten: boolean
}

/** Adds one event to its stream, as it was resolved. */
export type AddEvent = (event: NotifiedEvent, found: Resolved) => Promise<void>

interface Added extends Pick<RecordedEvent, 'notificationId' | 'applied' | 'isPlanMissing' | 'mismatch'> {
  streamId: string
}

interface Touched {
  stream: EventStream
  /** The only event of it, where that is known. */
  only: PaymentEvent | undefined
  merged: Merged | undefined
}

interface Batch {
  streams: Map<string, Touched>
  added: Added[]
}

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

/** Streams that the event shows to be of one payment become one. */
async function addToBatch(
  tx: Transaction,
  batch: Batch,
  { event: { notificationId, source, normalized: sent }, found }: { event: NotifiedEvent; found: Resolved },
  deps: ApplyDeps,
): Promise<void> {
  const { plan, ref } = found
  const { stream } = sent
  const planRefs = planRefsOf(sent)
  const open = (name: string) => openStream(tx, { source, ref: name }, { productId: plan.productId, planRefs, at: deps.at })
  const hold = (of: GatewayStream) => holdMatch(tx, { source, stream: of, kind: sent.event.kind, match: found.match }, open)
  const held = stream.by === 'gateway' ? await joinOwn(tx, await hold(stream), { ...sent, stream }, deps) : undefined
  const { stream: into, paymentId } = held
    ? { stream: await merge(tx, batch, held, deps), paymentId: held.match.paymentId }
    : await openOwn(tx, { source, ref, by: stream.by, event: sent.event }, open)
  const normalized = await dateInStream(tx, into, sent)
  const event = completeEvent(normalized.event, { ...found, paymentId: isOfAll(normalized) ? undefined : paymentId })
  const { kept, formerId } = await addEvent(tx, into, { event, notificationId, planBy: held?.match.planBy ?? 'either' }, deps)
  const before = batch.streams.get(into.id)
  batch.streams.set(into.id, { stream: into, only: into.isNew && !before ? kept : undefined, merged: before?.merged })
  const applied = { normalized, planId: plan.planId, productId: plan.productId, period: found.period }
  batch.added.push({
    notificationId,
    applied,
    streamId: into.id,
    isPlanMissing: found.isPlanMissing === true,
    mismatch: found.mismatch,
  })
  if (stream.by !== 'gateway' || paymentId === undefined) return
  await notePlanRefs(tx, into, planRefs)
  const { productId } = stream
  if (formerId !== undefined) await paymentStore(tx).unite({ gateway: source, productId, streamIds: [into.id] }, [formerId], paymentId)
  await paymentStore(tx).remember(source, productId, [...namesOf(stream), ...(held?.ownNames ?? [])], { paymentId, streamRef: into.ref })
}

/**
 * An event whose own time can't be believed has that of its receipt. It came after what its stream has already, and says so: where our own
 * clock was set back between the two, the receipt would make it the older one, and the end of a subscription would end nothing.
 */
async function dateInStream(tx: Transaction, { id, isNew }: EventStream, normalized: NormalizedEvent): Promise<NormalizedEvent> {
  const { at, statedAt } = normalized.event
  if (statedAt === undefined || isNew) return normalized
  const newest = (await eventStore(tx).newestBefore(id, statedAt)) ?? at
  return newest < at ? normalized : { ...normalized, event: { ...normalized.event, at: newest + 1 } }
}

/** The gateway's ids by which a payment of a subscription names what was bought. */
function planRefsOf({ stream, plan, event }: NormalizedEvent): readonly string[] {
  const isPaymentOfSubscription = event.kind === 'paid' && stream.by === 'gateway' && stream.subscriptionId !== undefined
  return isPaymentOfSubscription && plan.by === 'gateway' ? plan.refs : []
}

/** Merges the streams into one, and the payment's names names of one payment, in its events as well. */
async function merge(
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
    await mergeStore(tx).renamePayments(streamIds, formerIds, paymentId)
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
