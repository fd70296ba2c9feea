import type { Method } from '../../subscriptions/index.ts'
import type { ForeignAmount } from './foreign-amount.ts'

/**
 * All that can be reported of a subscription, whoever reports it. A gateway's adapter turns its own words into these. `granted`: the
 * operator gives what nobody paid for, exactly up to `periodEnd` where one is stated; `canceled`: will not be renewed, the paid period
 * stays; `ended`: over from this moment; `payment_undone`: one payment was noted by mistake, and may yet be made; `refunded`: one payment,
 * or a part of it where `amount` says less than was paid; `refund_failed`: the money of its refunds stayed with the seller, so each refund
 * has a key of its own; `payment_waived`: a bill is not asked for any more, and up to `periodEnd`, where one is stated, the seller serves
 * as if it was paid; `dispute_inquiry`: the bank asks, and no money has moved. Events of a payment, or of the whole subscription where it
 * names none.
 */
export const PAYMENT_KINDS = [
  'payment_pending',
  'paid',
  'granted',
  'payment_waived',
  'payment_failed',
  'payment_expired',
  'canceled',
  'resumed',
  'ended',
  'dispute_inquiry',
  'disputed',
  'dispute_won',
  'dispute_lost',
  'partially_refunded',
  'payment_undone',
  'refunded',
  'refund_failed',
] as const

export type PaymentKind = (typeof PAYMENT_KINDS)[number]

export function isPaymentKind(text: string): text is PaymentKind {
  return PAYMENT_KINDS.some((kind) => kind === text)
}

/** One event about a subscription, as it is stored: the fold over all of them is the subscription's state. */
export interface PaymentEvent {
  /** The same event delivered twice has the same key. */
  key: string
  kind: PaymentKind
  /** Its own time in ms, not the time of its arrival. */
  at: number
  planId: string | undefined
  /** The buyer's address in normal form. */
  email: string | undefined
  /** The operator's own checkout says so: it knows who the buyer is, where a gateway knows who paid. */
  isOwn?: boolean
  /** One payment has one id, however often it is spoken of; `undefined` where the sender names none. */
  paymentId: string | undefined
  /** Centavos; `undefined` if it is unknown, or in another currency. A gateway's refund: all that it gave back of the payment so far. */
  amount: number | undefined
  /** The amount of a payment in another currency, where the sender states it. */
  foreign?: ForeignAmount | undefined
  /**
   * The price of the paid period in the smallest unit of the payment's currency, where that is not what was paid: credit paid a part, or
   * the payment was for the rest of an earlier period as well. Only on `paid`.
   */
  periodPrice?: number | undefined
  /**
   * The amount of the whole purchase in centavos, where it is paid in parts, each by itself: `amount` is that of the part. Only on `paid`.
   */
  purchaseAmount?: number | undefined
  method: Method | undefined
  /** The beginning of the paid period, in ms; `undefined` if the sender states none. */
  periodStart: number | undefined
  /**
   * The end of the paid period, in ms; `undefined` if the sender states none. On `canceled`: the end of what is paid, if no payment states
   * it.
   */
  periodEnd: number | undefined
  /** The time at which that end was stated, in ms, where its sender may move it: the newest one of a payment counts. */
  periodStatedAt?: number | undefined
  /** Its sender states due days alone: the period goes to the end of the next one, which is the first day of the next period too. */
  isByDueDays?: boolean | undefined
}

/** The centavos that were agreed on with a payment: of its whole purchase, where it is a part. */
export function agreedAmount({ amount, purchaseAmount }: Partial<Pick<PaymentEvent, 'amount' | 'purchaseAmount'>>): number | undefined {
  return purchaseAmount ?? amount
}

/** A time further ahead is a wrong clock. The time of receipt counts instead. */
const MAX_AHEAD_MS = 10 * 60_000

/** The time of an event, as far as it can be believed; and the stated one, where that is another. */
export function believedTime(statedAt: number, receivedAt: number): { at: number; statedAt?: number } {
  return statedAt > receivedAt + MAX_AHEAD_MS ? { at: receivedAt, statedAt } : { at: statedAt }
}

/** Events in order, each once: by their own time, then worse events after better, then by key. The order of arrival makes no difference. */
export function inOrder(events: readonly PaymentEvent[]): PaymentEvent[] {
  const sorted = [...events].sort((a, b) => a.at - b.at || rank(a.kind) - rank(b.kind) || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
  return sorted.filter(({ key }, i) => key !== sorted[i - 1]?.key)
}

function rank(kind: PaymentKind): number {
  return PAYMENT_KINDS.indexOf(kind)
}
