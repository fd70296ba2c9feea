import type { PaymentEvent } from '../../payment-history/index.ts'
import { REAIS } from '../currency.ts'
import { leftOf, type Moved, type Paid } from './paid.ts'

export function refund(payment: Paid, event: PaymentEvent): Moved {
  const left = leftOf(payment)
  if (payment.amount !== undefined && payment.amount > 0 && left === 0) return {}
  if (payment.amount === undefined && payment.refunds > 0) return {}
  const more = givenBackNow(payment, event)
  if (more !== undefined && more <= 0) return {}
  const value = Math.min(more ?? (event.kind === 'partially_refunded' ? 0 : left), left)
  payment.refunded += value
  payment.refunds += 1
  return { refunds: 1, refunded: value }
}

/**
 * A gateway reports in every refund what it has given back of the payment so far; the own checkout and the operator what they give back
 * now.
 */
function givenBackNow({ currency, refunded }: Paid, event: PaymentEvent): number | undefined {
  const { amount, foreign, isOwn } = event
  const stated = currency === REAIS ? amount : foreign?.currency === currency ? foreign.amount : undefined
  return stated === undefined || isOwn || isOperators(event) ? stated : stated - refunded
}

/** The money stayed with the seller. */
export function takeRefundsBack(payment: Paid): Moved {
  const moved = { refunds: -payment.refunds, refunded: -payment.refunded }
  Object.assign(payment, { refunds: 0, refunded: 0 })
  return moved
}

export function isOperators({ key }: PaymentEvent): boolean {
  return key.startsWith('operator:')
}
