import { sql } from 'kysely'
import { z } from 'zod'
import { type EventStreamRow, prepare, type Queryable, type SubscriptionEventRow } from '../../storage/index.ts'
import { isMethod } from '../method.ts'
import type { StreamKey } from '../subscription.ts'
import type { EventStream } from './event-stream.ts'
import { addedAgain, isMore, joined, type PlanBy } from './merge-events-store.ts'
import { isPaymentKind, type PaymentEvent, type PaymentKind } from './payment-event.ts'

export function eventStore(db: Queryable) {
  return {
    /**
     * The stream of this key, made if it was missing (then with these `planRefs`), and held until the transaction ends: events are added to
     * a stream by one at a time.
     */
    async holdStream(
      { source, ref }: StreamKey,
      {
        id,
        productId,
        planRefs = [],
        at,
      }: { id: string; productId: string | undefined; planRefs: readonly string[] | undefined; at: number },
    ): Promise<EventStream> {
      const plan_refs = planRefs.length === 0 ? null : JSON.stringify(planRefs)
      const [row] = (await holdStream(db, { id, source, ref, product_id: productId ?? null, plan_refs, created_at: at })).rows
      if (!row) throw new Error('a stream just held is not there')
      return { ...toStream(row), isNew: row.id === id }
    },
    /** A stream that is there, held in the same way, and where its events come from. */
    async holdById(id: string): Promise<{ source: string; stream: EventStream }> {
      const row = await db
        .updateTable('event_streams')
        .set((e) => ({ ref: e.ref('ref') }))
        .where('id', '=', id)
        .returning(['source', ...LINE])
        .executeTakeFirstOrThrow()
      return { source: row.source, stream: { ...toStream(row), isNew: false } }
    },
    /** Whether anything is known of a stream. */
    async hasStream({ source, ref }: StreamKey): Promise<boolean> {
      const row = await db.selectFrom('event_streams').select('id').where('source', '=', source).where('ref', '=', ref).executeTakeFirst()
      return row !== undefined
    },
    /** The gateway's ids by which payments of a stream named what was bought. */
    async listPlanRefs({ source, ref }: StreamKey): Promise<string[]> {
      const row = await db
        .selectFrom('event_streams')
        .select('plan_refs')
        .where('source', '=', source)
        .where('ref', '=', ref)
        .executeTakeFirst()
      return parseRefs(row?.plan_refs ?? null)
    },
    /** Of a stream that is held. */
    async setPlanRefs(streamId: string, refs: readonly string[]): Promise<void> {
      await db
        .updateTable('event_streams')
        .set({ plan_refs: JSON.stringify(refs) })
        .where('id', '=', streamId)
        .execute()
    },
    /** Whether a stream has an event of a payment. */
    async hasPayment(streamId: string, paymentId: string | undefined): Promise<boolean> {
      if (paymentId === undefined) return false
      const of = db.selectFrom('subscription_events').select('key').where('stream_id', '=', streamId).where('payment_id', '=', paymentId)
      return (await of.limit(1).executeTakeFirst()) !== undefined
    },
    /** Whether streams of a source have been told that one of these is paid. */
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
     * Whether a stream has this event with all that it says. Of its time there may be a more exact word: a list can name a day where the
     * delivery named the second.
     */
    async has({ source, ref }: StreamKey, event: PaymentEvent, planBy: PlanBy): Promise<boolean> {
      const { at: _, ...said } = joined[planBy]
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
     * Keeps an event. Of events that the stream has already, it keeps what the first telling left out; where the two differ, the result
     * does not depend on which came first, and `planBy` says whose plan it is. Answers the payment's id as the stream has it now, where
     * anything was written: what was told before may name another.
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
        method: event.method ?? null,
        period_start: event.periodStart ?? null,
        period_end: event.periodEnd ?? null,
        notification_id: notificationId ?? null,
        recorded_at: at,
      })
      return rows[0]?.payment_id ?? undefined
    },
    /** What a notification brought to a subscription's stream, by its own time. */
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
    /** All that is known of a stream, in no order. */
    async list(streamId: string): Promise<PaymentEvent[]> {
      return (await listEvents(db, { streamId })).rows.map(toEvent)
    },
  }
}

/** An account that the operator has given a purchase to keeps it, whatever its address is. */
const IS_LEFT = sql<number | null>`(select case when s.link_closed_at is null and u.email <> s.email then 1 end from subscriptions as s
  left join users as u on u.id = s.user_id where s.stream_id = event_streams.id order by s.number desc limit 1)`

/** The events of a source's streams, also where a stream has become part of another. */
function eventsOf(db: Queryable, source: string) {
  return db
    .selectFrom('event_streams')
    .innerJoin('subscription_events', (join) => join.on((e) => e('stream_id', '=', e.fn.coalesce('merged_into', 'event_streams.id'))))
    .select('key')
    .where('source', '=', source)
}

const LINE = ['id', 'ref', 'product_id', 'buyer_forgotten_at', 'merged_into', 'plan_refs', IS_LEFT.as('is_left')] as const

function toStream(row: Omit<EventStreamRow, 'source' | 'created_at'> & { is_left: number | null }): Omit<EventStream, 'isNew'> {
  return {
    id: row.id,
    ref: row.ref,
    productId: row.product_id ?? undefined,
    isLeft: row.is_left === 1,
    isBuyerForgotten: row.buyer_forgotten_at !== null,
    mergedInto: row.merged_into ?? undefined,
    planRefs: parseRefs(row.plan_refs),
  }
}

const holdStream = prepare(
  (db, { id, source, ref, product_id, plan_refs, created_at }: Omit<EventStreamRow, 'buyer_forgotten_at' | 'merged_into'>) =>
    db
      .insertInto('event_streams')
      .values({ id, source, ref, product_id, plan_refs, created_at, buyer_forgotten_at: null, merged_into: null })
      .onConflict((conflict) =>
        conflict
          .columns(['source', 'ref'])
          .doUpdateSet((e) => ({ product_id: e.fn.coalesce('event_streams.product_id', e.ref('excluded.product_id')) })),
      )
      .returning(LINE),
)

const listEvents = prepare((db, { streamId }: { streamId: string }) => withSource(db).where('stream_id', '=', streamId))

/** Events, and where the notification came from that brought each. */
export function withSource(db: Queryable) {
  return db
    .selectFrom('subscription_events')
    .leftJoin('notifications', 'notifications.id', 'notification_id')
    .selectAll('subscription_events')
    .select('notifications.source')
}

const addEvent = { either: addingBy('either'), known: addingBy('known'), added: addingBy('added') } satisfies Record<PlanBy, unknown>

function addingBy(planBy: PlanBy) {
  const both = joined[planBy]
  return prepare((db, row: SubscriptionEventRow) =>
    insertEvent(db, row)
      .onConflict((conflict) => conflict.columns(['stream_id', 'key']).doUpdateSet(both).where(isMore(both)))
      .returning('payment_id'),
  )
}

const refsSchema = z.array(z.string())

function parseRefs(json: string | null): string[] {
  return json === null ? [] : refsSchema.parse(JSON.parse(json))
}

function insertEvent(db: Queryable, row: SubscriptionEventRow) {
  return db.insertInto('subscription_events').values({
    stream_id: row.stream_id,
    key: row.key,
    kind: row.kind,
    at: row.at,
    plan_id: row.plan_id,
    email: row.email,
    payment_id: row.payment_id,
    amount: row.amount,
    method: row.method,
    period_start: row.period_start,
    period_end: row.period_end,
    notification_id: row.notification_id,
    recorded_at: row.recorded_at,
  })
}

export function toEvent(row: SubscriptionEventRow & { source?: string | null }): PaymentEvent {
  if (!isPaymentKind(row.kind)) throw new Error(`events of an unknown kind: ${row.kind}`)
  return {
    key: row.key,
    kind: row.kind,
    at: row.at,
    planId: row.plan_id ?? undefined,
    email: row.email ?? undefined,
    ...(row.source === 'purchase' && { isOwn: true }),
    paymentId: row.payment_id ?? undefined,
    amount: row.amount ?? undefined,
    method: isMethod(row.method) ? row.method : undefined,
    periodStart: row.period_start ?? undefined,
    periodEnd: row.period_end ?? undefined,
  }
}
