import { endSubscription, refundSubscription } from '../../payment-history/index.ts'
import { moveSubscription, type Subscription, type SubscriptionRefusal, unlinkSubscription } from '../../subscriptions/index.ts'
import type { AdminAnswer } from '../api/admin-route.ts'
import type { AdminDeps } from '../api/deps.ts'
import { adminRoute, type Operations } from '../api/operations.ts'
import type { Refused } from '../api/refusals.ts'
import { reasonedBody } from '../api/request/reason.ts'
import { type Call, refuseReach } from './refuse-reach.ts'
import { showSubscription, subscriptionAnswer } from './show-subscription.ts'
import { moveBody, unlinkBody } from './subscription-schemas.ts'

const refusals = {
  not_found: { refusal: 'not_found' },
  already_so: { refusal: 'conflict', reason: 'already_so' },
  superseded: { refusal: 'conflict', reason: 'superseded' },
  no_such_user: { refusal: 'malformed', fields: { to: 'no_such_user' } },
} as const satisfies Record<SubscriptionRefusal['refusal'], Refused>

export function actionRoutes(operations: Operations, deps: AdminDeps): void {
  const action = { method: 'POST', may: 'subscriptions:write', answer: subscriptionAnswer, refuses: ['not_found', 'conflict'] } as const
  const answerAction = async <Body>(call: Call<Body>, work: Work<Body>, to?: string): Promise<AdminAnswer> => {
    const refused = await refuseReach(call, to, deps)
    if (refused) return refused
    const changed = await work(call)
    return 'refusal' in changed ? refusals[changed.refusal] : showSubscription(changed.id, call.caller, deps)
  }
  adminRoute(operations, {
    ...action,
    path: '/subscriptions/:id/end',
    operationId: 'endSubscription',
    summary: 'End it from this moment, whatever is paid',
    body: reasonedBody,
    work: (call) => answerAction(call, ({ id, body, actor }) => endSubscription(id, body.reason, { ...deps, actor })),
  })
  adminRoute(operations, {
    ...action,
    path: '/subscriptions/:id/refund',
    operationId: 'refundSubscription',
    summary: 'Record that its payment was given back; moves no money',
    body: reasonedBody,
    work: (call) => answerAction(call, ({ id, body, actor }) => refundSubscription(id, body.reason, { ...deps, actor })),
  })
  adminRoute(operations, {
    ...action,
    path: '/subscriptions/:id/unlink',
    operationId: 'unlinkSubscription',
    summary: 'Take it from its account, from what the product calls the user, or both',
    body: unlinkBody,
    work: (call) => answerAction(call, ({ id, body, actor }) => unlinkSubscription(id, body, { ...deps, actor })),
  })
  adminRoute(operations, {
    ...action,
    path: '/subscriptions/:id/move',
    operationId: 'moveSubscription',
    summary: 'Link it to another account: how a guest purchase is merged',
    body: moveBody,
    authentication: 'recent',
    work: (call) => answerAction(call, ({ id, body, actor }) => moveSubscription(id, body, { ...deps, actor }), call.body.to),
  })
}
type Work<Body> = (call: Call<Body>) => Promise<Subscription | SubscriptionRefusal>
