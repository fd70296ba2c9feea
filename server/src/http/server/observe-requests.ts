import type { FastifyInstance } from 'fastify'
import type { ServerDeps } from './server-deps.ts'

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
