import { GATEWAYS } from '../../products/index.ts'
import type { Queryable } from '../../storage/index.ts'
import type { SearchResult } from './search-result.ts'

/** Of each kind; more than these are found on the kind's own page. */
const MOST = 10

type SubscriptionBy = 'id' | 'stream_id' | 'email' | 'email_hash'
type NotificationBy = 'id' | 'digest' | 'subject'

/** The look-ups of a search among payments: each by an index and none sorted, so that no database chooses a slower plan. */
export function searchStore(db: Queryable) {
  return {
    async listSubscriptions(by: SubscriptionBy, values: readonly string[]): Promise<SearchResult[]> {
      if (values.length === 0) return []
      const rows = await db
        .selectFrom('subscriptions')
        .leftJoin('plans', 'plans.id', 'plan_id')
        .select(['subscriptions.id', 'state', 'email', 'user_id', 'plans.name'])
        .where(`subscriptions.${by}`, 'in', values)
        .limit(MOST)
        .execute()
      return rows.map(({ id, state, email, user_id, name }) => ({
        type: 'subscription',
        id,
        title: email ?? id,
        subtitle: name ?? '',
        state,
        userId: user_id ?? undefined,
      }))
    },
    /** With the user whose subscription they changed, else the one whose verified address they name. */
    async listNotifications(by: NotificationBy, values: readonly string[]): Promise<SearchResult[]> {
      if (values.length === 0) return []
      const rows = await db
        .selectFrom('notifications')
        .leftJoin('merged_subscriptions as merged', 'merged.id', 'subscription_id')
        .leftJoin('subscriptions', (join) => join.on((e) => e('subscriptions.id', '=', e.fn.coalesce('successor_id', 'subscription_id'))))
        .leftJoin('users', (join) => join.onRef('users.email', '=', 'subject').on('users.email_verified_at', 'is not', null))
        .select(['notifications.id', 'event', 'source', 'status', 'subject'])
        .select((e) => e.fn.coalesce('subscriptions.user_id', 'users.id').as('user_id'))
        .where(`notifications.${by}`, 'in', values)
        .limit(MOST)
        .execute()
      return rows.map(({ id, event, source, status, subject, user_id }) => ({
        type: 'notification',
        id,
        title: event,
        subtitle: [source, subject].filter((part) => part !== null).join(' · '),
        state: status,
        userId: user_id ?? undefined,
      }))
    },
    /** The streams of subscriptions and payments with this name: any name of our own checkout, or a gateway's within a product. */
    async findLines(name: string, productIds: readonly string[]): Promise<string[]> {
      const refs = [name, ...productIds.flatMap((id) => [`${id} subscription ${name}`, `${id} payment ${name}`])]
      const rows = await db
        .selectFrom('event_streams')
        .select((e) => e.fn.coalesce('merged_into', 'id').as('id'))
        .where('source', 'in', ['purchase', ...GATEWAYS])
        .where('ref', 'in', refs)
        .limit(MOST)
        .execute()
      return rows.map(({ id }) => id)
    },
    /** The streams of payments with this as any name, also an order's or an invoice's. */
    async findLinesOfPayment(name: string, productIds: readonly string[]): Promise<string[]> {
      if (productIds.length === 0) return []
      const rows = await db
        .selectFrom('gateway_payments')
        .innerJoin('event_streams', (join) => join.onRef('source', '=', 'gateway').onRef('ref', '=', 'stream_ref'))
        .select((e) => e.fn.coalesce('merged_into', 'event_streams.id').as('id'))
        .where('gateway', 'in', GATEWAYS)
        .where('gateway_payments.product_id', 'in', productIds)
        .where('alias', '=', name)
        .limit(MOST)
        .execute()
      return rows.map(({ id }) => id)
    },
    /** The users with this phone, in E.164. */
    async findUsersByPhone(phones: readonly string[]): Promise<string[]> {
      const rows = await db.selectFrom('users_company').select('user_id').where('phone', 'in', phones).limit(MOST).execute()
      return rows.map(({ user_id }) => user_id)
    },
    /** The subscriptions of these notifications. */
    async listSubscriptionsOf(notificationIds: readonly string[]): Promise<string[]> {
      if (notificationIds.length === 0) return []
      const rows = await db
        .selectFrom('notifications')
        .leftJoin('merged_subscriptions as merged', 'merged.id', 'subscription_id')
        .select((e) => e.fn.coalesce('successor_id', 'subscription_id').as('id'))
        .where('notifications.id', 'in', notificationIds)
        .execute()
      return rows.flatMap(({ id }) => id ?? [])
    },
    /** The users with this keyed hash of a tax id. */
    async findUserByTaxId(hash: string): Promise<string | undefined> {
      const row = await db.selectFrom('users_company').select('user_id').where('tax_id_hash', '=', hash).executeTakeFirst()
      return row?.user_id
    },
  }
}
