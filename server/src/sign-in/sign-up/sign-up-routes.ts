import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { clientAddress, networkOf, queryOf } from '../../http/index.ts'
import { HOUR_MS, normaliseEmail, sha256Hex } from '../../kit/index.ts'
import { ownHref } from '../../pages/index.ts'
import { endSessionsOfUser } from '../../sessions/index.ts'
import type { PasswordHasher } from '../../users/index.ts'
import {
  beginSignUp,
  type FirstFactor,
  findSignUpErrors,
  finishSignUp,
  readPendingSignUp,
  type Ticket,
  takeTicket,
  takeTicketByCode,
  type User,
} from '../../users/index.ts'
import { answerSignedIn } from '../flow/complete-sign-in.ts'
import { type Flow, newFlow } from '../flow/flow.ts'
import { findFlowTarget, openFlow } from '../flow/sign-in-attempt.ts'
import { refuseFlow } from '../guards/attempt-guards.ts'
import { answerForm, answerGone, countMail, type FlowForm, type MailedLink, mailFolderFor } from '../guards/form-guards.ts'
import type { CompleteSignInDeps } from '../guards/guard-deps.ts'
import { createGuards } from '../guards/guards.ts'
import { checkMailPage } from './check-mail-page.ts'
import { signUpPage } from './sign-up-page.ts'
import { codeFormSchema, codeSchema, linkPageSchema, linkSchema, signUpFormSchema, signUpSchema } from './sign-up-schemas.ts'
import { verifyPage } from './verify-page.ts'

export interface SignUpDeps extends CompleteSignInDeps {
  passwords: PasswordHasher
  /** The folder of mails on a developer's machine, where none is sent; pages there mention it. */
  mailFolder: string | undefined
}

/**
 * Limits of an hour: mails of one kind to an address, sign-ups that a network starts, and forms that it sends, right or wrong, since
 * judging a password costs CPU.
 */
const MOST = { address: 3, network: 20, forms: 100, passwordTries: 5 } as const

export function signUpRoutes(scope: FastifyInstance, deps: SignUpDeps): void {
  const { flowForm, flowPage, mailedLink } = createGuards(deps)
  scope.get('/sign-up', { schema: signUpFormSchema }, flowPage(show))
  scope.post('/sign-up', { schema: signUpSchema }, flowForm(begin))
  scope.get('/check-mail', { schema: codeFormSchema }, (request, reply) => showCode(request, reply, deps))
  scope.post('/check-mail', { schema: codeSchema }, flowForm(takeCode))
  scope.get('/verify', { schema: linkPageSchema }, mailedLink('sign_up', showLink))
  scope.post('/verify', { schema: linkSchema }, mailedLink('sign_up', takeLink))
}

async function show(request: FastifyRequest, reply: FastifyReply, flow: Flow, deps: SignUpDeps): Promise<FastifyReply> {
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

async function begin(request: FastifyRequest, reply: FastifyReply, { body, flow }: FlowForm, deps: SignUpDeps): Promise<FastifyReply> {
  const { flows } = deps
  const input = { name: body.get('name') ?? '', email: body.get('email') ?? '', password: body.get('password') ?? '' }
  const refuse = (tooMany: { retryAfterSeconds: number }) =>
    answerSignUp(request, reply, flow, { values: input, errors: {}, problem: 'too_many_attempts', ...tooMany }, deps, 429)
  const forms = { key: `sign-up:forms:${networkOf(clientAddress(request))}`, most: MOST.forms }
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
  return { key: `sign-up:network:${networkOf(clientAddress(request))}`, most: MOST.network }
}

export function addressCounter(email: string): { key: string; most: number } {
  return { key: `sign-up:address:${sha256Hex(email)}`, most: MOST.address }
}

async function showCode(request: FastifyRequest, reply: FastifyReply, deps: SignUpDeps): Promise<FastifyReply> {
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
async function takeCode(request: FastifyRequest, reply: FastifyReply, { body, flow }: FlowForm, deps: SignUpDeps): Promise<FastifyReply> {
  if (!flow.pendingSignUp) return refuseFlow(request, reply, deps)
  const code = { id: flow.pendingSignUp.ticketId, code: body.get('code') ?? '', purpose: 'sign_up' } as const
  const ticket = await takeTicketByCode(deps.storage.db, code, { ...deps, at: deps.now() })
  if (ticket === 'wrong_code') return answerCode(request, reply, flow, 'wrong_code', deps)
  if (ticket === 'no_ticket') return answerCode(request, reply, flow, 'code_expired', deps)
  return finish(request, reply, ticket, flow, deps)
}

/**
 * A link opened in the browser that began the sign-up needs only a button. Any other browser must give the chosen password: otherwise an
 * attacker could sign up with another's address, and one click of the victim would verify it.
 */
async function showLink(request: FastifyRequest, reply: FastifyReply, link: MailedLink, deps: SignUpDeps): Promise<FastifyReply> {
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

async function takeLink(request: FastifyRequest, reply: FastifyReply, link: MailedLink, deps: SignUpDeps): Promise<FastifyReply> {
  const begunHere = flowOfTicket(request, link.ticket, deps)
  const problem = begunHere ? undefined : await tryPassword(reply, link, deps)
  if (problem) return answerLink(request, reply, link, problem, deps)
  const { browser, setCookie } = deps.cookies.browserOf(request.headers.cookie)
  if (!begunHere) reply.header('set-cookie', setCookie)
  const ticket = await takeTicket(deps.storage.db, link.secret, 'sign_up', { ...deps, at: deps.now() })
  return ticket ? finish(request, reply, ticket, begunHere ?? newFlow(browser), deps) : answerGone(request, reply, 'sign_up', deps)
}

/** The fault of the password that is typed at a link opened elsewhere. Each link allows a few tries. */
async function tryPassword(
  reply: FastifyReply,
  { ticket, body }: MailedLink,
  { passwords, limits, now }: SignUpDeps,
): Promise<LinkProblem | undefined> {
  const key = `verify:${ticket.id}`
  const { within, retryAfterSeconds } = await limits.count({ key, most: MOST.passwordTries, windowMs: HOUR_MS }, now())
  if (!within) {
    reply.header('retry-after', String(retryAfterSeconds))
    return 'too_many_attempts'
  }
  const right = await passwords.verify(body.get('password') ?? '', readPendingSignUp(ticket).passwordHash)
  if (right === 'busy') await limits.uncount(key)
  return right === 'busy' ? 'busy' : right ? undefined : 'wrong_password'
}

/** The mailbox is verified: the account is made, or an unverified one is claimed, and its user is signed in. */
async function finish(request: FastifyRequest, reply: FastifyReply, ticket: Ticket, flow: Flow, deps: SignUpDeps): Promise<FastifyReply> {
  const { changes, now } = deps
  const finished = await changes.transaction(async (tx, announce) => {
    const result = await finishSignUp(tx, ticket, { announce, now })
    if ('how' in result && result.how === 'claimed') await endSessionsOfUser(tx, result.user.id, 'claimed', { announce, now })
    return result
  })
  if ('refusal' in finished) return answerGone(request, reply, 'sign_up', deps)
  const factor = factorOf(ticket, finished.user)
  const answered = factor && (await answerSignedIn(request, reply, { user: finished.user, factor, flow }, deps))
  return answered ?? answerGone(request, reply, 'sign_up', deps)
}

function factorOf(ticket: Ticket, { passwordHash }: User): FirstFactor | undefined {
  if (passwordHash !== undefined) return { kind: 'password', passwordHash }
  const { identity } = readPendingSignUp(ticket)
  return identity && { kind: 'identity', issuer: identity.issuer, subject: identity.subject, saysSecondFactor: false }
}
