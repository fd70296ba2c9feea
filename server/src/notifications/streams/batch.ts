import type { Transaction } from '../../storage/index.ts'
import {
  type ApplyDeps,
  addEvent,
  type EventStream,
  foldMerged,
  foldStream,
  type Merged,
  mergeStore,
  mergeStreams,
  notePlanRefs,
  openStream,
  type PaymentEvent,
  type SamePayment,
} from '../../subscriptions/index.ts'
import { scrubNotifications } from '../buyers/forget-buyer.ts'
import { type AmountMismatch, type AppliedEvent, type NormalizedEvent, statusOf, type Unresolved } from '../notification.ts'
import { notificationStore } from '../store.ts'
import { type HeldMatch, holdMatch } from './hold-match.ts'
import { type GatewayStream, namesOf } from './match-stream.ts'
import { isOfAll, joinOwn, openOwn } from './own-stream.ts'
import { paymentStore } from './payment-store.ts'
import { completeEvent, type Resolved } from './resolve-event.ts'

/** A notification to be processed: its normalized event, and when it is processed, where that is not at once (ms). */
export interface Processing {
  id: string
  source: string
  normalized: NormalizedEvent
  processedAt?: number
}

interface Matched extends Processing {
  applied: AppliedEvent
  streamId: string
  /** Applied, it goes on waiting for the operator to say which plan it is. */
  isPlanMissing: boolean
  mismatch: AmountMismatch | undefined
}

interface Touched {
  stream: EventStream
  /** The only event of it, where that is known. */
  only: PaymentEvent | undefined
  merged: Merged | undefined
}

/** Events of one transaction: all of them are added to their streams first, then each stream is folded once. */
export interface Batch {
  streams: Map<string, Touched>
  matched: Matched[]
}

export function newBatch(): Batch {
  return { streams: new Map(), matched: [] }
}

/** Adds the event of a notification to its stream. Streams that it shows to be of one payment become one. */
export async function addToBatch(tx: Transaction, batch: Batch, processing: Processing, found: Resolved, deps: ApplyDeps): Promise<void> {
  const { id, source, normalized } = processing
  const { plan, ref } = found
  const { stream } = normalized
  const planRefs = planRefsOf(normalized)
  const open = (name: string) => openStream(tx, { source, ref: name }, { productId: plan.productId, planRefs, at: deps.at })
  const hold = (of: GatewayStream) => holdMatch(tx, { source, stream: of, kind: normalized.event.kind, match: found.match }, open)
  const held = stream.by === 'gateway' ? await joinOwn(tx, await hold(stream), { ...normalized, stream }, deps) : undefined
  const { stream: into, paymentId } = held
    ? { stream: await merge(tx, batch, held, deps), paymentId: held.match.paymentId }
    : await openOwn(tx, { source, ref, by: stream.by, event: normalized.event }, open)
  const event = completeEvent(normalized.event, { ...found, paymentId: isOfAll(normalized) ? undefined : paymentId })
  const { kept, formerId } = await addEvent(tx, into, { event, notificationId: id, planBy: held?.match.planBy ?? 'either' }, deps)
  const before = batch.streams.get(into.id)
  batch.streams.set(into.id, { stream: into, only: into.isNew && !before ? kept : undefined, merged: before?.merged })
  const applied = { normalized, planId: plan.planId, productId: plan.productId, period: found.period }
  batch.matched.push({ ...processing, applied, streamId: into.id, isPlanMissing: found.isPlanMissing === true, mismatch: found.mismatch })
  if (stream.by !== 'gateway' || paymentId === undefined) return
  await notePlanRefs(tx, into, planRefs)
  const { productId } = stream
  if (formerId !== undefined) await paymentStore(tx).unite({ gateway: source, productId, streamIds: [into.id] }, [formerId], paymentId)
  await paymentStore(tx).remember(source, productId, [...namesOf(stream), ...(held?.ownNames ?? [])], { paymentId, streamRef: into.ref })
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
  for (const matched of batch.matched) if (mergedStreams.some(({ id }) => id === matched.streamId)) matched.streamId = into.id
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

/** Folds every stream that was touched and says of each notification where it went. Answers the subscription of one of them. */
export async function finish(
  tx: Transaction,
  { streams, matched }: Batch,
  id: string | undefined,
  deps: ApplyDeps,
): Promise<string | undefined> {
  const subscriptions = new Map<string, { id: string }>()
  for (const { stream, only, merged } of [...streams.values()].sort((a, b) => (a.stream.id < b.stream.id ? -1 : 1))) {
    const folded = merged ? await foldMerged(tx, { ...merged, stream }, deps) : await foldStream(tx, stream, { only }, deps)
    subscriptions.set(stream.id, folded)
  }
  for (const processed of matched) {
    const subscription = subscriptions.get(processed.streamId)
    if (!subscription) throw new Error('events of a stream that was not folded')
    await processOne(tx, processed, subscription)
    // An event of a forgotten buyer is applied without the address; what brought it keeps none either.
    if (streams.get(processed.streamId)?.stream.isBuyerForgotten) await scrubNotifications(tx, [processed.id], deps.at)
  }
  const own = matched.find((processed) => processed.id === id)
  return own && subscriptions.get(own.streamId)?.id
}

async function processOne(
  tx: Transaction,
  { id, normalized, applied, processedAt, isPlanMissing, mismatch }: Matched,
  subscription: { id: string },
): Promise<void> {
  const store = notificationStore(tx)
  if (isPlanMissing) {
    const why = 'unknown_plan' satisfies Unresolved
    return store.process(id, {
      status: statusOf(why),
      why,
      normalized: { ...normalized, isApplied: true },
      applied,
      subscriptionId: subscription.id,
    })
  }
  await store.process(id, {
    status: 'processed',
    applied,
    subscriptionId: subscription.id,
    ...(mismatch && { mismatch }),
    ...(processedAt !== undefined && { at: processedAt }),
  })
}
