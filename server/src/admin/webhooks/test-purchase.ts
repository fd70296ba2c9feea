import { newId } from '../../kit/index.ts'
import { type Product, productStore } from '../../products/index.ts'
import type { PurchaseEvent } from '../../purchases/index.ts'
import type { Queryable } from '../../storage/index.ts'
import { OPERATOR_SCOPE, type Plan, planStore } from '../../subscriptions/index.ts'

/** The contract's variants of a purchase notification, each with its own event. */
export const EVENT_OF_VARIANT = { A: 'purchase.completed', B: 'subscription.activated' } as const
export type Variant = keyof typeof EVENT_OF_VARIANT
export const VARIANTS: readonly Variant[] = ['A', 'B']

/**
 * The meant event; by default that of variant A. `undefined` where variant and event contradict each other. All but one have the form of
 * variant B.
 */
export function testedEvent(variant: Variant | undefined, event: PurchaseEvent | undefined): PurchaseEvent | undefined {
  if (event === undefined) return EVENT_OF_VARIANT[variant ?? 'A']
  return variant === undefined || variant === variantOf(event) ? event : undefined
}

export function variantOf(event: PurchaseEvent): Variant {
  return event === EVENT_OF_VARIANT.A ? 'A' : 'B'
}

/** The purchase of a test: a real plan, so that a test mistaken for a purchase would visibly grant something. */
export interface TestedOffer {
  product: Product | undefined
  plan: Pick<Plan, 'slug' | 'name'>
}

const NO_PLAN_YET = { slug: 'easy-pro', name: 'Easy Pro' }

/** The cheapest plan of a product, or else of the operator; `undefined` where there is no such product. */
export async function findTestedOffer(db: Queryable, productSlug: string | undefined): Promise<TestedOffer | undefined> {
  const product = productSlug === undefined ? undefined : await productStore(db).findBySlug(productSlug)
  if (productSlug !== undefined && !product) return undefined
  const own = product ? await planStore(db).list(product.id) : []
  return { product, plan: own[0] ?? (await planStore(db).list(OPERATOR_SCOPE))[0] ?? NO_PLAN_YET }
}

/** The text of a test notification, as it is signed. No two are the same, so none is a duplicate. `at` in ms. */
export function writeTestPurchase(
  event: PurchaseEvent,
  { product, plan }: TestedOffer,
  { email, at }: { email: string; at: number },
): string {
  const shared = { event, test_id: newId(), timestamp: new Date(at).toISOString() }
  if (event === 'purchase.completed') {
    const bought = { id: product?.id ?? newId(), plan_slug: plan.slug }
    return JSON.stringify({ ...shared, customer: { email, name: 'Webhook test' }, product: bought, is_test: true })
  }
  const data = {
    subscription_id: newId(),
    ...(product && { product_id: product.id }),
    product_name: plan.name,
    user_email: email,
    user_name: 'Webhook test',
    amount: 0,
    frequency: 'MONTHLY',
    is_test: true,
  }
  return JSON.stringify({ ...shared, data })
}
