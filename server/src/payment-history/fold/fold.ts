import type { Method, SubscriptionState } from '../../subscriptions/index.ts'
import { inOrder, type PaymentEvent, type PaymentKind } from '../events/payment-event.ts'
import {
  currentOf,
  goneAt,
  isGivenBack,
  isMade,
  latest,
  nameOf,
  newPayment,
  type Payment,
  periodOf,
  readFacts,
  reverse,
} from './payments.ts'

/** What all the events about a subscription comes to. */
export interface FoldedSubscription {
  state: SubscriptionState
  planId: string | undefined
  email: string | undefined
  method: Method | undefined
  /** The payment of the current period. */
  paymentId: string | undefined
  /** Until when it is paid, in ms; `undefined` where nobody stated an end. */
  periodEnd: number | undefined
  /** The current period was given by the operator: it ends when it ends, without grace. */
  isGranted: boolean
  /** When it fell behind, in ms; until it is paid again. */
  pastDueSince: number | undefined
  /** When it was ended outright, in ms; until it goes on. */
  endedAt: number | undefined
  /** When the newest event happened, in ms. */
  changedAt: number
}

/** A bill that was asked for and not paid. */
interface Bill {
  name: string
  at: number
  periodStart: number | undefined
  /** How many payments had been made by then. */
  after: number
}

/** What is known of a stream at a moment. */
interface Ledger {
  payments: Map<string, Payment>
  /** Those that were made, in that order, of this subscription and of those before it. */
  made: Payment[]
  count: number
  /** The number of this subscription's first payment. */
  from: number
  bills: Bill[]
  /** What stands while nothing is paid. */
  openState: 'pending' | 'expired'
  /** That it was canceled or ended, until it goes on. */
  stops: PaymentEvent[]
  /** When it was last ended before it went on, in ms: nothing that began before pays for what comes after. */
  overAt: number
  /** The last that was told. */
  email: string | undefined
  /** The first that was told. */
  planId: string | undefined
  changedAt: number
}

/**
 * The subscriptions that a stream of events amounts to, oldest first: a payment after a refund opens the next one. It keeps what each
 * payment pays for and what became of its money, and the rest follows from that. Pure: any order of arrival and any repetition give the
 * same.
 */
export function foldEvents(events: readonly PaymentEvent[]): FoldedSubscription[] {
  const sorted = inOrder(events)
  const facts = readFacts(sorted)
  const closed: FoldedSubscription[] = []
  let ledger = nextLedger({ payments: new Map(), made: [], count: 0, overAt: 0 }, { email: undefined, planId: undefined })
  for (const event of sorted) {
    const payment = ledger.payments.get(nameOf(event)) ?? newPayment(event.paymentId, facts.get(nameOf(event)))
    ledger.payments.set(nameOf(event), payment)
    if (!pays(event, payment) || isMade(payment)) take(ledger, payment, event)
    else {
      const before = conclude(ledger)
      if (before.state === 'refunded' && !isGivenBack(payment) && !isBeforeStop(payment, event, ledger)) {
        closed.push(before)
        ledger = nextLedger(ledger, { email: ledger.email, planId: before.planId })
      }
      pay(ledger, payment, event)
    }
    ledger.email = event.email ?? ledger.email
    ledger.planId ??= event.planId
    ledger.changedAt = event.at
  }
  return sorted.length === 0 ? [] : [...closed, conclude(ledger)]
}

function nextLedger(
  { payments, made, count, overAt }: Pick<Ledger, 'payments' | 'made' | 'count' | 'overAt'>,
  { email, planId }: Pick<Ledger, 'email' | 'planId'>,
): Ledger {
  return { payments, made, count, from: count, bills: [], openState: 'pending', stops: [], overAt, email, planId, changedAt: 0 }
}

/** A waived bill counts as paid only up to an end that is stated. */
function pays({ kind }: PaymentEvent, { periodEnd }: Payment): boolean {
  return kind === 'paid' || kind === 'granted' || (kind === 'payment_waived' && periodEnd !== undefined)
}

/** A payment whose refund is dated before it, as the clocks of a vendor's servers have it, is made as well, and grants nothing. */
function pay(ledger: Ledger, payment: Payment, event: PaymentEvent): void {
  if (!isGivenBack(payment) && !isBeforeStop(payment, event, ledger)) goOn(ledger)
  const { begin, end } = periodOf(payment, event.at)
  const { overAt } = ledger
  Object.assign(payment, {
    begin,
    end: begin < overAt ? Math.min(end, overAt) : end,
    number: ledger.count,
    madeAt: event.at,
    undoneAt: undefined,
  })
  ledger.count += 1
  ledger.made = [...ledger.made.filter((other) => other !== payment), payment]
  closeBill(ledger, event)
}

/** Goes on with a new payment. What was over stays over, whatever becomes of the new one. */
function goOn(ledger: Ledger): void {
  const stops = stopsOf(ledger, currentOf(ledger.made))
  const { at: endedAt } = stops.find(({ kind }) => kind === 'ended') ?? {}
  const [stop] = stops
  for (const payment of ledger.made) {
    if (endedAt !== undefined) payment.end = Math.min(payment.end, endedAt)
    else if (stop && payment.end === Number.POSITIVE_INFINITY) payment.end = paidUntil(stops) ?? stop.at
  }
  ledger.overAt = endedAt ?? ledger.overAt
  ledger.stops = []
}

/** That it was canceled or ended, as far as that is about the current payment. */
function stopsOf(ledger: Ledger, current: Payment | undefined): PaymentEvent[] {
  return current ? ledger.stops.filter((stop) => !isOfOlder(stop, current, ledger)) : ledger.stops
}

/** Until when is paid, as the event of a cancellation says where no payment does. */
function paidUntil(stops: readonly PaymentEvent[]): number | undefined {
  return stops.findLast(({ periodEnd }) => periodEnd !== undefined)?.periodEnd
}

/** Whether a payment is for a period that began before the subscription was canceled or ended: it does not go on then. */
function isBeforeStop(payment: Payment, { at }: PaymentEvent, ledger: Ledger): boolean {
  const stops = stopsOf(ledger, currentOf(ledger.made))
  const stop = stops.find(({ kind }) => kind === 'ended') ?? stops[0]
  const { begin, end } = periodOf(payment, at)
  return stop !== undefined && (begin < stop.at || end <= stop.at)
}

function closeBill(ledger: Ledger, event: PaymentEvent): void {
  ledger.bills = ledger.bills.filter(({ name }) => name !== nameOf(event))
}

/** All events but that of a payment that is made. */
function take(ledger: Ledger, payment: Payment, event: PaymentEvent): void {
  const { kind, at, periodStart } = event
  // what was made can not fail any more: senders' times can be as coarse as a second
  const isOpen = !isMade(payment) && !isGivenBack(payment)
  if (kind === 'payment_pending' && isOpen) ledger.openState = 'pending'
  if (kind === 'payment_expired' && isOpen) ledger.openState = 'expired'
  if ((kind === 'payment_failed' || kind === 'payment_expired') && isOpen)
    ledger.bills.push({ name: nameOf(event), at, periodStart, after: ledger.count })
  if (kind === 'payment_waived') closeBill(ledger, event)
  if (kind === 'canceled' || kind === 'ended') ledger.stops.push(event)
  if (kind === 'resumed') ledger.stops = []
  if (REVERSALS.has(kind)) for (const concerned of concernedBy(event, payment, ledger)) reverse(concerned, event)
}

const REVERSALS: ReadonlySet<PaymentKind> = new Set<PaymentKind>([
  'disputed',
  'dispute_won',
  'dispute_lost',
  'payment_undone',
  'refunded',
  'refund_failed',
])

/**
 * The payment that is named; where none is, all of the subscription. Where the current payment has no name, an event of a payment that is
 * unknown is about it as well.
 */
function concernedBy(event: PaymentEvent, payment: Payment, { payments, made, from }: Ledger): readonly Payment[] {
  if (event.paymentId === undefined) {
    const own = made.filter(({ number }) => (number ?? 0) >= from)
    return own.length > 0 ? own : [...payments.values()].filter(({ id, number }) => id === undefined && number === undefined)
  }
  const number = payment.number === undefined ? currentOf(made)?.number : undefined
  return [payment, ...made.filter((other) => other.number === number && other.id === undefined)]
}

function conclude(ledger: Ledger): FoldedSubscription {
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
    isGranted: shown?.isGranted ?? false,
    pastDueSince: missed.length > 0 ? Math.min(...missed.map(({ at }) => at)) : undefined,
    endedAt: stops.find(({ kind }) => kind === 'ended')?.at,
    changedAt,
  }
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

/** Events of the end that names a payment is of what that one paid for: it says nothing of what was paid since. */
function isOfOlder({ paymentId }: PaymentEvent, current: Payment, { made }: Ledger): boolean {
  const named = paymentId === undefined ? undefined : made.find(({ id }) => id === paymentId)
  return named?.number !== undefined && named.number < (current.number ?? 0)
}

/** Whether a bill is still missing after what was paid: not one of a period before, however late it fails. */
function isMissing({ periodStart, after }: Bill, { periodStart: paidFrom, number = 0 }: Payment): boolean {
  const isSince = after > number
  return periodStart === undefined || paidFrom === undefined || periodStart === paidFrom ? isSince : periodStart > paidFrom
}
