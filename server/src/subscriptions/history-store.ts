import type { Queryable } from '../storage/index.ts'
import { eventStore } from './event-store.ts'
import { inOrder, type PaymentEvent } from './payment-event.ts'
import type { LineKey, Subscription } from './subscription.ts'
import { subscriptionStore } from './subscription-store.ts'
import { withoutDuplicates } from './without-duplicates.ts'

/** A subscription with all that was heard of its line. Times in ms. */
export interface SubscriptionHistory {
  subscription: Subscription
  line: LineKey
  /** How many subscriptions the line has: each payment after a refund opens one. */
  ofLine: number
  buyerForgottenAt: number | undefined
  /** By their own time, with the notification that brought each; the operator's deeds came without one. A refund by the operator is one of them, whoever else told of it. */
  events: Array<PaymentEvent & { notificationId: string | undefined }>
}

export async function findHistory(db: Queryable, id: string): Promise<SubscriptionHistory | undefined> {
  const subscription = await subscriptionStore(db).findById(id)
  if (!subscription) return undefined
  const { lineId } = subscription
  const line = await db.selectFrom('subscription_lines').selectAll().where('id', '=', lineId).executeTakeFirstOrThrow()
  return {
    subscription,
    line: { source: line.source, ref: line.ref },
    ofLine: (await subscriptionStore(db).listOfLine(lineId)).length,
    buyerForgottenAt: line.buyer_forgotten_at ?? undefined,
    events: withoutDuplicates(await listEvents(db, lineId)),
  }
}

/** Of these lines, what `findHistory` leaves out since other events tells it: of each line, the keys. */
export async function listDuplicates(db: Queryable, lineIds: readonly string[]): Promise<Map<string, ReadonlySet<string>>> {
  if (lineIds.length === 0) return new Map()
  const lines = await db
    .selectFrom('subscription_events')
    .select('line_id')
    .distinct()
    .where('line_id', 'in', lineIds)
    .where('kind', '=', 'refunded')
    .where('key', 'like', 'operator:%')
    .execute()
  const left = lines.map(async ({ line_id: lineId }) => {
    const normalized = await listEvents(db, lineId)
    const shown = new Set(withoutDuplicates(normalized).map(({ key }) => key))
    return [lineId, new Set(normalized.flatMap(({ key }) => (shown.has(key) ? [] : key)))] as const
  })
  return new Map(await Promise.all(left))
}

async function listEvents(db: Queryable, lineId: string): Promise<SubscriptionHistory['events']> {
  const brought = await db.selectFrom('subscription_events').select(['key', 'notification_id']).where('line_id', '=', lineId).execute()
  const notificationIds = new Map(brought.map(({ key, notification_id }) => [key, notification_id ?? undefined]))
  const events = inOrder(await eventStore(db).list(lineId))
  return events.map((event) => ({ ...event, notificationId: notificationIds.get(event.key) }))
}
