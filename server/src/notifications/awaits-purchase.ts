import { listAwaitingPurchase } from '../payment-history/index.ts'
import type { Queryable } from '../storage/index.ts'
import type { Notification } from './notification.ts'

/**
 * The reason that a processed notification shows while its purchase is not known here. The notification is kept, and counts once the
 * purchase comes. The reason is worked out at each look and stored nowhere, since a purchase may come by any way.
 */
export const AWAITS_PURCHASE = 'awaits_purchase'

/** The notification, with that reason where it has it. */
export async function withShownReason(db: Queryable, notification: Notification): Promise<Notification> {
  const { id, status } = notification
  if (status !== 'processed') return notification
  return (await listAwaitingPurchase(db, [id])).has(id) ? { ...notification, why: AWAITS_PURCHASE } : notification
}
