import type { ChangedAccess } from '../../changes/index.ts'
import { versionOf } from '../../kit/index.ts'
import { GATEWAYS, type Gateway } from '../../products/index.ts'

/** The effect of a payment below a plan's price: it is applied, or waits for the operator. */
export const BELOW_PRICE = ['apply', 'hold'] as const

/** A plan. `price` is in centavos. A plan of the operator has the scope `operator`, a product's plan the product's id. */
export interface Plan {
  id: string
  scope: string
  slug: string
  name: string
  price: number
  belowPrice: (typeof BELOW_PRICE)[number]
  /** The names by which gateways sell this plan: a price, a product, a payment link. */
  gatewayRefs: ReadonlyArray<{ gateway: string; ref: string }>
}

/** A plan as it is given. The rule for payments below its price stays if none is given. */
export type PlanInput = Pick<Plan, 'slug' | 'name' | 'price'> & Partial<Pick<Plan, 'belowPrice'>>

export const OPERATOR_SCOPE = 'operator'

/** The users whose access a change of a plan may change. */
export function accessOfScope(scope: string): ChangedAccess {
  return scope === OPERATOR_SCOPE ? { products: 'all' } : { productId: scope }
}

/** The version of a plan: it changes with any field. An editor sends back the version that it showed. */
export function planVersion(plan: Plan): string {
  return versionOf(plan)
}

/** The plans of a new installation (the contract's slugs). */
export const FIRST_PLANS = [
  { slug: 'easy-standard', name: 'Easy Standard', price: 4_900 },
  { slug: 'easy-pro', name: 'Easy Pro', price: 9_900 },
  { slug: 'easy-enterprise', name: 'Easy Enterprise', price: 29_900 },
] as const

/** Reads `stripe:price_123`; `undefined` when a part is missing. */
export function parseGatewayRef(text: string): { gateway: Gateway; ref: string } | undefined {
  const [, name, ref] = /^([a-z]+):(\S{1,200})$/.exec(text) ?? []
  const gateway = GATEWAYS.find((one) => one === name)
  return gateway && ref ? { gateway, ref } : undefined
}
