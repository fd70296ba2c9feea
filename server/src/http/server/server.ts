import { randomUUID } from 'node:crypto'
import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify'
import type { Logger } from 'pino'
import type { ImpersonationNotice } from '../../pages/index.ts'
import type { Admission } from '../../rate-limits/index.ts'
import { isDatabaseAway, isReadOnly } from '../../storage/index.ts'
import type { Metrics } from '../observation/metrics.ts'
import { type Responses, wantsPage } from '../responses.ts'
import { refuseBusy } from './admission-guards.ts'
import { connectionLimit, limitConnections } from './connection-limit.ts'
import { createRouteTable, type RouteTable } from './route-table.ts'
import { endSlowReaders, endWith, TIMEOUTS, type Timeouts } from './sockets.ts'

declare module 'fastify' {
  /** A route's part of the API description; `hide` leaves the route out. */
  interface FastifySchema {
    hide?: boolean
    tags?: readonly string[]
    summary?: string
    description?: string
  }
}

export const BODY_LIMIT_BYTES = 65_536
const HEADER_LIMIT_BYTES = 16_384
const LOG_EVERY_MS = 60_000
/** Checks and the questions of proxies are not logged one by one, so an id of their own would only cost time. */
const UNLOGGED = /^\/auth\/(check$|forward(\?|$))/

export interface ServerDeps {
  trustProxy: number | string[] | undefined
  responses: Responses
  logger: Logger
  metrics: Metrics
  admission: Admission
  /** The administrator of a browser's impersonation, for an address without a route, where nothing else finds out. */
  findImpersonation(request: FastifyRequest): Promise<ImpersonationNotice | undefined>
  /** The most connections, if not those that the system allows. */
  connections?: number
  /** Timeouts for peers, if not the usual ones. */
  timeouts?: Timeouts
}

/**
 * Schemas in routes only describe (OpenAPI); handlers parse with the same schemas and answer strings. Fastify loads no validator of its own
 * then: that took a twentieth of the start. Its types know Ajv's alone.
 */
const describesOnly = {
  compilersFactory: { buildValidator: () => () => () => true, buildSerializer: () => () => JSON.stringify },
} as unknown as NonNullable<FastifyServerOptions['schemaController']>

/** The HTTP server with its limits and last resorts: every fault is answered with `{error}` or a page, never with a stack trace. */
export function createServer({ timeouts = TIMEOUTS, ...deps }: ServerDeps): FastifyInstance {
  const app = Fastify({
    logger: false,
    trustProxy: trustOf(deps.trustProxy),
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: timeouts.requestMs,
    keepAliveTimeout: timeouts.keptMs,
    genReqId: ({ url = '' }) => (UNLOGGED.test(url) ? url : randomUUID()),
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: false, caseSensitive: true },
    exposeHeadRoutes: true,
    http: { maxHeaderSize: HEADER_LIMIT_BYTES, headersTimeout: timeouts.requestMs, connectionsCheckingInterval: timeouts.lookEachMs },
    clientErrorHandler: (error, socket) => refuseUnreadable(error, socket, timeouts),
    frameworkErrors: (error, request, reply) => {
      answerFault(error, request, reply, deps)
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false, // what arrives on an open connection is answered before the process ends
    schemaController: describesOnly,
  })
  // Bodies stay text: each route parses its own, because the contract has its own messages for errors.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  app.setErrorHandler((error: FastifyError, request, reply) => answerFault(error, request, reply, deps))
  app.decorateRequest('impersonation', undefined)
  app.decorateRequest('pageProduct', undefined)
  app.decorateRequest('admittedAs', undefined)
  const routes = createRouteTable()
  app.addHook('onRoute', ({ url, method }) => routes.add(url, [method].flat()))
  app.setNotFoundHandler(async (request, reply) => {
    const answered = await deps.admission.run('pages', () => answerUnknown(routes, request, reply, deps))
    return answered === 'shed' ? refuseBusy(request, reply, deps) : answered
  })
  app.server.on('connect', (_request, socket: Socket) => endWith(socket, bareAnswer(405), timeouts))
  endSlowReaders(app.server, timeouts)
  refuseBeyondLimit(app, { ...deps, timeouts })
  app.server.on('checkExpectation', (_request, response: ServerResponse) => response.writeHead(417, BARE_HEADERS).end(BARE_BODY))
  return app
}

/** A flood of connections is logged once a minute. */
function refuseBeyondLimit(
  app: FastifyInstance,
  { connections = connectionLimit(), timeouts, metrics, logger }: ServerDeps & { timeouts: Timeouts },
): void {
  let refused = 0
  let loggedAt = Number.NEGATIVE_INFINITY
  const onRefused = () => {
    refused++
    if (performance.now() - loggedAt < LOG_EVERY_MS) return
    loggedAt = performance.now()
    logger.warn({ connections, refused }, 'connections are refused: all that this process may open are taken')
  }
  const answer = bareAnswer(503, { 'retry-after': '2' })
  limitConnections(app.server, { most: connections, answer, timeouts, onRefused })
  metrics.countTotal('portaria_connections_refused_total', 'Connections refused because all were taken', () => refused)
}

/** A number of hops trusts that many proxies, counted from ours; a list trusts the addresses in it. */
function trustOf(trusted: number | string[] | undefined): false | string[] | ((address: string, hop: number) => boolean) {
  if (trusted === undefined) return false
  return typeof trusted === 'number' ? (_address, hop) => hop < trusted : trusted
}

/** Request log and timing for every route registered inside; `GET /auth/check` stays outside, where it costs nothing. */
export function observeRequests(scope: FastifyInstance, { logger, metrics }: Pick<ServerDeps, 'logger' | 'metrics'>): void {
  scope.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
  scope.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown'
    const status = reply.statusCode
    metrics.requestSeconds.observe({ method: request.method, route, status: String(status) }, reply.elapsedTime / 1000)
    // The route's pattern, not the address: the contract puts tokens and keys into addresses.
    logger.info({ request_id: request.id, method: request.method, route, status, ms: Math.round(reply.elapsedTime * 10) / 10 }, 'request')
    done()
  })
}

function answerFault(error: FastifyError, request: FastifyRequest, reply: FastifyReply, { responses, logger }: ServerDeps): FastifyReply {
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return responses.refuse(request, reply, 413, 'Payload muito grande')
  if (error.statusCode !== undefined && error.statusCode < 500)
    return responses.refuse(request, reply, error.statusCode, 'Requisicao invalida')
  if (isReadOnly(error)) return responses.refuseMoving(request, reply)
  if (isDatabaseAway(error)) {
    logger.warn({ request_id: request.id, err: error }, 'database away')
    reply.header('retry-after', '5')
    return responses.refuse(request, reply, 503, 'Servico indisponivel, tente novamente')
  }
  logger.error({ request_id: request.id, route: request.routeOptions.url, err: error }, 'fault')
  return responses.refuse(request, reply, 500, 'internal_error')
}

async function answerUnknown(
  routes: RouteTable,
  request: FastifyRequest,
  reply: FastifyReply,
  { responses, findImpersonation }: ServerDeps,
): Promise<FastifyReply> {
  if (wantsPage(request)) request.impersonation = await findImpersonation(request)
  const allowed = routes.methodsOf(request.url.split('?', 1)[0] ?? '/')
  if (allowed.length === 0) return responses.refuse(request, reply, 404, 'Recurso nao encontrado')
  reply.header('allow', allowed.join(', '))
  return responses.refuse(request, reply, 405, 'Metodo nao permitido')
}

/** Requests that the HTTP parser refuses or gives up on never reach a route: answer in the same `{error}` form, then close. */
function refuseUnreadable(error: Error & { code?: string }, socket: Socket, timeouts: Timeouts): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  endWith(socket, bareAnswer(error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400), timeouts)
}

const BARE_BODY = JSON.stringify({ error: 'Requisicao invalida' })
const BARE_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  connection: 'close',
  'content-length': String(Buffer.byteLength(BARE_BODY)),
}

function bareAnswer(status: number, more: Record<string, string> = {}): string {
  const headers = Object.entries({ ...BARE_HEADERS, ...more }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers.join('')}\r\n${BARE_BODY}`
}
