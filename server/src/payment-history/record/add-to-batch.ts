import type { Transaction } from '../../storage/index.ts'
import { eventStore } from '../events/event-store.ts'
import type { EventStream } from '../streams/event-stream.ts'
import { holdMatch } from '../streams/hold-match.ts'
import { type GatewayStream, namesOf } from '../streams/match-stream.ts'
import { addEvent, notePlanRefs, openStream } from '../streams/open-stream.ts'
import { isOfAll, joinOwn, openOwn } from '../streams/own-stream.ts'
import { paymentStore } from '../streams/payment-store.ts'
import type { ApplyDeps } from '../write-subscriptions.ts'
import type { Batch, NotifiedEvent } from './batch.ts'
import { merge } from './merge-in-batch.ts'
import type { NormalizedEvent } from './normalized-event.ts'
import { completeEvent, type Resolved } from './resolved.ts'

/** Streams that the event shows to be of one payment become one. */
export async function addToBatch(
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
