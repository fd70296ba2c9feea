import { lostBy, openDispute, type PaymentEvent, takeWon } from '../../payment-history/index.ts'
import { leftOf, type Moved, type Paid, statedBy } from './paid.ts'

/** A dispute may be of a part of the payment. */
export function dispute(payment: Paid, event: PaymentEvent): Moved {
  const amount = Math.min(statedBy(event, payment) ?? Number.POSITIVE_INFINITY, leftOf(payment))
  let moved: Moved = {}
  openDispute(payment.disputes, event, () => {
    moved = { disputes: 1, disputed: amount }
    return { amount, isLost: false }
  })
  return moved
}

export function lose(payment: Paid, event: PaymentEvent): Moved {
  const unheard = () => ({ amount: Number.POSITIVE_INFINITY, isLost: false })
  const lost = lostBy(payment.disputes, event, unheard).filter(({ isLost }) => !isLost)
  const stated = lost.length === 1 ? statedBy(event, payment) : undefined
  let sum = 0
  for (const one of lost) {
    one.amount = Math.min(stated ?? one.amount, leftOf(payment))
    one.isLost = true
    sum += one.amount
  }
  return { lost_in_disputes: sum }
}

export function win(payment: Paid, event: PaymentEvent): Moved {
  const won = takeWon(payment.disputes, event)
  return { lost_in_disputes: -won.reduce((sum, { amount, isLost }) => sum + (isLost ? amount : 0), 0) }
}
