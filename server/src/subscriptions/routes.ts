import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { faults, jsonAnswer, type SecurityHeaders } from '../http/index.ts'
import { sha256Base64Url } from '../kit/index.ts'
import type { Storage } from '../storage/index.ts'
import { OPERATOR_SCOPE } from './plans/plan.ts'
import { planStore } from './plans/plan-store.ts'

const publicPlans = z.array(z.object({ slug: z.string(), name: z.string(), price: z.int().describe('centavos') }))
const schema = {
  operationId: 'listPublicPlans',
  summary: 'Plans on offer, in price order',
  description: 'For anyone, on any site. A minute cacheable, with an ETag.',
  tags: ['plans'],
  response: {
    200: {
      ...jsonAnswer('The plans of the operator', publicPlans, [{ slug: 'easy-pro', name: 'Easy Pro', price: 9900 }]),
      headers: { ETag: 'For If-None-Match' },
    },
    304: { description: 'Unchanged since If-None-Match' },
    ...faults,
  },
}

/** `GET /api/plans/public`: the operator's plans, for anyone, on any site. */
export function publicPlanRoutes(app: FastifyInstance, { storage, headers }: { storage: Storage; headers: SecurityHeaders }): void {
  app.get('/api/plans/public', { schema }, async (request, reply) => {
    const plans = await planStore(storage.db).list(OPERATOR_SCOPE)
    const body = JSON.stringify(plans.map(({ slug, name, price }) => ({ slug, name, price })))
    const etag = `"${sha256Base64Url(body).slice(0, 22)}"`
    reply
      .headers(headers.json)
      .header('cache-control', 'public, max-age=60')
      .header('access-control-allow-origin', '*')
      .header('cross-origin-resource-policy', 'cross-origin')
      .header('etag', etag)
    return request.headers['if-none-match'] === etag ? reply.code(304).send() : reply.send(body)
  })
}
