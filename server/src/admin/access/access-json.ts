import { isoTime } from '../../kit/index.ts'
import { decisiveEvent, type SubscriptionHistory } from '../../payment-history/index.ts'
import { entitlementOf, type Plan, type Subscription } from '../../subscriptions/index.ts'
import { amountJson } from '../subscriptions/paid-for.ts'

interface Named {
  id: string
  slug: string
  name: string
}

/** The objects that the subscriptions of an answer refer to, by ids. */
export interface Known {
  products: ReadonlyMap<string, Named>
  plans: ReadonlyMap<string, Pick<Plan, 'slug' | 'name'>>
  /** The events of streams. */
  histories: ReadonlyMap<string, SubscriptionHistory['events']>
  now: number
}

/** A subscription with the event and the payment on which its access rests. */
export function purchaseJson(subscription: Subscription, known: Known) {
  const { id, planId, method, periodEnd, graceFrom, accessUntil, changedAt } = subscription
  const entitlement = entitlementOf(subscription, known.now)
  const events = known.histories.get(subscription.streamId) ?? []
  const { event, payment } = decisiveEvent(events, { reason: entitlement.reason, until: changedAt })
  const plan = planId === undefined ? undefined : known.plans.get(planId)
  return {
    ...productJson(subscription.productId, known),
    product_id: subscription.productId ?? null,
    ...entitlement,
    plan_slug: plan?.slug ?? null,
    plan_name: plan?.name ?? null,
    ...amountJson(payment),
    method: method ?? null,
    current_period_end: isoTime(periodEnd),
    grace_until: graceFrom === undefined ? null : isoTime(accessUntil),
    subscription_id: id,
    event: event?.kind ?? null,
    event_at: isoTime(event?.at),
    by_operator: event?.key.startsWith('operator:') ?? false,
    notification_id: event?.notificationId ?? null,
  }
}

export function productJson(productId: string | undefined, { products }: Pick<Known, 'products'>) {
  const product = productId === undefined ? undefined : products.get(productId)
  return { product: product?.slug ?? null, product_name: product?.name ?? null }
}
