import { z } from 'zod'
import { endpointStore } from '../../app-events/index.ts'
import { countMissed, replayOne, replayToEndpoint } from '../../event-delivery/index.ts'
import type { AdminDeps } from '../api/deps.ts'
import { moment } from '../api/list.ts'
import { adminRoute, type Operations } from '../api/operations.ts'
import { refuseTooMany } from '../api/rate-limits.ts'
import { actionBody } from '../api/request/reason.ts'

const replayBody = actionBody.extend({ endpoint: z.uuid().optional().describe('absent: each of its endpoints') })
const replayEndpointBody = actionBody.extend({
  since: moment.optional().describe('everything since then, delivered or not; absent: what was given up'),
})
const missedQuery = z.strictObject({ since: moment.optional().describe('absent: what has failed') })
const replayed = { description: 'How many', schema: z.object({ replayed: z.int() }), example: { replayed: 3 } }

/** Events that are delivered again. */
export function replayRoutes(operations: Operations, deps: AdminDeps): void {
  adminRoute(operations, {
    method: 'GET',
    path: '/endpoints/:id/missed',
    operationId: 'countMissedEvents',
    summary: 'Say how many events a replay would deliver now',
    may: 'endpoints:read',
    query: missedQuery,
    answer: { description: 'How many', schema: z.object({ count: z.int().describe('10000: or more') }), example: { count: 3 } },
    refuses: ['not_found'],
    async work({ id: endpointId, query: { since } }) {
      const counted = await countMissed(endpointId, since === undefined ? 'failed' : { since }, deps)
      return 'refusal' in counted ? counted : { body: counted }
    },
  })
  adminRoute(operations, {
    method: 'POST',
    path: '/events/:id/replay',
    operationId: 'replayEvent',
    summary: 'Deliver an event again, with the same id',
    may: 'endpoints:write',
    body: replayBody,
    answer: replayed,
    refuses: ['not_found'],
    async work({ id: eventId, body, actor }) {
      const done = await replayOne(eventId, body.endpoint, { ...deps, actor })
      return 'refusal' in done ? done : { body: done }
    },
  })
  adminRoute(operations, {
    method: 'POST',
    path: '/endpoints/:id/replay',
    operationId: 'replayEndpoint',
    summary: 'Deliver again what an endpoint has missed',
    description:
      'What has failed, given up or not, or, with `since`, every event since then, also of the time in which it was disabled. Ten a minute.',
    may: 'endpoints:write',
    body: replayEndpointBody,
    answer: replayed,
    refuses: ['not_found'],
    async work(call) {
      if (!(await endpointStore(deps.storage.db).findById(call.id))) return { refusal: 'not_found' }
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
}
