import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { type Answers, bearerToken, clientAddress, jsonObject, type LimitStore, originOf } from '../http/index.ts'
import { MINUTE_MS } from '../kit/index.ts'
import type { AdminScope } from './admin-token.ts'
import { type CallerDeps, type CallerRefusal, findCaller } from './caller.ts'
import { testWebhookBody, testWebhookSchema } from './schemas.ts'
import { createOwnCalls, testWebhook, type WebhookTestDeps, type WebhookTestRefusal } from './test-webhook.ts'

export interface AdminRouteDeps extends CallerDeps {
  answers: Answers
  limits: LimitStore
  /** The secrets shared with the sender of purchases. */
  webhookSecrets: readonly string[]
}

const MOST_TESTS = 10

/** What the operator's scripts and console call. */
export function adminRoutes(scope: FastifyInstance, deps: AdminRouteDeps): void {
  const outgoing = createOwnCalls()
  scope.post('/api/admin/webhooks/test', { schema: testWebhookSchema }, (request, reply) =>
    withCaller(request, reply, 'webhooks:test', deps, (actor) => test(request, reply, actor, { ...deps, outgoing })),
  )
}

const callers = {
  not_authenticated: { status: 401, error: 'nao autenticado' },
  foreign_origin: { status: 403, error: 'origem nao permitida' },
  not_allowed: { status: 403, error: 'nao permitido' },
} as const satisfies Record<CallerRefusal, { status: number; error: string }>

/** Goes on for whoever may do what the scope names. */
async function withCaller(
  request: FastifyRequest,
  reply: FastifyReply,
  scope: AdminScope,
  deps: AdminRouteDeps,
  work: (actor: string) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const { authorization, cookie } = request.headers
  const presented = { authorization, cookie, bearer: bearerToken(request), origin: originOf(request, deps.baseUrl) }
  const caller = await findCaller(presented, scope, deps)
  if (!('refusal' in caller)) return work(caller.actor)
  const { status, error } = callers[caller.refusal]
  return deps.answers.json(reply, status, { error })
}

const refusals = {
  event_of_other_variant: 'Payload invalido',
  email_malformed: 'Payload invalido',
  no_such_product: 'produto nao encontrado',
} as const satisfies Record<WebhookTestRefusal['refusal'], string>

/** `POST /api/admin/webhooks/test`: the service calls itself over HTTP, as the sender of purchases does. */
async function test(
  request: FastifyRequest,
  reply: FastifyReply,
  actor: string,
  deps: AdminRouteDeps & Pick<WebhookTestDeps, 'outgoing'>,
): Promise<FastifyReply> {
  const { answers, limits, now } = deps
  const input = readBody(request)
  if (!input) return answers.json(reply, 400, { error: 'Payload invalido' })
  const { within, retryAfterSeconds } = await limits.count({ key: `webhook-test:${actor}`, most: MOST_TESTS, windowMs: MINUTE_MS }, now())
  if (!within) return answers.json(reply.header('retry-after', String(retryAfterSeconds)), 429, { error: 'muitas tentativas' })
  const url = listeningUrl(request) ?? deps.baseUrl
  const tested = await testWebhook(input, { ...deps, secrets: deps.webhookSecrets, url, actor, ip: clientAddress(request) })
  return 'refusal' in tested ? answers.json(reply, 400, { error: refusals[tested.refusal] }) : answers.json(reply, 200, tested)
}

/** No body at all asks for the test as it is by itself. */
function readBody(request: FastifyRequest): z.infer<typeof testWebhookBody> | undefined {
  const isEmpty = request.body === undefined || request.body === ''
  return testWebhookBody.safeParse(isEmpty ? {} : jsonObject(request)).data
}

/** Where this process itself listens: what stands in front of it may not be reached from inside. */
function listeningUrl({ server }: FastifyRequest): string | undefined {
  const listening = server.server.address()
  if (listening === null || typeof listening === 'string') return undefined
  const { address, family, port } = listening
  if (family === 'IPv6') return `http://[${address === '::' ? '::1' : address}]:${port}`
  return `http://${address === '0.0.0.0' ? '127.0.0.1' : address}:${port}`
}
