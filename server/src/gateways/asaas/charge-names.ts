import type { PaymentKind } from '../../payment-history/index.ts'
import { centavosOfReais } from '../adapter-kit/money.ts'
import type { Charge, ReceivedEvent } from './payload.ts'

/** Receipt in cash can be undone, and the same charge be paid in another way. Here they are two payments. */
export function ownIdOf(charge: Charge, received: ReceivedEvent | undefined): string {
  return isOfCash(charge) || received?.event === 'PAYMENT_RECEIVED_IN_CASH_UNDONE' ? `${charge.id}:cash` : charge.id
}

/**
 * The installments of a purchase are one payment: the first one pays for all, and a refund is of the whole. Each unpaid installment is a
 * failure of its own.
 */
export function isOfWhole({ id, subscription, installment }: Charge, kind: PaymentKind, own: string): boolean {
  const isUnpaid = kind === 'payment_pending' || kind === 'payment_failed' || kind === 'payment_expired'
  return installment !== undefined && subscription === undefined && own === id && !isUnpaid
}

/**
 * Distinguishes events of one kind about one payment: overdue on another day, another partial refund, removed and restored, received in
 * cash and undone again.
 */
export function again(charge: Charge, kind: PaymentKind, received: ReceivedEvent | undefined): string[] {
  if (kind === 'payment_undone' || (kind === 'paid' && isOfCash(charge))) return [received?.id ?? charge.paymentDate ?? '']
  if (kind === 'payment_failed') return [charge.dueDate ?? '']
  if (kind === 'partially_refunded') return [String(refundedOf(charge) ?? received?.id)]
  return received && (kind === 'payment_expired' || received.event === 'PAYMENT_RESTORED') ? [received.id] : []
}

function isOfCash({ status, billingType }: Charge): boolean {
  return status === 'RECEIVED_IN_CASH' || billingType === 'RECEIVED_IN_CASH'
}

/** The refunded amount so far, in centavos; `undefined` if Asaas does not state it. */
export function refundedOf({ refunds }: Charge): number | undefined {
  const amounts = refunds.filter(({ status }) => status === 'DONE').map(({ value }) => centavosOfReais(value) ?? 0)
  return amounts.length === 0 ? undefined : amounts.reduce((a, b) => a + b, 0)
}
