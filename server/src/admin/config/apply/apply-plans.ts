import type { Transaction } from '../../../storage/index.ts'
import { applyPlanChange, insertPlan, type Plan, type PlanRefusal, planStore } from '../../../subscriptions/index.ts'
import type { PlanConfiguration } from '../form/configuration.ts'
import type { Declared } from '../listed.ts'
import { listToApply, type Step } from './step.ts'

/** Makes and changes the plans of the operator and of products. */
export async function applyPlans(tx: Transaction, step: Step): Promise<void> {
  for (const declared of listToApply(step, 'plan')) await applyPlan(tx, declared, step)
}

async function applyPlan(tx: Transaction, { path, settings, is }: Declared, { deps, fail }: Step): Promise<void> {
  const refuse = (why: PlanRefusal) => fail({ path, refusal: 'plan_refused', why })
  const { name, price, below_price: belowPrice, gateway_refs: refs }: PlanConfiguration = settings
  const gatewayRefs = refs && refsOf(refs)
  const rest = { ...(belowPrice && { belowPrice }) }
  if (!is) {
    const [slug = '', productSlug] = path
      .split('.')
      .reverse()
      .filter((_, at) => at === 0 || at === 2)
    const made = { slug, name: name ?? '', price: price ?? 0, ...rest, gatewayRefs: gatewayRefs ?? [], productSlug }
    await insertPlan(tx, made, { ...deps, refuse })
    return
  }
  const before = (await planStore(tx).holdById(is.id)) ?? refuse({ refusal: 'not_found' })
  const change = {
    ...(name !== undefined && { name }),
    ...(price !== undefined && { price }),
    ...rest,
    ...(gatewayRefs && { gatewayRefs }),
  }
  await applyPlanChange(tx, before, change, { ...deps, refuse })
}

function refsOf(refs: NonNullable<PlanConfiguration['gateway_refs']>): Plan['gatewayRefs'] {
  return Object.entries(refs).flatMap(([gateway, names]) => names.map((ref) => ({ gateway, ref })))
}
