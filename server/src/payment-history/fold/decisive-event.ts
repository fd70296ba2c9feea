import type { AccessReason } from '../../subscriptions/index.ts'
import { agreedAmount, type PaymentEvent, type PaymentKind } from '../events/payment-event.ts'
import { actionOf } from '../events/without-duplicates.ts'
import { readDisputes } from './disputes.ts'
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

/**
 * The events of a stream, in order and as users read them, on which a reason rests. `until`: the time of the newest event of the
 * subscription (ms); a stream may hold a later one. A failed bill decides only what was not paid after it. What was taken back decides
 * nothing.
 */
export function decisiveEvent<Event extends PaymentEvent>(
  events: readonly Event[],
  { reason, until }: { reason: AccessReason; until: number },
): Decisive<Event> {
  const own = events.filter(({ at }) => at <= until)
  const { paymentId: current, pastDueSince } = foldEvents(own.map(ofAll)).at(-1) ?? {}
  const paid = paymentOf(current, own)
  const event = decidingOf(own, reason, { current, paid, pastDueSince })
  const named = event?.paymentId === undefined ? undefined : paymentOf(event.paymentId, own)
  return {
    event,
    payment: named ?? paid ?? own.findLast(pays) ?? own.findLast((one) => one.amount !== undefined || one.foreign !== undefined),
  }
}

/** The operator's refund is of all payments: users read one event of the several. */
function ofAll(event: PaymentEvent): PaymentEvent {
  const isOfAll = event.kind === 'refunded' && actionOf(event) !== undefined
  return isOfAll ? { ...event, paymentId: undefined, amount: undefined, foreign: undefined } : event
}

/** The best report of a payment: with the largest amount, and of what was paid rather than waived. */
function paymentOf<Event extends PaymentEvent>(id: string | undefined, own: readonly Event[]): Event | undefined {
  const amountOf = (one: Event) => (one.kind === 'payment_waived' ? -2 : (agreedAmount(one) ?? one.foreign?.amount ?? -1))
  return own
    .filter((one) => pays(one) && one.paymentId === id)
    .reduce<Event | undefined>((best, one) => (best && amountOf(best) > amountOf(one) ? best : one), undefined)
}

function decidingOf<Event extends PaymentEvent>(
  own: readonly Event[],
  reason: AccessReason,
  { current, paid, pastDueSince }: { current: string | undefined; paid: Event | undefined; pastDueSince: number | undefined },
): Event | undefined {
  const deciding = own.filter(({ kind }) => isOneOf(DECIDES[reason], kind))
  const isOfCurrent = (event: Event) => event.paymentId === current || event.paymentId === undefined
  switch (reason) {
    case 'paid':
      return paid ?? deciding.at(-1)
    case 'disputed':
    case 'refunded': {
      const disputes = [...readDisputes(own.filter(isOfCurrent)).all.values()]
      const open = new Set(disputes.map(({ opened, lost }) => lost ?? opened))
      const stands = (event: Event) => !event.kind.startsWith('dispute') || open.has(event)
      return deciding.findLast((event) => isOfCurrent(event) && stands(event)) ?? deciding.at(-1)
    }
    case 'canceled':
    case 'paid_until_period_end': {
      const resumed = own.findLastIndex(({ kind }) => kind === 'resumed')
      return own.findLast((event, at) => isOneOf(DECIDES[reason], event.kind) && (at > resumed || actionOf(event) !== undefined))
    }
    case 'in_grace':
    case 'past_due':
    case 'expired':
      return deciding.findLast(({ at }) => !paid || (pastDueSince !== undefined && at >= pastDueSince))
    default:
      return deciding.at(-1)
  }
}

function pays({ kind }: PaymentEvent): boolean {
  return isOneOf(PAYS, kind)
}

function isOneOf(kinds: readonly PaymentKind[], kind: PaymentKind): boolean {
  return kinds.includes(kind)
}
