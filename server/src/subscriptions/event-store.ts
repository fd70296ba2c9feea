import type { Queryable, SubscriptionEventRow } from '../storage/index.ts'
import { isMethod, isPaymentKind, type PaymentEvent } from './payment-event.ts'
import type { Line, LineKey } from './subscription.ts'

export function eventStore(db: Queryable) {
  return {
    /** The line of this key, made if it was missing, and held until the transaction ends: news is added to a line by one at a time. */
    async holdLine(
      { source, ref }: LineKey,
      { id, productId, at }: { id: string; productId: string | undefined; at: number },
    ): Promise<Line> {
      const row = await db
        .insertInto('subscription_lines')
        .values({ id, source, ref, product_id: productId ?? null, buyer_forgotten_at: null, created_at: at })
        .onConflict((conflict) =>
          conflict
            .columns(['source', 'ref'])
            .doUpdateSet((e) => ({ product_id: e.fn.coalesce('subscription_lines.product_id', e.ref('excluded.product_id')) })),
        )
        .returning(['id', 'product_id', 'buyer_forgotten_at'])
        .executeTakeFirstOrThrow()
      return { id: row.id, productId: row.product_id ?? undefined, isNew: row.id === id, isBuyerForgotten: row.buyer_forgotten_at !== null }
    },
    /** Keeps a piece of news; `false` when the line has it already. */
    async add(
      lineId: string,
      event: PaymentEvent,
      { notificationId, at }: { notificationId: string | undefined; at: number },
    ): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('subscription_events')
        .values({
          line_id: lineId,
          key: event.key,
          kind: event.kind,
          at: event.at,
          plan_id: event.planId ?? null,
          email: event.email ?? null,
          payment_id: event.paymentId ?? null,
          amount: event.amount ?? null,
          method: event.method ?? null,
          period_end: event.periodEnd ?? null,
          notification_id: notificationId ?? null,
          recorded_at: at,
        })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow()
      return numInsertedOrUpdatedRows === 1n
    },
    /** All that is known of a line, in no order. */
    async list(lineId: string): Promise<PaymentEvent[]> {
      return (await db.selectFrom('subscription_events').selectAll().where('line_id', '=', lineId).execute()).map(toEvent)
    },
  }
}

function toEvent(row: SubscriptionEventRow): PaymentEvent {
  if (!isPaymentKind(row.kind)) throw new Error(`news of an unknown kind: ${row.kind}`)
  return {
    key: row.key,
    kind: row.kind,
    at: row.at,
    planId: row.plan_id ?? undefined,
    email: row.email ?? undefined,
    paymentId: row.payment_id ?? undefined,
    amount: row.amount ?? undefined,
    method: isMethod(row.method) ? row.method : undefined,
    periodEnd: row.period_end ?? undefined,
  }
}
