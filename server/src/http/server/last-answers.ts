import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { isDatabaseAway, isReadOnly } from '../../storage/index.ts'
import { wantsPage } from '../responses.ts'
import { bareAnswer } from './bare-answer.ts'
import { BodyEnded } from './body-budget.ts'
import type { RouteTable } from './route-table.ts'
import type { ServerDeps } from './server-deps.ts'
import { endWith, type Timeouts } from './sockets.ts'

export function answerFault(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
  { responses, logger }: ServerDeps,
): FastifyReply {
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return responses.refuse(request, reply, 413, 'Payload muito grande')
  if (error instanceof BodyEnded) {
    reply.header('retry-after', '2')
    return responses.refuse(request, reply, 503, 'Servico indisponivel, tente novamente')
  }
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

export async function answerUnknown(
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
export function refuseUnreadable(error: Error & { code?: string }, socket: Socket, timeouts: Timeouts): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  endWith(socket, bareAnswer(error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400), timeouts)
}
