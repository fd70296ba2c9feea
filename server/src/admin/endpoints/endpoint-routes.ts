import { z } from 'zod'
import { endpointStore } from '../../app-events/index.ts'
import { changeEndpoint, createEndpoint } from '../../event-delivery/index.ts'
import type { AdminAnswer, AdminCall } from '../api/admin-route.ts'
import type { AdminDeps } from '../api/deps.ts'
import { onePage } from '../api/list.ts'
import { adminRoute, type Operations } from '../api/operations.ts'
import { endpointActionRoutes } from './endpoint-action-routes.ts'
import { endpointAnswer, shownEndpoint } from './endpoint-answer.ts'
import { endpointHealthRoutes } from './endpoint-health-routes.ts'
import { endpointJson, readSlugs } from './endpoint-json.ts'
import { endpointListQuery, listEndpoints } from './endpoint-list.ts'
import { refusedChange, refusedEndpoint } from './endpoint-refusals.ts'
import { changeEndpointBody, createEndpointBody, endpointSchema, endpointExample as example } from './endpoint-schemas.ts'

/** Where events are delivered to. */
export function endpointRoutes(operations: Operations, deps: AdminDeps): void {
  adminRoute(operations, {
    method: 'GET',
    path: '/endpoints',
    operationId: 'listEventEndpoints',
    summary: 'List the endpoints that events are delivered to',
    may: 'endpoints:read',
    query: endpointListQuery,
    answer: onePage(endpointSchema, example),
    refuses: ['bad_cursor'],
    work: ({ query }) => listEndpoints(query, deps),
  })
  adminRoute(operations, {
    method: 'POST',
    path: '/endpoints',
    operationId: 'createEventEndpoint',
    summary: 'Make an endpoint',
    description: 'Its secret is in this answer and never again.',
    may: 'endpoints:write',
    authentication: 'recent',
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
  endpointHealthRoutes(operations, deps)
  adminRoute(operations, {
    method: 'GET',
    path: '/endpoints/:id',
    operationId: 'showEventEndpoint',
    summary: 'Show an endpoint',
    may: 'endpoints:read',
    answer: endpointAnswer,
    refuses: ['not_found'],
    async work({ id }) {
      const endpoint = await endpointStore(deps.storage.db).findById(id)
      return endpoint ? shownEndpoint(endpoint, deps) : refusedChange.not_found
    },
  })
  adminRoute(operations, {
    method: 'PATCH',
    path: '/endpoints/:id',
    operationId: 'changeEventEndpoint',
    summary: 'Change an endpoint',
    description: 'Its secret stays. An endpoint that has not heard of access before is `preparing` again.',
    may: 'endpoints:write',
    authentication: 'recent',
    body: changeEndpointBody,
    version: 'required',
    answer: endpointAnswer,
    refuses: ['not_found'],
    work: (call) => change(call, deps),
  })
  endpointActionRoutes(operations, deps)
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
  return 'refusal' in changed ? { ...refusedEndpoint, ...refusedChange }[changed.refusal] : shownEndpoint(changed, deps)
}
