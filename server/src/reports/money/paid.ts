import type { Money } from '../currency.ts'

/** A movement of money at a moment. Amounts in the smallest unit of the currency. */
export interface Movement {
  at: number
  name: 'payments' | 'payments_without_amount' | 'received' | 'refunds' | 'refunded' | 'disputes' | 'disputed' | 'lost_in_disputes'
  planId: string | undefined
  currency: string
  value: number
}

/** A payment as far as its events are read. */
export interface Paid extends Money {
  planId: string | undefined
  isReceived: boolean
  isDisputed: boolean
  refunded: number
  refunds: number
  lost: number
}

export type Moved = Partial<Record<Movement['name'], number>>

export function leftOf({ amount = 0, refunded, lost }: Paid): number {
  return Math.max(0, amount - refunded - lost)
}
