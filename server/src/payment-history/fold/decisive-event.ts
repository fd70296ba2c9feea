import type { AccessReason } from '../../subscriptions/index.ts'
import type { PaymentEvent, PaymentKind } from '../events/payment-event.ts'

import { foldEvents } from './fold.ts'

/** The ground of a subscription's access: the event that decided it, and the payment that the event is about. */
export interface Decisive<Event extends PaymentEvent> {
  /** `undefined` where a time ran out without an event. */
  event: Event | undefined
  payment: Event | undefined
}

const PAYS = ['paid', 'granted', 'payment_waived'] as const satisfies readonly PaymentKind[]

/** The kinds of events that decide each reason: the last of them does. An access that ran out by itself has no such event. */
const DECIDES: Readonly<Record<AccessReason, readonly PaymentKind[]>> = {
  paid: PAYS,
  in_grace: ['payment_failed', 'payment_expired'],
  paid_until_period_end: ['canceled', 'ended'],
  no_subscription: [],
  payment_pending: ['payment_pending'],
  past_due: ['payment_failed', 'payment_expired'],
  expired: ['payment_expired'],
  canceled: ['canceled', 'ended'],
  refunded: ['refunded', 'dispute_lost', 'payment_undone'],
  disputed: ['disputed'],
  linked_to_another_user: [],
}

/** They rest on what became of the payment of the current period. Another payment may have been heard of later. */
const OF_CURRENT: ReadonlySet<AccessReason> = new Set(['paid', 'refunded', 'disputed'])

/**
 * The events of a stream, in order, on which a reason rests. `until`: the time of the newest event of the subscription (ms); a stream may
 * hold a later one. A failed bill decides only what was not paid after it.
 */
export function decisiveEvent<Event extends PaymentEvent>(
  events: readonly Event[],
  { reason, until }: { reason: AccessReason; until: number },
): Decisive<Event> {
  const own = events.filter(({ at }) => at <= until)
  const current = foldEvents(own).at(-1)?.paymentId
  const lastPaid = own.findLastIndex(pays)
  const isAfterwards = reason === 'in_grace' || reason === 'past_due' || reason === 'expired'
  const deciding = own.filter(({ kind }, at) => isOneOf(DECIDES[reason], kind) && !(isAfterwards && at < lastPaid))
  const isOfCurrent = (event: Event) => event.paymentId === current || (event.paymentId === undefined && !pays(event))
  const event = (OF_CURRENT.has(reason) ? deciding.findLast(isOfCurrent) : undefined) ?? deciding.at(-1)
  const paymentOf = (id: string | undefined) => own.findLast((one) => pays(one) && one.paymentId === id)
  const payment = event?.paymentId === undefined ? paymentOf(current) : paymentOf(event.paymentId)
  return {
    event,
    payment: payment ?? own[lastPaid] ?? own.findLast(({ amount, foreign }) => amount !== undefined || foreign !== undefined),
  }
}

function pays({ kind }: PaymentEvent): boolean {
  return isOneOf(PAYS, kind)
}

function isOneOf(kinds: readonly PaymentKind[], kind: PaymentKind): boolean {
  return kinds.includes(kind)
}
