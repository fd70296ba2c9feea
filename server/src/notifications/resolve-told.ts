import { normaliseEmail } from '../kit/index.ts'
import type { Transaction } from '../storage/index.ts'
import { eventStore, type FoundPlan, findPlan, type PaymentKind } from '../subscriptions/index.ts'
import type { Told, Unresolved } from './notification.ts'
import { paymentStore } from './payment-store.ts'

/** Whose line a piece of news belongs to, and what was bought; the plan is `undefined` where the line knows it already. */
export interface Resolved {
  ref: string
  email: string | undefined
  plan: { planId: string | undefined; productId: string | undefined }
  paymentId: string | undefined
}

/** Finds line, buyer and plan of what a notification tells, or says why it has to wait. */
export async function resolveTold(tx: Transaction, source: string, told: Told): Promise<Resolved | { unresolved: Unresolved }> {
  const { line, plan, email: sent, event } = told
  const email = sent === undefined ? undefined : normaliseEmail(sent)
  if (sent !== undefined && email === undefined) return { unresolved: 'unusable_address' }
  if (line.by === 'gateway') return resolveOfGateway(tx, { source, told, line, email })
  const found = await findPlan(tx, plan)
  if (typeof found === 'string') return { unresolved: found }
  const { paymentId } = event
  if (line.by === 'own') return { email, plan: found, ref: line.ref, paymentId }
  if (email === undefined) return { unresolved: 'unusable_address' }
  return { email, plan: found, ref: `${email} ${line.productId} ${line.planSlug}`, paymentId }
}

/** Whether what a notification tells is known already, from another notification. */
export async function isKnownNews(tx: Transaction, source: string, told: Told): Promise<boolean> {
  const found = await resolveTold(tx, source, told)
  return 'ref' in found && eventStore(tx).has({ source, ref: found.ref }, told.event.key)
}

/** News that takes something back; it needs no plan and no buyer, but what it takes back. */
const REVERSALS: ReadonlySet<PaymentKind> = new Set<PaymentKind>([
  'refunded',
  'partially_refunded',
  'disputed',
  'dispute_won',
  'dispute_lost',
])

/** What a subscription or payment can begin with. All other news is about one that is known, or will be: gateways keep no order. */
const BEGINNINGS: ReadonlySet<PaymentKind> = new Set<PaymentKind>(['payment_pending', 'paid'])

export type GatewayLine = Told['line'] & { by: 'gateway' }

/**
 * A gateway's news belongs to its subscription, else to the payment that it names under any of the names it was ever told by. What is known already needs
 * neither plan nor address.
 */
async function resolveOfGateway(
  tx: Transaction,
  { source, told, line, email }: { source: string; told: Told; line: GatewayLine; email: string | undefined },
): Promise<Resolved | { unresolved: Unresolved }> {
  const known = await paymentStore(tx).find(source, line.productId, namesOf(line))
  const ref = refOf(line, known?.lineRef, told.event.kind)
  if (ref === undefined) return { unresolved: 'unknown_payment' }
  const found: FoundPlan | Unresolved = await findPlan(tx, told.plan)
  const isKnown = (typeof found === 'string' || email === undefined) && (await eventStore(tx).hasLine({ source, ref }))
  if (email === undefined && !isKnown && !BEGINNINGS.has(told.event.kind)) return { unresolved: 'unknown_payment' }
  if (typeof found === 'string' && !isKnown) return { unresolved: found }
  if (email === undefined && !isKnown) return { unresolved: 'unusable_address' }
  const plan = typeof found === 'string' ? { planId: undefined, productId: line.productId } : found
  return { email, plan, ref, paymentId: known?.paymentId ?? line.paymentId }
}

function refOf({ productId, subscriptionId, paymentId }: GatewayLine, known: string | undefined, kind: PaymentKind): string | undefined {
  if (subscriptionId !== undefined) return `${productId} subscription ${subscriptionId}`
  if (known !== undefined) return known
  return paymentId === undefined || REVERSALS.has(kind) ? undefined : `${productId} payment ${paymentId}`
}

/** All names by which the news calls its payment. */
export function namesOf({ paymentId, paymentAliases }: GatewayLine): string[] {
  return [...new Set([...(paymentId === undefined ? [] : [paymentId]), ...paymentAliases])]
}

/** All names by which news that waits for its subscription or payment can be found: under the first of them it waits. */
export function subjectsOf(line: GatewayLine): string[] {
  return line.subscriptionId === undefined ? namesOf(line) : [line.subscriptionId, ...namesOf(line)]
}
