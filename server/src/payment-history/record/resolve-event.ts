import { normaliseEmail } from '../../kit/index.ts'
import type { Transaction } from '../../storage/index.ts'
import { type FoundPlan, findPlan, type StreamKey } from '../../subscriptions/index.ts'
import { eventStore } from '../events/event-store.ts'
import type { PaymentEvent, PaymentKind } from '../events/payment-event.ts'
import { type GatewayStream, matchStream, type StreamMatch } from '../streams/match-stream.ts'
import { ownKey, ownRef } from '../streams/own-ref.ts'
import { streamStore } from '../streams/stream-store.ts'
import { type Compared, compareAmount } from './compare-amount.ts'
import type { AmountMismatch, NormalizedEvent, NotRecorded } from './normalized-event.ts'

/** The stream, the buyer and the plan of an event. The plan is `undefined` if the stream knows it already. */
export interface Resolved extends Compared {
  ref: string
  email: string | undefined
  plan: { planId: string | undefined; productId: string | undefined }
  paymentId: string | undefined
  /** The plan's own period in ms, if the payment also pays for other things. */
  period?: { periodStart: number | undefined; periodEnd: number | undefined }
  /**
   * The payment names a plan that is registered nowhere, and that no payment of the subscription named before. The event is applied with
   * the known plan, and the operator has to say which it is.
   */
  isPlanMissing?: true
  /** Only for a gateway's event: its stream at that moment. */
  match?: StreamMatch
}

/** Why something has to wait. */
export interface Pending {
  unresolved: NotRecorded
  mismatch?: AmountMismatch
}

/**
 * Resolves the stream, the buyer and the plan of an event, or answers why it has to wait. A payment that is already applied is never held,
 * as when the plan's price rose since.
 */
export async function resolveEvent(tx: Transaction, source: string, normalized: NormalizedEvent): Promise<Resolved | Pending> {
  const found = await findWhole(tx, source, normalized)
  if ('unresolved' in found || !found.isHeld) return found
  const { ref, paymentId, match, mismatch } = found
  const isApplied = await eventStore(tx).hasPaid(source, [ref, ...(match?.mergedStreams ?? [])], [paymentId, ...(match?.formerIds ?? [])])
  return isApplied ? found : { unresolved: 'unexpected_amount', ...(mismatch && { mismatch }) }
}

async function findWhole(tx: Transaction, source: string, normalized: NormalizedEvent): Promise<Resolved | Pending> {
  const { stream, plan, email: sent, event } = normalized
  const email = sent === undefined ? undefined : normaliseEmail(sent)
  if (stream.by === 'gateway') return resolveOfGateway(tx, { source, normalized, stream, email })
  const ref = ownRef(stream, sent)
  if (ref === undefined) return { unresolved: 'unusable_address' }
  const { kind, paymentId } = event
  // Only a payment says what was bought and by whom. Any other event is applied to its stream at once, even before its payment.
  if (kind !== 'paid') return { ref, email: undefined, plan: NO_PLAN, paymentId }
  if (sent !== undefined && email === undefined) return { unresolved: 'unusable_address' }
  const found = await findPlan(tx, plan)
  if (typeof found === 'string' && !(isLeftOut(plan) && (await eventStore(tx).hasPlan({ source, ref })))) return { unresolved: found }
  if (email === undefined && !(await eventStore(tx).hasPlan({ source, ref }))) return { unresolved: 'unusable_address' }
  return { ref, email, plan: typeof found === 'string' ? NO_PLAN : found, paymentId, ...compareAmount(normalized, found) }
}

const NO_PLAN = { planId: undefined, productId: undefined }

/** An unknown name of a plan waits for the operator. A missing name, as in a renewal, may be known from the stream. */
function isLeftOut(plan: NormalizedEvent['plan']): boolean {
  return plan.by === 'name' && plan.name === ''
}

/** The stored form. Each property is named, since JSON leaves out missing ones. */
export function completeEvent(
  event: NormalizedEvent['event'],
  { email, plan, paymentId, period }: Pick<Resolved, 'email' | 'plan' | 'paymentId' | 'period'>,
): PaymentEvent {
  const { key, kind, at, amount, foreign, method } = event
  const { periodStart, periodEnd } = period ?? event
  return { key, kind, at, planId: plan.planId, email, paymentId, amount, foreign, method, periodStart, periodEnd }
}

/**
 * The events that can begin a subscription or payment. Any other event is about a known one, or about one that is still to come: gateways
 * keep no order.
 */
const BEGINNINGS: ReadonlySet<PaymentKind> = new Set<PaymentKind>(['payment_pending', 'paid'])

/**
 * Resolves an event of a gateway. It belongs to its subscription, else to its payment, under any name that the payment ever had. A known
 * stream needs neither plan nor address.
 */
async function resolveOfGateway(
  tx: Transaction,
  { source, normalized, stream, email }: { source: string; normalized: NormalizedEvent; stream: GatewayStream; email: string | undefined },
): Promise<Resolved | Pending> {
  const match = await matchStream(tx, source, { stream, kind: normalized.event.kind })
  const { ref, mergedStreams, paymentId } = match
  if (ref === undefined) return { unresolved: 'unknown_payment' }
  if (stream.own && normalized.event.kind !== 'paid')
    return { ref, email: undefined, plan: { ...NO_PLAN, productId: stream.productId }, paymentId, match }
  const found: FoundPlan | NotRecorded = await findPlan(tx, normalized.plan)
  const isWhole = typeof found !== 'string' && email !== undefined
  const keys = [...[ref, ...mergedStreams].map((name) => ({ source, ref: name })), ...ownKey(stream, normalized.email)]
  const stands = isWhole || (await isKnown(tx, keys, normalized.event.kind, found))
  if (!stands && !BEGINNINGS.has(normalized.event.kind)) return { unresolved: 'unknown_payment' }
  if (!stands) return { unresolved: typeof found === 'string' ? found : 'unusable_address' }
  const productId = typeof found === 'string' ? stream.productId : found.productId
  const resolved: Resolved = {
    email,
    plan: { planId: planIn(found, normalized.event.kind), productId },
    ref,
    paymentId,
    match,
    ...compareAmount(normalized, found),
  }
  if (normalized.event.kind !== 'paid') return resolved
  if (typeof found === 'string')
    return (await isOtherPlan(tx, { source, ref }, { normalized, stream })) ? { ...resolved, isPlanMissing: true } : resolved
  const period = await findPeriod(tx, normalized.plan, found.planId)
  return period ? { ...resolved, period } : resolved
}

/** Whether no payment of the subscription named its plan so before: then it may be another plan than the known one. */
async function isOtherPlan(
  tx: Transaction,
  key: { source: string; ref: string },
  { normalized, stream }: { normalized: NormalizedEvent; stream: GatewayStream },
): Promise<boolean> {
  if (normalized.isApplied) return true
  if (normalized.plan.by !== 'gateway' || stream.subscriptionId === undefined) return false
  const known = await streamStore(tx).listPlanRefs(key)
  return known.length > 0 && normalized.plan.refs.some((ref) => !known.includes(ref))
}

/** The plan's own period, if the payment also pays for other things. */
async function findPeriod(tx: Transaction, plan: NormalizedEvent['plan'], planId: string): Promise<Resolved['period']> {
  if (plan.by !== 'gateway') return undefined
  for (const { slugs, refs, periodStart, periodEnd } of plan.periods ?? []) {
    const found = await findPlan(tx, { ...plan, slugs, refs, isOffer: false })
    if (typeof found !== 'string' && found.planId === planId) return { periodStart, periodEnd }
  }
  return undefined
}

/** A payment needs a plan: its own, or the one that the stream has. Other events need no more than the stream. */
async function isKnown(tx: Transaction, keys: readonly StreamKey[], kind: PaymentKind, found: FoundPlan | NotRecorded): Promise<boolean> {
  for (const key of keys) {
    if (kind === 'paid' && typeof found === 'string' ? await eventStore(tx).hasPlan(key) : await streamStore(tx).hasStream(key)) return true
  }
  return false
}

/** Only a payment buys a plan that nobody named. A pending bill may yet name another product's plan. */
function planIn(found: FoundPlan | NotRecorded, kind: PaymentKind): string | undefined {
  return typeof found === 'string' || (found.isGuess && kind !== 'paid') ? undefined : found.planId
}
