import { fetchById } from '../adapter-kit/fetch-by-id.ts'
import type { GatewayApi } from '../gateway.ts'
import type { GatewayEvent } from '../gateway-event.ts'
import { findBilledAt } from './bill.ts'
import { historyOfOrder } from './events/to-order-event.ts'
import { historyOfPayment, subscriptionOf } from './events/to-payment-event.ts'
import { historyOfPreapproval, toInvoiceEvent } from './events/to-subscription-event.ts'
import { idAt, listAt, parseId, textAt, timeAt } from './fields.ts'
import { findSubscription } from './find-subscription.ts'

export interface Asking {
  api: GatewayApi
  /** The time of receipt, in ms, for objects that state none. */
  otherwiseAt: number
}

export async function fetchPayment(id: string, { api, otherwiseAt }: Asking, charge?: unknown): Promise<GatewayEvent | 'ignored'> {
  const payment = await fetchById(api, `/v1/payments/${id}`, id)
  const preapproval = await findSubscription(subscriptionOf(payment) ?? idAt(charge, 'preapproval_id'), api)
  const billedAt = await findBilledAt(payment, { preapproval, charge }, api)
  return withHistory(historyOfPayment(payment, { preapproval, billedAt, otherwiseAt }))
}

/** The last event is the reported one; the earlier ones may never have arrived. */
function withHistory(history: readonly GatewayEvent[]): GatewayEvent | 'ignored' {
  const [now, ...before] = history.toReversed()
  if (!now) return 'ignored'
  return before.length === 0 ? now : { ...now, alsoHappened: before }
}

export async function fetchOrder(id: string, { api, otherwiseAt }: Asking): Promise<GatewayEvent | 'ignored'> {
  return withHistory(historyOfOrder(await fetchById(api, `/v1/orders/${id}`, id), { otherwiseAt }))
}

export async function fetchPreapproval(id: string, { api, otherwiseAt }: Asking): Promise<GatewayEvent | 'ignored'> {
  return withHistory(historyOfPreapproval(await fetchById(api, `/preapproval/${id}`, id), { otherwiseAt }))
}

/** A charge of a subscription. Once it has a payment, the payment reports it, so that the notifications of both are one event. */
export async function fetchInvoice(id: string, asking: Asking): Promise<GatewayEvent | 'ignored'> {
  const invoice = await fetchById(asking.api, `/authorized_payments/${id}`, id)
  const paymentId = idAt(invoice, 'payment', 'id')
  if (paymentId !== undefined) return fetchPayment(paymentId, asking, invoice)
  const preapproval = await findSubscription(idAt(invoice, 'preapproval_id'), asking.api)
  return toInvoiceEvent(invoice, { preapproval, otherwiseAt: asking.otherwiseAt })
}

/** The outcome of a chargeback shows in the state of its payment. */
export async function fetchChargeback(id: string, asking: Asking): Promise<GatewayEvent | 'ignored'> {
  const [payment] = listAt(await fetchById(asking.api, `/v1/chargebacks/${id}`, id), 'payments')
  const paymentId = parseId(textAt({ payment }, 'payment')) ?? idAt(payment, 'id')
  return paymentId === undefined ? 'ignored' : fetchPayment(paymentId, asking)
}

/**
 * A mediation that the merchant wins leaves its payment approved, without a trace: only the claim shows that there was one, and that it is
 * over.
 */
export async function fetchClaim(id: string, asking: Asking): Promise<GatewayEvent | 'ignored'> {
  const claim = await fetchById(asking.api, `/post-purchase/v1/claims/${id}`, id)
  const paymentId = textAt(claim, 'resource') === 'payment' ? idAt(claim, 'resource_id') : undefined
  if (paymentId === undefined) return 'ignored'
  const gatewayEvent = await fetchPayment(paymentId, asking)
  const isOver = ['closed', 'cancelled'].includes(textAt(claim, 'status') ?? '')
  if (gatewayEvent === 'ignored' || gatewayEvent.kind !== 'paid' || !isOver) return gatewayEvent
  const endedAt = timeAt(claim, 'last_updated')
  const occurredAt = endedAt ?? asking.otherwiseAt
  return {
    ...gatewayEvent,
    key: `payment ${paymentId} claim ${id} dispute_won ${endedAt ?? ''}`,
    kind: 'dispute_won',
    occurredAt,
    periodEnd: undefined,
    alsoHappened: [gatewayEvent],
  }
}
