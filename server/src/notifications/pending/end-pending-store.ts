import { firstIdAt } from '../../kit/index.ts'
import type { Queryable } from '../../storage/index.ts'
import type { NotificationStatus, Unresolved } from '../notification.ts'
import type { AccountKey } from './pending-store.ts'

/** Notifications that wait for a payment that may never come. */
export function endPendingStore(db: Queryable) {
  return {
    /** Notifications that have waited for their payment since before a time (ms): the oldest, after an id. */
    async listForPayment({ before, after, limit }: { before: number; after: string; limit: number }): Promise<string[]> {
      const rows = await db
        .selectFrom('pending_notifications')
        .innerJoin('notifications', 'notifications.id', 'notification_id')
        .select('notification_id')
        .distinct()
        .where('notification_id', '>', after)
        .where('notification_id', '<', firstIdAt(before))
        .where('status', '=', 'ignored' satisfies NotificationStatus)
        .where('why', '=', 'unknown_payment' satisfies Unresolved)
        .where('processed_at', 'is', null)
        .orderBy('notification_id')
        .limit(limit)
        .execute()
      return rows.map(({ notification_id }) => notification_id)
    },
    /** Every name of the notifications that wait under any of these, with the reason and the time (ms) of receipt. */
    async listTogether(
      { source, productId }: AccountKey,
      names: readonly string[],
    ): Promise<Array<{ name: string; why: string | undefined; receivedAt: number }>> {
      const rows = await db
        .selectFrom('pending_notifications as found')
        .innerJoin('notifications', 'notifications.id', 'found.notification_id')
        .innerJoin('pending_notifications as together', 'together.notification_id', 'found.notification_id')
        .select(['together.name', 'why', 'received_at'])
        .where('found.name', 'in', names)
        .where('found.product_id', '=', productId)
        .where('found.gateway', '=', source)
        .where('normalized', 'is not', null)
        .where('processed_at', 'is', null)
        .execute()
      return rows.map(({ name, why, received_at }) => ({ name, why: why ?? undefined, receivedAt: received_at }))
    },
  }
}
