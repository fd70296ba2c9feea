import { lostBy, openDispute, type PaymentEvent, subjectOf, takeWon } from '../../payment-history/index.ts'
import { leftOf, type Moved, type Paid, statedBy } from './paid.ts'

/** A dispute may be of a part of the payment. Who speaks of the whole payment does not know of which. */
export function dispute(payment: Paid, event: PaymentEvent): Moved {
  const { all } = payment.disputes
  const stated = statedBy(event, payment) ?? Number.POSITIVE_INFINITY
  const amount = Math.min(stated, leftOf(payment))
  const whole = all.get(undefined)
  let moved: Moved = {}
  openDispute(payment.disputes, event, () => {
    moved = { disputes: 1, disputed: amount }
    return { amount, isLost: false }
  })
  if (!whole || all.has(undefined) || stated >= whole.amount) return moved
  const less = stated - whole.amount
  whole.amount = stated
  return { disputed: less, ...(whole.isLost && { lost_in_disputes: less }) }
}

export function lose(payment: Paid, event: PaymentEvent): Moved {
  const unheard = () => ({ amount: Number.POSITIVE_INFINITY, isLost: false })
  const lost = lostBy(payment.disputes, event, unheard)
  const stated = lost.length === 1 ? statedBy(event, payment) : undefined
  let sum = 0
  for (const one of lost) {
    const before = one.isLost ? one.amount : 0
    const mayBeMore = !one.isLost && subjectOf(event) !== undefined
    const amount = mayBeMore ? (stated ?? one.amount) : Math.min(stated ?? one.amount, one.amount)
    one.amount = Math.min(amount, leftOf(payment) + before)
    one.isLost = true
    sum += one.amount - before
  }
  return { lost_in_disputes: sum }
}

export function win(payment: Paid, event: PaymentEvent): Moved {
  const { won, back } = takeWon(payment.disputes, event)
  const lostAgain = back.filter(({ isLost }) => isLost)
  let sum = -won.reduce((lost, { amount, isLost }) => lost + (isLost ? amount : 0), 0)
  for (const one of lostAgain) one.isLost = false
  for (const one of lostAgain) {
    // Money may have been given back in between.
    one.amount = Math.min(one.amount, leftOf(payment))
    one.isLost = true
    sum += one.amount
  }
  return { lost_in_disputes: sum }
}
