import type { PaymentKind } from '../../payment-history/index.ts'
import type { StoredDelivery } from '../gateway.ts'
import type { GatewayEvent } from '../gateway-event.ts'
import { parseBrazilTime } from './brazil-time.ts'
import { isOurs } from './offer.ts'
import { type AsaasEvent, type Charge, parseEvent, type ReceivedEvent } from './payload.ts'
import { toGatewayEvent, toSubscriptionEvent } from './to-event.ts'

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

export function parse(stored: StoredDelivery): GatewayEvent | 'fetch' | 'ignored' {
  const event = parseEvent(stored.body)
  if (!event) return 'ignored'
  const { payment, subscription } = event
  if (subscription && cancellations.has(event.event)) return toSubscriptionEvent(subscription, 'canceled', receivedIn(event, stored))
  if (subscription && event.event === 'SUBSCRIPTION_UPDATED') return 'fetch'
  const kind = believed.get(event.event)
  if (payment && kind) return toGatewayEvent(payment, kind, receivedIn(event, stored))
  return payment && isAsked(event.event, payment) ? 'fetch' : 'ignored'
}

function isAsked(event: string, payment: Charge): boolean {
  const kind = asked.get(event)
  return kind !== undefined && (isOurs(payment) || isReversal(kind)) && !isPaidAtOnce(event, payment)
}

/** About a payment that was made; no effect unless that payment is known. */
export function isReversal(kind: PaymentKind): boolean {
  return kind === 'refunded' || kind === 'partially_refunded' || kind === 'disputed' || kind === 'dispute_won'
}

/** A new charge to a card is confirmed or refused at once, by events of its own. */
function isPaidAtOnce(event: string, { billingType }: Charge): boolean {
  return event === 'PAYMENT_CREATED' && (billingType === 'CREDIT_CARD' || billingType === 'DEBIT_CARD')
}

export function receivedIn({ id, event, dateCreated }: AsaasEvent, { receivedAt }: StoredDelivery): ReceivedEvent {
  return { id, event, at: parseBrazilTime(dateCreated) ?? receivedAt }
}
