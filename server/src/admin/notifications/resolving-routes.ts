import {
  notificationStore,
  type Reprocessed,
  type ResolveDeps,
  type ResolveRefusal,
  reprocessNotification,
  resolveNotification,
} from '../../notifications/index.ts'
import type { AdminAnswer, AdminCall } from '../api/admin-route.ts'
import type { AdminDeps } from '../api/deps.ts'
import { adminRoute, type Operations } from '../api/operations.ts'
import type { Refused } from '../api/refusals.ts'
import { actionBody, reasonedBody } from '../api/request/reason.ts'
import { resolveBody } from './notification-schemas.ts'
import { resolveFor } from './resolve-for.ts'
import { notificationAnswer, showNotification } from './show-notification.ts'

export function resolvingRoutes(operations: Operations, deps: AdminDeps): void {
  const action = { method: 'POST', may: 'notifications:write', answer: notificationAnswer, refuses: ['not_found', 'conflict'] } as const
  adminRoute(operations, {
    ...action,
    path: '/notifications/:id/resolve',
    operationId: 'resolveNotification',
    summary: 'Resolve one that is pending, with what is known about it',
    description: 'It says who has bought what, so it asks for recent authentication. Only owners resolve what concerns a user with a role.',
    // Resolving one gives its purchase to a user, as a move does.
    authentication: 'recent',
    body: resolveBody,
    work: (call) => {
      const { plan, product, email, reason } = call.body
      const known = { ...(plan !== undefined && { planSlug: plan }), ...(product !== undefined && { productSlug: product }) }
      const resolution = { ...known, ...(email !== undefined && { email }), reason }
      return processed(call, (approve) => resolveNotification(call.id, resolution, { ...deps, actor: call.actor, approve }), deps)
    },
  })
  adminRoute(operations, {
    ...action,
    path: '/notifications/:id/ignore',
    operationId: 'ignoreNotification',
    summary: 'Say that nothing is to be done about one that waits',
    body: reasonedBody,
    work: (call) => {
      const resolution = { ignore: true, reason: call.body.reason } as const
      return processed(call, (approve) => resolveNotification(call.id, resolution, { ...deps, actor: call.actor, approve }), deps)
    },
  })
  adminRoute(operations, {
    ...action,
    path: '/notifications/:id/reprocess',
    operationId: 'reprocessNotification',
    summary: 'Try one again that waits, as after a plan was made, or whose gateway was asked in vain',
    description: 'A gateway answers later: until then the notification is `unresolved` with `awaiting_gateway`.',
    body: actionBody,
    work: (call) => processed(call, (approve) => reprocessNotification(call.id, { ...deps, actor: call.actor, approve }), deps),
  })
}

async function processed(
  { id, caller }: Pick<AdminCall<unknown, unknown>, 'id' | 'caller'>,
  work: (approve: NonNullable<ResolveDeps['approve']>) => Promise<Reprocessed | { ignored: true }>,
  deps: AdminDeps,
): Promise<AdminAnswer> {
  const done = await resolveFor(caller, async (approve) => ({ result: await work(approve) }))
  if ('refusal' in done) return done
  const { result } = done
  if ('asked' in result) deps.outbox.wake()
  if (!('refusal' in result)) return showNotification(id, caller, deps)
  if ((await notificationStore(deps.storage.db).findById(id)) === undefined) return { refusal: 'not_found' }
  if (result.refusal !== 'still_unresolved') return refusals[result.refusal]
  return { refusal: 'conflict', reason: result.why }
}

const refusals = {
  not_pending: { refusal: 'conflict', reason: 'not_pending' },
  no_such_product: { refusal: 'malformed', fields: { product: 'no_such_product' } },
  email_malformed: { refusal: 'malformed', fields: { email: 'email_malformed' } },
} as const satisfies Record<Exclude<ResolveRefusal['refusal'], 'still_unresolved'>, Refused>
