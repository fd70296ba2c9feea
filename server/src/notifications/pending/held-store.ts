import { type AmountMismatch, aliasSource, type NormalizedEvent, normalizedEvent } from '../../payment-history/index.ts'
import type { Queryable } from '../../storage/index.ts'
import type { NotificationOutcome, NotificationStatus } from '../notification.ts'
import { mismatchIn, statusIn } from '../notification-row.ts'

/** A notification that waits, its row held. */
export interface HeldNotification {
  /** The gateway or sender that gave its payment the names. */
  source: string
  normalized: NormalizedEvent
  status: NotificationStatus
  why: string | undefined
  /** Only if it is applied without its plan. */
  subscriptionId: string | undefined
  mismatch: AmountMismatch | undefined
}

/** Notifications that wait, or whose gateway is asked, each held until the transaction ends. */
export function heldNotificationStore(db: Queryable) {
  return {
    /** The normalized event of a pending notification at this moment; `undefined` when it does not wait. */
    async readPending(id: string): Promise<NormalizedEvent | undefined> {
      const row = await db
        .selectFrom('notifications')
        .select('normalized')
        .where('id', '=', id)
        .where('processed_at', 'is', null)
        .executeTakeFirst()
      return row?.normalized ? normalizedEvent.parse(JSON.parse(row.normalized)) : undefined
    },
    /** The normalized event of a pending notification, its row held until the transaction ends; else `undefined`. */
    async holdPending(id: string): Promise<HeldNotification | undefined> {
      const row = await db
        .updateTable('notifications')
        .set((e) => ({ status: e.ref('status') }))
        .where('id', '=', id)
        .where('normalized', 'is not', null)
        .where('processed_at', 'is', null)
        .returning(['source', 'normalized', 'status', 'why', 'subscription_id', 'paid_amount', 'plan_price'])
        .executeTakeFirst()
      if (!row?.normalized) return undefined
      const normalized = normalizedEvent.parse(JSON.parse(row.normalized))
      return {
        source: aliasSource(row.source, normalized),
        normalized,
        status: statusIn(row),
        why: row.why ?? undefined,
        subscriptionId: row.subscription_id ?? undefined,
        mismatch: mismatchIn(row),
      }
    },
    /** Whether the gateway of a notification was being asked, or had been given up, its row held as above. */
    async holdAsked(id: string): Promise<boolean> {
      const row = await db
        .updateTable('notifications')
        .set((e) => ({ status: e.ref('status') }))
        .where('id', '=', id)
        .where((e) => e.or([e('status', '=', 'failed'), e.and([e('status', '=', 'unresolved'), e('why', '=', 'awaiting_gateway')])]))
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },
  }
}

/** The outcome that leaves a pending notification as it is. */
export function asItWas({ status, normalized, why, subscriptionId, mismatch }: HeldNotification): NotificationOutcome {
  return {
    status,
    normalized,
    ...(why !== undefined && { why }),
    ...(subscriptionId !== undefined && { subscriptionId }),
    ...(mismatch && { mismatch }),
  }
}
