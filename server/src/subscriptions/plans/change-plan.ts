import { type Actor, recordAudit } from '../../audit/index.ts'
import type { ChangeFeed } from '../../changes/index.ts'
import type { Now } from '../../kit/index.ts'
import { productStore } from '../../products/index.ts'
import { accessOfScope, OPERATOR_SCOPE, type Plan, type PlanInput, type PlanRefusal, planVersion, refusePlan } from './plan.ts'
import { planStore } from './plan-store.ts'

interface Deps {
  changes: ChangeFeed
  now: Now
  actor: Actor
}

export interface NewPlan extends PlanInput, Pick<Plan, 'gatewayRefs'> {
  /** `undefined`: a plan of the operator's. */
  productSlug: string | undefined
}

/** The fields that may be changed; an absent one stays. The slug always stays: notifications and apps name the plan by it. */
export type PlanChange = Partial<Pick<Plan, 'name' | 'price' | 'belowPrice' | 'gatewayRefs'>>

/** Makes a plan; unlike `setPlan` it leaves alone one that has the slug already. */
export async function createPlan({ productSlug, ...input }: NewPlan, { changes, now, actor }: Deps): Promise<Plan | PlanRefusal> {
  const refused = refusePlan(input)
  if (refused) return refused
  const at = now()
  return changes.transaction(async (tx, announce) => {
    const product = productSlug === undefined ? undefined : await productStore(tx).findBySlug(productSlug)
    if (productSlug !== undefined && !product) return { refusal: 'no_such_product' }
    const scope = product?.id ?? OPERATOR_SCOPE
    const plans = planStore(tx)
    const id = await plans.insertIfAbsent({ scope, ...input }, at)
    if (id === undefined) return { refusal: 'slug_taken' }
    await plans.setGatewayRefs(id, input.gatewayRefs)
    await recordAudit(tx, { actor, action: 'plan.set', target: id, after: { scope, ...input } }, at)
    announce({ kind: 'product_changed', subject: id })
    return (await plans.findById(id)) ?? missing()
  })
}

/** Changes a plan as it is now. `seen`: the version that whoever asks has seen (`planVersion`); another one since then refuses it. */
export async function changePlan(
  id: string,
  change: PlanChange,
  { changes, now, actor, seen }: Deps & { seen?: string | undefined },
): Promise<Plan | PlanRefusal> {
  const at = now()
  return changes.transaction(async (tx, announce) => {
    const plans = planStore(tx)
    const before = await plans.holdById(id)
    if (!before) return { refusal: 'not_found' }
    if (seen !== undefined && planVersion(before) !== seen) return { refusal: 'changed_meanwhile' }
    const refused = refusePlan({ ...before, ...change })
    if (refused) return refused
    await plans.update({ ...before, ...change }, at)
    if (change.gatewayRefs) await plans.setGatewayRefs(id, change.gatewayRefs)
    await recordAudit(tx, { actor, action: 'plan.set', target: id, before: { ...before }, after: { ...change } }, at)
    // A new price may make another of a user's plans the highest.
    announce({ kind: 'product_changed', subject: id, access: accessOfScope(before.scope) })
    return (await plans.findById(id)) ?? missing()
  })
}

function missing(): never {
  throw new Error('a plan just written is not there')
}
