import type { SubscriptionRow } from '../storage/index.ts'
import { isMethod } from './method.ts'
import type { Subscription } from './subscription.ts'
import { isSubscriptionState } from './subscription-states.ts'

export function toColumns(subscription: Subscription) {
  return {
    id: subscription.id,
    stream_id: subscription.streamId,
    number: subscription.number,
    product_id: subscription.productId ?? null,
    plan_id: subscription.planId ?? null,
    email: subscription.email ?? null,
    user_id: subscription.userId ?? null,
    product_user: subscription.productUser ?? null,
    link_closed_at: subscription.linkClosedAt ?? null,
    state: subscription.state,
    method: subscription.method ?? null,
    period_end: subscription.periodEnd ?? null,
    grace_from: subscription.graceFrom ?? null,
    access_until: Number.isFinite(subscription.accessUntil) ? subscription.accessUntil : null,
    changed_at: subscription.changedAt,
  }
}

export function toSubscription(row: SubscriptionRow): Subscription {
  if (!isSubscriptionState(row.state)) throw new Error(`a subscription in an unknown state: ${row.state}`)
  return {
    id: row.id,
    streamId: row.stream_id,
    number: row.number,
    productId: row.product_id ?? undefined,
    planId: row.plan_id ?? undefined,
    email: row.email ?? undefined,
    isBuyerForgotten: row.email === null && row.email_hash !== null,
    ...toLinks(row),
    state: row.state,
    method: isMethod(row.method) ? row.method : undefined,
    periodEnd: row.period_end ?? undefined,
    graceFrom: row.grace_from ?? undefined,
    accessUntil: row.access_until ?? Number.POSITIVE_INFINITY,
    changedAt: row.changed_at,
  }
}

export function toLinks(row: Pick<SubscriptionRow, 'user_id' | 'product_user' | 'link_closed_at'>) {
  return {
    userId: row.user_id ?? undefined,
    productUser: row.product_user ?? undefined,
    linkClosedAt: row.link_closed_at ?? undefined,
  }
}
