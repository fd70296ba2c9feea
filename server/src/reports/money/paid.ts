import { type Disputes, noDisputes, type PaymentEvent, subjectOf } from '../../payment-history/index.ts'
import { type Money, REAIS } from '../currency.ts'

/** By how much figures of money change. Amounts in the smallest unit of the currency. */
export type Moved = Partial<
  Record<
    'payments' | 'payments_without_amount' | 'received' | 'refunds' | 'refunded' | 'disputes' | 'disputed' | 'lost_in_disputes',
    number
  >
>

/** An event's changes of the figures of money, and the payment that they are about. */
export interface Movement {
  at: number
  /** Of the payment, as the fold has it, and as its sender. */
  payment: string
  paymentId: string | undefined
  planId: string | undefined
  currency: string
  moved: Moved
  /** Whether the amount of the payment is known, and the event states one. */
  isKnown: boolean
}

/** A payment as far as its events are read. `amount`: of one in parts, what was received of it so far. */
export interface Paid extends Money {
  parts: Parts | undefined
  planId: string | undefined
  isReceived: boolean
  refunds: Refunds
  /** What its gateway reports of its refunds, and what the own checkout and the operator do: often the same money. */
  byGateway: Refunds & { soFar: SoFar }
  byOwner: Refunds
  /** By what was disputed. */
  disputes: Disputes<Dispute>
}

/** A purchase that is paid in parts, each by itself. */
export interface Parts {
  /** The amount of all of them. */
  whole: number
  /** The amounts that were received, by charge. `undefined` is the key of an amount of no single part. */
  received: Map<string | undefined, number>
}

/** The amount given back so far, by charge. Under `undefined` stands that of the whole payment, which an order states. */
export type SoFar = Map<string | undefined, number>

export interface Refunds {
  count: number
  amount: number
  /** Nothing is left to be given back, whatever the amount. */
  isWhole: boolean
}

export interface Dispute {
  amount: number
  isLost: boolean
}

export function newPaid(money: Money, { planId, isInParts }: { planId: string | undefined; isInParts: boolean }): Paid {
  const byGateway = { ...noRefunds(), soFar: new Map() }
  const parts = isInParts ? { whole: money.amount ?? 0, received: new Map() } : undefined
  const received = { ...money, ...(parts && { amount: 0 }), parts, isReceived: false }
  return { ...received, planId, refunds: noRefunds(), byGateway, byOwner: noRefunds(), disputes: noDisputes() }
}

export function noRefunds(): Refunds {
  return { count: 0, amount: 0, isWhole: false }
}

/** The amount that the seller still has. It is 0 where the amount of the payment is not known. */
export function leftOf({ amount = 0, refunds, disputes }: Paid): number {
  const lost = [...disputes.all.values()].reduce((sum, one) => sum + (one.isLost ? one.amount : 0), 0)
  return Math.max(0, amount - refunds.amount - lost)
}

/** The amount that an event states, in the currency of its payment. Of a part no more than it can take back. */
export function statedBy(event: PaymentEvent, payment: Paid): number | undefined {
  const { amount, foreign } = event
  const { currency } = payment
  const stated = currency === REAIS ? amount : foreign?.currency === currency ? foreign.amount : undefined
  return stated === undefined ? undefined : Math.min(stated, mostOf(event, payment))
}

/**
 * The most that an event can take back of a part: what was received of it. A refund can't take what a dispute has taken, nor a dispute what
 * a refund has.
 */
function mostOf(event: PaymentEvent, { parts, byGateway, disputes }: Paid): number {
  const subject = parts && subjectOf(event)
  if (!parts || subject === undefined) return Number.POSITIVE_INFINITY
  const { amount = 0, isLost = false } = disputes.all.get(subject) ?? {}
  const gone = event.kind.endsWith('refunded') ? (isLost ? amount : 0) : (byGateway.soFar.get(subject) ?? 0)
  return Math.max(0, (parts.received.get(subject) ?? 0) + (parts.received.get(undefined) ?? 0) - gone)
}
