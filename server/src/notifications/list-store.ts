import { sql } from 'kysely'
import type { Queryable } from '../storage/index.ts'
import type { Notification, NotificationStatus } from './notification.ts'
import { toNotification } from './notification-row.ts'
import { isNotProcessed, withSuccessors } from './store.ts'

export interface NotificationFilter {
  source?: string
  productId?: string
  status?: NotificationStatus
  event?: string
  subject?: string
  /** Received at or after, ms. */
  since?: number
}

/** The open notifications of one source and product: for the operator, for their gateway, or given up. */
export interface OpenNotifications {
  source: string
  productId: string | undefined
  state: 'unresolved' | 'awaiting_gateway' | 'failed'
  count: number
}

/** Notifications as the operator lists them. */
export function notificationListStore(db: Queryable) {
  return {
    /** Newest first, `limit` at most; `cursor` is the id of the last one of the page before. */
    async list({
      limit,
      cursor,
      source,
      productId,
      status,
      event,
      subject,
      since,
    }: NotificationFilter & { limit: number; cursor?: string }): Promise<Notification[]> {
      let query = withSuccessors(db).orderBy('notifications.id', 'desc').limit(limit)
      if (cursor !== undefined) query = query.where('notifications.id', '<', cursor)
      if (source !== undefined) query = query.where('source', '=', source)
      if (productId !== undefined) query = query.where('product_id', '=', productId)
      if (status !== undefined) query = query.where('status', '=', status)
      if (status !== undefined && status !== 'processed') query = query.where(isNotProcessed())
      if (event !== undefined) query = query.where('event', '=', event)
      if (subject !== undefined) query = query.where('subject', '=', subject)
      if (since !== undefined) query = query.where('received_at', '>=', since)
      return (await query.execute()).map(toNotification)
    },
    /** The number of notifications that are not processed, by source and by what they wait for. */
    async countOpen(): Promise<OpenNotifications[]> {
      const state = sql<
        OpenNotifications['state']
      >`case when status = 'failed' then 'failed' when why = 'awaiting_gateway' then 'awaiting_gateway' else 'unresolved' end`
      const rows = await db
        .selectFrom('notifications')
        .select((e) => ['source', 'product_id', state.as('state'), e.fn.countAll().as('count')])
        .where('status', 'in', ['unresolved', 'failed'] satisfies NotificationStatus[])
        .where(isNotProcessed())
        .groupBy(['source', 'product_id', state])
        .execute()
      return rows.map(({ source, product_id, state, count }) => ({
        source,
        productId: product_id ?? undefined,
        state,
        count: Number(count),
      }))
    },
  }
}
