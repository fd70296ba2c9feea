import type { PaymentKind } from '../../payment-history/index.ts'
import { isPaid } from './lookups.ts'
import type { Charge } from './payload.ts'

/** The event of a charge's state. `undefined` for unknown states. */
export function kindOf(charge: Charge): PaymentKind | undefined {
  if (isPaid(charge)) return charge.chargeback?.status === 'REVERSED' ? 'dispute_won' : 'paid'
  const kind = kinds.get(charge.status ?? '')
  if (kind === 'refunded') return refundKindOf(charge)
  return charge.deleted === true && (kind === 'payment_pending' || kind === 'payment_failed') ? 'payment_expired' : kind
}

/** A lost chargeback ends with PAYMENT_REFUNDED (docs.asaas.com/docs/payment-events). */
export function refundKindOf({ chargeback }: Charge): 'refunded' | 'dispute_lost' {
  return LOST.has(chargeback?.status ?? '') ? 'dispute_lost' : 'refunded'
}

const LOST: ReadonlySet<string> = new Set(['DISPUTE_LOST', 'DONE'])

const kinds: ReadonlyMap<string, PaymentKind> = new Map<string, PaymentKind>([
  ['PENDING', 'payment_pending'],
  ['AUTHORIZED', 'payment_pending'],
  ['AWAITING_RISK_ANALYSIS', 'payment_pending'],
  ['OVERDUE', 'payment_failed'],
  ['DUNNING_REQUESTED', 'payment_failed'],
  ['REFUNDED', 'refunded'],
  ['CHARGEBACK_REQUESTED', 'disputed'],
  ['CHARGEBACK_DISPUTE', 'disputed'],
  ['AWAITING_CHARGEBACK_REVERSAL', 'dispute_won'],
])
