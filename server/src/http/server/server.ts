import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, { type FastifyError, type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { refuseBusy } from './admission-guards.ts'
import { BARE_BODY, BARE_HEADERS, bareAnswer } from './bare-answer.ts'
import { answerFault, answerUnknown, refuseUnreadable } from './last-answers.ts'
import { readBodies, refuseBeyondLimit } from './refuse-connections.ts'
import { createRouteTable } from './route-table.ts'
import type { ServerDeps } from './server-deps.ts'
import { endSlowReaders, endWith, TIMEOUTS } from './sockets.ts'

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

/** Checks and the questions of proxies are not logged one by one, so an id of their own would only cost time. */
const UNLOGGED = /^\/auth\/(check$|forward(\?|$))/

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
  readBodies(app, deps)
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

/** A number of hops trusts that many proxies, counted from ours; a list trusts the addresses in it. */
function trustOf(trusted: number | string[] | undefined): false | string[] | ((address: string, hop: number) => boolean) {
  if (trusted === undefined) return false
  return typeof trusted === 'number' ? (_address, hop) => hop < trusted : trusted
}
