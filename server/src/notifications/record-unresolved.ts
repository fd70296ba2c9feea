import { isRecorded, listHearing, recordEvent } from '../app-events/index.ts'
import { isoTime } from '../kit/index.ts'
import type { Transaction } from '../storage/index.ts'
import { notificationStore } from './store.ts'

/**
 * Records that a notification needs the operator, in the transaction that finds so: once, however often it is tried again. The event says
 * nothing of the buyer. `productId`: for a notification that came to no product's address, the one that it names.
 */
export async function recordUnresolved(
  tx: Transaction,
  id: string,
  { why, productId, at }: { why: string; productId: string | undefined; at: number },
): Promise<void> {
  if ((await listHearing(tx, 'purchase.unresolved')).length === 0) return
  const notification = await notificationStore(tx).findById(id)
  if (!notification || (await isRecorded(tx, 'purchase.unresolved', id))) return
  const { source, event, receivedAt } = notification
  const product = notification.productId ?? productId
  const data = { product_id: product ?? null, notification_id: id, source, event, reason: why, received_at: isoTime(receivedAt) }
  await recordEvent(tx, { type: 'purchase.unresolved', productId: product, subject: id, sequence: at, data }, at)
}
