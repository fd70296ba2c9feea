import type { PaymentKind } from '../../../payment-history/index.ts'
import type { GatewayEvent } from '../../gateway-event.ts'
import { amountAt, givenBackOf, idAt, isObject, listAt, timeAt, valueAt } from '../fields.ts'
import { planOf } from '../plan.ts'
import { kindOf, ORDERS, stateOf } from './kinds.ts'
import type { Known } from './known.ts'
import { buyerOf, methodOf } from './payer.ts'

/** GET /v1/orders/{id}. The order is what is paid, by one card or several; its payments are its other names. */
export function toOrderEvent(order: unknown, { otherwiseAt }: Pick<Known, 'otherwiseAt'>): GatewayEvent | 'ignored' {
  const orderId = idAt(order, 'id')
  const kind = kindOf(order, ORDERS)
  if (orderId === undefined || kind === undefined) return 'ignored'
  const payments = listAt(order, 'transactions', 'payments')
  const times = ['last_updated_date', 'date_last_updated', ...ORDER_CREATED].map((name) => timeAt(order, name))
  return {
    key: `order ${orderId} ${stateOf(order, kind, listAt(order, 'transactions', 'refunds').length)}`,
    kind,
    subscriptionId: undefined,
    paymentId: orderId,
    paymentAliases: payments.flatMap((payment) => [idAt(payment, 'id'), idAt(payment, 'reference', 'id')]).filter((id) => id !== undefined),
    buyer: buyerOf(order, undefined),
    ...(kind === 'partially_refunded' ? givenBackOf(order) : amountAt(order, 'total_amount')),
    method: methodOf(valueAt(payments[0], 'payment_method', 'type'), valueAt(payments[0], 'payment_method', 'id')),
    occurredAt: times.find((time) => time !== undefined) ?? otherwiseAt,
    periodEnd: undefined,
    plan: planOf(order, undefined, { isOffer: false, isOfSubscription: false }),
  }
}

const ORDER_CREATED = ['created_date', 'date_created'] as const

const PAID_BEFORE: ReadonlySet<PaymentKind> = new Set(['partially_refunded', 'refunded', 'disputed', 'dispute_won', 'dispute_lost'])

/**
 * The events that an order implies, oldest first. A refund or dispute implies a purchase first: how much of it remains is known by the
 * whole amount.
 */
export function historyOfOrder(order: unknown, known: Pick<Known, 'otherwiseAt'>): GatewayEvent[] {
  const now = toOrderEvent(order, known)
  if (now === 'ignored') return []
  if (!PAID_BEFORE.has(now.kind) || !isObject(order)) return [now]
  const made = toOrderEvent({ ...order, status: 'processed', status_detail: 'accredited' }, known)
  const createdAt = ORDER_CREATED.map((name) => timeAt(order, name)).find((time) => time !== undefined)
  return made === 'ignored' ? [now] : [{ ...made, occurredAt: createdAt ?? made.occurredAt }, now]
}
