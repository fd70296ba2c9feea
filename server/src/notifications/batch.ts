import type { Transaction } from '../storage/index.ts'
import {
  type ApplyDeps,
  addEvent,
  foldLine,
  foldMerged,
  type Line,
  type Merged,
  mergeLines,
  mergeStore,
  notePlanRefs,
  openLine,
  type PaymentEvent,
  type SamePayment,
} from '../subscriptions/index.ts'
import { scrubNotifications } from './forget-buyer.ts'
import { type GatewayLine, namesOf } from './gateway-line.ts'
import { type HeldPlace, holdPlace } from './hold-place.ts'
import { type AmountMismatch, type NormalizedEvent, statusOf, type Unresolved } from './notification.ts'
import { isOfAll, joinOwn, openOwn } from './own-line.ts'
import { paymentStore } from './payment-store.ts'
import { completeEvent, type Resolved } from './resolve-event.ts'
import { notificationStore } from './store.ts'

/** A notification to be settled: its normalized event, and when it is settled, where that is not at once (ms). */
export interface Settling {
  id: string
  source: string
  normalized: NormalizedEvent
  settledAt?: number
}

interface Placed extends Settling {
  lineId: string
  /** Applied, it goes on waiting for the operator to say which plan it is. */
  isPlanMissing: boolean
  mismatch: AmountMismatch | undefined
}

interface Touched {
  line: Line
  /** The only events there is of it, where that is known. */
  only: PaymentEvent | undefined
  merged: Merged | undefined
}

/** Events of one transaction: first all of it is added to its lines, then each line is folded once, however much was told of it. */
export interface Batch {
  lines: Map<string, Touched>
  placed: Placed[]
}

export function newBatch(): Batch {
  return { lines: new Map(), placed: [] }
}

/** Adds what a notification tells to its line. Lines that it shows to be of one payment become one. */
export async function place(tx: Transaction, batch: Batch, settling: Settling, found: Resolved, deps: ApplyDeps): Promise<void> {
  const { id, source, normalized } = settling
  const { plan, ref } = found
  const { line } = normalized
  const planRefs = planRefsOf(normalized)
  const open = (name: string) => openLine(tx, { source, ref: name }, { productId: plan.productId, planRefs, at: deps.at })
  const hold = (of: GatewayLine) => holdPlace(tx, { source, line: of, kind: normalized.event.kind, place: found.place }, open)
  const held = line.by === 'gateway' ? await joinOwn(tx, await hold(line), { ...normalized, line }, deps) : undefined
  const { line: into, paymentId } = held
    ? { line: await merge(tx, batch, held, deps), paymentId: held.place.paymentId }
    : await openOwn(tx, { source, ref, by: line.by, event: normalized.event }, open)
  const event = completeEvent(normalized.event, { ...found, paymentId: isOfAll(normalized) ? undefined : paymentId })
  const { kept, formerId } = await addEvent(tx, into, { event, notificationId: id, planBy: held?.place.planBy ?? 'either' }, deps)
  const before = batch.lines.get(into.id)
  batch.lines.set(into.id, { line: into, only: into.isNew && !before ? kept : undefined, merged: before?.merged })
  batch.placed.push({ ...settling, lineId: into.id, isPlanMissing: found.isPlanMissing === true, mismatch: found.mismatch })
  if (line.by !== 'gateway' || paymentId === undefined) return
  await notePlanRefs(tx, into, planRefs)
  const { productId } = line
  if (formerId !== undefined) await paymentStore(tx).unite({ gateway: source, productId, lineIds: [into.id] }, [formerId], paymentId)
  await paymentStore(tx).remember(source, productId, [...namesOf(line), ...(held?.ownNames ?? [])], { paymentId, lineRef: into.ref })
}

/** The gateway's ids by which a payment of a subscription names what was bought. */
function planRefsOf({ line, plan, event }: NormalizedEvent): readonly string[] {
  const isPaymentOfSubscription = event.kind === 'paid' && line.by === 'gateway' && line.subscriptionId !== undefined
  return isPaymentOfSubscription && plan.by === 'gateway' ? plan.refs : []
}

/** Makes the parts one with the line, and the payment's names names of one payment, in its events as well. */
async function merge(tx: Transaction, batch: Batch, { place, source, productId, into, parts }: HeldPlace, deps: ApplyDeps): Promise<Line> {
  const { paymentId, formerIds, planBy } = place
  const lineIds = [into, ...parts].map(({ id }) => id)
  const unite = (ids: readonly string[], id: string) => paymentStore(tx).unite({ gateway: source, productId, lineIds }, ids, id)
  if (paymentId !== undefined && formerIds.length > 0) {
    await unite(formerIds, paymentId)
    await mergeStore(tx).renamePayments(lineIds, formerIds, paymentId)
  }
  if (parts.length === 0) return into
  const how = { ...deps, planBy: planBy === 'either' ? planBy : ('known' as const), paymentId }
  const { line, same } = await mergeParts(tx, batch, { into, parts }, how)
  for (const { formerId, paymentId: kept } of same) await unite([formerId], kept)
  return line
}

async function mergeParts(
  tx: Transaction,
  batch: Batch,
  { into, parts }: Pick<HeldPlace, 'into' | 'parts'>,
  deps: Parameters<typeof mergeLines>[3],
): Promise<{ line: Line; same: SamePayment[] }> {
  const { merged, same } = await mergeLines(tx, into, parts, deps)
  const before = [into, ...parts].flatMap(({ id }) => batch.lines.get(id)?.merged ?? [])
  for (const { id } of parts) batch.lines.delete(id)
  for (const placed of batch.placed) if (parts.some(({ id }) => id === placed.lineId)) placed.lineId = into.id
  batch.lines.set(into.id, { line: merged.line, only: undefined, merged: before.reduce(joinMerged, merged) })
  return { line: merged.line, same }
}

function joinMerged(merged: Merged, other: Merged): Merged {
  return {
    line: merged.line,
    subscriptions: [...merged.subscriptions, ...other.subscriptions],
    emailHash: merged.emailHash ?? other.emailHash,
    forgotten: [...merged.forgotten, ...other.forgotten],
  }
}

/** Folds every line that was touched and says of each notification where it went. Answers the subscription of one of them. */
export async function finish(
  tx: Transaction,
  { lines, placed }: Batch,
  id: string | undefined,
  deps: ApplyDeps,
): Promise<string | undefined> {
  const subscriptions = new Map<string, { id: string }>()
  for (const { line, only, merged } of [...lines.values()].sort((a, b) => (a.line.id < b.line.id ? -1 : 1))) {
    const folded = merged ? await foldMerged(tx, { ...merged, line }, deps) : await foldLine(tx, line, { only }, deps)
    subscriptions.set(line.id, folded)
  }
  for (const settled of placed) {
    const subscription = subscriptions.get(settled.lineId)
    if (!subscription) throw new Error('events of a line that was not folded')
    await settleOne(tx, settled, subscription)
    // Events of a forgotten buyer is applied without the address; what brought it keeps none either.
    if (lines.get(settled.lineId)?.line.isBuyerForgotten) await scrubNotifications(tx, [settled.id], deps.at)
  }
  const own = placed.find((settled) => settled.id === id)
  return own && subscriptions.get(own.lineId)?.id
}

async function settleOne(
  tx: Transaction,
  { id, normalized, settledAt, isPlanMissing, mismatch }: Placed,
  subscription: { id: string },
): Promise<void> {
  const store = notificationStore(tx)
  if (isPlanMissing) {
    const why = 'unknown_plan' satisfies Unresolved
    return store.settle(id, { status: statusOf(why), why, normalized: { ...normalized, isApplied: true }, subscriptionId: subscription.id })
  }
  await store.settle(id, {
    status: 'processed',
    subscriptionId: subscription.id,
    ...(mismatch && { mismatch }),
    ...(settledAt !== undefined && { at: settledAt }),
  })
}
