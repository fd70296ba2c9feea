import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely'
import { firstIdAt } from '../../kit/index.ts'
import {
  type Active,
  activeSubscriptions,
  type Changed,
  changedSubscriptions,
  countedMonthly,
  isActive,
  isId,
  isMonthly,
  type Monthly,
  monthlySubscriptions,
} from '../../reports/index.ts'
import { inPages, type Page, type Queryable, type Schema } from '../../storage/index.ts'
import { type Subscription, type SubscriptionState, subscriptionStore } from '../../subscriptions/index.ts'

export interface SubscriptionListFilter {
  userId?: string | undefined
  /** The given address, and its hash, which replaces it once its account is deleted. */
  email?: { address: string; hash: string } | undefined
  /** Empty: none. A plan is the one by the change, or of the day, that is asked for; else that of now. */
  productId?: string | undefined
  planId?: string | undefined
  /**
   * The state of the last event, as the row holds it. A subscription that ran out without an event shows as expired (`entitlementOf`) while
   * its row stays the same: a list of those in the order of ids would scan all active ones, or sort all that ever ran out, and grow slower
   * with them.
   */
  state?: SubscriptionState | undefined
  /** Whether it has no user. */
  guest?: boolean | undefined
  /** First recorded at or after, and before, in ms. */
  since?: number | undefined
  until?: number | undefined
  /** Counted by a figure of the reports: in the order of the days on which it was counted last. */
  changed?: Omit<Changed, 'planId'> | undefined
  /** Gave access at the end of a day: in the order in which that access began, unless `changed` orders. */
  active?: Omit<Active, 'planId'> | undefined
  /** Counted in `mrr` at the end of a day: in the order in which that price began, unless `changed` orders. */
  monthly?: Omit<Monthly, 'planId'> | undefined
}

/** A subscription, and the value by which a list has it in its order. */
export interface Listed {
  subscription: Subscription
  place: string | number
  /** The amount that is counted in `mrr`, where that was asked for. */
  monthly: number | null
}

/** One page in the order of their first record, of their changes, or of the beginning of their access or of the price that is counted. */
export async function listSubscriptions(db: Queryable, filter: SubscriptionListFilter, page: Page): Promise<Listed[]> {
  const rows = await readPage(db, filter, page)
  const found = await subscriptionStore(db).listByIds(rows.map(({ id }) => id))
  const byId = new Map(found.map((subscription) => [subscription.id, subscription]))
  return rows.flatMap(({ id, place, monthly }) => {
    const subscription = byId.get(id)
    return subscription ? { subscription, place, monthly } : []
  })
}

type Row = Pick<Listed, 'place' | 'monthly'> & { id: string }

function readPage(db: Queryable, filter: SubscriptionListFilter, page: Page): Promise<Row[]> {
  const { changed, active, monthly, planId } = filter
  const amount = monthly ? countedMonthly({ ...monthly, planId }) : sql<null>`null`
  if (changed)
    return changedSubscriptions(db, { ...changed, planId }, page)
      .select(amount.as('monthly'))
      .where(({ and }) => and(conditionsOf(filter)))
      .execute()
  const others = conditionsOf({ ...filter, planId: undefined, active: undefined, monthly: undefined })
  if (monthly && !isOfOne(filter))
    return monthlySubscriptions(db, { ...monthly, planId }, page)
      .where(({ and }) => and(others))
      .execute()
  if (active && !isOfOne(filter))
    return activeSubscriptions(db, { ...active, planId }, page)
      .select(amount.as('monthly'))
      .where(({ and }) => and(others))
      .execute()
  const all = db.selectFrom('subscriptions').select(['id', 'id as place', amount.as('monthly')])
  return inPages(
    all.where(({ and }) => and(conditionsOf(filter))),
    { column: 'id', id: 'id', page },
  ).execute()
}

/** Whether few subscriptions are left, which are read by themselves, in the order of their first record. */
export function isOfOne({ userId, email }: SubscriptionListFilter): boolean {
  return userId !== undefined || email !== undefined
}

function conditionsOf(filter: SubscriptionListFilter): Expression<SqlBool>[] {
  const { userId, email, productId, planId, state, guest, since, until, changed, active, monthly } = filter
  const e = expressionBuilder<Schema, 'subscriptions'>()
  const all: Expression<SqlBool>[] = []
  if (userId !== undefined) all.push(e('subscriptions.user_id', '=', userId))
  if (email) all.push(e.or([e('subscriptions.email', '=', email.address), e('subscriptions.email_hash', '=', email.hash)]))
  if (productId !== undefined) all.push(isId('subscriptions.product_id', productId))
  // That of the day or the change need not be the one of now.
  if (planId !== undefined && !active && !changed) all.push(isId('subscriptions.plan_id', planId))
  // A subscription that counts in `mrr` is active.
  if (monthly) all.push(isMonthly({ ...monthly, planId }))
  else if (active) all.push(isActive({ ...active, planId }))
  if (state !== undefined) all.push(e('subscriptions.state', '=', state))
  // Worded as in the partial index over states, so that a database uses it.
  if (state !== undefined && state !== 'active') all.push(e('subscriptions.state', '!=', sql.lit('active')))
  if (guest !== undefined) all.push(e('subscriptions.user_id', guest ? 'is' : 'is not', null))
  if (since !== undefined) all.push(e('subscriptions.id', '>=', firstIdAt(since)))
  if (until !== undefined) all.push(e('subscriptions.id', '<', firstIdAt(until)))
  return all
}
