import type { Transaction } from '../../storage/index.ts'
import type { PlanBy } from '../events/merge-events-store.ts'
import type { PaymentKind } from '../events/payment-event.ts'
import type { NormalizedEvent } from '../record/normalized-event.ts'
import { type KnownPayment, paymentStore } from './payment-store.ts'

export type GatewayStream = NormalizedEvent['stream'] & { by: 'gateway' }

/** Every name that the event gives its payment. */
export function namesOf({ paymentId, paymentAliases }: GatewayStream): string[] {
  return [...new Set([...(paymentId === undefined ? [] : [paymentId]), ...paymentAliases])]
}

/** Every name under which a pending event can be found. The first is its subject. */
export function subjectsOf(stream: GatewayStream): string[] {
  return stream.subscriptionId === undefined ? namesOf(stream) : [stream.subscriptionId, ...namesOf(stream)]
}

/** The stream of a gateway's event, by all the names of its payment. */
export interface StreamMatch {
  /** The stream; `undefined` if nothing says which. */
  ref: string | undefined
  /** Streams under other names of the payment. They become a part of this one (docs/decisions/0056). */
  mergedStreams: string[]
  paymentId: string | undefined
  /** Former ids of the same payment. */
  formerIds: string[]
  /** Whether any of the names was known. */
  isKnown: boolean
  /** The copy whose plan counts if the stream has the event already. */
  planBy: PlanBy
}

/** Events about a payment's money or its bill. They need the payment, but no plan and no buyer. */
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

/**
 * Matches a gateway's event with its stream. A payment belongs to its subscription as soon as one of its events names it. Until then it
 * belongs to the oldest stream with one of its names. Two subscriptions never become one.
 */
export async function matchStream(
  tx: Transaction,
  source: string,
  { stream, kind }: { stream: GatewayStream; kind: PaymentKind },
): Promise<StreamMatch> {
  const known = await paymentStore(tx).find(source, stream.productId, namesOf(stream))
  const ref = refOf(stream, known, kind)
  const own = known.filter(({ streamRef }) => streamRef === ref || !isOfSubscription(streamRef, stream))
  const ids = idsOf(own)
  // If another subscription has the payment, any id will do here: that subscription's names stay as they are.
  const [paymentId = idsOf(known)[0] ?? stream.paymentId] = ids
  const mergedStreams = new Set(own.map(({ streamRef }) => streamRef).filter((other) => other !== ref))
  return {
    ref,
    mergedStreams: [...mergedStreams].sort(),
    paymentId,
    formerIds: ids.slice(1),
    isKnown: known.length > 0,
    planBy: planBy(ref, stream),
  }
}

function idsOf(known: readonly KnownPayment[]): string[] {
  return [...new Set(known.map(({ paymentId }) => paymentId))].sort()
}

function refOf(stream: GatewayStream, known: readonly KnownPayment[], kind: PaymentKind): string | undefined {
  const { productId, subscriptionId, paymentId, own } = stream
  if (subscriptionId !== undefined) return `${prefixOf(stream)}${subscriptionId}`
  const [subscription] = known
    .map(({ streamRef }) => streamRef)
    .filter((ref) => isOfSubscription(ref, stream))
    .sort()
  const [first] = known.toSorted((a, b) => (a.streamId < b.streamId ? -1 : 1))
  const ref = subscription ?? first?.streamRef
  if (ref !== undefined) return ref
  // An event of the own checkout never waits for the payment that it names.
  return paymentId === undefined || (REVERSALS.has(kind) && !own) ? undefined : `${productId} payment ${paymentId}`
}

function prefixOf({ productId }: Pick<GatewayStream, 'productId'>): string {
  return `${productId} subscription `
}

export function isOfSubscription(ref: string, stream: Pick<GatewayStream, 'productId'>): boolean {
  return ref.startsWith(prefixOf(stream))
}

function planBy(ref: string | undefined, stream: GatewayStream): PlanBy {
  if (stream.subscriptionId !== undefined) return 'added'
  return ref !== undefined && isOfSubscription(ref, stream) ? 'known' : 'either'
}
