import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { isoTime } from '../../kit/index.ts'
import {
  heldNotificationStore,
  listAttempts,
  type Notification,
  notificationStore,
  type Reprocessed,
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
import { answerPage, pageSchema } from '../api/list.ts'
import { refuseTooMany } from '../api/rate-limits.ts'
import type { Refused } from '../api/refusals.ts'
import { suggestionJson, suggestUsers } from '../buyers/suggest-users.ts'
import { actionBody, reasonedBody } from '../users/user-schemas.ts'
import { doBatch } from './batch.ts'
import { notificationAttemptJson, payloadOf } from './notification-json.ts'
import { countNotifications } from './notification-list-store.ts'
import { filterOf, notificationListing, rowJson } from './notification-listing.ts'
import {
  batchBody,
  batchExample,
  batchSchema,
  countsExample,
  countsQuery,
  countsSchema,
  notificationDetailsExample,
  notificationDetailsSchema,
  notificationExample,
  notificationListQuery,
  notificationSchema,
  resolveBody,
} from './notification-schemas.ts'
import { resolveFor } from './resolve-for.ts'
import { notificationRunRoutes } from './runs/run-routes.ts'

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
    work: ({ query }) => answerPage('notifications', query, notificationListing(query, deps), deps.cursors),
  })
  adminRoute(scope, deps, {
    method: 'GET',
    path: '/notifications/counts',
    operationId: 'countNotifications',
    summary: 'Count notifications, those that wait and those that failed among them',
    may: 'notifications:read',
    query: countsQuery,
    body: nothing,
    answer: { description: 'How many', schema: countsSchema, example: countsExample },
    work: ({ query }) => count(query, deps),
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
  batchRoute(scope, deps)
  notificationRunRoutes(scope, deps)
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
    summary: 'Try one again that waits, as after a plan was made, or whose gateway was asked in vain',
    description: 'A gateway answers later: until then the notification is `unresolved` with `awaiting_gateway`.',
    body: actionBody,
    work: (call) => processed(call, (approve) => reprocessNotification(call.id, { ...deps, actor: call.actor, approve }), deps),
  })
}

function batchRoute(scope: FastifyInstance, deps: AdminDeps): void {
  adminRoute(scope, deps, {
    method: 'POST',
    path: '/notifications/batch',
    operationId: 'processNotifications',
    summary: 'Process or ignore several notifications',
    description:
      'Each by itself, with an answer for each: repeated, it does nothing twice. Ignoring needs a reason. Gateways are asked again about what failed. 10 a minute.',
    may: 'notifications:write',
    query: nothing,
    body: batchBody,
    check: ({ action, reason }) =>
      action === 'ignore' && reason === undefined ? { refusal: 'malformed', fields: { reason: 'required' } } : undefined,
    answer: { description: 'What came of each', schema: batchSchema, example: batchExample },
    async work({ body: { action, ids, reason = '' }, caller, actor }) {
      const tooMany = await refuseTooMany('batch', { caller }, deps)
      if (tooMany) return tooMany
      const results = await doBatch(ids, action === 'ignore' ? { action, reason } : { action }, caller, { ...deps, actor })
      deps.outbox.wake()
      return { body: { results: results.map(({ why, status, ...result }) => ({ ...result, why: why ?? null, status: status ?? null })) } }
    },
  })
}

async function count(query: z.output<typeof countsQuery>, { storage: { db } }: AdminDeps): Promise<AdminAnswer> {
  const filter = filterOf(query)
  const all = await countNotifications(db, filter)
  const unresolved = await countNotifications(db, { ...filter, status: 'unresolved' })
  return { body: { all, unresolved, failed: await countNotifications(db, { ...filter, status: 'failed' }) } }
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
  const isOpen = !masked && owner === undefined
  const pending = isOpen ? await heldNotificationStore(storage.db).readPending(id) : undefined
  const bought = { notifications: [found], emails: [pending?.email] }
  const suggested = isOpen ? await suggestUsers(bought, { db: storage.db, masterKeys }) : []
  return {
    body: {
      ...rowJson(found),
      suggested_users: suggested.map(suggestionJson),
      payload: payloadOf(masked ? scrubPayload(found.payload) : found.payload),
      masked,
      checks: checksOf(found),
      attempts: (await listAttempts(storage.db, found)).map(notificationAttemptJson),
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
  const state = status === 'unresolved' ? 'pending' : status === 'failed' || status === 'refused' ? 'failed' : 'passed'
  return [
    { check: 'verified', ok: true, state: 'passed', detail: null },
    { check: 'stored', ok: true, state: 'passed', detail: null },
    { check: 'processed', ok: state === 'passed', state, detail: why ?? null },
  ]
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
