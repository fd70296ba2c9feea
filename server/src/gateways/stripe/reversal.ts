import type { PaymentKind } from '../../subscriptions/index.ts'
import type { GatewayNews } from '../gateway.ts'
import type { StripeEvent } from './event.ts'
import { aliases, amountAt, newsOf } from './news.ts'
import { idAt, isSetAt, numberAt, partAt, textAt } from './object.ts'

/**
 * What a charge tells of money given back. Of the two families of events this is the one that says how much of the whole; `refund.*` tells the same part by part.
 * The buyer's address is left out: the one on a card may be another's.
 */
export function tellRefund(event: StripeEvent): GatewayNews | 'ignored' {
  const { object } = event
  const charge = idAt(object, 'id')
  const refunded = numberAt(object, 'amount_refunded') ?? 0
  const paymentId = paymentOf(object, charge)
  if (!paymentId || refunded <= 0 || partAt(object, 'captured') === false) return 'ignored' // what was only reserved was never paid
  const isWhole = isSetAt(object, 'refunded') || refunded >= (numberAt(object, 'amount') ?? Number.POSITIVE_INFINITY)
  return newsOf(event, {
    key: `${charge}:refunded:${refunded}`,
    kind: isWhole ? 'refunded' : 'partially_refunded',
    paymentId,
    paymentAliases: aliases(paymentId, [idAt(object, 'payment_intent'), charge]),
    amount: amountAt(object, 'amount_refunded'),
  })
}

export function tellDispute(event: StripeEvent): GatewayNews | 'ignored' {
  const { object } = event
  const id = idAt(object, 'id')
  const charge = idAt(object, 'charge')
  const paymentId = paymentOf(object, charge)
  const kind = kindOfDispute(event)
  if (!id || !paymentId || !kind) return 'ignored'
  return newsOf(event, {
    key: `${id}:${kind}`,
    kind,
    paymentId,
    paymentAliases: aliases(paymentId, [charge]),
    amount: amountAt(object, 'amount'),
  })
}

/** `prevented`: settled before it began, by a refund that is told as one. */
function kindOfDispute({ type, object }: StripeEvent): PaymentKind | undefined {
  const status = textAt(object, 'status')
  if (type === 'charge.dispute.created') return status === 'prevented' ? undefined : 'disputed'
  if (status === 'lost') return 'dispute_lost'
  return status === 'won' || status === 'warning_closed' || status === 'prevented' ? 'dispute_won' : undefined
}

/** Old versions name the invoice, new ones the payment intent only. */
function paymentOf(object: unknown, charge: string | undefined): string | undefined {
  return idAt(object, 'invoice') ?? idAt(object, 'payment_intent') ?? charge
}
