import { z } from 'zod'
import { DELIVERY_STATES, eventLogStore, type ListedDelivery } from '../../event-delivery/index.ts'
import type { AdminAnswer } from '../api/admin-route.ts'
import type { AdminDeps } from '../api/deps.ts'
import { listQuery, onePage, readPage, writePage } from '../api/list.ts'
import { adminRoute, type Operations } from '../api/operations.ts'
import { readSlugs } from '../endpoints/endpoint-json.ts'
import { deliveryJson } from './event-json.ts'
import { attemptExample as attempt, deliverySchema, eventExample as example, endpointIdExample as id } from './event-schemas.ts'

const deliveryListQuery = listQuery(
  { sorts: ['occurred_at'], usual: '-occurred_at' },
  { endpoint: z.uuid().optional(), state: z.enum(DELIVERY_STATES).optional() },
)

const { data: _, ...about } = example
const deliveryExample = { ...about, endpoint: id, state: 'delivered', attempts: 1, next_at: null, last_attempt: attempt }

async function listDeliveries(query: z.output<typeof deliveryListQuery>, { storage, cursors }: AdminDeps): Promise<AdminAnswer> {
  const asked = readPage('deliveries', query, cursors)
  if ('refusal' in asked) return asked
  const { endpoint: endpointId, state } = query
  const found = await eventLogStore(storage.db).listDeliveriesPage({ endpointId, state }, asked.page)
  const slugs = await readSlugs(storage.db)
  const placeOf = ({ event, endpointId: id }: ListedDelivery) => ({ value: event.id, id })
  return { body: writePage('deliveries', found, query, { cursors, placeOf, json: (delivery) => deliveryJson(delivery, slugs) }) }
}

/** Deliveries of events to endpoints. */
export function deliveryRoutes(operations: Operations, deps: AdminDeps): void {
  adminRoute(operations, {
    method: 'GET',
    path: '/deliveries',
    operationId: 'listDeliveries',
    summary: 'List deliveries, with their last attempt',
    may: 'endpoints:read',
    query: deliveryListQuery,
    personal: ['subject', 'answer'],
    answer: onePage(deliverySchema, deliveryExample),
    refuses: ['bad_cursor'],
    work: ({ query }) => listDeliveries(query, deps),
  })
}
