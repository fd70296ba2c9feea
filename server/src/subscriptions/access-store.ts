import type { Queryable } from '../storage/index.ts'
import { OPERATOR_SCOPE } from './plan.ts'
import { isSubscriptionState, type SubscriptionState } from './subscription-moves.ts'

/** A subscription as an access check sees it. Times in ms. */
export interface AccessCandidate {
  id: string
  productUser: string | undefined
  planSlug: string | undefined
  state: SubscriptionState
  periodEnd: number | undefined
  graceFrom: number | undefined
  /** `Infinity` where nothing runs out. */
  accessUntil: number
  changedAt: number
}

export function accessStore(db: Queryable) {
  const ofProduct = (productId: string) =>
    db
      .selectFrom('subscriptions')
      .leftJoin('plans', 'plans.id', 'subscriptions.plan_id')
      .select(['subscriptions.id', 'product_user', 'slug', 'state', 'period_end', 'grace_from', 'access_until', 'changed_at'])
      .where('product_id', '=', productId)
  return {
    /**
     * A product's subscriptions of a person, whom it names by its own id or by the account's. `isDisabled`: this is the id of a closed account, which gets
     * nothing. One statement; two indexes, each by both of its columns.
     */
    async findByUser(productId: string, userId: string): Promise<{ candidates: AccessCandidate[]; isDisabled: boolean }> {
      const closed = db.selectFrom('users').select('disabled_at').where('users.id', '=', userId)
      const rows = await ofProduct(productId)
        .select(closed.as('closed_at'))
        .where('product_user', '=', userId)
        .unionAll(ofProduct(productId).select(closed.as('closed_at')).where('user_id', '=', userId))
        .execute()
      return { candidates: rows.map(toCandidate), isDisabled: rows.some(({ closed_at }) => closed_at !== null) }
    },
    async findByEmail(productId: string, email: string): Promise<AccessCandidate[]> {
      return (await ofProduct(productId).where('email', '=', email).execute()).map(toCandidate)
    },
    /** Whether this is the id of a closed account. */
    async isDisabledUser(userId: string): Promise<boolean> {
      const row = await db.selectFrom('users').select('disabled_at').where('id', '=', userId).executeTakeFirst()
      return row !== undefined && row.disabled_at !== null
    },
    /** Gives what was bought with an address, and no one has yet, to the product's user. Of two users who ask at once for one subscription, one gets it. */
    async linkProductUser(productId: string, email: string, productUser: string): Promise<void> {
      await db
        .updateTable('subscriptions')
        .set({ product_user: productUser })
        .where('product_id', '=', productId)
        .where('email', '=', email)
        .where('product_user', 'is', null)
        .execute()
    },
    /**
     * The highest-priced plan that a person may use: among the operator's (bound to no external product), or among those bought for `productId`. `until`: when
     * that must be asked again, in ms.
     */
    async findLivePlan(userId: string, productId: string | undefined, now: number): Promise<{ slug: string; until: number } | undefined> {
      let query = db
        .selectFrom('subscriptions')
        .innerJoin('plans', 'plans.id', 'subscriptions.plan_id')
        .leftJoin('products', 'products.id', 'subscriptions.product_id')
        .select(['plans.slug', 'access_until'])
        .where('user_id', '=', userId)
        .where((e) => e.or([e('access_until', 'is', null), e('access_until', '>', now)]))
        .orderBy('plans.price', 'desc')
        .orderBy('plans.slug')
        .limit(1)
      query =
        productId === undefined
          ? query
              .where('plans.scope', '=', OPERATOR_SCOPE)
              .where((e) => e.or([e('products.audience', 'is', null), e('products.audience', '=', 'internal')]))
          : query.where('subscriptions.product_id', '=', productId)
      const row = await query.executeTakeFirst()
      return row && { slug: row.slug, until: row.access_until ?? Number.POSITIVE_INFINITY }
    },
  }
}

interface CandidateRow {
  id: string
  product_user: string | null
  slug: string | null
  state: string
  period_end: number | null
  grace_from: number | null
  access_until: number | null
  changed_at: number
}

function toCandidate(row: CandidateRow): AccessCandidate {
  if (!isSubscriptionState(row.state)) throw new Error(`a subscription in an unknown state: ${row.state}`)
  return {
    id: row.id,
    productUser: row.product_user ?? undefined,
    planSlug: row.slug ?? undefined,
    state: row.state,
    periodEnd: row.period_end ?? undefined,
    graceFrom: row.grace_from ?? undefined,
    accessUntil: row.access_until ?? Number.POSITIVE_INFINITY,
    changedAt: row.changed_at,
  }
}
