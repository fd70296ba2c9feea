import { type RawBuilder, sql } from 'kysely'
import type { StreamKey } from '../../subscriptions/index.ts'
import { writeForeign } from './foreign-amount.ts'
import type { PaymentEvent } from './payment-event.ts'

/**
 * The copy whose plan counts if two copies of an event differ. `either`: the plan id that sorts first. `known`: the stored copy. `added`:
 * the new one. An event that names its subscription knows the plan better than one that names the payment alone.
 */
export type PlanBy = 'either' | 'known' | 'added'

const columns = {
  at: sql<number>`case when excluded.at < subscription_events.at then excluded.at else subscription_events.at end`,
  email: first('email'),
  payment_id: sql<string | null>`coalesce(subscription_events.payment_id, excluded.payment_id)`,
  // A copy that knows of a part has its amount; one of before this was kept has that of the whole.
  amount: sql<number | null>`case when subscription_events.purchase_amount is null and excluded.purchase_amount is not null
    then excluded.amount else coalesce(subscription_events.amount, excluded.amount) end`,
  foreign_amount: sql<string | null>`coalesce(subscription_events.foreign_amount, excluded.foreign_amount)`,
  period_price: larger('period_price'),
  purchase_amount: larger('purchase_amount'),
  method: first('method'),
  period_start: sql<
    number | null
  >`case when excluded.period_start is null or excluded.period_start > subscription_events.period_start then subscription_events.period_start else excluded.period_start end`,
  period_end: sql<number | null>`case
    when excluded.period_end is null or ${isOlderEnd()} then subscription_events.period_end else excluded.period_end end`,
  period_stated_at: sql<number | null>`case
    when excluded.period_end is null or ${isOlderEnd()} then subscription_events.period_stated_at
    else excluded.period_stated_at end`,
}

/** An end that was stated before the known one; of two of one time, or of none, the earlier end. */
function isOlderEnd() {
  const [known, added] = [sql`subscription_events.period_end`, sql`excluded.period_end`]
  const knownAt = sql`coalesce(subscription_events.period_stated_at, -1)`
  const addedAt = sql`coalesce(excluded.period_stated_at, -1)`
  return sql`(${known} is not null and (${addedAt} < ${knownAt} or (${addedAt} = ${knownAt} and ${added} < ${known})))`
}

/**
 * The result of two copies of one event, column by column, for an `on conflict` of `subscription_events`. A missing value is taken from the
 * other copy; of two texts the one that sorts first counts; two periods become the one that covers both, unless one end was stated later.
 * The order of arrival makes no difference.
 */
export const joined = {
  either: { ...columns, plan_id: first('plan_id') },
  known: { ...columns, plan_id: sql<string | null>`coalesce(subscription_events.plan_id, excluded.plan_id)` },
  added: { ...columns, plan_id: sql<string | null>`coalesce(excluded.plan_id, subscription_events.plan_id)` },
} satisfies Record<PlanBy, object>

/** Whether the result differs from the known copy, or the added copy names the payment by another id. Otherwise no row is written. */
export function isMore(columns: Readonly<Record<string, RawBuilder<unknown>>>) {
  const changes = Object.entries(columns).map(([name, value]) => sql`${value} is distinct from ${sql.ref(`subscription_events.${name}`)}`)
  return sql<boolean>`(${sql.join([...changes, sql`coalesce(excluded.payment_id <> subscription_events.payment_id, false)`], sql` or `)})`
}

/** An event in the place of `excluded`, for a query. Like an added event, it has no address if the stream's buyer is forgotten. */
export function addedAgain({ source, ref }: StreamKey, event: PaymentEvent) {
  const { planId, email, paymentId, amount, foreign, periodPrice, purchaseAmount, method, periodStart, periodEnd, periodStatedAt } = event
  const text = (value: string | undefined) => sql`cast(${value ?? null} as text)`
  const number = (value: number | undefined) => sql`cast(${value ?? null} as bigint)`
  const isForgotten = sql`exists (select 1 from event_streams where source = ${source} and ref = ${ref} and buyer_forgotten_at is not null)`
  return sql<{ plan_id: string | null }>`(select ${text(planId)} as plan_id,
    case when ${isForgotten} then null else ${text(email)} end as email, ${text(paymentId)} as payment_id,
    ${number(amount)} as amount, ${text(foreign && writeForeign(foreign))} as foreign_amount,
    ${number(periodPrice)} as period_price, ${number(purchaseAmount)} as purchase_amount, ${text(method)} as method, ${number(periodStart)} as period_start,
    ${number(periodEnd)} as period_end, ${number(periodStatedAt)} as period_stated_at)`.as('excluded')
}

function larger(name: 'period_price' | 'purchase_amount') {
  const [known, added] = [sql.ref(`subscription_events.${name}`), sql.ref(`excluded.${name}`)]
  return sql<number | null>`case when ${added} > ${known} then ${added} else coalesce(${known}, ${added}) end`
}

function first(name: 'plan_id' | 'email' | 'method') {
  const [known, added] = [sql.ref(`subscription_events.${name}`), sql.ref(`excluded.${name}`)]
  return sql<string | null>`case when ${added} < ${known} then ${added} else coalesce(${known}, ${added}) end`
}
