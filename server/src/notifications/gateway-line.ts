import type { Transaction } from '../storage/index.ts'
import type { PaymentKind, PlanBy } from '../subscriptions/index.ts'
import type { NormalizedEvent } from './notification.ts'
import { type KnownPayment, paymentStore } from './payment-store.ts'

export type GatewayLine = NormalizedEvent['line'] & { by: 'gateway' }

/** All names by which the event calls its payment. */
export function namesOf({ paymentId, paymentAliases }: GatewayLine): string[] {
  return [...new Set([...(paymentId === undefined ? [] : [paymentId]), ...paymentAliases])]
}

/** All names by which events that waits for its subscription or payment can be found: the first is what it is shown to be about. */
export function subjectsOf(line: GatewayLine): string[] {
  return line.subscriptionId === undefined ? namesOf(line) : [line.subscriptionId, ...namesOf(line)]
}

/** Where a gateway's events belongs, by all the names that it gives its payment. */
export interface Place {
  /** The line; `undefined` where nothing says which. */
  ref: string | undefined
  /** Lines that were begun under another of the names, and are a part of that one from now on (docs/decisions/0056). */
  parts: string[]
  paymentId: string | undefined
  /** What the same payment was called until now. */
  formerIds: string[]
  /** Whether any of the names was known. */
  isKnown: boolean
  /** Whose word counts of which plan it is. */
  planBy: PlanBy
}

/** Events of what became of a payment's money, or of its bill; it needs no plan and no buyer, but the payment. */
const REVERSALS: ReadonlySet<PaymentKind> = new Set<PaymentKind>([
  'payment_waived',
  'dispute_inquiry',
  'refund_failed',
  'refunded',
  'partially_refunded',
  'payment_undone',
  'disputed',
  'dispute_won',
  'dispute_lost',
])

/** A payment belongs to its subscription as soon as any events of it says which; until then to the line that was begun first. Two subscriptions never become one. */
export async function findPlace(tx: Transaction, source: string, { line, kind }: { line: GatewayLine; kind: PaymentKind }): Promise<Place> {
  const known = await paymentStore(tx).find(source, line.productId, namesOf(line))
  const ref = refOf(line, known, kind)
  const own = known.filter(({ lineRef }) => lineRef === ref || !isOfSubscription(lineRef, line))
  const ids = idsOf(own)
  // Where another subscription has the payment, its id there is as good as any here: none of that one's names is touched.
  const [paymentId = idsOf(known)[0] ?? line.paymentId] = ids
  const parts = new Set(own.map(({ lineRef }) => lineRef).filter((other) => other !== ref))
  return { ref, parts: [...parts].sort(), paymentId, formerIds: ids.slice(1), isKnown: known.length > 0, planBy: planBy(ref, line) }
}

function idsOf(known: readonly KnownPayment[]): string[] {
  return [...new Set(known.map(({ paymentId }) => paymentId))].sort()
}

function refOf(line: GatewayLine, known: readonly KnownPayment[], kind: PaymentKind): string | undefined {
  const { productId, subscriptionId, paymentId, own } = line
  if (subscriptionId !== undefined) return `${prefixOf(line)}${subscriptionId}`
  const [subscription] = known
    .map(({ lineRef }) => lineRef)
    .filter((ref) => isOfSubscription(ref, line))
    .sort()
  const [first] = known.toSorted((a, b) => (a.lineId < b.lineId ? -1 : 1))
  const ref = subscription ?? first?.lineRef
  if (ref !== undefined) return ref
  // Events of the own checkout never waits for the payment that it names.
  return paymentId === undefined || (REVERSALS.has(kind) && !own) ? undefined : `${productId} payment ${paymentId}`
}

function prefixOf({ productId }: Pick<GatewayLine, 'productId'>): string {
  return `${productId} subscription `
}

export function isOfSubscription(ref: string, line: Pick<GatewayLine, 'productId'>): boolean {
  return ref.startsWith(prefixOf(line))
}

function planBy(ref: string | undefined, line: GatewayLine): PlanBy {
  if (line.subscriptionId !== undefined) return 'added'
  return ref !== undefined && isOfSubscription(ref, line) ? 'known' : 'either'
}
