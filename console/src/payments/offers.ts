import type { Filter } from '../kit/list/list-filters.tsx'
import { useRead } from '../kit/use-read.ts'
import type { Plan } from '../plans/plan.ts'
import type { Checkout } from '../products/product.ts'

/** The fields of a product that choices need. */
interface Offered {
  id: string
  slug: string
  name: string
  checkout: Checkout
}

/** Operators have a few of each: one page holds them all. */
interface Page<Item> {
  data: Item[]
}

/** All products, by name; none until they are read. */
export function useProducts(): readonly Offered[] {
  return useRead<Page<Offered>>('products?limit=100&sort=name').data?.data ?? []
}

/** All plans, by name; none until they are read. */
export function usePlans(): readonly Plan[] {
  return useRead<Page<Plan>>('plans?limit=100&sort=name').data?.data ?? []
}

/** The filters by plan and by product, with a choice for those that have none. */
export function useOfferFilters(labels: Record<'plan' | 'noPlan' | 'product' | 'noProduct', string>): readonly [Filter, Filter] {
  const choicesOf = (offers: ReadonlyArray<{ id: string; name: string }>, none: string) => [
    ...offers.map(({ id, name }) => ({ value: id, label: name })),
    { value: 'none', label: none },
  ]
  return [
    { name: 'plan_id', label: labels.plan, kind: 'choice', choices: choicesOf(usePlans(), labels.noPlan) },
    { name: 'product_id', label: labels.product, kind: 'choice', choices: choicesOf(useProducts(), labels.noProduct) },
  ]
}
