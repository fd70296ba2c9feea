import { type Expression, expressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely'
import { inPages, type Page, type Queryable, type Schema } from '../../storage/index.ts'
import type { Active } from './active-store.ts'
import { isId, isIdOfFew } from './id-store.ts'

/** Which amounts of `mrr` are meant: those of one currency at the end of a day, of all plans or of one. */
export interface Monthly extends Active {
  currency: string
}

/**
 * One page of the subscriptions that count in `mrr` at the end of a day, each with its amount for a month in the smallest unit, in the
 * order in which they began to count with that plan and amount: what began later is not read, and a renewal at the same price changes no
 * place.
 */
export function monthlySubscriptions(db: Queryable, { dayEnd, currency, planId }: Monthly, page: Page) {
  const query = db
    .selectFrom('report_prices as price')
    .innerJoin('subscriptions', 'subscriptions.id', 'price.subscription_id')
    .select(['subscriptions.id as id', 'price.from_at as place', 'price.monthly as monthly'])
    .where('price.currency', '=', currency)
    .where('price.from_at', '<', dayEnd)
    .where('price.until_at', '>=', dayEnd)
  const ofPlan = planId === undefined ? query : query.where(isId('price.plan_id', planId))
  return inPages(ofPlan, { column: 'price.from_at', id: 'price.subscription_id', page })
}

/** The same amount of a subscription, for a list in another order; null: it does not count. */
export function countedMonthly({ dayEnd, currency, planId }: Monthly): RawBuilder<number | null> {
  const price = expressionBuilder<Schema, 'subscriptions'>()
    .selectFrom('report_prices as price')
    .select('price.monthly')
    .whereRef('price.stream_id', '=', 'subscriptions.stream_id')
    .whereRef('price.subscription_id', '=', 'subscriptions.id')
    // Written so that no index over currencies serves: SQLite would go through all prices of this one for each row.
    .where(sql<string>`price.currency || ''`, '=', currency)
    .where('price.from_at', '<', dayEnd)
    .where('price.until_at', '>=', dayEnd)
    .limit(1)
  return sql`${planId === undefined ? price : price.where(isIdOfFew('price.plan_id', planId))}`
}

/** Whether it counts, as a condition. */
export function isMonthly(monthly: Monthly): Expression<SqlBool> {
  return expressionBuilder<Schema, 'subscriptions'>()(countedMonthly(monthly), 'is not', null)
}
