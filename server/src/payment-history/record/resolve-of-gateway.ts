import type { Transaction } from '../../storage/index.ts'
import { type FoundPlan, findPlan, type StreamKey } from '../../subscriptions/index.ts'
import { eventStore } from '../events/event-store.ts'
import type { PaymentKind } from '../events/payment-event.ts'
import { type GatewayStream, matchStream } from '../streams/match-stream.ts'
import { ownKey } from '../streams/own-ref.ts'
import { streamStore } from '../streams/stream-store.ts'
import { compareAmount } from './compare-amount.ts'
import type { NormalizedEvent, NotRecorded } from './normalized-event.ts'
import { NO_PLAN, type Pending, type Resolved } from './resolved.ts'

/**
 * The events that can begin a subscription or payment. Any other event is about a known one, or about one that is still to come: gateways
 * keep no order.
 */
const BEGINNINGS: ReadonlySet<PaymentKind> = new Set<PaymentKind>(['payment_pending', 'paid'])

/**
 * Resolves an event of a gateway. It belongs to its subscription, else to its payment, under any name that the payment ever had. A known
 * stream needs neither plan nor address.
 */
export async function resolveOfGateway(
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
