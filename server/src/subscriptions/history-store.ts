import type { Queryable } from '../storage/index.ts'
import { eventStore } from './event-store.ts'
import { inOrder, type PaymentEvent } from './payment-event.ts'
import type { LineKey, Subscription } from './subscription.ts'
import { subscriptionStore } from './subscription-store.ts'

/** A subscription with all that was heard of its line. Times in ms. */
export interface SubscriptionHistory {
  subscription: Subscription
  line: LineKey
  /** How many subscriptions the line has: each payment after a refund opens one. */
  ofLine: number
  buyerForgottenAt: number | undefined
  /** By their own time, with the notification that brought each; the operator's deeds came without one. */
  events: Array<PaymentEvent & { notificationId: string | undefined }>
}

export async function findHistory(db: Queryable, id: string): Promise<SubscriptionHistory | undefined> {
  const subscription = await subscriptionStore(db).findById(id)
  if (!subscription) return undefined
  const { lineId } = subscription
  const line = await db.selectFrom('subscription_lines').selectAll().where('id', '=', lineId).executeTakeFirstOrThrow()
  const brought = await db.selectFrom('subscription_events').select(['key', 'notification_id']).where('line_id', '=', lineId).execute()
  const notificationIds = new Map(brought.map(({ key, notification_id }) => [key, notification_id ?? undefined]))
  const events = inOrder(await eventStore(db).list(lineId))
  return {
    subscription,
    line: { source: line.source, ref: line.ref },
    ofLine: (await subscriptionStore(db).listOfLine(lineId)).length,
    buyerForgottenAt: line.buyer_forgotten_at ?? undefined,
    events: events.map((event) => ({ ...event, notificationId: notificationIds.get(event.key) })),
  }
}
