import { leftOf, type Moved, type Paid } from './paid.ts'

export function dispute(payment: Paid): Moved {
  if (payment.isDisputed) return {}
  payment.isDisputed = true
  return { disputes: 1, disputed: leftOf(payment) }
}

export function lose(payment: Paid): Moved {
  const lost = leftOf(payment)
  payment.lost += lost
  payment.isDisputed = false
  return { lost_in_disputes: lost }
}

/** On appeal, even after it was lost. */
export function win(payment: Paid): Moved {
  const { lost } = payment
  Object.assign(payment, { lost: 0, isDisputed: false })
  return { lost_in_disputes: -lost }
}
