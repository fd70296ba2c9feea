import { isUuid } from '../../kit/index.ts'
import { productStore } from '../../products/index.ts'
import type { Queryable } from '../../storage/index.ts'
import { OPERATOR_SCOPE } from './plan.ts'
import { type PlanKey, planStore } from './plan-store.ts'

/** The plan as an event names it. */
export type PlanReference =
  | { by: 'slug'; slug: string; productId?: string | undefined }
  | { by: 'name'; name: string; productId?: string | undefined }
  | { by: 'gateway'; gateway: string; productId: string; slugs: readonly string[]; refs: readonly string[]; isOffer: boolean }

/** A plan, and the registered product that it was bought for. `isGuess`: nothing names it, but the product sells no other. */
export interface FoundPlan extends Pick<PlanKey, 'price' | 'belowPrice'> {
  planId: string
  productId: string | undefined
  isGuess?: true
}

export type NoPlan = 'unknown_plan' | 'ambiguous_plan'

/** Finds the plan that was bought. A product's own plans come before the operator's of the same slug. */
export async function findPlan(db: Queryable, reference: PlanReference): Promise<FoundPlan | NoPlan> {
  switch (reference.by) {
    case 'slug':
      return findBySlug(db, reference)
    case 'name':
      return findByName(db, reference)
    case 'gateway':
      return findByGateway(db, reference)
  }
}

/** A plan of the operator is found by its slug alone; a product's plan needs its own product. */
async function findBySlug(
  db: Queryable,
  { slug, productId }: { slug: string; productId?: string | undefined },
): Promise<FoundPlan | NoPlan> {
  if (hasControls(slug)) return 'unknown_plan'
  const product = toId(productId)
  const { plans, isProduct } = await planStore(db).findBySlug(slug, product)
  const plan = plans.find(({ scope }) => scope === product) ?? plans.find(({ scope }) => scope === OPERATOR_SCOPE)
  return plan ? bought(plan, isProduct ? product : undefined) : 'unknown_plan'
}

/**
 * Finds a plan that a product sells through a gateway: by its slug, then by a price, product or payment link that the operator has
 * registered on it, then as the product's only plan. The last is no guess for just any transfer, nor for a payment that names another
 * product's plan: one account of a gateway can serve several products.
 */
async function findByGateway(
  db: Queryable,
  { gateway, productId, slugs, refs, isOffer }: PlanReference & { by: 'gateway' },
): Promise<FoundPlan | NoPlan> {
  for (const slug of slugs) {
    const named = await findBySlug(db, { slug, productId })
    if (typeof named !== 'string') return { ...named, productId }
  }
  const registered = await planStore(db).listByGatewayRefs(
    gateway,
    refs.filter((ref) => !hasControls(ref)),
  )
  const sold = registered.filter(({ scope }) => scope === productId || scope === OPERATOR_SCOPE)
  if (sold[0] && sold.length === 1) return bought(sold[0], productId)
  if (sold.length > 1) return 'ambiguous_plan'
  if (!isOffer || registered.length > 0 || (await planStore(db).hasSlug(slugs.filter((slug) => !hasControls(slug))))) return 'unknown_plan'
  const own = await planStore(db).listKeys(productId)
  if (own[0] && own.length === 1) return { ...bought(own[0], productId), isGuess: true }
  return own.length > 1 ? 'ambiguous_plan' : 'unknown_plan'
}

/** Finds a plan by the product's id (its only plan, or the one of that name), then by name among all plans and products. */
async function findByName(
  db: Queryable,
  { productId, name }: { productId?: string | undefined; name: string },
): Promise<FoundPlan | NoPlan> {
  const plans = await planStore(db).listKeys()
  const id = toId(productId)
  const product = id === undefined ? undefined : await productStore(db).findById(id)
  const productOf = ({ scope }: PlanKey) => product?.id ?? (scope === OPERATOR_SCOPE ? undefined : scope)
  const only = (found: readonly PlanKey[]) => (found[0] && found.length === 1 ? bought(found[0], productOf(found[0])) : undefined)
  const own = product ? plans.filter(({ scope }) => scope === product.id) : plans.filter((plan) => plan.id === id)
  const ofProduct = only(own) ?? only(own.filter((plan) => sameName(plan.name, name)))
  if (ofProduct) return ofProduct
  if (own.length > 1) return 'ambiguous_plan'
  const named = plans.filter((plan) => sameName(plan.name, name) && (plan.scope === OPERATOR_SCOPE || !product))
  if (named.length > 0) return only(named) ?? only(named.filter(({ scope }) => scope === OPERATOR_SCOPE)) ?? 'ambiguous_plan'
  const products = product ? [] : (await productStore(db).listNames()).filter((candidate) => sameName(candidate.name, name))
  if (products.length === 0) return 'unknown_plan'
  const ofNamed = plans.filter(({ scope }) => products.some((candidate) => candidate.id === scope))
  return only(ofNamed) ?? (ofNamed.length > 1 ? 'ambiguous_plan' : 'unknown_plan')
}

function bought({ id: planId, price, belowPrice }: PlanKey, productId: string | undefined): FoundPlan {
  return { planId, productId, price, belowPrice }
}

/** The id in our own spelling; `undefined` for any other text. */
function toId(text: string | undefined): string | undefined {
  return text !== undefined && isUuid(text) ? text.toLowerCase() : undefined
}

/** Two names are the same without regard to case, accents and runs of spaces. */
function sameName(a: string, b: string): boolean {
  return folded(a) === folded(b)
}

function folded(name: string): string {
  return name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll(/\s+/gu, ' ').trim()
}

/** Such a text names no plan, and a null byte is an error to PostgreSQL. */
function hasControls(text: string): boolean {
  return /[\p{Cc}\p{Cs}]/u.test(text)
}
