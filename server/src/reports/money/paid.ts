import { type Disputes, noDisputes, type PaymentEvent } from '../../payment-history/index.ts'
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

/** A payment as far as its events are read. */
export interface Paid extends Money {
  planId: string | undefined
  isReceived: boolean
  refunds: Refunds
  /** What its gateway reports of its refunds, and what the own checkout and the operator do: often the same money. */
  byGateway: Refunds & { soFar: SoFar }
  byOwner: Refunds
  /** By what was disputed. */
  disputes: Disputes<Dispute>
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

export function newPaid(money: Money, planId: string | undefined): Paid {
  const byGateway = { ...noRefunds(), soFar: new Map() }
  return { ...money, planId, isReceived: false, refunds: noRefunds(), byGateway, byOwner: noRefunds(), disputes: noDisputes() }
}

export function noRefunds(): Refunds {
  return { count: 0, amount: 0, isWhole: false }
}

/** The amount that the seller still has. It is 0 where the amount of the payment is not known. */
export function leftOf({ amount = 0, refunds, disputes }: Paid): number {
  const lost = [...disputes.all.values()].reduce((sum, one) => sum + (one.isLost ? one.amount : 0), 0)
  return Math.max(0, amount - refunds.amount - lost)
}

/** The amount that an event states, in the currency of its payment. */
export function statedBy({ amount, foreign }: PaymentEvent, { currency }: Money): number | undefined {
  return currency === REAIS ? amount : foreign?.currency === currency ? foreign.amount : undefined
}
