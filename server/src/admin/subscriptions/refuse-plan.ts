import { planStore } from '../../subscriptions/index.ts'
import type { AdminDeps } from '../api/deps.ts'
import type { Refused } from '../api/refusals.ts'

/** Refuses a filter by a plan that there is not. Empty is no plan. */
export async function refusePlan(planId: string | undefined, { db }: AdminDeps['storage']): Promise<Refused | undefined> {
  if (!planId || (await planStore(db).findById(planId))) return undefined
  return { refusal: 'malformed', fields: { plan_id: 'no_such_plan' } }
}
