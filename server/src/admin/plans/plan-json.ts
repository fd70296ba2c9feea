import { productStore } from '../../products/index.ts'
import type { Queryable } from '../../storage/index.ts'
import { OPERATOR_SCOPE, type Plan } from '../../subscriptions/index.ts'

/** A plan, on the command line and in the admin API alike; `product` is its product's slug. */
export function planJson({ id, slug, name, price, belowPrice, gatewayRefs }: Plan, product: string | undefined) {
  return { id, slug, name, price, below_price: belowPrice, product: product ?? null, gateway_refs: gatewayRefs }
}

/** The slugs of plans' products, by the plans' scope. */
export async function planSlugs(plans: readonly Plan[], db: Queryable): Promise<Map<string, string>> {
  const slugs = new Map<string, string>()
  for (const scope of new Set(plans.map((plan) => plan.scope))) {
    const product = scope === OPERATOR_SCOPE ? undefined : await productStore(db).findById(scope)
    if (product) slugs.set(scope, product.slug)
  }
  return slugs
}
