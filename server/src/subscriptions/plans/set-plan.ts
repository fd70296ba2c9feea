import { type Actor, recordAudit } from '../../audit/index.ts'
import type { ChangeFeed } from '../../changes/index.ts'
import type { Now } from '../../kit/index.ts'
import { productStore } from '../../products/index.ts'
import { readSetting, type Storage, writeSetting } from '../../storage/index.ts'
import { accessOfScope, FIRST_PLANS, OPERATOR_SCOPE, type Plan, type PlanInput } from './plan.ts'
import { planStore } from './plan-store.ts'
import { type PlanRefusal, refusePlan } from './refuse-plan.ts'

const FIRST_PLANS_MADE = 'first_plans_made'

/** Makes or changes a plan, of the operator or of the product with `productSlug`. */
export async function setPlan(
  { productSlug, ...input }: PlanInput & { productSlug?: string; gatewayRefs?: Plan['gatewayRefs'] },
  { changes, now, actor }: { changes: ChangeFeed; now: Now; actor: Actor },
): Promise<Plan | PlanRefusal> {
  const refused = refusePlan(input)
  if (refused) return refused
  const at = now()
  return changes.transaction(async (tx, announce) => {
    const product = productSlug === undefined ? undefined : await productStore(tx).findBySlug(productSlug)
    if (productSlug !== undefined && !product) return { refusal: 'no_such_product' }
    const plans = planStore(tx)
    const scope = product?.id ?? OPERATOR_SCOPE
    const id = await plans.put({ scope, ...input }, at)
    if (input.gatewayRefs) await plans.setGatewayRefs(id, input.gatewayRefs)
    await recordAudit(tx, { actor, action: 'plan.set', target: id, after: { scope, ...input } }, at)
    // A new price may make another of a user's plans the highest.
    announce({ kind: 'product_changed', subject: id, access: accessOfScope(scope) })
    const plan = (await plans.list(scope)).find((candidate) => candidate.id === id)
    if (!plan) throw new Error('a plan just written is not there')
    return plan
  })
}

/** Makes the three plans of a new installation, once: plans that the operator has renamed or priced anew never come back. */
export async function addFirstPlans({ storage, now }: { storage: Storage; now: Now }): Promise<void> {
  if (await readSetting(storage.db, FIRST_PLANS_MADE)) return
  await storage.transaction(async (tx) => {
    for (const plan of FIRST_PLANS) await planStore(tx).insertIfAbsent({ scope: OPERATOR_SCOPE, ...plan }, now())
    await writeSetting(tx, FIRST_PLANS_MADE, String(now()))
  })
}
