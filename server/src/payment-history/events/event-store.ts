import { prepare, type Queryable } from '../../storage/index.ts'
import type { StreamKey } from '../../subscriptions/index.ts'
import { addEvent } from './add-event-store.ts'
import { toEvent } from './event-row.ts'
import { writeForeign } from './foreign-amount.ts'
import { addedAgain, isMore, joined, type PlanBy } from './merge-events-store.ts'
import type { PaymentEvent, PaymentKind } from './payment-event.ts'

export function eventStore(db: Queryable) {
  return {
    /** Whether a stream has an event of a payment. */
    async hasPayment(streamId: string, paymentId: string | undefined): Promise<boolean> {
      if (paymentId === undefined) return false
      const of = db.selectFrom('subscription_events').select('key').where('stream_id', '=', streamId).where('payment_id', '=', paymentId)
      return (await of.limit(1).executeTakeFirst()) !== undefined
    },
    /** Whether streams of a source have an event that one of these is paid. */
    async hasPaid(source: string, refs: readonly string[], paymentIds: ReadonlyArray<string | undefined>): Promise<boolean> {
      const known = paymentIds.filter((id) => id !== undefined)
      if (known.length === 0) return false
      const row = await eventsOf(db, source)
        .where('ref', 'in', refs)
        .where('payment_id', 'in', known)
        .where('kind', '=', 'paid' satisfies PaymentKind)
        .limit(1)
        .executeTakeFirst()
      return row !== undefined
    },
    /** Whether any events of a stream says which plan it is. */
    async hasPlan({ source, ref }: StreamKey): Promise<boolean> {
      const row = await eventsOf(db, source).where('ref', '=', ref).where('plan_id', 'is not', null).limit(1).executeTakeFirst()
      return row !== undefined
    },
    /**
     * Whether a stream has this event with all its data. The stored time may be more exact: a list can name a day where the delivery named
     * the second. The same end that is stated again is no other end.
     */
    async has({ source, ref }: StreamKey, event: PaymentEvent, planBy: PlanBy): Promise<boolean> {
      const { at: _, period_stated_at: _again, ...said } = joined[planBy]
      const row = await db
        .selectFrom('event_streams')
        .innerJoin('subscription_events', 'subscription_events.stream_id', 'event_streams.id')
        .innerJoin(addedAgain({ source, ref }, event), (join) => join.onTrue())
        .select('subscription_events.key')
        .where('source', '=', source)
        .where('ref', '=', ref)
        .where('subscription_events.key', '=', event.key)
        .where((e) => e.not(isMore(said)))
        .executeTakeFirst()
      return row !== undefined
    },
    /**
     * Keeps an event. If the stream has it already, the two are joined; the result does not depend on which came first, and `planBy` says
     * whose plan counts. Answers the stored id of the payment, if anything was written: an earlier copy may name another payment.
     */
    async add(
      streamId: string,
      event: PaymentEvent,
      { notificationId, at, planBy }: { notificationId: string | undefined; at: number; planBy: PlanBy },
    ): Promise<string | undefined> {
      const { rows } = await addEvent[planBy](db, {
        stream_id: streamId,
        key: event.key,
        kind: event.kind,
        at: event.at,
        plan_id: event.planId ?? null,
        email: event.email ?? null,
        payment_id: event.paymentId ?? null,
        amount: event.amount ?? null,
        foreign_amount: event.foreign ? writeForeign(event.foreign) : null,
        period_price: event.periodPrice ?? null,
        purchase_amount: event.purchaseAmount ?? null,
        method: event.method ?? null,
        period_start: event.periodStart ?? null,
        period_end: event.periodEnd ?? null,
        period_stated_at: event.periodStatedAt ?? null,
        notification_id: notificationId ?? null,
        recorded_at: at,
      })
      return rows[0]?.payment_id ?? undefined
    },
    /** The events that a notification brought to a subscription's stream, by their own time. */
    async listOfNotification(notificationId: string, subscriptionId: string): Promise<PaymentEvent[]> {
      const rows = await db
        .selectFrom('subscriptions')
        .innerJoin('subscription_events', 'subscription_events.stream_id', 'subscriptions.stream_id')
        .selectAll('subscription_events')
        .where('subscriptions.id', '=', subscriptionId)
        .where('notification_id', '=', notificationId)
        .orderBy('subscription_events.at')
        .execute()
      return rows.map(toEvent)
    },
    /** The time of the newest event of a stream before a time, in ms. */
    async newestBefore(streamId: string, before: number): Promise<number | undefined> {
      const row = await db
        .selectFrom('subscription_events')
        .select('at')
        .where('stream_id', '=', streamId)
        .where('at', '<', before)
        .orderBy('at', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row?.at
    },
    /** Every event of a stream, in no order. */
    async list(streamId: string): Promise<PaymentEvent[]> {
      return (await listEvents(db, { streamId })).rows.map(toEvent)
    },
  }
}

/** The events of a source's streams, also where a stream has become part of another. */
function eventsOf(db: Queryable, source: string) {
  return db
    .selectFrom('event_streams')
    .innerJoin('subscription_events', (join) => join.on((e) => e('stream_id', '=', e.fn.coalesce('merged_into', 'event_streams.id'))))
    .select('key')
    .where('source', '=', source)
}

const listEvents = prepare((db, { streamId }: { streamId: string }) => withSource(db).where('stream_id', '=', streamId))

/** Events, and where the notification came from that brought each. */
export function withSource(db: Queryable) {
  return db
    .selectFrom('subscription_events')
    .leftJoin('notifications', 'notifications.id', 'notification_id')
    .selectAll('subscription_events')
    .select('notifications.source')
}
