import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { isoTime, normaliseEmail } from '../../kit/index.ts'
import {
  type Notification,
  notificationStore,
  type ResolveDeps,
  type ResolveRefusal,
  reprocessNotification,
  resolveNotification,
  scrubPayload,
} from '../../notifications/index.ts'
import { eventStore } from '../../payment-history/index.ts'
import { subscriptionStore } from '../../subscriptions/index.ts'
import type { AdminAnswer, AdminCall } from '../api/admin-route.ts'
import { adminRoute, nothing } from '../api/admin-routes.ts'
import type { AdminDeps } from '../api/deps.ts'
import { pageSchema, readPage, writePage } from '../api/list.ts'
import { refuseTooMany } from '../api/rate-limits.ts'
import type { Refused } from '../api/refusals.ts'
import { actionBody, reasonedBody } from '../users/user-schemas.ts'
import { notificationJson, payloadOf } from './notification-json.ts'
import { listNotifications } from './notification-list-store.ts'
import {
  notificationDetailsExample,
  notificationDetailsSchema,
  notificationExample,
  notificationListQuery,
  notificationSchema,
  replayBody,
  replaySchema,
  resolveBody,
} from './notification-schemas.ts'
import { reprocessPending } from './replay.ts'
import { resolveFor } from './resolve-for.ts'
import { suggestionJson, suggestUsers } from './suggest-users.ts'

const answer = { description: 'The notification', schema: notificationDetailsSchema, example: notificationDetailsExample }

/** Notifications of payments: listed, shown with their effects, and resolved. */
export function notificationRoutes(scope: FastifyInstance, deps: AdminDeps): void {
  adminRoute(scope, deps, {
    method: 'GET',
    path: '/notifications',
    operationId: 'listNotifications',
    summary: 'List notifications',
    may: 'notifications:read',
    query: notificationListQuery,
    body: nothing,
    answer: {
      description: 'One page',
      schema: pageSchema(notificationSchema),
      example: { data: [notificationExample], next_cursor: null },
    },
    refuses: ['bad_cursor'],
    work: ({ query }) => list(query, deps),
  })
  adminRoute(scope, deps, {
    method: 'GET',
    path: '/notifications/:id',
    operationId: 'showNotification',
    summary: 'Show a notification, with what was sent and what it changed',
    description: 'A viewer sees what was sent without personal data.',
    may: 'notifications:read',
    query: nothing,
    body: nothing,
    answer,
    refuses: ['not_found'],
    work: ({ id, caller }) => show(id, caller, deps),
  })
  resolvingRoutes(scope, deps)
}

function resolvingRoutes(scope: FastifyInstance, deps: AdminDeps): void {
  const action = { method: 'POST', may: 'notifications:write', query: nothing, answer, refuses: ['not_found', 'conflict'] } as const
  adminRoute(scope, deps, {
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
  adminRoute(scope, deps, {
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
  adminRoute(scope, deps, {
    ...action,
    path: '/notifications/:id/reprocess',
    operationId: 'reprocessNotification',
    summary: 'Try one that waits again, as after a plan was made',
    body: actionBody,
    work: (call) => processed(call, (approve) => reprocessNotification(call.id, { ...deps, actor: call.actor, approve }), deps),
  })
  adminRoute(scope, deps, {
    method: 'POST',
    path: '/notifications/reprocess',
    operationId: 'reprocessNotifications',
    summary: 'Try everything again that waits, since a time',
    description:
      'The oldest first, 500 at most in one call: `pending` counts those that wait on, and why; `not_allowed`: those of somebody who has a role. 10 a minute.',
    may: 'notifications:write',
    query: nothing,
    body: replayBody,
    answer: { description: 'What became of them', schema: replaySchema, example: { processed: 2, pending: 1, why: { no_plan: 1 } } },
    async work({ body, actor, caller }) {
      const tooMany = await refuseTooMany('reprocess', { caller }, deps)
      return tooMany ?? { body: await reprocessPending(body.since, caller, { ...deps, actor }) }
    },
  })
}

async function list(query: z.output<typeof notificationListQuery>, { storage, cursors }: AdminDeps): Promise<AdminAnswer> {
  const asked = readPage('notifications', query, cursors)
  if ('refusal' in asked) return asked
  const { status, source, product_id: productId, email, since, until } = query
  const subject = email === undefined ? undefined : (normaliseEmail(email) ?? email)
  const found = await listNotifications(storage.db, { status, source, productId, subject, since, until }, asked.page)
  return { body: writePage('notifications', found, query, { cursors, placeOf: ({ id }) => ({ id, value: id }), json: rowJson }) }
}

function rowJson(notification: Notification) {
  const { why, productId, subscriptionId, processedAt } = notification
  return {
    ...notificationJson(notification),
    why: why ?? null,
    product_id: productId ?? null,
    subscription_id: subscriptionId ?? null,
    processed_at: isoTime(processedAt),
  }
}

async function show(
  id: string,
  { role }: Pick<AdminCall<unknown, unknown>['caller'], 'role'>,
  { storage, masterKeys }: AdminDeps,
): Promise<AdminAnswer> {
  const found = await notificationStore(storage.db).findById(id)
  if (!found) return { refusal: 'not_found' }
  const masked = role === 'viewer'
  const { subscriptionId } = found
  const changed = subscriptionId === undefined ? [] : await eventStore(storage.db).listOfNotification(id, subscriptionId)
  const owner = subscriptionId === undefined ? undefined : (await subscriptionStore(storage.db).findById(subscriptionId))?.userId
  const suggested = masked || owner !== undefined ? [] : await suggestUsers([found], { db: storage.db, masterKeys })
  return {
    body: {
      ...rowJson(found),
      suggested_users: suggested.map(suggestionJson),
      payload: payloadOf(masked ? scrubPayload(found.payload) : found.payload),
      masked,
      checks: checksOf(found),
      changed: changed.map(({ kind, at, paymentId }) => ({
        subscription_id: subscriptionId,
        kind,
        at: isoTime(at),
        payment_id: paymentId ?? null,
      })),
    },
  }
}

/** A delivery that fails verification is never stored: so each one here was verified. */
function checksOf({ status, why }: Notification) {
  return [
    { check: 'verified', ok: true, detail: null },
    { check: 'stored', ok: true, detail: null },
    { check: 'processed', ok: status !== 'unresolved' && status !== 'failed' && status !== 'refused', detail: why ?? null },
  ]
}

async function processed(
  { id, caller }: Pick<AdminCall<unknown, unknown>, 'id' | 'caller'>,
  work: (approve: NonNullable<ResolveDeps['approve']>) => Promise<object | ResolveRefusal>,
  deps: AdminDeps,
): Promise<AdminAnswer> {
  const done = await resolveFor(caller, async (approve) => ({ result: await work(approve) }))
  if ('refusal' in done) return done
  const { result } = done
  if (!('refusal' in result)) return show(id, caller, deps)
  if ((await notificationStore(deps.storage.db).findById(id)) === undefined) return { refusal: 'not_found' }
  if (result.refusal !== 'still_unresolved') return refusals[result.refusal]
  return { refusal: 'conflict', reason: result.why }
}

const refusals = {
  not_pending: { refusal: 'conflict', reason: 'not_pending' },
  no_such_product: { refusal: 'malformed', fields: { product: 'no_such_product' } },
  email_malformed: { refusal: 'malformed', fields: { email: 'email_malformed' } },
} as const satisfies Record<Exclude<ResolveRefusal['refusal'], 'still_unresolved'>, Refused>
