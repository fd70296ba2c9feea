import type { Queryable } from '../storage/index.ts'
import { isMethod, type Method } from './method.ts'
import { isSubscriptionState, type SubscriptionState } from './subscription-states.ts'

/** A subscription as its user sees it. Times in ms. */
export interface UserPurchase {
  id: string
  streamId: string
  plan: { name: string; slug: string; price: number } | undefined
  /** The name of the product it was bought for. */
  product: string | undefined
  /** The product's own id of the user. */
  productUser: string | undefined
  email: string | undefined
  state: SubscriptionState
  method: Method | undefined
  periodEnd: number | undefined
  graceFrom: number | undefined
  /** `Infinity` where nothing runs out. */
  accessUntil: number
  changedAt: number
  createdAt: number
}

/** An event of a stream, without the address that it names. */
export interface UserPurchaseEvent {
  streamId: string
  kind: string
  at: number
  paymentId: string | undefined
  /** Centavos. */
  amount: number | undefined
  /** In another currency, as it is stored: `USD 1990`. */
  foreignAmount: string | undefined
  method: string | undefined
  periodEnd: number | undefined
  notificationId: string | undefined
}

/** The purchases that are linked to a user's account. */
export function userPurchaseStore(db: Queryable) {
  return {
    /** The names of paid subscriptions that are neither canceled nor over, so may be charged again. */
    async listGoingOn(userId: string, limit: number): Promise<Array<{ plan: string | undefined; product: string | undefined }>> {
      const rows = await db
        .selectFrom('subscriptions')
        .innerJoin('event_streams', 'event_streams.id', 'stream_id')
        .leftJoin('plans', 'plans.id', 'plan_id')
        .leftJoin('products', 'products.id', 'subscriptions.product_id')
        .select(['plans.name as plan', 'products.name as product'])
        .where('user_id', '=', userId)
        .where('state', 'in', ['active', 'past_due'] satisfies SubscriptionState[])
        .where('source', '!=', 'operator')
        .orderBy('subscriptions.id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(({ plan, product }) => ({ plan: plan ?? undefined, product: product ?? undefined }))
    },
    /** Newest first; `cursor` is the id of the last one of the page before. */
    async list(userId: string, { limit, cursor }: { limit: number; cursor?: string | undefined }): Promise<UserPurchase[]> {
      let query = db
        .selectFrom('subscriptions')
        .leftJoin('plans', 'plans.id', 'subscriptions.plan_id')
        .leftJoin('products', 'products.id', 'subscriptions.product_id')
        .selectAll('subscriptions')
        .select(['plans.name as plan_name', 'plans.slug as plan_slug', 'price', 'products.name as product_name'])
        .where('user_id', '=', userId)
        .orderBy('subscriptions.id', 'desc')
        .limit(limit)
      if (cursor !== undefined) query = query.where('subscriptions.id', '<', cursor)
      return (await query.execute()).map((row) => ({
        id: row.id,
        streamId: row.stream_id,
        plan: row.plan_name === null ? undefined : { name: row.plan_name, slug: row.plan_slug ?? '', price: row.price ?? 0 },
        product: row.product_name ?? undefined,
        productUser: row.product_user ?? undefined,
        email: row.email ?? undefined,
        state: stateOf(row.state),
        method: isMethod(row.method) ? row.method : undefined,
        periodEnd: row.period_end ?? undefined,
        graceFrom: row.grace_from ?? undefined,
        accessUntil: row.access_until ?? Number.POSITIVE_INFINITY,
        changedAt: row.changed_at,
        createdAt: row.created_at,
      }))
    },
    /** Every event of these streams, oldest first. */
    async listEvents(streamIds: readonly string[]): Promise<UserPurchaseEvent[]> {
      if (streamIds.length === 0) return []
      const rows = await db
        .selectFrom('subscription_events')
        .selectAll()
        .where('stream_id', 'in', streamIds)
        .orderBy('at')
        .orderBy('key')
        .execute()
      return rows.map((row) => ({
        streamId: row.stream_id,
        kind: row.kind,
        at: row.at,
        paymentId: row.payment_id ?? undefined,
        amount: row.amount ?? undefined,
        foreignAmount: row.foreign_amount ?? undefined,
        method: row.method ?? undefined,
        periodEnd: row.period_end ?? undefined,
        notificationId: row.notification_id ?? undefined,
      }))
    },
  }
}

function stateOf(text: string): SubscriptionState {
  if (!isSubscriptionState(text)) throw new Error(`a subscription in an unknown state: ${text}`)
  return text
}
