import type { StoredDelivery } from '../gateway.ts'
import type { GatewayEvent } from '../gateway-event.ts'
import { type Asking, fetchChargeback, fetchClaim, fetchInvoice, fetchOrder, fetchPayment, fetchPreapproval } from './fetch.ts'
import { textAt } from './fields.ts'
import { signedId } from './signature.ts'

type Answer = (id: string, asking: Asking) => Promise<GatewayEvent | 'ignored'>

/**
 * The relevant topics. Left out: plans, merchant orders (their payments say the same), and `stop_delivery_op_wh`, a fraud warning: the
 * merchant's decision shows in the payment.
 */
export const TOPICS: ReadonlyMap<string, Answer> = new Map<string, Answer>([
  ['payment', fetchPayment],
  ['order', fetchOrder],
  ['subscription_preapproval', fetchPreapproval],
  ['subscription_authorized_payment', fetchInvoice],
  ['topic_chargebacks_wh', fetchChargeback],
  ['chargebacks', fetchChargeback],
  ['topic_claims_integration_wh', fetchClaim],
])

export function questionIn(stored: StoredDelivery): { id: string; answer: Answer } | undefined {
  const id = subjectOf(stored)
  const answer = TOPICS.get(topicOf(stored) ?? '')
  return id !== undefined && answer ? { id, answer } : undefined
}

export function topicOf({ body, query }: StoredDelivery): string | undefined {
  return textAt(body, 'type') ?? query.get('type') ?? undefined
}

export function subjectOf(stored: StoredDelivery): string | undefined {
  const id = signedId(stored)
  return id === 'malformed' ? undefined : id.signed
}
