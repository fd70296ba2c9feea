import { inOrder, type PaymentEvent, type PaymentKind } from '../events/payment-event.ts'
import { actionOf, isOfNothing } from '../events/without-duplicates.ts'
import { conclude, type FoldedSubscription } from './conclude.ts'
import { currentOf, isCounted } from './current-payment.ts'
import { type Ledger, nextLedger, paidUntil, stopsOf } from './ledger.ts'
import { type Facts, nameOf, periodOf, readFacts } from './payment-facts.ts'
import { isGivenBack, isMade, newPayment, type Payment, reverse } from './payments.ts'

/**
 * Folds the events of a stream into its subscriptions, oldest first: a payment after a refund opens the next one. It keeps the period of
 * each payment and what became of its money; everything else follows from that. Pure: neither the order of arrival nor repetition makes a
 * difference.
 */
export function foldEvents(events: readonly PaymentEvent[]): FoldedSubscription[] {
  const { closed, ledger } = foldInOrder(inOrder(events))
  return events.length === 0 ? [] : [...closed, conclude(ledger)]
}

/** A fold on its way: the subscriptions that are over, and the one that goes on. */
export interface Fold {
  facts: Map<string, Facts>
  closed: FoldedSubscription[]
  /** How each subscription after the first began: the number and the name of its first payment. */
  begun: Array<{ from: number; payment: string }>
  ledger: Ledger
}

export function foldInOrder(sorted: readonly PaymentEvent[]): Fold {
  const ledger = nextLedger({ payments: new Map(), made: [], count: 0, overAt: 0 }, { email: undefined, planId: undefined })
  const fold = { facts: readFacts(sorted), closed: [], begun: [], ledger }
  for (const event of sorted) foldOne(fold, event)
  return fold
}

/** Goes on by an event, whose facts are known. */
export function foldOne(fold: Fold, event: PaymentEvent): void {
  const payment = fold.ledger.payments.get(nameOf(event)) ?? newPayment(event.paymentId, fold.facts.get(nameOf(event)))
  fold.ledger.payments.set(nameOf(event), payment)
  if (!pays(event, payment, fold.ledger) || isMade(payment)) take(fold.ledger, payment, event)
  else {
    const before = conclude(fold.ledger)
    if (before.state === 'refunded' && !payment.isWaived && !isGivenBack(payment) && !isBeforeStop(payment, event, fold.ledger)) {
      fold.closed.push(before)
      fold.ledger = nextLedger(fold.ledger, { email: fold.ledger.email, planId: before.planId })
      fold.begun.push({ from: fold.ledger.from, payment: nameOf(event) })
    }
    pay(fold.ledger, payment, event)
  }
  const { ledger } = fold
  ledger.email = event.email ?? ledger.email
  ledger.planId ??= event.planId
  ledger.changedAt = event.at
}

/**
 * A waived bill counts as paid only up to an end that is stated. The gateway that serves for nothing knows nothing of the operator's end,
 * so it takes a payment to go on. What is paid after all opens the next subscription when it is paid, not when it was served.
 */
function pays({ kind }: PaymentEvent, { periodEnd, isWaived }: Payment, ledger: Ledger): boolean {
  if (kind !== 'payment_waived' || periodEnd === undefined) return kind === 'paid' || kind === 'granted'
  const stops = stopsOf(ledger, currentOf(ledger.made))
  return stops.every((stop) => actionOf(stop) === undefined) && (isWaived || conclude(ledger).state !== 'refunded')
}

/**
 * Makes a payment. Its refund may be dated before it, since a gateway's servers have several clocks: then it is made and grants nothing.
 */
function pay(ledger: Ledger, payment: Payment, event: PaymentEvent): void {
  const { begin, end } = periodOf(payment, event.at)
  const others = ledger.made.filter((other) => other !== payment)
  const isOn = isCounted({ ...payment, begin, end, madeAt: event.at }, others)
  if (isOn && !isGivenBack(payment) && !isBeforeStop(payment, event, ledger)) goOn(ledger)
  const { overAt } = ledger
  Object.assign(payment, {
    begin,
    end: begin < overAt ? Math.min(end, overAt) : end,
    number: ledger.count,
    madeAt: event.at,
    undoneAt: undefined,
  })
  ledger.count += 1
  ledger.made = [...others, payment]
  closeBill(ledger, event)
}

/** Goes on with a new payment. An earlier end stays, whatever becomes of the new payment. */
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

/** Whether a payment is for a period that began before the cancellation or end: then the subscription does not go on. */
function isBeforeStop(payment: Payment, { at }: PaymentEvent, ledger: Ledger): boolean {
  const stops = stopsOf(ledger, currentOf(ledger.made))
  const stop = stops.find(({ kind }) => kind === 'ended') ?? stops[0]
  const { begin, end } = periodOf(payment, at)
  return stop !== undefined && (begin < stop.at || end <= stop.at)
}

function closeBill(ledger: Ledger, event: PaymentEvent): void {
  ledger.bills = ledger.bills.filter(({ name }) => name !== nameOf(event))
}

/** Every event but one that makes a payment. */
function take(ledger: Ledger, payment: Payment, event: PaymentEvent): void {
  const { kind, at, periodStart } = event
  // a payment that was made can't fail any more: senders' times can be as coarse as a second
  const isOpen = !isMade(payment) && !isGivenBack(payment)
  if (kind === 'payment_pending' && isOpen) ledger.openState = 'pending'
  if (kind === 'payment_expired' && isOpen) ledger.openState = 'expired'
  if ((kind === 'payment_failed' || kind === 'payment_expired') && isOpen)
    ledger.bills.push({ name: nameOf(event), at, periodStart, after: ledger.count })
  if (kind === 'payment_waived') closeBill(ledger, event)
  if (kind === 'canceled' || kind === 'ended') ledger.stops.push(event)
  // A gateway that goes on knows nothing of the operator's end: only what is paid after it goes on.
  if (kind === 'resumed') ledger.stops = ledger.stops.filter((stop) => actionOf(stop) !== undefined)
  if (REVERSALS.has(kind))
    for (const concerned of concernedBy(event, payment, ledger)) if (!isOfNothing(event, concerned)) reverse(concerned, event)
}

const REVERSALS: ReadonlySet<PaymentKind> = new Set<PaymentKind>([
  'disputed',
  'dispute_won',
  'dispute_lost',
  'payment_undone',
  'partially_refunded',
  'refunded',
  'refund_failed',
])

/**
 * The payment that the event names, or all of the subscription if it names none. An event of an unknown payment is also about the current
 * payment, if that has no name.
 */
function concernedBy(event: PaymentEvent, payment: Payment, { payments, made, from }: Ledger): readonly Payment[] {
  if (event.paymentId === undefined) {
    const own = made.filter(({ number }) => (number ?? 0) >= from)
    return own.length > 0 ? own : [...payments.values()].filter(({ id, number }) => id === undefined && number === undefined)
  }
  const number = payment.number === undefined ? currentOf(made)?.number : undefined
  return [payment, ...made.filter((other) => other.number === number && other.id === undefined)]
}
