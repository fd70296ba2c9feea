import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import { inPages, type Page, type Queryable, type Schema } from '../../storage/index.ts'
import { isId, isIdOfFew } from './id-store.ts'

/** Which active subscriptions are meant: those at the end of a day, of all plans or of one. */
export interface Active {
  /** The first moment (ms) of the day after. */
  dayEnd: number
  /** Empty: those without a plan. */
  planId?: string | undefined
}

/**
 * One page of the subscriptions that give access beyond the end of a day, in the order in which their access by that plan began: what began
 * later is not read, and a renewal changes no place.
 */
export function activeSubscriptions(db: Queryable, { dayEnd, planId }: Active, page: Page) {
  const query = db
    .selectFrom('report_spans as span')
    .innerJoin('subscriptions', 'subscriptions.id', 'span.subscription_id')
    .select(['subscriptions.id as id', 'span.from_at as place'])
    .where('span.from_at', '<', dayEnd)
    .where('span.until_at', '>=', dayEnd)
  const ofPlan = planId === undefined ? query : query.where(isId('span.plan_id', planId))
  return inPages(ofPlan, { column: 'span.from_at', id: 'span.subscription_id', page })
}

/** The same as a condition, for a list in another order. */
export function isActive({ dayEnd, planId }: Active): Expression<SqlBool> {
  const e = expressionBuilder<Schema, 'subscriptions'>()
  const span = e
    .selectFrom('report_spans as span')
    .select('span.until_at')
    .whereRef('span.stream_id', '=', 'subscriptions.stream_id')
    .whereRef('span.subscription_id', '=', 'subscriptions.id')
    .where('span.from_at', '<', dayEnd)
    .where('span.until_at', '>=', dayEnd)
    .limit(1)
  // Not `exists`, of which PostgreSQL may make a join with all spans. One subscription has one span at a time.
  return e(planId === undefined ? span : span.where(isIdOfFew('span.plan_id', planId)), 'is not', null)
}
