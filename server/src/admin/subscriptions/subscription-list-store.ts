import { sql } from 'kysely'
import { firstIdAt } from '../../kit/index.ts'
import { inPages, type Page, type Queryable } from '../../storage/index.ts'
import { type Subscription, type SubscriptionState, subscriptionStore } from '../../subscriptions/index.ts'

export interface SubscriptionListFilter {
  userId?: string | undefined
  /** As it was given, and its hash, which stands in its place once its account is deleted. */
  email?: { address: string; hash: string } | undefined
  productId?: string | undefined
  planId?: string | undefined
  /**
   * As it was last told, which a row holds. What has run out without events stands as expired (`entitlementOf`) without any row changing: a
   * list of those in the order of ids would have to look through all active ones, or sort all that ever ran out, and so grow slower with
   * them.
   */
  state?: SubscriptionState | undefined
  /** Whether no account has it. */
  guest?: boolean | undefined
  /** First heard of at or after, and before, in ms. */
  since?: number | undefined
  until?: number | undefined
}

/** One page in the order in which they were first heard of. */
export async function listSubscriptions(db: Queryable, filter: SubscriptionListFilter, page: Page): Promise<Subscription[]> {
  const { userId, email, productId, planId, state, guest, since, until } = filter
  let query = db.selectFrom('subscriptions').select('id')
  if (userId !== undefined) query = query.where('user_id', '=', userId)
  if (email) query = query.where((e) => e.or([e('email', '=', email.address), e('email_hash', '=', email.hash)]))
  if (productId !== undefined) query = query.where('product_id', '=', productId)
  if (planId !== undefined) query = query.where('plan_id', '=', planId)
  if (state !== undefined) query = query.where('state', '=', state)
  // The words of the index over states, by which a database knows that it may use it.
  if (state !== undefined && state !== 'active') query = query.where('state', '!=', sql.lit('active'))
  if (guest !== undefined) query = query.where('user_id', guest ? 'is' : 'is not', null)
  if (since !== undefined) query = query.where('id', '>=', firstIdAt(since))
  if (until !== undefined) query = query.where('id', '<', firstIdAt(until))
  const ids = await inPages(query, { column: 'id', id: 'id', page }).execute()
  return subscriptionStore(db).listByIds(ids.map(({ id }) => id))
}
