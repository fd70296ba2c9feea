import { z } from 'zod'
import { addApiKey, revokeApiKey, rotateWebhookKey } from '../../products/index.ts'
import type { AdminDeps } from '../api/deps.ts'
import { adminRoute, type Operations } from '../api/operations.ts'
import { actionBody } from '../api/request/reason.ts'
import { withProduct } from './product-routes.ts'

const KEY_ID = '0199c2b4-6a11-7b02-9c33-5d7e9f1a2b3c'
const PRODUCT_ID = '0199c2b4-6a10-7d44-8e21-3f5b7a9c1d02'

/** Keys of products: made and ended. */
export function productKeyRoutes(operations: Operations, deps: AdminDeps): void {
  const common = { may: 'product-keys:write', authentication: 'recent', body: actionBody, refuses: ['not_found'] } as const
  adminRoute(operations, {
    ...common,
    method: 'POST',
    path: '/products/:id/api-keys',
    operationId: 'addApiKey',
    summary: 'Make one more API key; the others stay valid',
    description: 'The key is in this answer and never again.',
    answer: {
      status: 201,
      description: 'The key',
      schema: z.object({ id: z.uuid(), product_id: z.uuid(), api_key: z.string() }),
      example: { id: KEY_ID, product_id: PRODUCT_ID, api_key: 'sk_…' },
    },
    work: (call) =>
      withProduct(call, deps, async (product) => {
        const { id, apiKey } = await addApiKey(product, { ...deps, actor: call.actor })
        return { body: { id, product_id: product.id, api_key: apiKey } }
      }),
  })
  adminRoute(operations, {
    ...common,
    method: 'DELETE',
    path: '/products/:id/api-keys/:key',
    operationId: 'revokeApiKey',
    summary: 'End an API key at once, on every node',
    answer: {
      description: 'It is ended',
      schema: z.object({ id: z.string(), deleted: z.literal(true) }),
      example: { id: KEY_ID, deleted: true },
    },
    work: (call) =>
      withProduct(call, deps, async (product) => {
        const { key: id = '' } = call.params
        const done = await revokeApiKey(product, id, { ...deps, actor: call.actor })
        return done === 'not_found' ? { refusal: 'not_found' } : { body: { id, deleted: true } }
      }),
  })
  adminRoute(operations, {
    ...common,
    method: 'POST',
    path: '/products/:id/rotate-webhook-key',
    operationId: 'rotateWebhookKey',
    summary: 'Make a new webhook key; the one before stays valid until the next rotation',
    answer: {
      description: 'The new key',
      schema: z.object({ product_id: z.uuid(), webhook_key: z.string() }),
      example: { product_id: PRODUCT_ID, webhook_key: 'wk_…' },
    },
    work: (call) =>
      withProduct(call, deps, async (product) => {
        const key = await rotateWebhookKey(product, { ...deps, actor: call.actor })
        return { body: { product_id: product.id, webhook_key: key } }
      }),
  })
}
