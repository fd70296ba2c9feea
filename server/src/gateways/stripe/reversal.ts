import type { PaymentKind } from '../../payment-history/index.ts'
import type { GatewayEvent } from '../gateway-event.ts'
import type { StripeEvent } from './event.ts'
import { idAt, isSetAt, numberAt, partAt, textAt } from './object.ts'
import { aliases, amountAt, toGatewayEvent } from './to-event.ts'

/**
 * The events of a refund, from its charge: it states the refunded amount of the whole, while `refund.*` events state each part. The buyer's
 * address is left out: the one on a card may be another user's.
 */
export function parseRefund(event: StripeEvent): GatewayEvent | 'ignored' {
  const { object } = event
  const charge = idAt(object, 'id')
  const refunded = numberAt(object, 'amount_refunded') ?? 0
  const paymentId = paymentOf(object, charge)
  if (!paymentId || refunded <= 0 || partAt(object, 'captured') === false) return 'ignored' // an authorization alone was never paid
  const isWhole = isSetAt(object, 'refunded') || refunded >= (numberAt(object, 'amount') ?? Number.POSITIVE_INFINITY)
  return toGatewayEvent(event, {
    // A failed refund can be made again: then the same amount is refunded once more.
    key: `${charge}:refunded:${refunded}:${event.at}`,
    kind: isWhole ? 'refunded' : 'partially_refunded',
    paymentId,
    paymentAliases: aliases(paymentId, [idAt(object, 'payment_intent'), charge]),
    ...otherNames(object),
    ...amountAt(object, 'amount_refunded'),
  })
}

/** A refund that did not reach the buyer: the merchant has the money again. All other refunds are reported better by their charge. */
export function parseFailedRefund(event: StripeEvent): GatewayEvent | 'ignored' {
  const { object } = event
  const id = idAt(object, 'id')
  const charge = idAt(object, 'charge')
  const paymentId = paymentOf(object, charge)
  const status = textAt(object, 'status')
  if (!id || !paymentId || (status !== 'failed' && status !== 'canceled')) return 'ignored'
  return toGatewayEvent(event, {
    key: `${id}:refund_failed`,
    kind: 'refund_failed',
    paymentId,
    paymentAliases: aliases(paymentId, [charge]),
    ...otherNames(object),
    ...amountAt(object, 'amount'),
  })
}

export function parseDispute(event: StripeEvent): GatewayEvent | 'ignored' {
  const { object } = event
  const id = idAt(object, 'id')
  const charge = idAt(object, 'charge')
  const paymentId = paymentOf(object, charge)
  const kind = kindOfDispute(event)
  if (!id || !paymentId || !kind) return 'ignored'
  return toGatewayEvent(event, {
    key: `${id}:${kind}`,
    kind,
    paymentId,
    paymentAliases: aliases(paymentId, [charge]),
    ...otherNames(object),
    ...amountAt(object, 'amount'),
  })
}

/**
 * By its state alone, whichever event reports it. A bank's inquiry (`warning_…`) takes no money, so it takes no access; if it becomes a
 * dispute, an update or the withdrawal of the money reports it. `prevented`: settled before it began, by a refund with its own event. An
 * appeal after a lost dispute changes nothing until it is won.
 */
function kindOfDispute({ type, object }: StripeEvent): PaymentKind | undefined {
  const status = textAt(object, 'status') ?? ''
  if (status === 'prevented' && type === 'charge.dispute.created') return undefined
  return disputes.get(status)
}

const disputes: ReadonlyMap<string, PaymentKind> = new Map<string, PaymentKind>([
  ['warning_needs_response', 'dispute_inquiry'],
  ['warning_under_review', 'dispute_inquiry'],
  ['needs_response', 'disputed'],
  ['under_review', 'disputed'],
  ['lost', 'dispute_lost'],
  ['won', 'dispute_won'],
  ['warning_closed', 'dispute_won'],
  ['prevented', 'dispute_won'],
])

/** Since 2025-03-31 neither a charge nor a dispute names its invoice. */
function otherNames(object: unknown): Pick<GatewayEvent, 'mayHaveOtherNames'> {
  return idAt(object, 'invoice') === undefined ? { mayHaveOtherNames: true } : {}
}

/** Old versions name the invoice, new ones only the payment intent. */
function paymentOf(object: unknown, charge: string | undefined): string | undefined {
  return idAt(object, 'invoice') ?? idAt(object, 'payment_intent') ?? charge
}
