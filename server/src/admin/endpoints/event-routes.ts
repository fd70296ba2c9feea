import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { endpointStore } from '../../app-events/index.ts'
import {
  countMissed,
  DELIVERY_STATES,
  eventLogStore,
  type ListedDelivery,
  type LoggedEvent,
  replayOne,
  replayToEndpoint,
  testEndpoint,
} from '../../event-delivery/index.ts'
import type { Queryable } from '../../storage/index.ts'
import type { AdminAnswer } from '../api/admin-route.ts'
import { adminRoute, nothing } from '../api/admin-routes.ts'
import type { AdminDeps } from '../api/deps.ts'
import { listQuery, moment, pageSchema, readPage, writePage } from '../api/list.ts'
import { refuseTooMany } from '../api/rate-limits.ts'
import { actionBody } from '../users/user-schemas.ts'
import { readSlugs } from './endpoint-json.ts'
import { attemptJson, deliveryJson, eventDetailsJson, eventJson } from './event-json.ts'
import { attemptSchema, deliverySchema, eventDetailsSchema, eventSchema, eventExample as example } from './event-schemas.ts'

const eventListQuery = listQuery(
  { sorts: ['occurred_at'], usual: '-occurred_at' },
  {
    subject: z.string().max(200).optional().describe('the user that it is about, as `user_id` in `data`'),
    endpoint: z.uuid().optional().describe('only those for this endpoint'),
    product: z.string().max(64).optional().describe("the product's slug"),
    since: moment.optional().describe('only those recorded since then'),
  },
)
const replayBody = actionBody.extend({ endpoint: z.uuid().optional().describe('absent: each of its endpoints') })
const replayEndpointBody = actionBody.extend({
  since: moment.optional().describe('everything since then, delivered or not; absent: what was given up'),
})
const deliveryListQuery = listQuery(
  { sorts: ['occurred_at'], usual: '-occurred_at' },
  { endpoint: z.uuid().optional(), state: z.enum(DELIVERY_STATES).optional() },
)
const missedQuery = z.strictObject({ since: moment.optional().describe('absent: what has failed') })
const replayed = { description: 'How many', schema: z.object({ replayed: z.int() }), example: { replayed: 3 } }
const id = '0199c2b4-c1d2-7e30-8f41-5a6b7c8d9e0f'
const attempt = { at: '2026-11-23T12:00:00.000Z', ms: 48, status: 200, fault: null, answer: '' }

const { data: _, ...about } = example
const deliveryExample = { ...about, endpoint: id, state: 'delivered', attempts: 1, next_at: null, last_attempt: attempt }

/** What events say of users. */
const OF_USERS = ['product_user_id', 'email', 'name', 'avatar_url', 'company_name', 'rank_name']

/** Events with their deliveries and attempts, replays and tests. */
export function eventRoutes(scope: FastifyInstance, deps: AdminDeps): void {
  const { storage } = deps
  adminRoute(scope, deps, {
    method: 'GET',
    path: '/events',
    operationId: 'listEvents',
    summary: 'List events of the last 90 days',
    may: 'endpoints:read',
    query: eventListQuery,
    body: nothing,
    personal: ['subject', 'user_id', ...OF_USERS],
    answer: { description: 'One page', schema: pageSchema(eventSchema), example: { data: [example], next_cursor: null } },
    refuses: ['bad_cursor'],
    work: ({ query }) => list(query, deps),
  })
  adminRoute(scope, deps, {
    method: 'GET',
    path: '/events/:id',
    operationId: 'showEvent',
    summary: 'Show an event with each attempt to deliver it',
    may: 'endpoints:read',
    query: nothing,
    body: nothing,
    personal: ['subject', 'user_id', 'answer', ...OF_USERS],
    answer: {
      description: 'The event',
      schema: eventDetailsSchema,
      example: { ...example, deliveries: [{ endpoint: id, state: 'delivered', attempts: 1, next_at: null, tried: [attempt] }] },
    },
    refuses: ['not_found'],
    work: (call) => show(call.id, storage.db),
  })
  adminRoute(scope, deps, {
    method: 'GET',
    path: '/deliveries',
    operationId: 'listDeliveries',
    summary: 'List deliveries, with their last attempt',
    may: 'endpoints:read',
    query: deliveryListQuery,
    body: nothing,
    personal: ['subject', 'answer'],
    answer: { description: 'One page', schema: pageSchema(deliverySchema), example: { data: [deliveryExample], next_cursor: null } },
    refuses: ['bad_cursor'],
    work: ({ query }) => listDeliveries(query, deps),
  })
  adminRoute(scope, deps, {
    method: 'GET',
    path: '/endpoints/:id/missed',
    operationId: 'countMissedEvents',
    summary: 'Say how many events a replay would deliver now',
    may: 'endpoints:read',
    query: missedQuery,
    body: nothing,
    answer: { description: 'How many', schema: z.object({ count: z.int().describe('10000: or more') }), example: { count: 3 } },
    refuses: ['not_found'],
    async work({ id: endpointId, query: { since } }) {
      const counted = await countMissed(endpointId, since === undefined ? 'failed' : { since }, deps)
      return 'refusal' in counted ? counted : { body: counted }
    },
  })
  adminRoute(scope, deps, {
    method: 'POST',
    path: '/events/:id/replay',
    operationId: 'replayEvent',
    summary: 'Deliver an event again, with the same id',
    may: 'endpoints:write',
    query: nothing,
    body: replayBody,
    answer: replayed,
    refuses: ['not_found'],
    async work({ id: eventId, body, actor }) {
      const done = await replayOne(eventId, body.endpoint, { ...deps, actor })
      return 'refusal' in done ? done : { body: done }
    },
  })
  adminRoute(scope, deps, {
    method: 'POST',
    path: '/endpoints/:id/replay',
    operationId: 'replayEndpoint',
    summary: 'Deliver again what an endpoint has missed',
    description:
      'What has failed, given up or not, or, with `since`, every event since then, also of the time in which it was disabled. Ten a minute.',
    may: 'endpoints:write',
    query: nothing,
    body: replayEndpointBody,
    answer: replayed,
    refuses: ['not_found'],
    async work(call) {
      if (!(await endpointStore(storage.db).findById(call.id))) return { refusal: 'not_found' }
      const refused = await refuseTooMany('endpoint-replay', call, deps)
      if (refused) return refused
      const {
        id: endpointId,
        body: { since },
        actor,
      } = call
      const done = await replayToEndpoint(endpointId, since === undefined ? 'failed' : { since }, { ...deps, actor })
      return 'refusal' in done ? done : { body: done }
    },
  })
  adminRoute(scope, deps, {
    method: 'POST',
    path: '/endpoints/:id/test',
    operationId: 'testEventEndpoint',
    summary: 'Send a test event now',
    description: 'If it arrives, an endpoint that failures have disabled is enabled again. Ten a minute.',
    may: 'endpoints:write',
    query: nothing,
    body: actionBody,
    answer: {
      description: 'The attempt',
      schema: attemptSchema.extend({ enabled: z.boolean() }),
      example: { ...attempt, enabled: false },
    },
    refuses: ['not_found'],
    async work(call) {
      if (!(await endpointStore(storage.db).findById(call.id))) return { refusal: 'not_found' }
      const refused = await refuseTooMany('endpoint-test', call, deps)
      if (refused) return refused
      const done = await testEndpoint(call.id, { ...deps, actor: call.actor })
      return 'refusal' in done ? done : { body: { ...attemptJson(done.attempt), enabled: done.enabled } }
    },
  })
}

async function list(query: z.output<typeof eventListQuery>, { storage, cursors }: AdminDeps): Promise<AdminAnswer> {
  const asked = readPage('events', query, cursors)
  if ('refusal' in asked) return asked
  const { subject, endpoint: endpointId, product, since } = query
  const slugs = await readSlugs(storage.db)
  const productId = product === undefined ? undefined : ([...slugs].find(([, slug]) => slug === product)?.[0] ?? 'none')
  const found = await eventLogStore(storage.db).listPage({ subject, endpointId, productId, since }, asked.page)
  const placeOf = (event: LoggedEvent) => ({ id: event.id, value: event.id })
  return { body: writePage('events', found, query, { cursors, placeOf, json: (event) => eventJson(event, slugs) }) }
}

async function listDeliveries(query: z.output<typeof deliveryListQuery>, { storage, cursors }: AdminDeps): Promise<AdminAnswer> {
  const asked = readPage('deliveries', query, cursors)
  if ('refusal' in asked) return asked
  const { endpoint: endpointId, state } = query
  const found = await eventLogStore(storage.db).listDeliveriesPage({ endpointId, state }, asked.page)
  const slugs = await readSlugs(storage.db)
  const placeOf = ({ event, endpointId: id }: ListedDelivery) => ({ value: event.id, id })
  return { body: writePage('deliveries', found, query, { cursors, placeOf, json: (delivery) => deliveryJson(delivery, slugs) }) }
}

async function show(eventId: string, db: Queryable): Promise<AdminAnswer> {
  const log = eventLogStore(db)
  const event = await log.find(eventId)
  if (!event) return { refusal: 'not_found' }
  const [deliveries, attempts, slugs] = [await log.listDeliveries(eventId), await log.listAttempts(eventId), await readSlugs(db)]
  return { body: eventDetailsJson(event, { deliveries, attempts, slugs }) }
}
