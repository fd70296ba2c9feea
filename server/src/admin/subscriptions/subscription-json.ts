import { isoTime } from '../../kit/index.ts'
import { foreignText, type SubscriptionHistory } from '../../payment-history/index.ts'
import { productStore } from '../../products/index.ts'
import type { Storage } from '../../storage/index.ts'
import { entitlementOf, planStore, type Subscription } from '../../subscriptions/index.ts'
import { amountJson, paymentOf } from './paid-for.ts'

/** The slugs of plans and products, by their ids. */
export interface Names {
  plans: ReadonlyMap<string, string>
  products: ReadonlyMap<string, string>
}

/** All of them: an operator has few of each. */
export async function readNames({ storage }: { storage: Storage }): Promise<Names> {
  const plans = await planStore(storage.db).list()
  const products = await productStore(storage.db).listNames()
  return {
    plans: new Map(plans.map(({ id, slug }) => [id, slug])),
    products: new Map(products.map(({ id, slug }) => [id, slug])),
  }
}

export function subscriptionJson(subscription: Subscription, { plans, products }: Names, now: number) {
  const { planId, productId, periodEnd, graceFrom, accessUntil } = subscription
  return {
    id: subscription.id,
    state: subscription.state,
    ...entitlementOf(subscription, now),
    plan_slug: (planId === undefined ? undefined : plans.get(planId)) ?? null,
    product: (productId === undefined ? undefined : products.get(productId)) ?? null,
    product_id: productId ?? null,
    email: subscription.email ?? null,
    user_id: subscription.userId ?? null,
    product_user: subscription.productUser ?? null,
    link_closed_at: isoTime(subscription.linkClosedAt),
    method: subscription.method ?? null,
    current_period_end: isoTime(periodEnd),
    grace_until: graceFrom === undefined ? null : isoTime(accessUntil),
    changed_at: isoTime(subscription.changedAt),
  }
}

export function historyJson({ subscription, stream, ofStream, buyerForgottenAt, events }: SubscriptionHistory, names: Names, now: number) {
  return {
    ...subscriptionJson(subscription, names, now),
    ...amountJson(paymentOf(subscription, events, now)),
    source: stream.source,
    ref: stream.ref,
    number: subscription.number,
    is_newest: subscription.number === ofStream - 1,
    buyer_forgotten_at: isoTime(buyerForgottenAt),
    events: events.map((event) => ({
      at: isoTime(event.at),
      kind: event.kind,
      key: event.key,
      plan_slug: (event.planId === undefined ? undefined : names.plans.get(event.planId)) ?? null,
      payment_id: event.paymentId ?? null,
      amount: event.amount ?? null,
      foreign_amount: foreignText(event),
      method: event.method ?? null,
      period_end: isoTime(event.periodEnd),
      notification_id: event.notificationId ?? null,
    })),
  }
}
