import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientAddress, networkOf } from '../../http/index.ts'
import { normaliseEmail, sha256Hex } from '../../kit/index.ts'
import { ownHref } from '../../pages/index.ts'
import { beginSignUp, findSignUpErrors } from '../../users/index.ts'
import type { Flow } from '../flow/flow.ts'
import { findFlowTarget } from '../flow/sign-in-attempt.ts'
import { countMail } from '../guards/count-guards.ts'
import type { FlowForm } from '../guards/flow-guards.ts'
import { answerForm } from '../guards/form-guards.ts'
import { SIGN_UP_MOST, type SignUpDeps } from './sign-up-deps.ts'
import { signUpPage } from './sign-up-page.ts'

export async function showSignUp(request: FastifyRequest, reply: FastifyReply, flow: Flow, deps: SignUpDeps): Promise<FastifyReply> {
  return answerSignUp(request, reply, flow, { values: {}, errors: {} }, deps)
}

type SignUpForm = Omit<Parameters<typeof signUpPage>[1], 'flow' | 'productName'>

async function answerSignUp(
  request: FastifyRequest,
  reply: FastifyReply,
  flow: Flow,
  form: SignUpForm,
  deps: SignUpDeps,
  status = 200,
): Promise<FastifyReply> {
  const sealed = deps.flows.seal(flow)
  const context = deps.responses.pageContext(request, reply, ownHref('/sign-up', { flow: sealed }))
  const target = await findFlowTarget(flow, deps)
  const productName = target === 'gone' ? undefined : target?.product.name
  const page = signUpPage(context, { flow: sealed, productName, ...form })
  return answerForm(request, reply, { status, page, problem: form.problem }, deps)
}

export async function beginSignUpMail(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, flow }: FlowForm,
  deps: SignUpDeps,
): Promise<FastifyReply> {
  const { flows } = deps
  const input = { name: body.get('name') ?? '', email: body.get('email') ?? '', password: body.get('password') ?? '' }
  const refuse = (tooMany: { retryAfterSeconds: number }) =>
    answerSignUp(request, reply, flow, { values: input, errors: {}, problem: 'too_many_attempts', ...tooMany }, deps, 429)
  const forms = { key: `sign-up:forms:${networkOf(clientAddress(request))}`, most: SIGN_UP_MOST.forms }
  const tooManyForms = await countMail(reply, [forms], deps)
  if (tooManyForms) return refuse(tooManyForms)
  const errors = await findSignUpErrors(input)
  if (errors === 'busy') return answerSignUp(request, reply, flow, { values: input, errors: {}, problem: 'busy' }, deps, 503)
  if (Object.keys(errors).length > 0) return answerSignUp(request, reply, flow, { values: input, errors }, deps, 400)
  const email = normaliseEmail(input.email) ?? input.email
  const tooMany = await countMail(reply, [networkCounter(request), addressCounter(email)], deps)
  if (tooMany) return refuse(tooMany)
  const { language } = deps.responses.pageContext(request, reply)
  const begun = await beginSignUp(input, { flow: flows.sealForMail(flow), language, productId: flow.target?.productId }, deps)
  if (begun === 'busy') return answerSignUp(request, reply, flow, { values: input, errors: {}, problem: 'busy' }, deps, 503)
  deps.outbox.wake()
  const pendingSignUp = { ticketId: begun.ticketId, email }
  return deps.responses.redirect(reply, ownHref('/check-mail', { flow: flows.sealForMail({ ...flow, pendingSignUp }) }))
}

/** One counter for all sign-ups of a network, by form or by provider, and one for all sign-up mails of an address. */
export function networkCounter(request: FastifyRequest): { key: string; most: number } {
  return { key: `sign-up:network:${networkOf(clientAddress(request))}`, most: SIGN_UP_MOST.network }
}

export function addressCounter(email: string): { key: string; most: number } {
  return { key: `sign-up:address:${sha256Hex(email)}`, most: SIGN_UP_MOST.address }
}
