import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { bearerToken, clientAddress, jsonObject, type Metrics, type Responses } from '../http/index.ts'
import type { ProductDirectory } from '../products/index.ts'
import type { HandoffRefusal } from './handoff.ts'
import { type RedeemDeps, redeemHandoff } from './redeem.ts'
import { verifyInput, verifySchema } from './schemas.ts'

export interface HandoffRouteDeps extends Omit<RedeemDeps, 'origin'> {
  products: ProductDirectory
  responses: Responses
  metrics: Metrics
}

/** One answer for every reason, so that the finder of a stolen token learns nothing. */
const wire = {
  not_a_handoff: 'invalid_token',
  already_redeemed: 'invalid_token',
  session_ended: 'invalid_token',
  consent_withdrawn: 'invalid_token',
} as const satisfies Record<HandoffRefusal, string>

/** `POST /auth/verify`: the key first, then the body, then the token. */
export function handoffRoutes(scope: FastifyInstance, deps: HandoffRouteDeps): void {
  scope.post('/auth/verify', { schema: verifySchema }, (request, reply) => verify(request, reply, deps))
}

async function verify(request: FastifyRequest, reply: FastifyReply, deps: HandoffRouteDeps): Promise<FastifyReply> {
  const { products, responses, metrics } = deps
  const product = await products.findByApiKey(bearerToken(request))
  if (!product) return responses.json(reply, 401, { error: 'invalid_api_key' })
  const body = verifyInput.safeParse(jsonObject(request))
  if (!body.success) return responses.json(reply, 400, { error: 'token ausente' })
  const origin = { ip: clientAddress(request), userAgent: request.headers['user-agent'] ?? '' }
  const redeemed = await redeemHandoff(body.data.token, product, { ...deps, origin })
  if ('refusal' in redeemed) {
    metrics.handoffs.inc({ result: redeemed.refusal })
    return responses.json(reply, 401, { error: wire[redeemed.refusal] })
  }
  metrics.handoffs.inc({ result: 'redeemed' })
  const { userId, claims } = redeemed.session
  const email = product.scopes.includes('read:email') ? { email: claims.email } : {}
  const user = { sub: userId, ...email, name: claims.name, is_producer: claims.isProducer, scopes: product.scopes }
  return responses.json(reply, 200, { user, eg_session: redeemed.egSession })
}
