import { z } from 'zod'
import { endpointStore } from '../../app-events/index.ts'
import { testEndpoint } from '../../event-delivery/index.ts'
import type { AdminDeps } from '../api/deps.ts'
import { adminRoute, type Operations } from '../api/operations.ts'
import { refuseTooMany } from '../api/rate-limits.ts'
import { actionBody } from '../api/request/reason.ts'
import { attemptJson } from './event-json.ts'
import { attemptExample as attempt, attemptSchema } from './event-schemas.ts'

/** A test event, sent at once. */
export function endpointTestRoutes(operations: Operations, deps: AdminDeps): void {
  adminRoute(operations, {
    method: 'POST',
    path: '/endpoints/:id/test',
    operationId: 'testEventEndpoint',
    summary: 'Send a test event now',
    description: 'If it arrives, an endpoint that failures have disabled is enabled again. Ten a minute.',
    may: 'endpoints:write',
    body: actionBody,
    answer: {
      description: 'The attempt',
      schema: attemptSchema.extend({ enabled: z.boolean() }),
      example: { ...attempt, enabled: false },
    },
    refuses: ['not_found'],
    async work(call) {
      if (!(await endpointStore(deps.storage.db).findById(call.id))) return { refusal: 'not_found' }
      const refused = await refuseTooMany('endpoint-test', call, deps)
      if (refused) return refused
      const done = await testEndpoint(call.id, { ...deps, actor: call.actor })
      return 'refusal' in done ? done : { body: { ...attemptJson(done.attempt), enabled: done.enabled } }
    },
  })
}
