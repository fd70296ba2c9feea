import type { PaymentKind } from '../../payment-history/index.ts'
import { endOfBrazilDay, parseBrazilTime, startOfBrazilDay, toBrazilDay } from './brazil-time.ts'
import type { Charge } from './payload.ts'

/** Asaas states no time: a time later than every clock, which is replaced by the time of receipt (`believedTime` of subscriptions). */
export const WHEN_RECEIVED = Number.MAX_SAFE_INTEGER

export function timeOf(charge: Charge, kind: PaymentKind, happenedAt: number | undefined): number {
  if (kind === 'paid') return timePaid(charge, happenedAt)
  if (happenedAt !== undefined) return happenedAt
  if (kind === 'payment_pending') return startOfBrazilDay(charge.dateCreated) ?? WHEN_RECEIVED
  if (kind === 'payment_failed') return endOfBrazilDay(charge.dueDate) ?? WHEN_RECEIVED
  const refunds = kind === 'refunded' || kind === 'partially_refunded' || kind === 'dispute_lost' ? charge.refunds : []
  return refunds.reduce((latest, { dateCreated }) => Math.max(latest, parseBrazilTime(dateCreated) ?? 0), 0) || WHEN_RECEIVED
}

/**
 * A card is RECEIVED 32 days after it was CONFIRMED: events between the two come after the payment, in whichever order they arrive. For
 * cash the merchant can state any day in the past, so there the event's own time counts.
 */
function timePaid(charge: Charge, happenedAt: number | undefined): number {
  const isCash = charge.status === 'RECEIVED_IN_CASH'
  const day = isCash ? undefined : (charge.confirmedDate ?? charge.clientPaymentDate ?? charge.paymentDate)
  const isOfThatDay = happenedAt !== undefined && day === toBrazilDay(happenedAt)
  return (isOfThatDay ? happenedAt : startOfBrazilDay(day)) ?? happenedAt ?? WHEN_RECEIVED
}
