import { entitlementOf, type UserPurchase, type UserPurchaseEvent } from '../subscriptions/index.ts'
import type { User } from '../users/index.ts'
import { isoTime } from './labels.ts'

export function purchaseJson(purchase: UserPurchase, { email }: User, events: readonly UserPurchaseEvent[], at: number) {
  const { plan, accessUntil, graceFrom } = purchase
  const payments = events.filter(({ streamId }) => streamId === purchase.streamId)
  return {
    id: purchase.id,
    plan_slug: plan?.slug ?? null,
    plan_name: plan?.name ?? null,
    price: plan?.price ?? null,
    product: purchase.product ?? null,
    product_user: purchase.productUser ?? null,
    bought_with_own_address: purchase.email === email,
    ...entitlementOf(purchase, at),
    method: purchase.method ?? null,
    current_period_end: isoTime(purchase.periodEnd),
    grace_until: graceFrom === undefined ? null : isoTime(accessUntil),
    changed_at: isoTime(purchase.changedAt),
    recorded_at: isoTime(purchase.createdAt),
    events: payments.map(({ kind, at: when, paymentId, amount, foreignAmount, method, periodEnd }) => ({
      kind,
      at: isoTime(when),
      payment_id: paymentId ?? null,
      amount: amount ?? null,
      foreign_amount: foreignAmount ?? null,
      method: method ?? null,
      period_end: isoTime(periodEnd),
    })),
  }
}
