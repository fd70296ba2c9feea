import { type Actor, recordAudit } from '../../audit/index.ts'
import type { Announce, ChangeFeed } from '../../changes/index.ts'
import type { Now } from '../../kit/index.ts'
import { productStore } from '../../products/index.ts'
import { rollBackRefusals, type Transaction } from '../../storage/index.ts'
import { accessOfScope, OPERATOR_SCOPE, type Plan, type PlanInput, planVersion } from './plan.ts'
import { planStore } from './plan-store.ts'
import { type PlanRefusal, refusePlan } from './refuse-plan.ts'

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
export function createPlan(input: NewPlan, { changes, now, actor }: Deps): Promise<Plan | PlanRefusal> {
  return rollBackRefusals<Plan, PlanRefusal>((refuse) =>
    changes.transaction((tx, announce) => insertPlan(tx, input, { refuse, announce, at: now(), actor })),
  )
}

/** Changes a plan as it is now. `seen`: the version that the caller has seen (`planVersion`). A plan that has changed since is refused. */
export function changePlan(
  id: string,
  change: PlanChange,
  { changes, now, actor, seen }: Deps & { seen?: string | undefined },
): Promise<Plan | PlanRefusal> {
  return rollBackRefusals<Plan, PlanRefusal>((refuse) =>
    changes.transaction(async (tx, announce) => {
      const before = (await planStore(tx).holdById(id)) ?? refuse({ refusal: 'not_found' })
      if (seen !== undefined && planVersion(before) !== seen) refuse({ refusal: 'changed_meanwhile' })
      return applyPlanChange(tx, before, change, { refuse, announce, at: now(), actor })
    }),
  )
}

/** The dependencies of a change within a transaction that does more. A refusal must roll that transaction back (`rollBackRefusals`). */
interface Within {
  refuse: (refusal: PlanRefusal) => never
  announce: Announce
  at: number
  actor: Actor
}

/** Makes a plan within a transaction that does more. */
export async function insertPlan(
  tx: Transaction,
  { productSlug, ...input }: NewPlan,
  { refuse, announce, at, actor }: Within,
): Promise<Plan> {
  const refused = refusePlan(input)
  if (refused) refuse(refused)
  const product = productSlug === undefined ? undefined : await productStore(tx).findBySlug(productSlug)
  if (productSlug !== undefined && !product) refuse({ refusal: 'no_such_product' })
  const scope = product?.id ?? OPERATOR_SCOPE
  const plans = planStore(tx)
  const id = (await plans.insertIfAbsent({ scope, ...input }, at)) ?? refuse({ refusal: 'slug_taken' })
  await plans.setGatewayRefs(id, input.gatewayRefs)
  await recordAudit(tx, { actor, action: 'plan.set', target: id, after: { scope, ...input } }, at)
  announce({ kind: 'product_changed', subject: id })
  return (await plans.findById(id)) ?? missing()
}

/** Changes a plan within a transaction that changes more, and holds it. */
export async function applyPlanChange(
  tx: Transaction,
  before: Plan,
  change: PlanChange,
  { refuse, announce, at, actor }: Within,
): Promise<Plan> {
  const refused = refusePlan({ ...before, ...change })
  if (refused) refuse(refused)
  const plans = planStore(tx)
  await plans.update({ ...before, ...change }, at)
  if (change.gatewayRefs) await plans.setGatewayRefs(before.id, change.gatewayRefs)
  await recordAudit(tx, { actor, action: 'plan.set', target: before.id, before: { ...before }, after: { ...change } }, at)
  // A new price may make another of a user's plans the highest.
  announce({ kind: 'product_changed', subject: before.id, access: accessOfScope(before.scope) })
  return (await plans.findById(before.id)) ?? missing()
}

function missing(): never {
  throw new Error('a plan just written is not there')
}
