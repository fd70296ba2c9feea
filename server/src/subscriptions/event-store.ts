import { sql } from 'kysely'
import { z } from 'zod'
import { prepare, type Queryable, type SubscriptionEventRow, type SubscriptionLineRow } from '../storage/index.ts'
import { addedAgain, isMore, joined, type PlanBy } from './merge-events-store.ts'
import { isMethod, isPaymentKind, type PaymentEvent, type PaymentKind } from './payment-event.ts'
import type { Line, LineKey } from './subscription.ts'

export function eventStore(db: Queryable) {
  return {
    /** The line of this key, made if it was missing (then with these `planRefs`), and held until the transaction ends: events is added to a line by one at a time. */
    async holdLine(
      { source, ref }: LineKey,
      {
        id,
        productId,
        planRefs = [],
        at,
      }: { id: string; productId: string | undefined; planRefs: readonly string[] | undefined; at: number },
    ): Promise<Line> {
      const plan_refs = planRefs.length === 0 ? null : JSON.stringify(planRefs)
      const [row] = (await holdLine(db, { id, source, ref, product_id: productId ?? null, plan_refs, created_at: at })).rows
      if (!row) throw new Error('a line just held is not there')
      return { ...toLine(row), isNew: row.id === id }
    },
    /** A line that is there, held in the same way, and where its events comes from. */
    async holdById(id: string): Promise<{ source: string; line: Line }> {
      const row = await db
        .updateTable('subscription_lines')
        .set((e) => ({ ref: e.ref('ref') }))
        .where('id', '=', id)
        .returning(['source', ...LINE])
        .executeTakeFirstOrThrow()
      return { source: row.source, line: { ...toLine(row), isNew: false } }
    },
    /** Whether anything is known of a line. */
    async hasLine({ source, ref }: LineKey): Promise<boolean> {
      const row = await db
        .selectFrom('subscription_lines')
        .select('id')
        .where('source', '=', source)
        .where('ref', '=', ref)
        .executeTakeFirst()
      return row !== undefined
    },
    /** The gateway's ids by which payments of a line named what was bought. */
    async listPlanRefs({ source, ref }: LineKey): Promise<string[]> {
      const row = await db
        .selectFrom('subscription_lines')
        .select('plan_refs')
        .where('source', '=', source)
        .where('ref', '=', ref)
        .executeTakeFirst()
      return parseRefs(row?.plan_refs ?? null)
    },
    /** Of a line that is held. */
    async setPlanRefs(lineId: string, refs: readonly string[]): Promise<void> {
      await db
        .updateTable('subscription_lines')
        .set({ plan_refs: JSON.stringify(refs) })
        .where('id', '=', lineId)
        .execute()
    },
    /** Whether a line has an event of a payment. */
    async hasPayment(lineId: string, paymentId: string | undefined): Promise<boolean> {
      if (paymentId === undefined) return false
      const of = db.selectFrom('subscription_events').select('key').where('line_id', '=', lineId).where('payment_id', '=', paymentId)
      return (await of.limit(1).executeTakeFirst()) !== undefined
    },
    /** Whether lines of a source have been told that one of these is paid. */
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
    /** Whether any events of a line says which plan it is. */
    async hasPlan({ source, ref }: LineKey): Promise<boolean> {
      const row = await eventsOf(db, source).where('ref', '=', ref).where('plan_id', 'is not', null).limit(1).executeTakeFirst()
      return row !== undefined
    },
    /** Whether a line has this event with all that it says. Of its time there may be a more exact word: a list can name a day where the delivery named the second. */
    async has({ source, ref }: LineKey, event: PaymentEvent, planBy: PlanBy): Promise<boolean> {
      const { at: _, ...said } = joined[planBy]
      const row = await db
        .selectFrom('subscription_lines')
        .innerJoin('subscription_events', 'subscription_events.line_id', 'subscription_lines.id')
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
     * Keeps an event. Of events that the line has already, it keeps what the first telling left out; where the two differ, the result does not depend on which came
     * first, and `planBy` says whose plan it is. Answers the payment's id as the line has it now, where anything was written: what was told before may name another.
     */
    async add(
      lineId: string,
      event: PaymentEvent,
      { notificationId, at, planBy }: { notificationId: string | undefined; at: number; planBy: PlanBy },
    ): Promise<string | undefined> {
      const { rows } = await addEvent[planBy](db, {
        line_id: lineId,
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
    /** What a notification brought to a subscription's line, by its own time. */
    async listOfNotification(notificationId: string, subscriptionId: string): Promise<PaymentEvent[]> {
      const rows = await db
        .selectFrom('subscriptions')
        .innerJoin('subscription_events', 'subscription_events.line_id', 'subscriptions.line_id')
        .selectAll('subscription_events')
        .where('subscriptions.id', '=', subscriptionId)
        .where('notification_id', '=', notificationId)
        .orderBy('subscription_events.at')
        .execute()
      return rows.map(toEvent)
    },
    /** All that is known of a line, in no order. */
    async list(lineId: string): Promise<PaymentEvent[]> {
      return (await listEvents(db, { lineId })).rows.map(toEvent)
    },
  }
}

/** An account that the operator has given a purchase to keeps it, whatever its address is. */
const IS_LEFT = sql<number | null>`(select case when s.claim_closed_at is null and u.email <> s.email then 1 end from subscriptions as s
  left join users as u on u.id = s.user_id where s.line_id = subscription_lines.id order by s.number desc limit 1)`

/** The events of a source's lines, also where a line has become part of another. */
function eventsOf(db: Queryable, source: string) {
  return db
    .selectFrom('subscription_lines')
    .innerJoin('subscription_events', (join) => join.on((e) => e('line_id', '=', e.fn.coalesce('merged_into', 'subscription_lines.id'))))
    .select('key')
    .where('source', '=', source)
}

const LINE = ['id', 'ref', 'product_id', 'buyer_forgotten_at', 'merged_into', 'plan_refs', IS_LEFT.as('is_left')] as const

function toLine(row: Omit<SubscriptionLineRow, 'source' | 'created_at'> & { is_left: number | null }): Omit<Line, 'isNew'> {
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

const holdLine = prepare(
  (db, { id, source, ref, product_id, plan_refs, created_at }: Omit<SubscriptionLineRow, 'buyer_forgotten_at' | 'merged_into'>) =>
    db
      .insertInto('subscription_lines')
      .values({ id, source, ref, product_id, plan_refs, created_at, buyer_forgotten_at: null, merged_into: null })
      .onConflict((conflict) =>
        conflict
          .columns(['source', 'ref'])
          .doUpdateSet((e) => ({ product_id: e.fn.coalesce('subscription_lines.product_id', e.ref('excluded.product_id')) })),
      )
      .returning(LINE),
)

const listEvents = prepare((db, { lineId }: { lineId: string }) =>
  db
    .selectFrom('subscription_events')
    .leftJoin('notifications', 'notifications.id', 'notification_id')
    .selectAll('subscription_events')
    .select('source')
    .where('line_id', '=', lineId),
)

const addEvent = { either: addingBy('either'), known: addingBy('known'), added: addingBy('added') } satisfies Record<PlanBy, unknown>

function addingBy(planBy: PlanBy) {
  const both = joined[planBy]
  return prepare((db, row: SubscriptionEventRow) =>
    insertEvent(db, row)
      .onConflict((conflict) => conflict.columns(['line_id', 'key']).doUpdateSet(both).where(isMore(both)))
      .returning('payment_id'),
  )
}

const refsSchema = z.array(z.string())

function parseRefs(json: string | null): string[] {
  return json === null ? [] : refsSchema.parse(JSON.parse(json))
}

function insertEvent(db: Queryable, row: SubscriptionEventRow) {
  return db.insertInto('subscription_events').values({
    line_id: row.line_id,
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

function toEvent(row: SubscriptionEventRow & { source?: string | null }): PaymentEvent {
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
