import type { SubscriptionEventRow } from '../../storage/index.ts'
import { isMethod } from '../../subscriptions/index.ts'
import { readForeign } from './foreign-amount.ts'
import { isPaymentKind, type PaymentEvent } from './payment-event.ts'

export function toEvent(row: SubscriptionEventRow & { source?: string | null }): PaymentEvent {
  if (!isPaymentKind(row.kind)) throw new Error(`events of an unknown kind: ${row.kind}`)
  return {
    key: row.key,
    kind: row.kind,
    at: row.at,
    planId: row.plan_id ?? undefined,
    email: row.email ?? undefined,
    ...(row.source === 'purchase' && { isOwn: true }),
    ...(row.source === 'asaas' && { isByDueDays: true }),
    paymentId: row.payment_id ?? undefined,
    amount: row.amount ?? undefined,
    ...(row.foreign_amount !== null && { foreign: readForeign(row.foreign_amount) }),
    ...(row.period_price !== null && { periodPrice: row.period_price }),
    ...(row.purchase_amount !== null && { purchaseAmount: row.purchase_amount }),
    method: isMethod(row.method) ? row.method : undefined,
    periodStart: row.period_start ?? undefined,
    periodEnd: row.period_end ?? undefined,
    ...(row.period_stated_at !== null && { periodStatedAt: row.period_stated_at }),
  }
}
