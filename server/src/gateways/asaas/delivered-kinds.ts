import type { PaymentKind } from '../../payment-history/index.ts'

/** Events that give access or make a subscription known, with the state that the API should confirm. */
export const asked: ReadonlyMap<string, PaymentKind> = new Map<string, PaymentKind>([
  ['PAYMENT_CREATED', 'payment_pending'],
  ['PAYMENT_RESTORED', 'payment_pending'],
  ['PAYMENT_CONFIRMED', 'paid'],
  ['PAYMENT_RECEIVED', 'paid'],
  ['PAYMENT_DUNNING_RECEIVED', 'paid'],
  // The refund of a boleto was denied: the money stays.
  ['PAYMENT_REFUND_DENIED', 'paid'],
  // Another due date or value.
  ['PAYMENT_UPDATED', 'payment_pending'],
  // "Dispute won, waiting for transfer from the acquirer" (docs.asaas.com/docs/payment-events)
  ['PAYMENT_AWAITING_CHARGEBACK_REVERSAL', 'dispute_won'],
  ['SUBSCRIPTION_UPDATED', 'resumed'],
])

/** Events that take access away are believed, whatever reference the charge has by now: they have no effect unless the payment is known. */
export const believed: ReadonlyMap<string, PaymentKind> = new Map<string, PaymentKind>([
  ['PAYMENT_OVERDUE', 'payment_failed'],
  ['PAYMENT_REPROVED_BY_RISK_ANALYSIS', 'payment_failed'],
  ['PAYMENT_CREDIT_CARD_CAPTURE_REFUSED', 'payment_failed'],
  ['PAYMENT_DELETED', 'payment_expired'],
  ['PAYMENT_REFUNDED', 'refunded'],
  ['PAYMENT_PARTIALLY_REFUNDED', 'partially_refunded'],
  ['PAYMENT_RECEIVED_IN_CASH_UNDONE', 'payment_undone'],
  ['PAYMENT_CHARGEBACK_REQUESTED', 'disputed'],
  ['PAYMENT_CHARGEBACK_DISPUTE', 'disputed'],
])

/** Both stop further charges without a refund: the paid period stays. */
export const cancellations: ReadonlySet<string> = new Set(['SUBSCRIPTION_DELETED', 'SUBSCRIPTION_INACTIVATED'])

/** About a payment that was made; no effect unless that payment is known. */
export function isReversal(kind: PaymentKind): boolean {
  return REVERSALS.has(kind)
}

const REVERSALS: ReadonlySet<PaymentKind> = new Set<PaymentKind>([
  'refunded',
  'partially_refunded',
  'disputed',
  'dispute_won',
  'dispute_lost',
])
