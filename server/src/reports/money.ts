import { nameOf, type PaymentEvent, readFacts } from '../payment-history/index.ts'
import { moneyOf } from './currency.ts'
import { dispute, lose, win } from './money/dispute.ts'
import type { Moved, Movement, Paid } from './money/paid.ts'
import { receive, undo } from './money/receive.ts'
import { isOperators, refund, takeRefundsBack } from './money/refund.ts'

/**
 * The movements of money of a stream, each on its own day: a later event moves nothing of an earlier month. `events` in order. A payment
 * counts once, under whatever keys it is reported. No more is given back of it than was paid. A grant is no payment.
 */
export function movementsOf(events: readonly PaymentEvent[]): Movement[] {
  const facts = readFacts(events)
  const payments = new Map<string, Paid>()
  const movements: Movement[] = []
  let planId: string | undefined
  const reversed = new Set(events.flatMap((event) => (isRefund(event) && !isOperators(event) ? nameOf(event) : [])))
  for (const [name, { amount, foreign, isGranted, planId: ofPayment }] of facts) {
    if (isGranted) continue
    const money = moneyOf({ amount, foreign })
    payments.set(name, { planId: ofPayment, ...money, isReceived: false, isDisputed: false, refunded: 0, refunds: 0, lost: 0 })
  }
  let last: Paid | undefined
  for (const event of events) {
    if (event.planId !== undefined) planId = event.planId
    const payment = event.paymentId === undefined && event.kind !== 'paid' ? last : payments.get(nameOf(event))
    if (!payment) continue
    if (event.kind === 'paid') last = payment
    payment.planId ??= planId
    if (isOperators(event) && (isLaterPiece(event) || reversed.has(nameOf(event)))) continue
    for (const [figure, value] of Object.entries(move(payment, event)))
      if (value !== 0)
        movements.push({ at: event.at, name: figure as Movement['name'], planId: payment.planId, currency: payment.currency, value })
  }
  return movements
}

/** Changes the payment by an event, and answers what that moves. */
function move(payment: Paid, event: PaymentEvent): Moved {
  switch (event.kind) {
    case 'paid':
      return receive(payment)
    case 'payment_undone':
      return undo(payment)
    case 'refunded':
    case 'partially_refunded':
      return refund(payment, event)
    case 'refund_failed':
      return takeRefundsBack(payment)
    case 'disputed':
      return dispute(payment)
    case 'dispute_lost':
      return lose(payment)
    case 'dispute_won':
      return win(payment)
    default:
      return {}
  }
}

function isRefund({ kind }: PaymentEvent): boolean {
  return kind === 'refunded' || kind === 'partially_refunded'
}

/** The operator's refund is several events, so that nothing goes on; the first is of the money (docs/decisions/0097). */
function isLaterPiece({ key }: PaymentEvent): boolean {
  return key.split(':').length > 2
}
