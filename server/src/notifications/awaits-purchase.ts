import { listAwaitingPurchase } from '../payment-history/index.ts'
import type { Queryable } from '../storage/index.ts'
import type { Notification } from './notification.ts'

/**
 * What is said of a processed one whose purchase is not known here yet: it is kept, and counts once that is known. Worked out when it is
 * shown and stored nowhere, since the purchase may come by any way.
 */
export const AWAITS_PURCHASE = 'awaits_purchase'

/** The notification, with that reason where it has it. */
export async function withShownReason(db: Queryable, notification: Notification): Promise<Notification> {
  const { id, status } = notification
  if (status !== 'processed') return notification
  return (await listAwaitingPurchase(db, [id])).has(id) ? { ...notification, why: AWAITS_PURCHASE } : notification
}
