import { GATEWAYS } from '../../products/index.ts'
import type { Queryable } from '../../storage/index.ts'
import type { SearchResult } from './search-result.ts'

/** Of each kind: who has more of them is looked at for themselves. */
const MOST = 10

type SubscriptionBy = 'id' | 'stream_id' | 'email' | 'email_hash'
type NotificationBy = 'id' | 'digest' | 'subject'

/** What a search looks up about payments; each look-up by an index, and none sorted, so that no database thinks another way shorter. */
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
    /** With the person whose proven address they are about. */
    async listNotifications(by: NotificationBy, values: readonly string[]): Promise<SearchResult[]> {
      if (values.length === 0) return []
      const rows = await db
        .selectFrom('notifications')
        .leftJoin('users', (join) => join.onRef('users.email', '=', 'subject').on('users.email_verified_at', 'is not', null))
        .select(['notifications.id', 'event', 'source', 'status', 'subject', 'users.id as user_id'])
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
    /** The lines of subscriptions and payments that somebody calls so: our own checkout by the whole, gateways within a product. */
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
    /** The lines of payments of which this is any name, an order's or an invoice's among them. */
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
    /** Who has this phone, as E.164. */
    async findUsersByPhone(phones: readonly string[]): Promise<string[]> {
      const rows = await db.selectFrom('users_company').select('user_id').where('phone', 'in', phones).limit(MOST).execute()
      return rows.map(({ user_id }) => user_id)
    },
    /** What the subscriptions are that these notifications went to. */
    async listSubscriptionsOf(notificationIds: readonly string[]): Promise<string[]> {
      if (notificationIds.length === 0) return []
      const rows = await db.selectFrom('notifications').select('subscription_id').where('id', 'in', notificationIds).execute()
      return rows.flatMap(({ subscription_id }) => subscription_id ?? [])
    },
    /** Whose keyed hash of a tax id this is. */
    async findUserByTaxId(hash: string): Promise<string | undefined> {
      const row = await db.selectFrom('users_company').select('user_id').where('tax_id_hash', '=', hash).executeTakeFirst()
      return row?.user_id
    },
  }
}
