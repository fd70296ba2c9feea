import { normaliseEmail } from '../../kit/index.ts'
import type { Transaction } from '../../storage/index.ts'
import { type FoundPlan, findPlan, type StreamKey } from '../../subscriptions/index.ts'
import { disputeStore } from '../events/dispute-store.ts'
import { eventStore } from '../events/event-store.ts'
import type { PaymentEvent, PaymentKind } from '../events/payment-event.ts'
import { type GatewayStream, matchStream, namesOf, type StreamMatch } from '../streams/match-stream.ts'
import { ownKey, ownRef } from '../streams/own-ref.ts'
import { paymentStore } from '../streams/payment-store.ts'
import { streamStore } from '../streams/stream-store.ts'
import { type Compared, compareAmount } from './compare-amount.ts'
import type { AmountMismatch, NormalizedEvent, NotRecorded } from './normalized-event.ts'

/** Whose stream an event belongs to, and what was bought; the plan is `undefined` where the stream knows it already. */
export interface Resolved extends Compared {
  ref: string
  email: string | undefined
  plan: { planId: string | undefined; productId: string | undefined }
  paymentId: string | undefined
  /** The plan's own period, where the payment pays for other things as well; in ms. */
  period?: { periodStart: number | undefined; periodEnd: number | undefined }
  /**
   * What names the plan is new for this subscription, and registered nowhere: it is applied with the plan that is known, and the operator
   * has to say which it is.
   */
  isPlanMissing?: true
  /** Of a gateway's events: where it belonged at that moment. */
  match?: StreamMatch
}

/** Why something has to wait. */
export interface Pending {
  unresolved: NotRecorded
  mismatch?: AmountMismatch
}

/**
 * Finds stream, buyer and plan of what a notification tells, or says why it has to wait. A payment that is applied already, as before the
 * plan's price rose, is never held.
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
  // Only a payment says what was bought and by whom. All else is applied to its stream at once, also where the payment is told of later.
  if (kind !== 'paid') return { ref, email: undefined, plan: NO_PLAN, paymentId }
  if (sent !== undefined && email === undefined) return { unresolved: 'unusable_address' }
  const found = await findPlan(tx, plan)
  if (typeof found === 'string' && !(isLeftOut(plan) && (await eventStore(tx).hasPlan({ source, ref })))) return { unresolved: found }
  if (email === undefined && !(await eventStore(tx).hasPlan({ source, ref }))) return { unresolved: 'unusable_address' }
  return { ref, email, plan: typeof found === 'string' ? NO_PLAN : found, paymentId, ...compareAmount(normalized, found) }
}

const NO_PLAN = { planId: undefined, productId: undefined }

/** A plan that is named and unknown waits for the operator. One that is left out, as by a renewal, the stream may know. */
function isLeftOut(plan: NormalizedEvent['plan']): boolean {
  return plan.by === 'name' && plan.name === ''
}

/** Whether what a notification tells is known already, from another notification: all that it says of more than its time. */
export async function isKnownEvent(tx: Transaction, source: string, normalized: NormalizedEvent): Promise<boolean> {
  const { stream } = normalized
  const found = await resolveEvent(tx, source, normalized)
  if (!('ref' in found)) return false
  const { match } = found
  if (match && (match.mergedStreams.length > 0 || match.formerIds.length > 0)) return false
  const event = completeEvent(normalized.event, found)
  if (!(await eventStore(tx).has({ source, ref: found.ref }, event, match?.planBy ?? 'either'))) return false
  return stream.by !== 'gateway' || event.paymentId === undefined || paymentStore(tx).knows(source, stream.productId, namesOf(stream))
}

/** Whether the payment that a notification tells of is disputed, by the newest that is known of that. */
export async function isDisputed(tx: Transaction, source: string, normalized: NormalizedEvent): Promise<boolean> {
  const found = await resolveEvent(tx, source, normalized)
  return 'ref' in found && found.paymentId !== undefined && disputeStore(tx).isDisputed({ source, ref: found.ref }, found.paymentId)
}

/** Every property by name, since what was left out of JSON is not there at all. */
export function completeEvent(
  event: NormalizedEvent['event'],
  { email, plan, paymentId, period }: Pick<Resolved, 'email' | 'plan' | 'paymentId' | 'period'>,
): PaymentEvent {
  const { key, kind, at, amount, method } = event
  const { periodStart, periodEnd } = period ?? event
  return { key, kind, at, planId: plan.planId, email, paymentId, amount, method, periodStart, periodEnd }
}

/** What a subscription or payment can begin with. Every other event is about one that is known, or will be: gateways keep no order. */
const BEGINNINGS: ReadonlySet<PaymentKind> = new Set<PaymentKind>(['payment_pending', 'paid'])

/**
 * An event of a gateway belongs to its subscription, else to the payment that it names under any of the names it was ever told by. What is
 * known already needs neither plan nor address.
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

/**
 * Whether a payment names what it buys as no payment of the same subscription did: then it may be another plan than the one that is known.
 */
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

/** The period of the plan itself, where a payment pays for other things too. */
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

/** Only a payment buys the plan that nobody named: what is merely asked for may yet say that it is another product's. */
function planIn(found: FoundPlan | NotRecorded, kind: PaymentKind): string | undefined {
  return typeof found === 'string' || (found.isGuess && kind !== 'paid') ? undefined : found.planId
}
