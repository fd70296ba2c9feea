import type { PaymentKind } from '../../../payment-history/index.ts'
import { textAt } from '../fields.ts'

/** A state of theirs, alone or with its `status_detail`, and its event here. */
export type Kinds = ReadonlyMap<string, PaymentKind>

const CHARGEBACKS = [
  ['charged_back', 'disputed'],
  ['charged_back/settled', 'dispute_lost'],
  ['charged_back/reimbursed', 'dispute_won'],
] as const

export const PAYMENTS: Kinds = new Map<string, PaymentKind>([
  ['pending', 'payment_pending'],
  ['in_process', 'payment_pending'],
  ['authorized', 'payment_pending'],
  ['approved', 'paid'],
  ['approved/partially_refunded', 'partially_refunded'],
  ['rejected', 'payment_failed'],
  ['cancelled', 'payment_expired'],
  ['refunded', 'refunded'],
  ['in_mediation', 'disputed'],
  ...CHARGEBACKS,
])

export const ORDERS: Kinds = new Map<string, PaymentKind>([
  ['created', 'payment_pending'],
  ['processing', 'payment_pending'],
  ['action_required', 'payment_pending'],
  ['at_terminal', 'payment_pending'],
  ['processed', 'paid'],
  ['closed/paid', 'paid'],
  ['processed/partially_refunded', 'partially_refunded'],
  // Orders of Checkout Pro stay `processed` after a full refund.
  ['processed/refunded', 'refunded'],
  // "The transaction was not successful and will not be completed."
  ['failed', 'payment_expired'],
  ['canceled', 'payment_expired'],
  ['cancelled', 'payment_expired'],
  ['expired', 'payment_expired'],
  ['refunded', 'refunded'],
  ...CHARGEBACKS,
])

/** `authorized` means that charging is allowed, not that anything was paid. It takes back a pause and grants nothing. */
export const PREAPPROVALS: Kinds = new Map<string, PaymentKind>([
  ['pending', 'payment_pending'],
  ['authorized', 'resumed'],
  ['paused', 'canceled'],
  ['cancelled', 'canceled'],
])

/** Charges without a payment so far. */
export const INVOICES: Kinds = new Map<string, PaymentKind>([
  ['recycling', 'payment_failed'],
  ['cancelled', 'payment_expired'],
])

export function kindOf(thing: unknown, kinds: Kinds): PaymentKind | undefined {
  const status = textAt(thing, 'status')
  return kinds.get(`${status}/${textAt(thing, 'status_detail')}`) ?? kinds.get(`${status}`)
}

/** Two copies with an equal state are duplicates. A mediation and a chargeback are two disputes, two partial refunds are two events. */
export function stateOf(thing: unknown, kind: PaymentKind, refunded: number | undefined): string {
  return `${textAt(thing, 'status')} ${kind}${kind === 'partially_refunded' ? ` ${refunded}` : ''}`
}
