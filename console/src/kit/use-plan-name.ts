import { usePlans } from '../payments/offers.ts'

/** The name of a plan whose slug is known; the slug itself until the names are read. Some products have a plan with the slug of another. */
export function usePlanName(): (slug: string, product?: string | null) => string {
  const plans = usePlans()
  return (slug, product = null) => {
    const ofSlug = plans.filter((plan) => plan.slug === slug)
    const own = ofSlug.find((plan) => (plan.product ?? null) === product) ?? ofSlug.find((plan) => plan.product === null) ?? ofSlug[0]
    return own?.name ?? slug
  }
}
