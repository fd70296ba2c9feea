import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { bearerToken } from '../http/index.ts'
import { paymentMethodStore, redirectUriStore } from '../products/index.ts'
import type { AccessRouteDeps } from './route-deps.ts'
import { ownProductSchema, paymentMethodsSchema } from './schemas.ts'

/** A product reads of itself, with its key. */
export function ownProductRoutes(scope: FastifyInstance, deps: AccessRouteDeps): void {
  scope.get<{ Params: { id: string } }>('/api/products/:id/payment-methods', { schema: paymentMethodsSchema }, (request, reply) =>
    listMethods(request.params.id, request, reply, deps),
  )
  scope.get('/api/products/self', { schema: ownProductSchema }, (request, reply) => showOwn(request, reply, deps))
}

/** `GET /api/products/{id}/payment-methods`: a product reads its own, and only where the checkout is the operator's. */
async function listMethods(id: string, request: FastifyRequest, reply: FastifyReply, deps: AccessRouteDeps): Promise<FastifyReply> {
  const { responses, products, storage } = deps
  const product = await products.findByApiKey(bearerToken(request))
  if (!product) return responses.json(reply, 401, { error: 'invalid_api_key' })
  if (product.id !== id.toLowerCase() || product.checkout !== 'integrated')
    return responses.json(reply, 404, { error: 'Recurso nao encontrado' })
  return responses.json(reply, 200, await paymentMethodStore(storage.db).listPaymentMethods(product.id))
}

/** `GET /api/products/self`: the registration of the product that owns this key, for an app to compare with its own settings. */
async function showOwn(
  request: FastifyRequest,
  reply: FastifyReply,
  { responses, products, storage }: AccessRouteDeps,
): Promise<FastifyReply> {
  const product = await products.findByApiKey(bearerToken(request))
  if (!product) return responses.json(reply, 401, { error: 'invalid_api_key' })
  const { id, slug, name, audience, checkout, scopes, publishableKey, openid, backchannelLogoutUri } = product
  const redirect_uris = await redirectUriStore(storage.db).listRedirectUris(id)
  const doors = { openid_kind: openid?.kind ?? null, backchannel_logout_uri: backchannelLogoutUri ?? null }
  return responses.json(reply, 200, {
    id,
    slug,
    name,
    audience,
    checkout,
    scopes,
    publishable_key: publishableKey,
    redirect_uris,
    ...doors,
  })
}
