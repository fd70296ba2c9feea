import type { z } from 'zod'
import { type GrantRefusal, grantSubscription } from '../../payment-history/index.ts'
import { productStore } from '../../products/index.ts'
import type { AdminAnswer } from '../api/admin-route.ts'
import type { AdminDeps } from '../api/deps.ts'
import { adminRoute, type Operations } from '../api/operations.ts'
import type { Refused } from '../api/refusals.ts'
import { type Call, refuseReach } from './refuse-reach.ts'
import { showSubscription, subscriptionAnswer } from './show-subscription.ts'
import { grantBody } from './subscription-schemas.ts'

async function grant(call: Call<z.output<typeof grantBody>>, deps: AdminDeps): Promise<AdminAnswer> {
  const { user, plan_id: planId, product_id: productId, until, reason } = call.body
  const refused = await refuseReach(call, user, deps)
  if (refused) return refused
  if (productId !== undefined && !(await productStore(deps.storage.db).findById(productId)))
    return { refusal: 'malformed', fields: { product_id: 'no_such_product' } }
  const end = until === undefined ? undefined : Date.parse(until)
  const granted = await grantSubscription({ to: user, planId, productId, until: end, reason }, { ...deps, actor: call.actor })
  return 'refusal' in granted ? grantRefusals[granted.refusal] : showSubscription(granted.id, call.caller, deps)
}

const grantRefusals = {
  no_such_user: { refusal: 'malformed', fields: { user: 'no_such_user' } },
  no_such_plan: { refusal: 'malformed', fields: { plan_id: 'no_such_plan' } },
  until_over: { refusal: 'malformed', fields: { until: 'too_small' } },
} as const satisfies Record<GrantRefusal['refusal'], Refused>

/** A plan that is given to a user. */
export function grantRoutes(operations: Operations, deps: AdminDeps): void {
  adminRoute(operations, {
    method: 'POST',
    path: '/subscriptions',
    operationId: 'grantSubscription',
    summary: 'Give a user a plan that nobody paid for',
    description: 'A courtesy, a trial, staff. One more event of the history of this user and plan: granted again, the newer one counts.',
    may: 'subscriptions:write',
    authentication: 'recent',
    body: grantBody,
    answer: { ...subscriptionAnswer, status: 201 },
    refuses: ['not_found', 'conflict'],
    work: (call) => grant(call, deps),
  })
}
