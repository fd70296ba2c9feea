import { type PaymentEvent, subjectOf } from '../../payment-history/index.ts'
import type { Moved, Paid, Parts } from './paid.ts'

export function receive(payment: Paid, event: PaymentEvent): Moved {
  if (payment.parts) return receivePart(payment, payment.parts, event)
  if (payment.isReceived) return {}
  payment.isReceived = true
  return received(payment, 1)
}

/** The own checkout reports the whole; the gateway knows when each part was paid. The first part is the payment that is counted. */
function receivePart(payment: Paid, { whole, received }: Parts, event: PaymentEvent): Moved {
  const part = event.purchaseAmount === undefined ? undefined : subjectOf(event)
  const { amount: before = 0, isReceived } = payment
  const amount = Math.min(event.amount ?? 0, whole - before)
  if (event.isOwn || received.has(part) || amount <= 0) return {}
  received.set(part, amount)
  payment.amount = before + amount
  payment.isReceived = true
  for (const refunds of [payment.refunds, payment.byOwner, payment.byGateway]) refunds.isWhole = false
  return { ...(!isReceived && { payments: 1 }), received: amount }
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
  const moved = received(payment, -1)
  if (payment.parts) {
    payment.amount = 0
    payment.parts.received.clear()
  }
  return moved
}
