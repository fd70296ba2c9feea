import { type AmountMismatch, type AppliedEvent, appliedEvent } from '../payment-history/index.ts'
import type { NotificationRow } from '../storage/index.ts'
import { NOTIFICATION_STATUSES, type Notification, type NotificationStatus } from './notification.ts'

// A notification as its row has it.

export function statusIn({ status: stored }: Pick<NotificationRow, 'status'>): NotificationStatus {
  const status = NOTIFICATION_STATUSES.find((name) => name === stored)
  if (!status) throw new Error(`a notification of an unknown status: ${stored}`)
  return status
}

export function mismatchIn({
  paid_amount: paid,
  plan_price: price,
}: Pick<NotificationRow, 'paid_amount' | 'plan_price'>): AmountMismatch | undefined {
  return paid === null || price === null ? undefined : { paid, price }
}

export function toNotification(row: NotificationRow & { successor_id: string | null }): Notification {
  return {
    id: row.id,
    source: row.source,
    productId: row.product_id ?? undefined,
    event: row.event,
    status: statusIn(row),
    why: row.why ?? undefined,
    subject: row.subject ?? undefined,
    payload: row.payload,
    buyer: row.buyer ?? undefined,
    query: row.query ?? undefined,
    subscriptionId: row.successor_id ?? row.subscription_id ?? undefined,
    receivedAt: row.received_at,
    processedAt: row.processed_at ?? undefined,
    mismatch: mismatchIn(row),
    tookMs: row.took_ms ?? undefined,
  }
}

/** Oldest first. */
export function appliedIn(applied: NotificationRow['applied']): AppliedEvent[] {
  return applied === null ? [] : applied.split('\n').map((line) => appliedEvent.parse(JSON.parse(line)))
}
