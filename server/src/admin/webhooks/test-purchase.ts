import { newId } from '../../kit/index.ts'
import { type Product, productStore } from '../../products/index.ts'
import type { PurchaseNotification } from '../../purchases/index.ts'
import type { Queryable } from '../../storage/index.ts'
import { OPERATOR_SCOPE, type Plan, planStore } from '../../subscriptions/index.ts'

/** The contract's variants of a purchase notification, each with its event. */
export const EVENT_OF_VARIANT = { A: 'purchase.completed', B: 'subscription.activated' } as const
export type Variant = keyof typeof EVENT_OF_VARIANT
export const VARIANTS: readonly Variant[] = ['A', 'B']
export const EVENTS: ReadonlyArray<PurchaseNotification['event']> = [EVENT_OF_VARIANT.A, EVENT_OF_VARIANT.B]

/** The one variant that both mean, A where neither is given; `undefined` where they contradict each other. */
export function variantOf(variant: Variant | undefined, event: PurchaseNotification['event'] | undefined): Variant | undefined {
  const ofEvent = VARIANTS.find((candidate) => EVENT_OF_VARIANT[candidate] === event)
  return variant !== undefined && ofEvent !== undefined && variant !== ofEvent ? undefined : (variant ?? ofEvent ?? 'A')
}

/** What a test pretends that was bought: a real plan, so that a test taken for a purchase would be seen to grant something. */
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

/** The text of a test notification, as it is signed. No two are the same, so none is taken for one that came before. `at` in ms. */
export function writeTestPurchase(variant: Variant, { product, plan }: TestedOffer, { email, at }: { email: string; at: number }): string {
  const shared = { event: EVENT_OF_VARIANT[variant], test_id: newId(), timestamp: new Date(at).toISOString() }
  if (variant === 'A') {
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
