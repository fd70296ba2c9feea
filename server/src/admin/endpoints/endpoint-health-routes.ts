import { z } from 'zod'
import { EVENT_TYPES, endpointStore } from '../../app-events/index.ts'
import type { AdminDeps } from '../api/deps.ts'
import { adminRoute, type Operations } from '../api/operations.ts'
import { countTroubled } from './endpoint-json.ts'
import { catalogued, cataloguedType } from './endpoint-schemas.ts'

/** The events that there are to choose from, and how endpoints fare. */
export function endpointHealthRoutes(operations: Operations, deps: AdminDeps): void {
  adminRoute(operations, {
    method: 'GET',
    path: '/endpoints/types',
    operationId: 'listEventTypes',
    summary: 'List the events that an endpoint can choose',
    may: 'endpoints:read',
    answer: {
      description: 'All of them',
      schema: z.object({ data: z.array(cataloguedType) }),
      example: { data: [{ type: 'access.granted', when: 'somebody had no access and has it now', operator_only: false }] },
    },
    work: async () => ({ body: { data: EVENT_TYPES.map(catalogued) } }),
  })
  adminRoute(operations, {
    method: 'GET',
    path: '/endpoints/health',
    operationId: 'countTroubledEndpoints',
    summary: 'Say how many endpoints fail, and how many failures have disabled',
    may: 'endpoints:read',
    answer: {
      description: 'How many',
      schema: z.object({ failing: z.int(), disabled: z.int().describe('by failures, not by an operator') }),
      example: { failing: 1, disabled: 0 },
    },
    work: async () => ({ body: countTroubled(await endpointStore(deps.storage.db).list()) }),
  })
}
