import type { Moved, Paid } from './paid.ts'

export function receive(payment: Paid): Moved {
  if (payment.isReceived) return {}
  payment.isReceived = true
  return received(payment, 1)
}

/** A payment of nothing, as of a trial, is none. */
function received({ amount }: Paid, sign: 1 | -1): Moved {
  if (amount === 0) return {}
  if (amount === undefined) return { payments: sign, payments_without_amount: sign }
  return { payments: sign, received: sign * amount }
}

/** It was noted by mistake: the money never came. */
export function undo(payment: Paid): Moved {
  if (!payment.isReceived) return {}
  payment.isReceived = false
  return received(payment, -1)
}
