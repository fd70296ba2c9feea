import { actionOf, isOfNothing, nameOf, type PaymentEvent, readFacts } from '../payment-history/index.ts'
import { moneyOf } from './currency.ts'
import { dispute, lose, win } from './money/dispute.ts'
import { type Moved, type Movement, newPaid, type Paid, statedBy } from './money/paid.ts'
import { noPlans, notePlan } from './money/plans.ts'
import { receive, undo } from './money/receive.ts'
import { refund, takeRefundBack } from './money/refund.ts'

/**
 * The movements of money of a stream, each on its own day: a later event moves nothing of an earlier month. `events` in order. A payment
 * counts once, under whatever keys it is reported; of one in parts, each part that was paid. No more is given back of it than was paid. A
 * grant is no payment.
 */
export function movementsOf(events: readonly PaymentEvent[]): Movement[] {
  const facts = readFacts(events)
  const payments = new Map<string, Paid>()
  const movements: Movement[] = []
  const plans = noPlans()
  const namedBy = paymentsNamed(events)
  const inParts = new Set(events.flatMap((event) => (event.purchaseAmount === undefined ? [] : nameOf(event))))
  /** The last refund that others than the operator report of each payment: they know the money itself. */
  const reportedAt = new Map(
    events.flatMap((event) => {
      const named = isRefund(event) && actionOf(event) === undefined ? namedBy.get(event) : undefined
      return named ? [[nameOf(named), event.at]] : []
    }),
  )
  for (const [name, { amount, foreign, isGranted, planId: ofPayment }] of facts) {
    if (isGranted) continue
    payments.set(name, newPaid(moneyOf({ amount, foreign }), { planId: ofPayment, isInParts: inParts.has(name) }))
  }
  for (const event of events) {
    notePlan(plans, event, facts)
    const named = namedBy.get(event)
    const payment = named && payments.get(nameOf(named))
    if (!payment) continue
    if (!payment.isReceived) payment.planId = facts.get(nameOf(named))?.planId ?? plans.ofLast ?? plans.first
    if (actionOf(event) !== undefined && (isLaterPiece(event) || event.at <= (reportedAt.get(nameOf(named)) ?? 0))) continue
    const { wasWaived, paidAt = Number.POSITIVE_INFINITY } = facts.get(nameOf(named)) ?? {}
    if (isOfNothing(event, { wasWaived, paidAt })) continue
    const { planId: ofPayment, currency } = payment
    // A purchase whose sender names no payment has the notification's key for one.
    const paymentId = named.paymentId === named.key ? undefined : named.paymentId
    const about = { payment: nameOf(named), paymentId, planId: ofPayment, currency }
    movements.push({
      at: event.at,
      ...about,
      isKnown: payment.amount !== undefined && statedBy(event, payment) !== undefined,
      moved: move(payment, event),
    })
  }
  return movements
}

/** An event of the payment that each event is about: its own, or the last one where it names none. */
function paymentsNamed(events: readonly PaymentEvent[]): Map<PaymentEvent, PaymentEvent> {
  const named = new Map<PaymentEvent, PaymentEvent>()
  let last: PaymentEvent | undefined
  for (const event of events) {
    if (event.kind === 'paid') last = event
    const about = event.paymentId === undefined ? last : event
    if (about) named.set(event, about)
  }
  return named
}

/** Changes the payment by an event, and answers what that moves. */
function move(payment: Paid, event: PaymentEvent): Moved {
  switch (event.kind) {
    case 'paid':
      return receive(payment, event)
    case 'payment_undone':
      return undo(payment)
    case 'refunded':
    case 'partially_refunded':
      return refund(payment, event)
    case 'refund_failed':
      return takeRefundBack(payment, event)
    case 'disputed':
      return dispute(payment, event)
    case 'dispute_lost':
      return lose(payment, event)
    case 'dispute_won':
      return win(payment, event)
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
