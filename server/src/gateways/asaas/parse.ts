import type { StoredDelivery } from '../gateway.ts'
import type { GatewayEvent } from '../gateway-event.ts'
import { parseBrazilTime } from './brazil-time.ts'
import { refundKindOf } from './charge-kind.ts'
import { asked, believed, cancellations, isReversal } from './delivered-kinds.ts'
import { isOurs } from './offer.ts'
import { type AsaasEvent, type Charge, parseEvent, type ReceivedEvent } from './payload.ts'
import { toGatewayEvent, toSubscriptionEvent } from './to-event.ts'

export function parse(stored: StoredDelivery): GatewayEvent | 'fetch' | 'ignored' {
  const event = parseEvent(stored.body)
  if (!event) return 'ignored'
  const { payment, subscription } = event
  if (subscription && cancellations.has(event.event)) return toSubscriptionEvent(subscription, 'canceled', receivedIn(event, stored))
  if (subscription && event.event === 'SUBSCRIPTION_UPDATED') return 'fetch'
  const kind = believed.get(event.event)
  if (payment && kind) return toGatewayEvent(payment, kind === 'refunded' ? refundKindOf(payment) : kind, receivedIn(event, stored))
  return payment && isAsked(event.event, payment) ? 'fetch' : 'ignored'
}

function isAsked(event: string, payment: Charge): boolean {
  const kind = asked.get(event)
  return kind !== undefined && (isOurs(payment) || isReversal(kind)) && !isPaidAtOnce(event, payment)
}

/** A new charge to a card is confirmed or refused at once, by events of its own. */
function isPaidAtOnce(event: string, { billingType }: Charge): boolean {
  return event === 'PAYMENT_CREATED' && (billingType === 'CREDIT_CARD' || billingType === 'DEBIT_CARD')
}

export function receivedIn({ id, event, dateCreated }: AsaasEvent, { receivedAt }: StoredDelivery): ReceivedEvent {
  return { id, event, at: parseBrazilTime(dateCreated) ?? receivedAt }
}
