import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { eventLogStore, type LoggedEvent, replayOne, replayToEndpoint, testEndpoint } from '../../event-delivery/index.ts'
import type { Queryable } from '../../storage/index.ts'
import type { AdminAnswer } from '../api/admin-route.ts'
import { adminRoute, nothing } from '../api/admin-routes.ts'
import type { AdminDeps } from '../api/deps.ts'
import { listQuery, moment, pageSchema, readPage, writePage } from '../api/list.ts'
import { actionBody } from '../users/user-schemas.ts'
import { readSlugs } from './endpoint-json.ts'
import { attemptJson, eventDetailsJson, eventJson } from './event-json.ts'
import { attemptSchema, eventDetailsSchema, eventSchema, eventExample as example } from './event-schemas.ts'

const eventListQuery = listQuery(
  { sorts: ['occurred_at'], usual: '-occurred_at' },
  {
    subject: z.string().max(200).optional().describe('the user that it is about, as `user_id` in `data`'),
    endpoint: z.uuid().optional().describe('only those for this endpoint'),
  },
)
const replayBody = actionBody.extend({ endpoint: z.uuid().optional().describe('absent: each of its endpoints') })
const replayEndpointBody = actionBody.extend({
  since: moment.optional().describe('everything since then, delivered or not; absent: what was given up'),
})
const replayed = { description: 'How many', schema: z.object({ replayed: z.int() }), example: { replayed: 3 } }
const id = '0199c2b4-c1d2-7e30-8f41-5a6b7c8d9e0f'
const attempt = { at: '2026-11-23T12:00:00.000Z', ms: 48, status: 200, fault: null, answer: '' }

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
    personal: ['subject', 'user_id'],
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
    personal: ['subject', 'user_id', 'answer'],
    answer: {
      description: 'The event',
      schema: eventDetailsSchema,
      example: { ...example, deliveries: [{ endpoint: id, state: 'delivered', attempts: 1, next_at: null, tried: [attempt] }] },
    },
    refuses: ['not_found'],
    work: (call) => show(call.id, storage.db),
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
    description: 'What was given up or, with `since`, every event since then, also of the time in which it was disabled.',
    may: 'endpoints:write',
    query: nothing,
    body: replayEndpointBody,
    answer: replayed,
    refuses: ['not_found'],
    async work({ id: endpointId, body: { since }, actor }) {
      const done = await replayToEndpoint(endpointId, since === undefined ? 'failed' : { since }, { ...deps, actor })
      return 'refusal' in done ? done : { body: done }
    },
  })
  adminRoute(scope, deps, {
    method: 'POST',
    path: '/endpoints/:id/test',
    operationId: 'testEventEndpoint',
    summary: 'Send a test event now',
    description: 'If it arrives, an endpoint that failures have disabled is enabled again.',
    may: 'endpoints:write',
    query: nothing,
    body: actionBody,
    answer: {
      description: 'The attempt',
      schema: attemptSchema.extend({ enabled: z.boolean() }),
      example: { ...attempt, enabled: false },
    },
    refuses: ['not_found'],
    async work({ id: endpointId, actor }) {
      const done = await testEndpoint(endpointId, { ...deps, actor })
      return 'refusal' in done ? done : { body: { ...attemptJson(done.attempt), enabled: done.enabled } }
    },
  })
}

async function list(query: z.output<typeof eventListQuery>, { storage, cursors }: AdminDeps): Promise<AdminAnswer> {
  const asked = readPage('events', query, cursors)
  if ('refusal' in asked) return asked
  const { subject, endpoint: endpointId } = query
  const found = await eventLogStore(storage.db).listPage({ subject, endpointId }, asked.page)
  const slugs = await readSlugs(storage.db)
  const placeOf = (event: LoggedEvent) => ({ id: event.id, value: event.id })
  return { body: writePage('events', found, query, { cursors, placeOf, json: (event) => eventJson(event, slugs) }) }
}

async function show(eventId: string, db: Queryable): Promise<AdminAnswer> {
  const log = eventLogStore(db)
  const event = await log.find(eventId)
  if (!event) return { refusal: 'not_found' }
  const [deliveries, attempts, slugs] = [await log.listDeliveries(eventId), await log.listAttempts(eventId), await readSlugs(db)]
  return { body: eventDetailsJson(event, { deliveries, attempts, slugs }) }
}
