import type { FastifyReply, FastifyRequest } from 'fastify'
import { HOUR_MS } from '../../kit/index.ts'
import { ownHref } from '../../pages/index.ts'
import { readPendingSignUp, type Ticket, takeTicket } from '../../users/index.ts'
import { type Flow, newFlow } from '../flow/flow.ts'
import { openFlow } from '../flow/sign-in-attempt.ts'
import { answerForm } from '../guards/form-guards.ts'
import { answerGone, type MailedLink } from '../guards/mailed-link-guards.ts'
import { finishAndSignIn } from './finish-sign-up-routes.ts'
import { SIGN_UP_MOST, type SignUpDeps } from './sign-up-deps.ts'
import { verifyPage } from './verify-page.ts'

/**
 * A link opened in the browser that began the sign-up needs only a button. Any other browser must give the chosen password: otherwise an
 * attacker could sign up with another's address, and one click of the victim would verify it.
 */
export async function showLink(request: FastifyRequest, reply: FastifyReply, link: MailedLink, deps: SignUpDeps): Promise<FastifyReply> {
  return answerLink(request, reply, link, undefined, deps)
}

function answerLink(
  request: FastifyRequest,
  reply: FastifyReply,
  { secret, ticket }: MailedLink,
  problem: LinkProblem | undefined,
  deps: SignUpDeps,
): FastifyReply {
  request.pageProduct = deps.flows.open(readPendingSignUp(ticket).flow)?.target?.productId
  const context = deps.responses.pageContext(request, reply, ownHref('/verify', { ticket: secret }))
  const begunHere = flowOfTicket(request, ticket, deps) !== undefined
  const page = verifyPage(context, {
    ticket: secret,
    email: ticket.email,
    asksPassword: !begunHere,
    canPassword: readPendingSignUp(ticket).passwordHash !== undefined,
    problem,
  })
  return answerForm(request, reply, { status: problem === undefined ? 200 : linkStatus[problem], page, problem }, deps)
}

type LinkProblem = 'wrong_password' | 'too_many_attempts' | 'busy'
const linkStatus = { wrong_password: 401, too_many_attempts: 429, busy: 503 } as const satisfies Record<LinkProblem, number>

/** The flow that began the sign-up, if this is its browser. */
function flowOfTicket(request: FastifyRequest, ticket: Ticket, deps: SignUpDeps): Flow | undefined {
  return openFlow(readPendingSignUp(ticket).flow, request.headers.cookie, deps)
}

export async function takeLink(request: FastifyRequest, reply: FastifyReply, link: MailedLink, deps: SignUpDeps): Promise<FastifyReply> {
  const begunHere = flowOfTicket(request, link.ticket, deps)
  const problem = begunHere ? undefined : await tryPassword(reply, link, deps)
  if (problem) return answerLink(request, reply, link, problem, deps)
  const { browser, setCookie } = deps.cookies.browserOf(request.headers.cookie)
  if (!begunHere) reply.header('set-cookie', setCookie)
  const ticket = await takeTicket(deps.storage.db, link.secret, 'sign_up', { ...deps, at: deps.now() })
  return ticket ? finishAndSignIn(request, reply, ticket, begunHere ?? newFlow(browser), deps) : answerGone(request, reply, 'sign_up', deps)
}

/** The fault of the password that is typed at a link opened elsewhere. Each link allows a few tries. */
async function tryPassword(
  reply: FastifyReply,
  { ticket, body }: MailedLink,
  { passwords, limits, now }: SignUpDeps,
): Promise<LinkProblem | undefined> {
  const key = `verify:${ticket.id}`
  const { within, retryAfterSeconds } = await limits.count({ key, most: SIGN_UP_MOST.passwordTries, windowMs: HOUR_MS }, now())
  if (!within) {
    reply.header('retry-after', String(retryAfterSeconds))
    return 'too_many_attempts'
  }
  const right = await passwords.verify(body.get('password') ?? '', readPendingSignUp(ticket).passwordHash)
  if (right === 'busy') await limits.uncount(key)
  return right === 'busy' ? 'busy' : right ? undefined : 'wrong_password'
}
