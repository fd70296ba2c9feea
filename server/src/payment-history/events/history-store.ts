import type { Queryable } from '../../storage/index.ts'
import { type StreamKey, type Subscription, subscriptionStore } from '../../subscriptions/index.ts'
import { toEvent } from './event-row.ts'
import { eventStore, withSource } from './event-store.ts'
import { inOrder, type PaymentEvent } from './payment-event.ts'
import { withPaymentFacts } from './with-payment-facts.ts'
import { withoutDuplicates } from './without-duplicates.ts'

/** A subscription with all that was heard of its stream. Times in ms. */
export interface SubscriptionHistory {
  subscription: Subscription
  stream: StreamKey
  /** The number of subscriptions of the stream: each payment after a refund opens one. */
  ofStream: number
  buyerForgottenAt: number | undefined
  /**
   * By their own time, with the notification that brought each; the operator's actions came without one. A refund by the operator is one of
   * them, whoever else reported it.
   */
  events: Array<PaymentEvent & { notificationId: string | undefined }>
}

/** The events as users read them. */
function asRead(events: SubscriptionHistory['events']): SubscriptionHistory['events'] {
  return withPaymentFacts(withoutDuplicates(events), events)
}

export async function findHistory(db: Queryable, id: string): Promise<SubscriptionHistory | undefined> {
  const subscription = await subscriptionStore(db).findById(id)
  if (!subscription) return undefined
  const { streamId } = subscription
  const stream = await db.selectFrom('event_streams').selectAll().where('id', '=', streamId).executeTakeFirstOrThrow()
  return {
    subscription,
    stream: { source: stream.source, ref: stream.ref },
    ofStream: (await subscriptionStore(db).listOfStream(streamId)).length,
    buyerForgottenAt: stream.buyer_forgotten_at ?? undefined,
    events: asRead(await listEvents(db, streamId)),
  }
}

/** The events of each of these streams, as `findHistory` shows them, by the streams' ids. One statement. */
export async function listHistories(db: Queryable, streamIds: readonly string[]): Promise<Map<string, SubscriptionHistory['events']>> {
  if (streamIds.length === 0) return new Map()
  const rows = await withSource(db).where('stream_id', 'in', streamIds).execute()
  const byStream = [...Map.groupBy(rows, ({ stream_id }) => stream_id)].map(([streamId, ofStream]) => {
    const notificationIds = new Map(ofStream.map(({ key, notification_id }) => [key, notification_id ?? undefined]))
    const events = inOrder(ofStream.map(toEvent)).map((event) => ({ ...event, notificationId: notificationIds.get(event.key) }))
    return [streamId, asRead(events)] as const
  })
  return new Map(byStream)
}

/** The keys of events, by stream, that `findHistory` leaves out because other events say the same. */
export async function listDuplicates(db: Queryable, streamIds: readonly string[]): Promise<Map<string, ReadonlySet<string>>> {
  if (streamIds.length === 0) return new Map()
  const streams = await db
    .selectFrom('subscription_events')
    .select('stream_id')
    .distinct()
    .where('stream_id', 'in', streamIds)
    .where('kind', '=', 'refunded')
    .where('key', 'like', 'operator:%')
    .execute()
  const left = streams.map(async ({ stream_id: streamId }) => {
    const normalized = await listEvents(db, streamId)
    const shown = new Set(withoutDuplicates(normalized).map(({ key }) => key))
    return [streamId, new Set(normalized.flatMap(({ key }) => (shown.has(key) ? [] : key)))] as const
  })
  return new Map(await Promise.all(left))
}

async function listEvents(db: Queryable, streamId: string): Promise<SubscriptionHistory['events']> {
  const brought = await db.selectFrom('subscription_events').select(['key', 'notification_id']).where('stream_id', '=', streamId).execute()
  const notificationIds = new Map(brought.map(({ key, notification_id }) => [key, notification_id ?? undefined]))
  const events = inOrder(await eventStore(db).list(streamId))
  return events.map((event) => ({ ...event, notificationId: notificationIds.get(event.key) }))
}
