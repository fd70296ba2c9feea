import { prepare, type Queryable, type SubscriptionEventRow } from '../../storage/index.ts'
import { isMore, joined, type PlanBy } from './merge-events-store.ts'

export const addEvent = { either: addingBy('either'), known: addingBy('known'), added: addingBy('added') } satisfies Record<PlanBy, unknown>

function addingBy(planBy: PlanBy) {
  const both = joined[planBy]
  return prepare((db, row: SubscriptionEventRow) =>
    insertEvent(db, row)
      .onConflict((conflict) => conflict.columns(['stream_id', 'key']).doUpdateSet(both).where(isMore(both)))
      .returning('payment_id'),
  )
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
    foreign_amount: row.foreign_amount,
    period_price: row.period_price,
    purchase_amount: row.purchase_amount,
    method: row.method,
    period_start: row.period_start,
    period_end: row.period_end,
    period_stated_at: row.period_stated_at,
    notification_id: row.notification_id,
    recorded_at: row.recorded_at,
  })
}
