import { inPages, type Page, type Queryable } from '../../storage/index.ts'
import { isId } from './id-store.ts'
import type { PartOfNet } from './lists.ts'

export interface MoneyFilter {
  currency: string
  /** All that make up what is left, or one of them. */
  figure?: PartOfNet | undefined
  /** Of the payment, and of its subscription; empty: none. */
  planId?: string | undefined
  productId?: string | undefined
  /** At or after, and before, in ms. */
  since?: number | undefined
  until?: number | undefined
}

/** One page of the money that was paid and given back, in one currency, in the order of time. */
export function listMoney(db: Queryable, { currency, figure, planId, productId, since, until }: MoneyFilter, page: Page) {
  let query = db
    .selectFrom('report_movements as movement')
    .innerJoin('subscriptions', 'subscriptions.id', 'movement.subscription_id')
    .select([
      'movement.id as id',
      'movement.at as at',
      'movement.kind as kind',
      'movement.amount as amount',
      'movement.currency as currency',
    ])
    .select(['movement.plan_id as plan_id', 'movement.payment_id as payment_id', 'movement.subscription_id as subscription_id'])
    .select(['subscriptions.product_id as product_id', 'subscriptions.email as email', 'subscriptions.user_id as user_id'])
    .where('movement.currency', '=', currency)
  if (figure !== undefined) query = query.where('movement.figure', '=', figure)
  if (planId !== undefined) query = query.where(isId('movement.plan_id', planId))
  if (productId !== undefined) query = query.where(isId('subscriptions.product_id', productId))
  if (since !== undefined) query = query.where('movement.at', '>=', since)
  if (until !== undefined) query = query.where('movement.at', '<', until)
  return inPages(query, { column: 'movement.at', id: 'movement.id', page }).execute()
}
