import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction, RouteHandlerMethod } from 'fastify'
import type { Admission, WorkClass } from '../../rate-limits/index.ts'
import type { Metrics } from '../observation/metrics.ts'
import type { Responses } from '../responses.ts'
import { workClassOf } from './work-classes.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The class of work of the route; without one it is never shed. */
    work?: WorkClass
  }
  interface FastifyRequest {
    /** The class in whose budget the request is, from its admission until its answer is made. */
    admittedAs: WorkClass | undefined
  }
}

const RETRY_AFTER_SECONDS = '2'
const BODILESS = new Set(['GET', 'HEAD', 'OPTIONS'])

export interface AdmissionDeps {
  admission: Admission
  responses: Pick<Responses, 'refuse'>
}

/**
 * Hooks of every route inside: each request takes a place in the budget of its class, or is refused before anything is done for it. A body
 * is read first, as far as the peer sends it, since a slow sender must not hold a place. A slow reader holds none either.
 */
export function admitRequests(scope: FastifyInstance, deps: AdmissionDeps): void {
  const { admission } = deps
  scope.addHook('onRoute', (route) => {
    const work = workClassOf([route.method].flat()[0] ?? '', route.url)
    if (work === undefined) return
    route.config = { ...route.config, work }
    route.handler = leavingAfter(route.handler, admission)
  })
  scope.addHook('onRequest', (request, reply, done) => {
    if (BODILESS.has(request.method)) admit(request, reply, done, deps)
    else done()
  })
  scope.addHook('preValidation', (request, reply, done) => {
    if (BODILESS.has(request.method)) done()
    else admit(request, reply, done, deps)
  })
  scope.addHook('onSend', (request, _reply, payload, done) => {
    leave(request, admission)
    done(null, payload)
  })
}

/** The metrics of requests by class: begun, shed, in progress and in line. */
export function watchAdmission(metrics: Metrics, { admitted, shed, inProgress, inLine }: Admission): void {
  metrics.countResults('portaria_requests_admitted_total', 'Requests that were begun, by class of work', admitted, 'class')
  metrics.countResults('portaria_requests_shed_total', 'Requests refused for lack of room, by class of work', shed, 'class')
  metrics.gauge('portaria_requests_in_progress', 'Requests that were begun and are not answered', 'sum', inProgress)
  metrics.gauge('portaria_requests_in_line', 'Requests that wait for their turn', 'sum', inLine)
}

function admit(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction, deps: AdmissionDeps): void {
  const { admission } = deps
  const { work } = request.routeOptions.config
  const begin = () => {
    request.admittedAs = work
    // The client is gone, and needs no answer.
    if (request.raw.socket.destroyed) leave(request, admission)
    else done()
  }
  if (work === undefined) done()
  else admission.enter(work, begin, () => void (request.raw.socket.destroyed || refuseBusy(request, reply, deps)))
}

/** The answer to work that is shed: a page, or `{error}`, and when to come back. */
export function refuseBusy(request: FastifyRequest, reply: FastifyReply, { responses }: Pick<AdmissionDeps, 'responses'>): FastifyReply {
  reply.header('retry-after', RETRY_AFTER_SECONDS)
  return responses.refuse(request, reply, 503, 'Servico indisponivel, tente novamente')
}

function leave(request: FastifyRequest, admission: Admission): void {
  const { admittedAs } = request
  if (admittedAs === undefined) return
  request.admittedAs = undefined
  admission.leave(admittedAs)
}

/** An answer that the handler sends past Fastify has no `onSend`; then the handler's own end counts. */
function leavingAfter(handler: RouteHandlerMethod, admission: Admission): RouteHandlerMethod {
  return function answer(this, request, reply) {
    const answered: unknown = handler.call(this, request, reply)
    const end = () => leave(request, admission)
    if (answered instanceof Promise) answered.then(end, end)
    return answered
  }
}
