import type { Method, SubscriptionState } from '../../subscriptions/index.ts'
import type { ForeignAmount } from '../events/foreign-amount.ts'
import type { PaymentEvent } from '../events/payment-event.ts'
import { currentOf, latest } from './current-payment.ts'
import { type Bill, type Ledger, paidUntil, stopsOf } from './ledger.ts'
import { periodOf } from './payment-facts.ts'
import { goneAt, isGivenBack, type Payment } from './payments.ts'

interface Period {
  begin: number
  end: number
  isByDueDays?: boolean
}

/** The subscription that follows from its events. */
export interface FoldedSubscription {
  state: SubscriptionState
  planId: string | undefined
  email: string | undefined
  method: Method | undefined
  /** The payment of the current period. */
  paymentId: string | undefined
  /** The end of the paid period, in ms; `undefined` if nobody stated one. */
  periodEnd: number | undefined
  /**
   * The current payment as it was stated: centavos, and its period in ms, whose end is `Infinity` where nobody stated one; `undefined`
   * before the first payment. `price`: that of the period, where it is not what was paid. `isByDueDays`: it ends with the next due day.
   */
  paid: ({ amount: number | undefined; foreign?: ForeignAmount; price?: number } & Period) | undefined
  /** The current period was given by the operator: it ends when it ends, without grace. */
  isGranted: boolean
  /** The time of the first unpaid bill, in ms; until it is paid again. */
  pastDueSince: number | undefined
  /** The time when it was ended outright, in ms; until it goes on. */
  endedAt: number | undefined
  /** The time of the newest event, in ms. */
  changedAt: number
}

/** The subscription that follows from a ledger. */
export function conclude(ledger: Ledger): FoldedSubscription {
  const { made, from, changedAt } = ledger
  const current = currentOf(made)
  const shown = current ?? latest(made)
  const stops = stopsOf(ledger, current)
  const missed = current ? ledger.bills.filter((bill) => isMissing(bill, current)) : []
  const state = stateOf(ledger, { current, stops, missed })
  const normalized = made
    .filter(({ number = 0 }) => number <= (shown?.number ?? 0) && number >= Math.min(from, shown?.number ?? 0))
    .reverse()
  const end = shown && shown.end < Number.POSITIVE_INFINITY ? shown.end : undefined
  return {
    state,
    planId: normalized.find(({ planId }) => planId !== undefined)?.planId ?? ledger.planId,
    email:
      normalized.find(({ buyer }) => buyer !== undefined)?.buyer ??
      normalized.find(({ email }) => email !== undefined)?.email ??
      ledger.email,
    method: normalized.find(({ method }) => method !== undefined)?.method,
    paymentId: shown?.id,
    periodEnd: end ?? (current && paidUntil(stops)),
    paid: shown && { ...statedMoney(shown), ...statedPeriod(shown, paidUntil(stops)) },
    isGranted: shown?.isGranted ?? false,
    pastDueSince: missed.length > 0 ? Math.min(...missed.map(({ at }) => at)) : undefined,
    endedAt: stops.find(({ kind }) => kind === 'ended')?.at,
    changedAt,
  }
}

/** Of two senders one may know no currency: then nobody knows of which amount the price is. What is served for nothing has no price. */
function statedMoney({ amount, foreign, periodPrice, isWaived }: Payment) {
  const price = isWaived ? 0 : periodPrice
  const isOfOne = amount === undefined || foreign === undefined
  return { amount, ...(foreign && { foreign }), ...(price !== undefined && isOfOne && { price }) }
}

/** The end may be stated by a cancellation alone. */
function statedPeriod(payment: Payment, canceledUntil: number | undefined): Period {
  const { begin, end } = periodOf(payment, payment.madeAt)
  const isStated = end < Number.POSITIVE_INFINITY
  return { begin, end: isStated ? end : (canceledUntil ?? end), ...(payment.isByDueDays && { isByDueDays: true }) }
}

function stateOf(
  { payments, made, openState }: Ledger,
  { current, stops, missed }: { current: Payment | undefined; stops: readonly PaymentEvent[]; missed: readonly Bill[] },
): SubscriptionState {
  const last = latest(made)
  const lost = current ? [] : last ? [last] : [...payments.values()]
  if (lost.some((payment) => isGivenBack(payment) || payment.undoneAt !== undefined)) return 'refunded'
  if (lost.some((payment) => goneAt(payment) !== undefined)) return 'disputed'
  if (stops.length > 0) return 'canceled'
  if (!current) return openState
  return missed.length > 0 ? 'past_due' : 'active'
}

/** Whether a bill is still unpaid after the current payment. A bill of an earlier period is not, however late it fails. */
function isMissing({ periodStart, after }: Bill, { periodStart: paidFrom, number = 0 }: Payment): boolean {
  const isSince = after > number
  return periodStart === undefined || paidFrom === undefined || periodStart === paidFrom ? isSince : periodStart > paidFrom
}
