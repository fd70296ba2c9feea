import { nameOf, type PaymentEvent, readFacts } from '../payment-history/index.ts'
import { type Money, moneyOf, REAIS } from './currency.ts'

/** What happened to money at a moment. Amounts in the smallest unit of the currency. */
export interface Movement {
  at: number
  name: 'payments' | 'payments_without_amount' | 'received' | 'refunds' | 'refunded' | 'disputes' | 'disputed' | 'lost_in_disputes'
  planId: string | undefined
  currency: string
  value: number
}

/** A payment as far as its events are read. */
interface Paid extends Money {
  planId: string | undefined
  isReceived: boolean
  isDisputed: boolean
  refunded: number
  refunds: number
  lost: number
}

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

type Moved = Partial<Record<Movement['name'], number>>

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

function receive(payment: Paid): Moved {
  if (payment.isReceived) return {}
  payment.isReceived = true
  return received(payment, 1)
}

/** A payment of nothing, as of a trial, is none. */
function received({ amount }: Paid, sign: 1 | -1): Moved {
  if (amount === 0) return {}
  if (amount === undefined) return { payments: sign, payments_without_amount: sign }
  return { payments: sign, received: sign * amount }
}

/** It was noted by mistake: the money never came. */
function undo(payment: Paid): Moved {
  if (!payment.isReceived) return {}
  payment.isReceived = false
  return received(payment, -1)
}

function refund(payment: Paid, event: PaymentEvent): Moved {
  const left = leftOf(payment)
  if (payment.amount !== undefined && payment.amount > 0 && left === 0) return {}
  if (payment.amount === undefined && payment.refunds > 0) return {}
  const more = givenBackNow(payment, event)
  if (more !== undefined && more <= 0) return {}
  const value = Math.min(more ?? (event.kind === 'partially_refunded' ? 0 : left), left)
  payment.refunded += value
  payment.refunds += 1
  return { refunds: 1, refunded: value }
}

/**
 * A gateway reports in every refund what it has given back of the payment so far; the own checkout and the operator what they give back
 * now.
 */
function givenBackNow({ currency, refunded }: Paid, event: PaymentEvent): number | undefined {
  const { amount, foreign, isOwn } = event
  const stated = currency === REAIS ? amount : foreign?.currency === currency ? foreign.amount : undefined
  return stated === undefined || isOwn || isOperators(event) ? stated : stated - refunded
}

/** The money stayed with the seller. */
function takeRefundsBack(payment: Paid): Moved {
  const moved = { refunds: -payment.refunds, refunded: -payment.refunded }
  Object.assign(payment, { refunds: 0, refunded: 0 })
  return moved
}

function dispute(payment: Paid): Moved {
  if (payment.isDisputed) return {}
  payment.isDisputed = true
  return { disputes: 1, disputed: leftOf(payment) }
}

function lose(payment: Paid): Moved {
  const lost = leftOf(payment)
  payment.lost += lost
  payment.isDisputed = false
  return { lost_in_disputes: lost }
}

/** On appeal, even after it was lost. */
function win(payment: Paid): Moved {
  const { lost } = payment
  Object.assign(payment, { lost: 0, isDisputed: false })
  return { lost_in_disputes: -lost }
}

function leftOf({ amount = 0, refunded, lost }: Paid): number {
  return Math.max(0, amount - refunded - lost)
}

function isRefund({ kind }: PaymentEvent): boolean {
  return kind === 'refunded' || kind === 'partially_refunded'
}

function isOperators({ key }: PaymentEvent): boolean {
  return key.startsWith('operator:')
}

/** The operator's refund is several events, so that nothing goes on; the first is of the money (docs/decisions/0097). */
function isLaterPiece({ key }: PaymentEvent): boolean {
  return key.split(':').length > 2
}
