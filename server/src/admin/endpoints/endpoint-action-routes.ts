import { z } from 'zod'
import { disableEndpoint, enableEndpoint, removeEndpoint, rotateEndpointSecret } from '../../event-delivery/index.ts'
import { isoTime } from '../../kit/index.ts'
import type { AdminDeps } from '../api/deps.ts'
import { adminRoute, type Operations } from '../api/operations.ts'
import { actionBody } from '../api/request/reason.ts'
import { endpointAnswer, shownEndpoint } from './endpoint-answer.ts'
import { refusedChange } from './endpoint-refusals.ts'
import { endpointExample as example } from './endpoint-schemas.ts'

/** The actions on an endpoint: a new secret, on and off, removal. */
export function endpointActionRoutes(operations: Operations, deps: AdminDeps): void {
  adminRoute(operations, {
    method: 'POST',
    path: '/endpoints/:id/rotate-secret',
    operationId: 'rotateEndpointSecret',
    summary: 'Make a new secret',
    description: 'It is in this answer and never again. For a day deliveries are signed with the secret before, too.',
    may: 'endpoints:write',
    authentication: 'recent',
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
    adminRoute(operations, {
      method: 'POST',
      path: `/endpoints/:id/${verb}`,
      operationId,
      summary,
      may: 'endpoints:write',
      body: actionBody,
      answer: endpointAnswer,
      refuses: ['not_found', 'conflict'],
      async work({ id, actor }) {
        const done = await change(id, { ...deps, actor })
        return 'refusal' in done ? refusedChange[done.refusal] : shownEndpoint(done, deps)
      },
    })
  adminRoute(operations, {
    method: 'DELETE',
    path: '/endpoints/:id',
    operationId: 'removeEventEndpoint',
    summary: 'Remove an endpoint with everything that waits for it',
    may: 'endpoints:write',
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
