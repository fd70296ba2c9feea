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
  type Monthly,
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
  /** Counted in `mrr`, of those that were active. */
  monthly?: Monthly | undefined
}

/** A subscription, and the value by which a list has it in its order. */
export interface Listed {
  subscription: Subscription
  place: string | number
  /** The amount that is counted in `mrr`, where that was asked for. */
  monthly: number | undefined
}

/** One page in the order of their first record, of their changes, or of the beginning of their access. */
export async function listSubscriptions(db: Queryable, filter: SubscriptionListFilter, page: Page): Promise<Listed[]> {
  const rows = await readPage(db, filter, page)
  const found = await subscriptionStore(db).listByIds(rows.map(({ id }) => id))
  const byId = new Map(found.map((subscription) => [subscription.id, subscription]))
  const monthly = await readMonthly(db, rows, filter)
  return rows.flatMap(({ id, place }) => {
    const subscription = byId.get(id)
    return subscription ? { subscription, place, monthly: monthly.get(id) } : []
  })
}

function readPage(db: Queryable, filter: SubscriptionListFilter, page: Page): Promise<Array<{ id: string; place: string | number }>> {
  const { changed, active } = filter
  if (changed)
    return changedSubscriptions(db, { ...changed, planId: filter.planId }, page)
      .where(({ and }) => and(conditionsOf(filter)))
      .execute()
  if (active && !isOfOne(filter))
    return activeSubscriptions(db, { ...active, planId: filter.planId }, page)
      .where(({ and }) => and(conditionsOf({ ...filter, planId: undefined, active: undefined })))
      .execute()
  const all = db.selectFrom('subscriptions').select(['id', 'id as place'])
  return inPages(
    all.where(({ and }) => and(conditionsOf(filter))),
    { column: 'id', id: 'id', page },
  ).execute()
}

async function readMonthly(
  db: Queryable,
  rows: ReadonlyArray<{ id: string }>,
  { monthly }: SubscriptionListFilter,
): Promise<ReadonlyMap<string, number>> {
  if (!monthly || rows.length === 0) return new Map()
  const ids = rows.map(({ id }) => id)
  const amounts = db.selectFrom('subscriptions').select(['id', countedMonthly(monthly).as('amount')])
  return new Map((await amounts.where('id', 'in', ids).execute()).map(({ id, amount }) => [id, Number(amount)]))
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
  if (active) all.push(isActive({ ...active, planId }))
  if (monthly) all.push(sql<SqlBool>`${countedMonthly(monthly)} <> 0`)
  if (state !== undefined) all.push(e('subscriptions.state', '=', state))
  // Worded as in the partial index over states, so that a database uses it.
  if (state !== undefined && state !== 'active') all.push(e('subscriptions.state', '!=', sql.lit('active')))
  if (guest !== undefined) all.push(e('subscriptions.user_id', guest ? 'is' : 'is not', null))
  if (since !== undefined) all.push(e('subscriptions.id', '>=', firstIdAt(since)))
  if (until !== undefined) all.push(e('subscriptions.id', '<', firstIdAt(until)))
  return all
}
