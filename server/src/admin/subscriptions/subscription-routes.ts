import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { normaliseEmail } from '../../kit/index.ts'
import { notificationStore } from '../../notifications/index.ts'
import {
  endSubscription,
  findHistory,
  type GrantRefusal,
  grantSubscription,
  hashEmail,
  refundSubscription,
} from '../../payment-history/index.ts'
import { productStore } from '../../products/index.ts'
import { type Changed, countStreams, dayIn, MAX_COUNTED, readZone } from '../../reports/index.ts'
import {
  moveSubscription,
  planStore,
  type Subscription,
  type SubscriptionRefusal,
  subscriptionStore,
  unlinkSubscription,
} from '../../subscriptions/index.ts'
import type { AdminAnswer, AdminCall } from '../api/admin-route.ts'
import { adminRoute, nothing } from '../api/admin-routes.ts'
import { type Caller, refuseImpersonationOf } from '../api/caller.ts'
import type { AdminDeps } from '../api/deps.ts'
import { answerPage, type ListFilters, type Listing, pageSchema } from '../api/list.ts'
import type { Refused } from '../api/refusals.ts'
import { suggestionJson, suggestUsers } from '../buyers/suggest-users.ts'
import { findUser } from '../users/change-users.ts'
import { reasonedBody } from '../users/user-schemas.ts'
import { historyJson, readNames, subscriptionJson } from './subscription-json.ts'
import { type Listed, listSubscriptions } from './subscription-list-store.ts'
import {
  grantBody,
  historyExample,
  moveBody,
  subscriptionExample,
  subscriptionHistorySchema,
  subscriptionListQuery,
  subscriptionSchema,
  unlinkBody,
} from './subscription-schemas.ts'

/** The buyer's address, and what the app calls them. */
export const SUBSCRIPTION_PERSONAL = ['email', 'product_user']

const answer = {
  description: 'The subscription, with all its events',
  schema: subscriptionHistorySchema,
  example: historyExample,
}

const refusals = {
  not_found: { refusal: 'not_found' },
  already_so: { refusal: 'conflict', reason: 'already_so' },
  superseded: { refusal: 'conflict', reason: 'superseded' },
  no_such_user: { refusal: 'malformed', fields: { to: 'no_such_user' } },
} as const satisfies Record<SubscriptionRefusal['refusal'], Refused>

/** Subscriptions: listed and shown, and the operator's changes of them. */
export function subscriptionRoutes(scope: FastifyInstance, deps: AdminDeps): void {
  adminRoute(scope, deps, {
    method: 'GET',
    path: '/subscriptions',
    operationId: 'listSubscriptions',
    summary: 'List subscriptions',
    may: 'subscriptions:read',
    personal: SUBSCRIPTION_PERSONAL,
    query: subscriptionListQuery,
    body: nothing,
    answer: {
      description: 'One page',
      schema: pageSchema(subscriptionSchema),
      example: { data: [subscriptionExample], next_cursor: null },
    },
    refuses: ['bad_cursor'],
    work: async ({ query }) => answerPage('subscriptions', query, await subscriptionListing(query, deps), deps.cursors),
  })
  adminRoute(scope, deps, {
    method: 'GET',
    path: '/subscriptions/:id',
    operationId: 'showSubscription',
    summary: 'Show a subscription',
    may: 'subscriptions:read',
    personal: SUBSCRIPTION_PERSONAL,
    query: nothing,
    body: nothing,
    answer,
    refuses: ['not_found'],
    work: ({ id, caller }) => show(id, caller, deps),
  })
  adminRoute(scope, deps, {
    method: 'POST',
    path: '/subscriptions',
    operationId: 'grantSubscription',
    summary: 'Give a user a plan that nobody paid for',
    description: 'A courtesy, a trial, staff. One more event of the history of this user and plan: granted again, the newer one counts.',
    may: 'subscriptions:write',
    authentication: 'recent',
    query: nothing,
    body: grantBody,
    answer: { ...answer, status: 201 },
    refuses: ['not_found', 'conflict'],
    work: (call) => grant(call, deps),
  })
  actionRoutes(scope, deps)
}

async function grant(call: Call<z.output<typeof grantBody>>, deps: AdminDeps): Promise<AdminAnswer> {
  const { user, plan_id: planId, product_id: productId, until, reason } = call.body
  const refused = await refuseReach(call, user, deps)
  if (refused) return refused
  if (productId !== undefined && !(await productStore(deps.storage.db).findById(productId)))
    return { refusal: 'malformed', fields: { product_id: 'no_such_product' } }
  const end = until === undefined ? undefined : Date.parse(until)
  const granted = await grantSubscription({ to: user, planId, productId, until: end, reason }, { ...deps, actor: call.actor })
  return 'refusal' in granted ? grantRefusals[granted.refusal] : show(granted.id, call.caller, deps)
}

const grantRefusals = {
  no_such_user: { refusal: 'malformed', fields: { user: 'no_such_user' } },
  no_such_plan: { refusal: 'malformed', fields: { plan_id: 'no_such_plan' } },
  until_over: { refusal: 'malformed', fields: { until: 'too_small' } },
} as const satisfies Record<GrantRefusal['refusal'], Refused>

function actionRoutes(scope: FastifyInstance, deps: AdminDeps): void {
  const action = { method: 'POST', may: 'subscriptions:write', query: nothing, answer, refuses: ['not_found', 'conflict'] } as const
  const answerAction = async <Body>(call: Call<Body>, work: Work<Body>, to?: string): Promise<AdminAnswer> => {
    const refused = await refuseReach(call, to, deps)
    if (refused) return refused
    const changed = await work(call)
    return 'refusal' in changed ? refusals[changed.refusal] : show(changed.id, call.caller, deps)
  }
  adminRoute(scope, deps, {
    ...action,
    path: '/subscriptions/:id/end',
    operationId: 'endSubscription',
    summary: 'End it from this moment, whatever is paid',
    body: reasonedBody,
    work: (call) => answerAction(call, ({ id, body, actor }) => endSubscription(id, body.reason, { ...deps, actor })),
  })
  adminRoute(scope, deps, {
    ...action,
    path: '/subscriptions/:id/refund',
    operationId: 'refundSubscription',
    summary: 'Record that its payment was given back; moves no money',
    body: reasonedBody,
    work: (call) => answerAction(call, ({ id, body, actor }) => refundSubscription(id, body.reason, { ...deps, actor })),
  })
  adminRoute(scope, deps, {
    ...action,
    path: '/subscriptions/:id/unlink',
    operationId: 'unlinkSubscription',
    summary: 'Take it from its account, from what the product calls the user, or both',
    body: unlinkBody,
    work: (call) => answerAction(call, ({ id, body, actor }) => unlinkSubscription(id, body, { ...deps, actor })),
  })
  adminRoute(scope, deps, {
    ...action,
    path: '/subscriptions/:id/move',
    operationId: 'moveSubscription',
    summary: 'Link it to another account: how a guest purchase is merged',
    body: moveBody,
    authentication: 'recent',
    work: (call) => answerAction(call, ({ id, body, actor }) => moveSubscription(id, body, { ...deps, actor }), call.body.to),
  })
}

type Call<Body> = AdminCall<unknown, Body>
type Work<Body> = (call: Call<Body>) => Promise<Subscription | SubscriptionRefusal>

/** As with users: not everybody may change the purchases of an administrator, or give one a purchase (`to`). */
async function refuseReach({ id, caller }: Call<unknown>, to: string | undefined, { storage }: AdminDeps): Promise<Refused | undefined> {
  const { userId } = (await subscriptionStore(storage.db).findById(id)) ?? {}
  const ids = [userId, to].filter((who) => who !== undefined)
  const users = await Promise.all(ids.map((id) => findUser(storage.db, id)))
  return users.map((user) => refuseImpersonationOf(caller, user?.role)).find((refused) => refused !== undefined)
}

/** Subscriptions, by the names that plans and products have now. */
export async function subscriptionListing(
  query: ListFilters<typeof subscriptionListQuery>,
  { storage, masterKeys, now }: Pick<AdminDeps, 'storage' | 'masterKeys' | 'now'>,
): Promise<Listing<Listed, 'created_at'> | Refused> {
  const address = query.email === undefined ? undefined : normaliseEmail(query.email)
  if (query.email !== undefined && address === undefined) return { refusal: 'malformed', fields: { email: 'email_malformed' } }
  const { user_id: userId, product_id: productId, plan_id: planId, state, guest, since, until } = query
  const email = address === undefined ? undefined : { address, hash: hashEmail(address, masterKeys.emailIndex) }
  if (planId !== undefined && !(await planStore(storage.db).findById(planId)))
    return { refusal: 'malformed', fields: { plan_id: 'no_such_plan' } }
  const at = now()
  const changed = await changedOf(query, { storage, now })
  if (changed && 'refusal' in changed) return changed
  const filter = { userId, email, productId, planId, state, guest, since, until, changed }
  const names = await readNames({ storage })
  return {
    order: query.sort,
    read: (page) => listSubscriptions(storage.db, filter, page),
    placeOf: ({ subscription: { id }, place }) => ({ id, value: place }),
    json: ({ subscription }) => subscriptionJson(subscription, names, at),
  }
}

/** The days of a figure's list, in the zone of the reports. */
async function changedOf(
  { changed: name, changed_since: since = 0, changed_until: until = Number.POSITIVE_INFINITY }: ListFilters<typeof subscriptionListQuery>,
  deps: Pick<AdminDeps, 'storage' | 'now'>,
): Promise<Changed | Refused | undefined> {
  const isOfDays = since > 0 || until < Number.POSITIVE_INFINITY
  if (name === undefined) return isOfDays ? { refusal: 'malformed', fields: { changed: 'missing' } } : undefined
  await countStreams(deps, { atMost: MAX_COUNTED })
  const zone = await readZone(deps.storage.db)
  const dayOf = dayIn(zone)
  // An end that is to come is counted already, and no figure has it yet.
  return { name, zone, from: dayOf(since), to: dayOf(Math.min(until - 1, deps.now())) }
}

/** Enough of the newest event to recognise its buyer. */
const MAX_READ = 3

async function show(id: string, { role }: Caller, deps: AdminDeps): Promise<AdminAnswer> {
  const { storage, masterKeys, now } = deps
  const history = await findHistory(storage.db, id)
  if (!history) return { refusal: 'not_found' }
  const isGuest = history.subscription.userId === undefined && role !== 'viewer'
  const newest = isGuest ? history.events.flatMap(({ notificationId }) => notificationId ?? []).slice(-MAX_READ) : []
  const notifications = await notificationStore(storage.db).listByIds([...new Set(newest)])
  const bought = { notifications, emails: [history.subscription.email] }
  const suggested = isGuest ? await suggestUsers(bought, { db: storage.db, masterKeys }) : []
  return { body: { ...historyJson(history, await readNames(deps), now()), suggested_users: suggested.map(suggestionJson) } }
}
