import { sql } from 'kysely'
import { firstIdAt } from '../../kit/index.ts'
import { inPages, type Page, type Queryable } from '../../storage/index.ts'
import { type Subscription, type SubscriptionState, subscriptionStore } from '../../subscriptions/index.ts'

export interface SubscriptionListFilter {
  userId?: string | undefined
  /** The given address, and its hash, which replaces it once its account is deleted. */
  email?: { address: string; hash: string } | undefined
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
}

/** One page in the order of their first record. */
export async function listSubscriptions(db: Queryable, filter: SubscriptionListFilter, page: Page): Promise<Subscription[]> {
  const { userId, email, productId, planId, state, guest, since, until } = filter
  let query = db.selectFrom('subscriptions').select('id')
  if (userId !== undefined) query = query.where('user_id', '=', userId)
  if (email) query = query.where((e) => e.or([e('email', '=', email.address), e('email_hash', '=', email.hash)]))
  if (productId !== undefined) query = query.where('product_id', '=', productId)
  if (planId !== undefined) query = query.where('plan_id', '=', planId)
  if (state !== undefined) query = query.where('state', '=', state)
  // Worded as in the partial index over states, so that a database uses it.
  if (state !== undefined && state !== 'active') query = query.where('state', '!=', sql.lit('active'))
  if (guest !== undefined) query = query.where('user_id', guest ? 'is' : 'is not', null)
  if (since !== undefined) query = query.where('id', '>=', firstIdAt(since))
  if (until !== undefined) query = query.where('id', '<', firstIdAt(until))
  const ids = await inPages(query, { column: 'id', id: 'id', page }).execute()
  return subscriptionStore(db).listByIds(ids.map(({ id }) => id))
}
