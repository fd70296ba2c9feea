import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { ENDPOINT_STATES, type Endpoint, EVENT_TYPES, endpointState, endpointStore, endpointVersion } from '../../app-events/index.ts'
import {
  changeEndpoint,
  createEndpoint,
  disableEndpoint,
  type EndpointRefusal,
  enableEndpoint,
  removeEndpoint,
  rotateEndpointSecret,
} from '../../event-delivery/index.ts'
import { isoTime } from '../../kit/index.ts'
import type { AdminAnswer, AdminCall } from '../api/admin-route.ts'
import { adminRoute, nothing } from '../api/admin-routes.ts'
import type { AdminDeps } from '../api/deps.ts'
import { listQuery, pageSchema, readPage, writePage } from '../api/list.ts'
import type { Refused } from '../api/refusals.ts'
import { pageOfShort } from '../api/short-list.ts'
import { actionBody } from '../users/user-schemas.ts'
import { countTroubled, endpointJson, readSlugs } from './endpoint-json.ts'
import {
  catalogued,
  cataloguedType,
  changeEndpointBody,
  createEndpointBody,
  endpointSchema,
  endpointExample as example,
} from './endpoint-schemas.ts'

const endpointListQuery = listQuery(
  { sorts: ['created_at'], usual: 'created_at' },
  {
    product: z.string().max(64).optional().describe("the product's slug"),
    state: z.enum(ENDPOINT_STATES).optional(),
  },
)
const answer = { description: 'The endpoint', schema: endpointSchema, example }

const refusedEndpoint = {
  url_malformed: { refusal: 'malformed', fields: { url: 'not_https' } },
  types_missing: { refusal: 'malformed', fields: { types: 'too_small' } },
  operator_only_type: { refusal: 'malformed', fields: { types: 'operator_only' } },
  description_malformed: { refusal: 'malformed', fields: { description: 'malformed' } },
  secret_malformed: { refusal: 'malformed', fields: { secret: 'not_whsec' } },
  no_such_product: { refusal: 'no_such_product' },
} as const satisfies Record<EndpointRefusal['refusal'], Refused>

const refusedChange = {
  not_found: { refusal: 'not_found' },
  already_so: { refusal: 'conflict', reason: 'already_so' },
  changed_meanwhile: { refusal: 'changed_meanwhile' },
} as const satisfies Record<string, Refused>

/** Where events are delivered to. */
export function endpointRoutes(scope: FastifyInstance, deps: AdminDeps): void {
  const { storage } = deps
  adminRoute(scope, deps, {
    method: 'GET',
    path: '/endpoints',
    operationId: 'listEventEndpoints',
    summary: 'List the endpoints that events are delivered to',
    may: 'endpoints:read',
    query: endpointListQuery,
    body: nothing,
    answer: { description: 'One page', schema: pageSchema(endpointSchema), example: { data: [example], next_cursor: null } },
    refuses: ['bad_cursor'],
    work: ({ query }) => list(query, deps),
  })
  adminRoute(scope, deps, {
    method: 'POST',
    path: '/endpoints',
    operationId: 'createEventEndpoint',
    summary: 'Make an endpoint',
    description: 'Its secret is in this answer and never again.',
    may: 'endpoints:write',
    authentication: 'recent',
    query: nothing,
    body: createEndpointBody,
    answer: {
      status: 201,
      description: 'The endpoint',
      schema: endpointSchema.extend({ secret: z.string() }),
      example: { ...example, secret: 'whsec_…' },
    },
    refuses: ['no_such_product'],
    work: (call) => create(call, deps),
  })
  adminRoute(scope, deps, {
    method: 'GET',
    path: '/endpoints/types',
    operationId: 'listEventTypes',
    summary: 'List the events that an endpoint can choose',
    may: 'endpoints:read',
    query: nothing,
    body: nothing,
    answer: {
      description: 'All of them',
      schema: z.object({ data: z.array(cataloguedType) }),
      example: { data: [{ type: 'access.granted', when: 'somebody had no access and has it now', operator_only: false }] },
    },
    work: async () => ({ body: { data: EVENT_TYPES.map(catalogued) } }),
  })
  adminRoute(scope, deps, {
    method: 'GET',
    path: '/endpoints/health',
    operationId: 'countTroubledEndpoints',
    summary: 'Say how many endpoints fail, and how many failures have disabled',
    may: 'endpoints:read',
    query: nothing,
    body: nothing,
    answer: {
      description: 'How many',
      schema: z.object({ failing: z.int(), disabled: z.int().describe('by failures, not by an operator') }),
      example: { failing: 1, disabled: 0 },
    },
    work: async () => ({ body: countTroubled(await endpointStore(storage.db).list()) }),
  })
  adminRoute(scope, deps, {
    method: 'GET',
    path: '/endpoints/:id',
    operationId: 'showEventEndpoint',
    summary: 'Show an endpoint',
    may: 'endpoints:read',
    query: nothing,
    body: nothing,
    answer,
    refuses: ['not_found'],
    async work({ id }) {
      const endpoint = await endpointStore(storage.db).findById(id)
      return endpoint ? shown(endpoint, deps) : refusedChange.not_found
    },
  })
  adminRoute(scope, deps, {
    method: 'PATCH',
    path: '/endpoints/:id',
    operationId: 'changeEventEndpoint',
    summary: 'Change an endpoint',
    description: 'Its secret stays. An endpoint that has not heard of access before is `preparing` again.',
    may: 'endpoints:write',
    authentication: 'recent',
    query: nothing,
    body: changeEndpointBody,
    version: 'required',
    answer,
    refuses: ['not_found'],
    work: (call) => change(call, deps),
  })
  adminRoute(scope, deps, {
    method: 'POST',
    path: '/endpoints/:id/rotate-secret',
    operationId: 'rotateEndpointSecret',
    summary: 'Make a new secret',
    description: 'It is in this answer and never again. For a day deliveries are signed with the secret before, too.',
    may: 'endpoints:write',
    authentication: 'recent',
    query: nothing,
    body: actionBody,
    answer: {
      description: 'The new secret',
      schema: z.object({ id: z.uuid(), secret: z.string(), previous_secret_until: z.iso.datetime() }),
      example: { id: example.id, secret: 'whsec_…', previous_secret_until: '2026-11-24T12:00:00.000Z' },
    },
    refuses: ['not_found'],
    async work({ id, actor }) {
      const made = await rotateEndpointSecret(id, { ...deps, actor })
      if ('refusal' in made) return refusedChange[made.refusal]
      return { body: { id, secret: made.secret, previous_secret_until: isoTime(made.previousUntil) } }
    },
  })
  for (const [verb, operationId, summary, change] of [
    ['enable', 'enableEventEndpoint', 'Deliver to an endpoint again', enableEndpoint],
    ['disable', 'disableEventEndpoint', 'Deliver nothing to an endpoint', disableEndpoint],
  ] as const)
    adminRoute(scope, deps, {
      method: 'POST',
      path: `/endpoints/:id/${verb}`,
      operationId,
      summary,
      may: 'endpoints:write',
      query: nothing,
      body: actionBody,
      answer,
      refuses: ['not_found', 'conflict'],
      async work({ id, actor }) {
        const done = await change(id, { ...deps, actor })
        return 'refusal' in done ? refusedChange[done.refusal] : shown(done, deps)
      },
    })
  adminRoute(scope, deps, {
    method: 'DELETE',
    path: '/endpoints/:id',
    operationId: 'removeEventEndpoint',
    summary: 'Remove an endpoint with everything that waits for it',
    may: 'endpoints:write',
    query: nothing,
    body: actionBody,
    answer: {
      description: 'Which',
      schema: z.object({ id: z.uuid(), deleted: z.literal(true) }),
      example: { id: example.id, deleted: true },
    },
    refuses: ['not_found'],
    async work({ id, actor }) {
      const done = await removeEndpoint(id, { ...deps, actor })
      return 'refusal' in done ? refusedChange[done.refusal] : { body: { id, deleted: true } }
    },
  })
}

async function shown(endpoint: Endpoint, { storage }: AdminDeps): Promise<AdminAnswer> {
  return { body: await endpointJson(endpoint, { db: storage.db, slugs: await readSlugs(storage.db) }), version: endpointVersion(endpoint) }
}

async function list(query: z.output<typeof endpointListQuery>, { storage, cursors }: AdminDeps): Promise<AdminAnswer> {
  const asked = readPage('endpoints', query, cursors)
  if ('refusal' in asked) return asked
  const placeOf = ({ id }: Endpoint) => ({ id, value: id })
  const slugs = await readSlugs(storage.db)
  const wanted = (await endpointStore(storage.db).list()).filter(
    (endpoint) =>
      (query.product === undefined || (endpoint.productId !== undefined && slugs.get(endpoint.productId) === query.product)) &&
      (query.state === undefined || endpointState(endpoint) === query.state),
  )
  const found = pageOfShort(wanted, asked.page, placeOf)
  const shown = new Map<string, object>()
  for (const endpoint of found) shown.set(endpoint.id, await endpointJson(endpoint, { db: storage.db, slugs }))
  return { body: writePage('endpoints', found, query, { cursors, placeOf, json: ({ id }) => shown.get(id) }) }
}

async function create({ body, actor }: AdminCall<unknown, z.output<typeof createEndpointBody>>, deps: AdminDeps): Promise<AdminAnswer> {
  const { product, url, types, description, disabled: isDisabled } = body
  const made = await createEndpoint({ productSlug: product ?? undefined, url, types, description, isDisabled }, { ...deps, actor })
  if ('refusal' in made) return refusedEndpoint[made.refusal]
  const { db } = deps.storage
  return { body: { ...(await endpointJson(made.endpoint, { db, slugs: await readSlugs(db) })), secret: made.secret } }
}

async function change(call: AdminCall<unknown, z.output<typeof changeEndpointBody>>, deps: AdminDeps): Promise<AdminAnswer> {
  const { url, types, description } = call.body
  const wanted = {
    ...(url !== undefined && { url }),
    ...(types && { types }),
    ...(description !== undefined && { description: description ?? '' }),
  }
  const changed = await changeEndpoint(call.id, wanted, { ...deps, actor: call.actor, seen: call.seen })
  return 'refusal' in changed ? { ...refusedEndpoint, ...refusedChange }[changed.refusal] : shown(changed, deps)
}
