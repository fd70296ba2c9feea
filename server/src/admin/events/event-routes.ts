import { z } from 'zod'
import { eventLogStore, type LoggedEvent } from '../../event-delivery/index.ts'
import type { Queryable } from '../../storage/index.ts'
import type { AdminAnswer, AdminCall } from '../api/admin-route.ts'
import type { AdminDeps } from '../api/deps.ts'
import { listQuery, moment, onePage, readPage, refuseHiddenFilter, writePage } from '../api/list.ts'
import { adminRoute, type Operations } from '../api/operations.ts'
import { readSlugs } from '../endpoints/endpoint-json.ts'
import { deliveryRoutes } from './delivery-routes.ts'
import { endpointTestRoutes } from './endpoint-test-routes.ts'
import { eventDetailsJson, eventJson } from './event-json.ts'
import {
  attemptExample as attempt,
  eventDetailsSchema,
  eventSchema,
  eventExample as example,
  endpointIdExample as id,
} from './event-schemas.ts'
import { replayRoutes } from './replay-routes.ts'

const eventListQuery = listQuery(
  { sorts: ['occurred_at'], usual: '-occurred_at' },
  {
    subject: z.string().max(200).optional().describe('the user that it is about, as `user_id` in `data`; not for a viewer'),
    endpoint: z.uuid().optional().describe('only those for this endpoint'),
    product: z.string().max(64).optional().describe("the product's slug"),
    since: moment.optional().describe('only those recorded since then'),
  },
)

/** The fields of events that are about a user. */
const OF_USERS = ['product_user_id', 'email', 'name', 'avatar_url', 'company_name', 'rank_name']

/** Events with their deliveries and attempts, replays and tests. */
export function eventRoutes(operations: Operations, deps: AdminDeps): void {
  adminRoute(operations, {
    method: 'GET',
    path: '/events',
    operationId: 'listEvents',
    summary: 'List events of the last 90 days',
    may: 'endpoints:read',
    query: eventListQuery,
    personal: ['subject', 'user_id', ...OF_USERS],
    answer: onePage(eventSchema, example),
    refuses: ['bad_cursor'],
    work: (call) => list(call, deps),
  })
  adminRoute(operations, {
    method: 'GET',
    path: '/events/:id',
    operationId: 'showEvent',
    summary: 'Show an event with each attempt to deliver it',
    may: 'endpoints:read',
    personal: ['subject', 'user_id', 'answer', ...OF_USERS],
    answer: {
      description: 'The event',
      schema: eventDetailsSchema,
      example: { ...example, deliveries: [{ endpoint: id, state: 'delivered', attempts: 1, next_at: null, tried: [attempt] }] },
    },
    refuses: ['not_found'],
    work: (call) => show(call.id, deps.storage.db),
  })
  deliveryRoutes(operations, deps)
  replayRoutes(operations, deps)
  endpointTestRoutes(operations, deps)
}

async function list(
  { query, caller }: Pick<AdminCall<z.output<typeof eventListQuery>, unknown>, 'query' | 'caller'>,
  { storage, cursors }: AdminDeps,
): Promise<AdminAnswer> {
  const hidden = refuseHiddenFilter(caller, query, 'subject')
  if (hidden) return hidden
  const asked = readPage('events', query, cursors)
  if ('refusal' in asked) return asked
  const { subject, endpoint: endpointId, product, since } = query
  const slugs = await readSlugs(storage.db)
  const productId = product === undefined ? undefined : ([...slugs].find(([, slug]) => slug === product)?.[0] ?? 'none')
  const found = await eventLogStore(storage.db).listPage({ subject, endpointId, productId, since }, asked.page)
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
