import type { Transaction } from '../storage/index.ts'
import {
  type ApplyDeps,
  addNews,
  foldLine,
  foldMerged,
  type Line,
  type Merged,
  mergeLines,
  mergeStore,
  openLine,
  type PaymentEvent,
  type SamePayment,
} from '../subscriptions/index.ts'
import { scrubNotifications } from './forget-buyer.ts'
import { findPlace, type GatewayLine, namesOf, type Place } from './gateway-line.ts'
import type { Told } from './notification.ts'
import { paymentStore } from './payment-store.ts'
import { completeEvent, type Resolved } from './resolve-told.ts'
import { notificationStore } from './store.ts'

/** A notification to be settled: what it tells, and when it is settled, where that is not at once (ms). */
export interface Settling {
  id: string
  source: string
  told: Told
  settledAt?: number
}

interface Placed extends Settling {
  lineId: string
}

interface Touched {
  line: Line
  /** The only news there is of it, where that is known. */
  only: PaymentEvent | undefined
  merged: Merged | undefined
}

/** News of one transaction: first all of it is added to its lines, then each line is folded once, however much was told of it. */
export interface Batch {
  lines: Map<string, Touched>
  placed: Placed[]
}

export function newBatch(): Batch {
  return { lines: new Map(), placed: [] }
}

/** Adds what a notification tells to its line. Lines that it shows to be of one payment become one. */
export async function place(tx: Transaction, batch: Batch, settling: Settling, found: Resolved, deps: ApplyDeps): Promise<void> {
  const { id, source, told } = settling
  const { email, plan, ref } = found
  const open = (name: string) => openLine(tx, { source, ref: name }, { productId: plan.productId, at: deps.at })
  const { line } = told
  const held = line.by === 'gateway' ? await holdPlace(tx, { source, line, kind: told.event.kind, place: found.place }, open) : undefined
  const into = held ? await merge(tx, batch, held, deps) : await open(ref)
  const event = completeEvent(told.event, { email, plan, paymentId: held ? held.place.paymentId : found.paymentId })
  const { kept, formerId } = await addNews(tx, into, { event, notificationId: id, planBy: held?.place.planBy ?? 'either' }, deps)
  const before = batch.lines.get(into.id)
  batch.lines.set(into.id, { line: into, only: into.isNew && !before ? kept : undefined, merged: before?.merged })
  batch.placed.push({ ...settling, lineId: into.id })
  const { paymentId } = event
  if (line.by !== 'gateway' || paymentId === undefined) return
  const { productId } = line
  if (formerId !== undefined) await paymentStore(tx).unite({ gateway: source, productId, lineIds: [into.id] }, [formerId], paymentId)
  await paymentStore(tx).remember(source, productId, namesOf(line), { paymentId, lineRef: into.ref })
}

interface HeldPlace {
  place: Place
  source: string
  productId: string
  into: Line
  parts: Line[]
}

/**
 * Opens the line and those that are parts of it, as they were found. Looks again once they are held: whoever was making one of two lines, under a name that this news does
 * not give, is done by then.
 */
async function holdPlace(
  tx: Transaction,
  { source, line, kind, place }: { source: string; line: GatewayLine; kind: Told['event']['kind']; place: Place | undefined },
  open: (ref: string) => Promise<Line>,
): Promise<HeldPlace> {
  const opened = new Map<string, Line>()
  for (let known = place; ; known = undefined) {
    const found = known ?? (await findPlace(tx, source, { line, kind }))
    const { ref, parts } = found
    if (ref === undefined) throw new Error('news without a place is not applied')
    const missing = [ref, ...parts].filter((name) => !opened.has(name))
    const into = opened.get(ref)
    if (missing.length === 0 && into) {
      const others = parts.flatMap((name) => opened.get(name) ?? []).filter(({ id }) => id !== into.id)
      return { place: found, source, productId: line.productId, into, parts: others }
    }
    for (const name of missing) opened.set(name, await open(name))
    const [whole] = missing.length === 1 && !found.isKnown ? opened.values() : []
    if (whole) return { place: found, source, productId: line.productId, into: whole, parts: [] }
  }
}

/** Makes the parts one with the line, and the payment's names names of one payment, in its news as well. */
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
    if (!subscription) throw new Error('news of a line that was not folded')
    await settleOne(tx, settled, subscription)
    // News of a forgotten buyer is applied without the address; what brought it keeps none either.
    if (lines.get(settled.lineId)?.line.isBuyerForgotten) await scrubNotifications(tx, [settled.id], deps.at)
  }
  const own = placed.find((settled) => settled.id === id)
  return own && subscriptions.get(own.lineId)?.id
}

async function settleOne(tx: Transaction, { id, settledAt }: Placed, subscription: { id: string }): Promise<void> {
  await notificationStore(tx).settle(id, {
    status: 'processed',
    subscriptionId: subscription.id,
    ...(settledAt !== undefined && { at: settledAt }),
  })
}
