import { normaliseEmail } from '../kit/index.ts'
import type { Transaction } from '../storage/index.ts'
import { eventStore, type FoundPlan, findPlan, type PaymentEvent, type PaymentKind } from '../subscriptions/index.ts'
import { findPlace, type GatewayLine, namesOf, type Place } from './gateway-line.ts'
import type { Told, Unresolved } from './notification.ts'
import { paymentStore } from './payment-store.ts'

/** Whose line a piece of news belongs to, and what was bought; the plan is `undefined` where the line knows it already. */
export interface Resolved {
  ref: string
  email: string | undefined
  plan: { planId: string | undefined; productId: string | undefined }
  paymentId: string | undefined
  /** Of a gateway's news: where it belonged at that moment. */
  place?: Place
}

/** Finds line, buyer and plan of what a notification tells, or says why it has to wait. */
export async function resolveTold(tx: Transaction, source: string, told: Told): Promise<Resolved | { unresolved: Unresolved }> {
  const { line, plan, email: sent, event } = told
  const email = sent === undefined ? undefined : normaliseEmail(sent)
  if (line.by === 'gateway') return resolveOfGateway(tx, { source, told, line, email })
  if (sent !== undefined && email === undefined) return { unresolved: 'unusable_address' }
  const found = await findPlan(tx, plan)
  if (typeof found === 'string') return { unresolved: found }
  const { paymentId } = event
  if (line.by === 'own') return { email, plan: found, ref: line.ref, paymentId }
  if (email === undefined) return { unresolved: 'unusable_address' }
  return { email, plan: found, ref: `${email} ${line.productId} ${line.planSlug}`, paymentId }
}

/** Whether what a notification tells is known already, from another notification: all that it says of more than its time. */
export async function isKnownNews(tx: Transaction, source: string, told: Told): Promise<boolean> {
  const { line } = told
  const found = await resolveTold(tx, source, told)
  if (!('ref' in found)) return false
  const { place } = found
  if (place && (place.parts.length > 0 || place.formerIds.length > 0)) return false
  const event = completeEvent(told.event, found)
  if (!(await eventStore(tx).has({ source, ref: found.ref }, event, place?.planBy ?? 'either'))) return false
  return line.by !== 'gateway' || event.paymentId === undefined || paymentStore(tx).knows(source, line.productId, namesOf(line))
}

/** Every property by name, since what was left out of JSON is not there at all. */
export function completeEvent(
  event: Told['event'],
  { email, plan, paymentId }: Pick<Resolved, 'email' | 'plan' | 'paymentId'>,
): PaymentEvent {
  const { key, kind, at, amount, method, periodEnd } = event
  return { key, kind, at, planId: plan.planId, email, paymentId, amount, method, periodEnd }
}

/** What a subscription or payment can begin with. All other news is about one that is known, or will be: gateways keep no order. */
const BEGINNINGS: ReadonlySet<PaymentKind> = new Set<PaymentKind>(['payment_pending', 'paid'])

/**
 * A gateway's news belongs to its subscription, else to the payment that it names under any of the names it was ever told by. What is known already needs
 * neither plan nor address.
 */
async function resolveOfGateway(
  tx: Transaction,
  { source, told, line, email }: { source: string; told: Told; line: GatewayLine; email: string | undefined },
): Promise<Resolved | { unresolved: Unresolved }> {
  const place = await findPlace(tx, source, { line, kind: told.event.kind })
  const { ref, parts, paymentId } = place
  if (ref === undefined) return { unresolved: 'unknown_payment' }
  const found: FoundPlan | Unresolved = await findPlan(tx, told.plan)
  const isWhole = typeof found !== 'string' && email !== undefined
  const stands = isWhole || (await isKnown(tx, { source, refs: [ref, ...parts] }, told.event.kind, found))
  if (!stands && !BEGINNINGS.has(told.event.kind)) return { unresolved: 'unknown_payment' }
  if (!stands) return { unresolved: typeof found === 'string' ? found : 'unusable_address' }
  const productId = typeof found === 'string' ? line.productId : found.productId
  return { email, plan: { planId: planIn(found, told.event.kind), productId }, ref, paymentId, place }
}

/** A payment needs a plan: its own, or the one that the line has. Other news needs no more than the line. */
async function isKnown(
  tx: Transaction,
  { source, refs }: { source: string; refs: readonly string[] },
  kind: PaymentKind,
  found: FoundPlan | Unresolved,
): Promise<boolean> {
  const events = eventStore(tx)
  for (const ref of refs) {
    const key = { source, ref }
    if (kind === 'paid' && typeof found === 'string' ? await events.hasPlan(key) : await events.hasLine(key)) return true
  }
  return false
}

/** Only a payment buys the plan that nobody named: what is merely asked for may yet say that it is another product's. */
function planIn(found: FoundPlan | Unresolved, kind: PaymentKind): string | undefined {
  return typeof found === 'string' || (found.isGuess && kind !== 'paid') ? undefined : found.planId
}
