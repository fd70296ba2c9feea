import type { PaymentKind } from '../../subscriptions/index.ts'
import type { GatewayEvent } from '../gateway.ts'
import type { StripeEvent } from './event.ts'
import { idAt, isSetAt, numberAt, partAt, textAt } from './object.ts'
import { aliases, amountAt, toGatewayEvent } from './to-event.ts'

/**
 * What a charge tells of money given back. Of the two families of events this is the one that says how much of the whole; `refund.*` tells
 * the same part by part. The buyer's address is left out: the one on a card may be another's.
 */
export function parseRefund(event: StripeEvent): GatewayEvent | 'ignored' {
  const { object } = event
  const charge = idAt(object, 'id')
  const refunded = numberAt(object, 'amount_refunded') ?? 0
  const paymentId = paymentOf(object, charge)
  if (!paymentId || refunded <= 0 || partAt(object, 'captured') === false) return 'ignored' // what was only reserved was never paid
  const isWhole = isSetAt(object, 'refunded') || refunded >= (numberAt(object, 'amount') ?? Number.POSITIVE_INFINITY)
  return toGatewayEvent(event, {
    // A refund that failed can be made again: then as much is given back once more.
    key: `${charge}:refunded:${refunded}:${event.at}`,
    kind: isWhole ? 'refunded' : 'partially_refunded',
    paymentId,
    paymentAliases: aliases(paymentId, [idAt(object, 'payment_intent'), charge]),
    ...otherNames(object),
    amount: amountAt(object, 'amount_refunded'),
  })
}

/** A refund that did not reach the buyer: the money is with the seller again. What else refunds tell, their charge tells better. */
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
    amount: amountAt(object, 'amount'),
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
    amount: amountAt(object, 'amount'),
  })
}

/**
 * By its state alone, whichever event tells of it. A question of the bank (`warning_…`) takes no money, so it takes no access; where it
 * becomes a dispute, an update or the withdrawal of the money tells so. `prevented`: settled before it began, by a refund that is told as
 * one. An appeal against a dispute that was lost changes nothing until it is won.
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

/** Since 2025-03-31 neither a charge nor a dispute names the invoice that it belongs to. */
function otherNames(object: unknown): Pick<GatewayEvent, 'mayHaveOtherNames'> {
  return idAt(object, 'invoice') === undefined ? { mayHaveOtherNames: true } : {}
}

/** Old versions name the invoice, new ones the payment intent only. */
function paymentOf(object: unknown, charge: string | undefined): string | undefined {
  return idAt(object, 'invoice') ?? idAt(object, 'payment_intent') ?? charge
}
