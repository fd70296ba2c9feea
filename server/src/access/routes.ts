import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ChangeFeed } from '../changes/index.ts'
import {
  type AsciiJson,
  asciiJson,
  bearerToken,
  createPrebuiltResponses,
  type Metrics,
  queryOf,
  type Responses,
  type SecurityHeaders,
} from '../http/index.ts'
import { type Now, normaliseEmail } from '../kit/index.ts'
import { type Product, type ProductDirectory, paymentMethodStore, redirectUriStore } from '../products/index.ts'
import type { Admission } from '../rate-limits/index.ts'
import type { Storage } from '../storage/index.ts'
import { accessJson } from './access-json.ts'
import { type AccessQuestion, checkAccess } from './check-access.ts'
import { createLiveAccess, type LiveAccess } from './live-access.ts'
import { checkAccessSchema, ownProductSchema, paymentMethodsSchema } from './schemas.ts'

export interface AccessRouteDeps {
  admission: Admission
  storage: Storage
  changes: ChangeFeed
  products: ProductDirectory
  responses: Responses
  headers: SecurityHeaders
  metrics: Metrics
  now: Now
}

const CHECK_ACCESS = '/api/saas/check-access'
const MAX_USER_ID = 128
/** Invalid UTF-8 is always read as U+FFFD: the ids of two users would become one. */
const NO_USER_ID = /[\p{Cc}\p{Cs}\ufffd]/u

/** `hotScope` is a server scope without hooks, since every request of an app may ask for access; the rest goes into `scope`. */
export function accessRoutes(hotScope: FastifyInstance, scope: FastifyInstance, deps: AccessRouteDeps): void {
  checkRoute(hotScope, deps)
  scope.get<{ Params: { id: string } }>('/api/products/:id/payment-methods', { schema: paymentMethodsSchema }, (request, reply) =>
    listMethods(request.params.id, request, reply, deps),
  )
  scope.get('/api/products/self', { schema: ownProductSchema }, (request, reply) => showOwn(request, reply, deps))
}

/** `GET /api/saas/check-access`: the key first, then the question. A remembered answer comes from memory. */
function checkRoute(scope: FastifyInstance, deps: AccessRouteDeps): void {
  const { products, metrics, changes, headers, admission, responses, now } = deps
  const live = createLiveAccess({ changes, now })
  const send = createPrebuiltResponses(headers.json)
  const counts = { remembered: 0, active: 0, inactive: 0, refused: 0, shed: 0 }
  metrics.countResults('portaria_access_checks_total', 'Access checks, by result', () => counts)
  metrics.gauge('portaria_remembered_access', 'Answers of access in memory', 'sum', live.size)
  scope.get(CHECK_ACCESS, { schema: checkAccessSchema }, (request, reply) => {
    const { url = '' } = request.raw
    const key = bearerToken(request)
    const remembered = key === undefined ? undefined : products.rememberedByApiKey(key)
    const ready = remembered && live.find(remembered.id, url)
    if (ready !== undefined) {
      counts.remembered++
      return send(reply, ready)
    }
    return admission
      .run('checks', () => check(request, reply, { ...deps, live, send, counts }))
      .then((answered) => {
        if (answered !== 'shed') return
        counts.shed++
        reply.header('retry-after', '1')
        responses.json(reply, 503, { error: 'Servico indisponivel, tente novamente' })
      })
  })
}

interface Check extends AccessRouteDeps {
  live: LiveAccess
  send: (reply: FastifyReply, body: AsciiJson) => void
  counts: Record<'active' | 'inactive' | 'refused', number>
}

async function check(request: FastifyRequest, reply: FastifyReply, deps: Check): Promise<void> {
  const { responses, products, live, counts, send } = deps
  const query = queryOf(request)
  const header = bearerToken(request)
  const product = await callerOf(header, query, products)
  const question = product ? readQuestion(query) : undefined
  if (!product || question === undefined || typeof question === 'string') {
    counts.refused++
    const refused = product ? { status: 400, error: question } : { status: 401, error: 'invalid_api_key' }
    return void responses.json(reply, refused.status, { error: refused.error })
  }
  const remember = live.begin()
  const answer = await checkAccess(question, product.id, deps)
  const body = asciiJson(accessJson(answer))
  counts[answer.active ? 'active' : 'inactive']++
  // An address with a key in it is not remembered.
  if (answer.active && question.userId !== undefined && header !== undefined && !query.has('api_key'))
    remember({
      ...{ productId: product.id, userId: question.userId, address: question.email && normaliseEmail(question.email) },
      ...{ question: request.raw.url ?? '', body, until: answer.until },
    })
  return send(reply, body)
}

/** The product of the key in the header, else of the one in the query, where that is allowed. Two different keys are refused. */
async function callerOf(header: string | undefined, query: URLSearchParams, products: ProductDirectory): Promise<Product | undefined> {
  const inQuery = query.getAll('api_key')
  if (header !== undefined && inQuery.some((key) => key !== header)) return undefined
  if (header !== undefined) return products.findByApiKey(header)
  const product = inQuery.length === 1 ? await products.findByApiKey(inQuery[0]) : undefined
  return product?.queryKeyAllowed ? product : undefined
}

function readQuestion(query: URLSearchParams): AccessQuestion | 'user_id ou email ausente' | 'parametros invalidos' {
  const userIds = query.getAll('user_id')
  const emails = query.getAll('email')
  if (userIds.length > 1 || emails.length > 1) return 'parametros invalidos'
  const userId = userIds[0] || undefined
  const email = emails[0]?.trim() || undefined
  if (userId === undefined && email === undefined) return 'user_id ou email ausente'
  if (userId !== undefined && ([...userId].length > MAX_USER_ID || NO_USER_ID.test(userId))) return 'parametros invalidos'
  return { userId, email }
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
