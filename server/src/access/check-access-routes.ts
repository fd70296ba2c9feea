import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type AsciiJson, asciiJson, bearerToken, createPrebuiltResponses, queryOf } from '../http/index.ts'
import { normaliseEmail } from '../kit/index.ts'
import type { Product, ProductDirectory } from '../products/index.ts'
import { accessJson } from './access-json.ts'
import { checkAccess } from './check-access.ts'
import { createLiveAccess, type LiveAccess } from './live-access.ts'
import { readQuestion } from './read-question.ts'
import type { AccessRouteDeps } from './route-deps.ts'
import { checkAccessSchema } from './schemas.ts'

const CHECK_ACCESS = '/api/saas/check-access'

/** `GET /api/saas/check-access`: the key first, then the question. A remembered answer comes from memory. */
export function checkRoute(scope: FastifyInstance, deps: AccessRouteDeps): void {
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
