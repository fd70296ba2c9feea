import type { FastifyReply, FastifyRequest } from 'fastify'
import { formBody, queryOf } from '../../http/index.ts'
import { type Flow, newFlow } from '../flow/flow.ts'
import { openFlow } from '../flow/sign-in-attempt.ts'
import { refuseFlow } from './attempt-guards.ts'
import { refuseForeign } from './form-guards.ts'
import type { GuardDeps, Step } from './guard-deps.ts'

/** Continues the flow of the address; without one, a flow begins in this browser. */
export async function withFlow<Deps extends GuardDeps>(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: Deps,
  step: Step<Flow, Deps>,
): Promise<FastifyReply> {
  const sealed = queryOf(request).get('flow')
  const { browser, setCookie } = deps.cookies.browserOf(request.headers.cookie)
  const flow = sealed === null ? newFlow(browser) : openFlow(sealed, request.headers.cookie, deps)
  if (!flow) return refuseFlow(request, reply, deps)
  reply.header('set-cookie', setCookie)
  return step(request, reply, flow, deps)
}

export interface FlowForm {
  body: URLSearchParams
  flow: Flow
}

/** Continues with a form of ours, posted by the browser in which its flow began. */
export async function withFlowForm<Deps extends GuardDeps>(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: Deps,
  step: Step<FlowForm, Deps>,
): Promise<FastifyReply> {
  const refused = refuseForeign(request, reply, deps)
  if (refused) return refused
  const body = formBody(request)
  const flow = openFlow(body?.get('flow'), request.headers.cookie, deps)
  return body && flow ? step(request, reply, { body, flow }, deps) : refuseFlow(request, reply, deps)
}
