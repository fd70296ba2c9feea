import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Storage } from '../../storage/index.ts'
import type { ChangeName } from '../entry.ts'

type Dialect = Storage['address']['dialect']

/** The entries as which a stream was counted, each as JSON: name, day, product, plan, currency, value (`totals/counted.ts`). */
const entries: Readonly<Record<Dialect, RawBuilder<unknown>>> = {
  sqlite: sql`json_each(counted.entries, '$.entries') as entry`,
  postgres: sql`json_array_elements(counted.entries::json -> 'entries') as entry(value)`,
}

/** What is counted in `mrr` at the end of a day, of one currency. */
export interface Monthly {
  day: string
  currency: string
  dialect: Dialect
}

/**
 * The amount with which a subscription that is active at the end of the day counts in `mrr`, in the smallest unit; null or 0: it does not.
 * It is the sum of its stream, of which one subscription gives access at a time.
 */
export function countedMonthly({ day, currency, dialect }: Monthly): RawBuilder<number | string | null> {
  return sql`(select sum(cast(entry.value ->> 5 as bigint)) from report_streams as counted, ${entries[dialect]}
    where counted.stream_id = subscriptions.stream_id and entry.value ->> 0 = 'mrr' and entry.value ->> 1 <= ${day}
      and entry.value ->> 4 = ${currency})`
}

/** A figure of changes, and the plan with which it counts; empty: none. */
interface OfPlan {
  name: ChangeName
  planId: string
  dialect: Dialect
}

/**
 * Whether a row of `report_changes` was counted with the plan. The entries are those of the stream: of several subscriptions of it that
 * changed on one day, the spans tell whose plan it was.
 */
export function isCountedWith(change: string, { name, planId, dialect }: OfPlan): RawBuilder<SqlBool> {
  const of = (column: string) => sql.ref(`${change}.${column}`)
  return sql`(exists (select 1 from report_spans as had where had.stream_id = ${of('stream_id')}
      and had.subscription_id = ${of('subscription_id')} and ${isId('had.plan_id', planId)})
    and exists (select 1 from report_streams as counted, ${entries[dialect]} where counted.stream_id = ${of('stream_id')}
      and entry.value ->> 0 = ${name} and entry.value ->> 1 = ${of('day')} and entry.value ->> 3 = ${planId} and entry.value ->> 4 = ''))`
}

/** Whether a column has the id; empty: whether it has none. */
export function isId(column: string, id: string): RawBuilder<SqlBool> {
  return id === '' ? sql`${sql.ref(column)} is null` : sql`${sql.ref(column)} = ${id}`
}
