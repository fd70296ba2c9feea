import type { AdminDeps } from '../api/deps.ts'
import { adminRoute, type Operations } from '../api/operations.ts'
import { refuseTooMany } from '../api/rate-limits.ts'
import { doBatch } from './batch.ts'
import { batchBody, batchExample, batchSchema } from './batch-schemas.ts'

export function batchRoute(operations: Operations, deps: AdminDeps): void {
  adminRoute(operations, {
    method: 'POST',
    path: '/notifications/batch',
    operationId: 'processNotifications',
    summary: 'Process or ignore several notifications',
    description:
      'Each by itself, with an answer for each: repeated, it does nothing twice. Ignoring needs a reason. Gateways are asked again about what failed. 10 a minute.',
    may: 'notifications:write',
    body: batchBody,
    check: ({ action, reason }) =>
      action === 'ignore' && reason === undefined ? { refusal: 'malformed', fields: { reason: 'required' } } : undefined,
    answer: { description: 'What came of each', schema: batchSchema, example: batchExample },
    async work({ body: { action, ids, reason = '' }, caller, actor }) {
      const tooMany = await refuseTooMany('batch', { caller }, deps)
      if (tooMany) return tooMany
      const results = await doBatch(ids, action === 'ignore' ? { action, reason } : { action }, caller, { ...deps, actor })
      deps.outbox.wake()
      return { body: { results: results.map(({ why, status, ...result }) => ({ ...result, why: why ?? null, status: status ?? null })) } }
    },
  })
}
