import type { PaymentEvent } from '../events/payment-event.ts'
import type { Payment } from './payments.ts'

/** A bill that was asked for and not paid. */
export interface Bill {
  name: string
  at: number
  periodStart: number | undefined
  /** The number of payments made by then. */
  after: number
}

/** The state of a stream at a moment of the fold. */
export interface Ledger {
  payments: Map<string, Payment>
  /** The payments that were made, in that order, of this subscription and of those before it. */
  made: Payment[]
  count: number
  /** The number of this subscription's first payment. */
  from: number
  bills: Bill[]
  /** The state while nothing is paid. */
  openState: 'pending' | 'expired'
  /** Cancellations and ends, until it goes on. */
  stops: PaymentEvent[]
  /** The last end before it went on, in ms. A payment for an earlier period pays for nothing after it. */
  overAt: number
  /** The last address. */
  email: string | undefined
  /** The first plan. */
  planId: string | undefined
  changedAt: number
}

/** The ledger of the next subscription of a stream: the payments stay. */
export function nextLedger(
  { payments, made, count, overAt }: Pick<Ledger, 'payments' | 'made' | 'count' | 'overAt'>,
  { email, planId }: Pick<Ledger, 'email' | 'planId'>,
): Ledger {
  return { payments, made, count, from: count, bills: [], openState: 'pending', stops: [], overAt, email, planId, changedAt: 0 }
}

/** The cancellations and ends that are about the current payment. */
export function stopsOf(ledger: Ledger, current: Payment | undefined): PaymentEvent[] {
  return current ? ledger.stops.filter((stop) => !isOfOlder(stop, current, ledger)) : ledger.stops
}

/** The end of the paid period, as a cancellation states it where no payment does. */
export function paidUntil(stops: readonly PaymentEvent[]): number | undefined {
  return stops.findLast(({ periodEnd }) => periodEnd !== undefined)?.periodEnd
}

/**
 * Whether the end names an older payment: then it says nothing of later payments. What is served for nothing after that payment is of no
 * later one.
 */
function isOfOlder({ paymentId }: PaymentEvent, current: Payment, { made }: Ledger): boolean {
  const named = paymentId === undefined ? undefined : made.find(({ id }) => id === paymentId)
  const isUpToCurrent = ({ number = 0 }: Payment) => number <= (current.number ?? 0)
  const paid = current.isWaived ? made.findLast((payment) => !payment.isWaived && isUpToCurrent(payment)) : current
  return named?.number !== undefined && paid !== undefined && named.number < (paid.number ?? 0)
}
