import type { Queryable } from '../../storage/index.ts'
import type { PaymentKind } from './payment-event.ts'

const PAYS: readonly PaymentKind[] = ['paid', 'granted', 'payment_waived']
const OF_A_PAYMENT: readonly PaymentKind[] = [
  'refunded',
  'partially_refunded',
  'refund_failed',
  'disputed',
  'dispute_won',
  'dispute_lost',
  'payment_undone',
]

/**
 * Those of the notifications whose refund or dispute is kept in its stream while the payment that it is about is not known there. The fold
 * counts it once the payment arrives. As in the fold, one that names no payment is about any, and one without a name may be the payment.
 */
export async function listAwaitingPurchase(db: Queryable, notificationIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (notificationIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('notifications')
    .leftJoin('merged_subscriptions', 'merged_subscriptions.id', 'subscription_id')
    .innerJoin('subscriptions', (join) => join.on((e) => e('subscriptions.id', '=', e.fn.coalesce('successor_id', 'subscription_id'))))
    .innerJoin('subscription_events as event', (join) =>
      join.onRef('event.stream_id', '=', 'subscriptions.stream_id').onRef('event.notification_id', '=', 'notifications.id'),
    )
    .select('notifications.id')
    .where('notifications.id', 'in', notificationIds)
    .where('status', '=', 'processed')
    .where('event.kind', 'in', OF_A_PAYMENT)
    .where((e) =>
      e.not(
        e.exists(
          e
            .selectFrom('subscription_events as payment')
            .select('payment.key')
            .whereRef('payment.stream_id', '=', 'event.stream_id')
            .where('payment.kind', 'in', PAYS)
            .where((of) =>
              of.or([
                of('event.payment_id', 'is', null),
                of('payment.payment_id', 'is', null),
                of('payment.payment_id', '=', of.ref('event.payment_id')),
              ]),
            ),
        ),
      ),
    )
    .execute()
  return new Set(rows.map(({ id }) => id))
}
