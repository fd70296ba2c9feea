import type { FastifyReply, FastifyRequest } from 'fastify'
import { queryOf } from '../../http/index.ts'
import { ownHref } from '../../pages/index.ts'
import { takeTicketByCode } from '../../users/index.ts'
import type { Flow } from '../flow/flow.ts'
import { openFlow } from '../flow/sign-in-attempt.ts'
import { refuseFlow } from '../guards/attempt-guards.ts'
import type { FlowForm } from '../guards/flow-guards.ts'
import { answerForm } from '../guards/form-guards.ts'
import { mailFolderFor } from '../guards/mailed-link-guards.ts'
import { checkMailPage } from './check-mail-page.ts'
import { finishAndSignIn } from './finish-sign-up-routes.ts'
import type { SignUpDeps } from './sign-up-deps.ts'

export async function showCode(request: FastifyRequest, reply: FastifyReply, deps: SignUpDeps): Promise<FastifyReply> {
  const flow = openFlow(queryOf(request).get('flow'), request.headers.cookie, deps)
  return flow?.pendingSignUp ? answerCode(request, reply, flow, undefined, deps) : refuseFlow(request, reply, deps)
}

function answerCode(
  request: FastifyRequest,
  reply: FastifyReply,
  flow: Flow,
  problem: 'wrong_code' | 'code_expired' | undefined,
  deps: SignUpDeps,
): FastifyReply {
  const { responses, flows } = deps
  const sealed = flows.sealForMail(flow)
  const context = responses.pageContext(request, reply, ownHref('/check-mail', { flow: sealed }))
  const signUpUrl = ownHref('/sign-up', { flow: flows.seal({ ...flow, pendingSignUp: undefined }) })
  const page = checkMailPage(context, {
    flow: sealed,
    email: flow.pendingSignUp?.email ?? '',
    problem,
    signUpUrl,
    mailFolder: mailFolderFor(request, deps),
  })
  return answerForm(request, reply, { status: problem ? 400 : 200, page, problem }, deps)
}

/** The code works only in the browser that asked for it: the flow names the ticket and is tied to the browser. */
export async function takeCode(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, flow }: FlowForm,
  deps: SignUpDeps,
): Promise<FastifyReply> {
  if (!flow.pendingSignUp) return refuseFlow(request, reply, deps)
  const code = { id: flow.pendingSignUp.ticketId, code: body.get('code') ?? '', purpose: 'sign_up' } as const
  const ticket = await takeTicketByCode(deps.storage.db, code, { ...deps, at: deps.now() })
  if (ticket === 'wrong_code') return answerCode(request, reply, flow, 'wrong_code', deps)
  if (ticket === 'no_ticket') return answerCode(request, reply, flow, 'code_expired', deps)
  return finishAndSignIn(request, reply, ticket, flow, deps)
}
