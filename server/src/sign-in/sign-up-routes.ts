import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  type Account,
  beginSignUp,
  findSignUpErrors,
  findTicket,
  finishSignUp,
  type Proof,
  readPendingSignUp,
  type Ticket,
  takeTicket,
  takeTicketByCode,
} from '../accounts/index.ts'
import { clientAddress, formBody, networkOf, ownHref, queryOf } from '../http/index.ts'
import { HOUR_MS, MINUTE_MS, normaliseEmail, sha256Hex } from '../kit/index.ts'
import { endSessionsOfUser } from '../sessions/index.ts'
import { type Flow, newFlow } from './flow.ts'
import { checkMailPage, signUpPage, ticketGonePage, verifyPage } from './pages.ts'
import type { SignInDeps } from './routes.ts'
import { codeFormSchema, codeSchema, linkPageSchema, linkSchema, signUpFormSchema, signUpSchema } from './sign-up-schemas.ts'
import { answerSignedIn } from './signed-in-routes.ts'
import { answerForm, refuseForeign } from './state-change-routes.ts'
import { openFlow } from './visit.ts'
import { refuseFlow } from './visit-routes.ts'

/** An address gets this many mails of one kind in an hour, a network starts this many sign-ups. */
const MOST = { address: 3, network: 20, passwordTries: 5 } as const

export function signUpRoutes(scope: FastifyInstance, deps: SignInDeps): void {
  scope.get('/sign-up', { schema: signUpFormSchema }, (request, reply) => show(request, reply, deps))
  scope.post('/sign-up', { schema: signUpSchema }, (request, reply) => begin(request, reply, deps))
  scope.get('/check-mail', { schema: codeFormSchema }, (request, reply) => showCode(request, reply, deps))
  scope.post('/check-mail', { schema: codeSchema }, (request, reply) => takeCode(request, reply, deps))
  scope.get('/verify', { schema: linkPageSchema }, (request, reply) => showLink(request, reply, deps))
  scope.post('/verify', { schema: linkSchema }, (request, reply) => takeLink(request, reply, deps))
}

async function show(request: FastifyRequest, reply: FastifyReply, deps: SignInDeps): Promise<FastifyReply> {
  const sealed = queryOf(request).get('flow')
  const { browser, setCookie } = deps.cookies.browserOf(request.headers.cookie)
  const flow = sealed === null ? newFlow(browser) : openFlow(sealed, request.headers.cookie, deps)
  if (!flow) return refuseFlow(request, reply, deps)
  reply.header('set-cookie', setCookie)
  return answerSignUp(request, reply, flow, { values: {}, errors: {} }, deps)
}

type SignUpForm = Omit<Parameters<typeof signUpPage>[1], 'flow'>

function answerSignUp(
  request: FastifyRequest,
  reply: FastifyReply,
  flow: Flow,
  form: SignUpForm,
  deps: SignInDeps,
  status = 200,
): FastifyReply {
  const sealed = deps.flows.seal(flow)
  const context = deps.answers.pageContext(request, reply, ownHref('/sign-up', { flow: sealed }))
  return answerForm(request, reply, { status, page: signUpPage(context, { flow: sealed, ...form }), problem: form.problem }, deps)
}

async function begin(request: FastifyRequest, reply: FastifyReply, deps: SignInDeps): Promise<FastifyReply> {
  const { flows, limits, now } = deps
  const refused = refuseForeign(request, reply, deps)
  if (refused) return refused
  const body = formBody(request)
  const flow = openFlow(body?.get('flow'), request.headers.cookie, deps)
  if (!body || !flow) return refuseFlow(request, reply, deps)
  const input = { name: body.get('name') ?? '', email: body.get('email') ?? '', password: body.get('password') ?? '' }
  const errors = await findSignUpErrors(input)
  if (Object.keys(errors).length > 0) return answerSignUp(request, reply, flow, { values: input, errors }, deps, 400)
  const network = await limits.count(
    { key: `sign-up:network:${networkOf(clientAddress(request))}`, most: MOST.network, windowMs: HOUR_MS },
    now(),
  )
  const address = await limits.count(
    { key: `sign-up:address:${sha256Hex(normaliseEmail(input.email) ?? '')}`, most: MOST.address, windowMs: HOUR_MS },
    now(),
  )
  if (!network.within || !address.within) {
    const retryAfterSeconds = Math.max(network.retryAfterSeconds, address.retryAfterSeconds)
    reply.header('retry-after', String(retryAfterSeconds))
    return answerSignUp(request, reply, flow, { values: input, errors: {}, problem: 'too_many_attempts', retryAfterSeconds }, deps, 429)
  }
  const { language } = deps.answers.pageContext(request, reply)
  const begun = await beginSignUp(input, { flow: flows.seal(flow), language }, deps)
  if (begun === 'busy') return answerSignUp(request, reply, flow, { values: input, errors: {}, problem: 'busy' }, deps, 503)
  deps.outbox.nudge()
  const waiting = { ticketId: begun.ticketId, email: normaliseEmail(input.email) ?? input.email }
  return deps.answers.redirect(reply, ownHref('/check-mail', { flow: flows.seal({ ...flow, waiting }) }))
}

async function showCode(request: FastifyRequest, reply: FastifyReply, deps: SignInDeps): Promise<FastifyReply> {
  const flow = openFlow(queryOf(request).get('flow'), request.headers.cookie, deps)
  return flow?.waiting ? answerCode(request, reply, flow, undefined, deps) : refuseFlow(request, reply, deps)
}

function answerCode(
  request: FastifyRequest,
  reply: FastifyReply,
  flow: Flow,
  problem: 'wrong_code' | 'code_gone' | undefined,
  deps: SignInDeps,
): FastifyReply {
  const { answers, flows } = deps
  const sealed = flows.seal(flow)
  const context = answers.pageContext(request, reply, ownHref('/check-mail', { flow: sealed }))
  const signUpUrl = ownHref('/sign-up', { flow: flows.seal({ ...flow, waiting: undefined }) })
  const page = checkMailPage(context, { flow: sealed, email: flow.waiting?.email ?? '', problem, signUpUrl })
  return answerForm(request, reply, { status: problem ? 400 : 200, page, problem }, deps)
}

/** The code is good in the browser that asked for it alone: its ticket is named in the flow, and the flow is tied to the browser. */
async function takeCode(request: FastifyRequest, reply: FastifyReply, deps: SignInDeps): Promise<FastifyReply> {
  const refused = refuseForeign(request, reply, deps)
  if (refused) return refused
  const body = formBody(request)
  const flow = openFlow(body?.get('flow'), request.headers.cookie, deps)
  if (!body || !flow?.waiting) return refuseFlow(request, reply, deps)
  const code = { id: flow.waiting.ticketId, code: body.get('code') ?? '', purpose: 'sign_up' } as const
  const ticket = await takeTicketByCode(deps.storage.db, code, { ...deps, at: deps.now() })
  if (ticket === 'wrong_code') return answerCode(request, reply, flow, 'wrong_code', deps)
  if (ticket === 'no_ticket') return answerCode(request, reply, flow, 'code_gone', deps)
  return finish(request, reply, ticket, flow, deps)
}

/**
 * A link opened in the browser that began the sign-up needs a button only. Anywhere else it asks for the password that was chosen: otherwise someone who
 * signed up with another's address would need no more than that the other clicks.
 */
async function showLink(request: FastifyRequest, reply: FastifyReply, deps: SignInDeps): Promise<FastifyReply> {
  const secret = queryOf(request).get('ticket') ?? ''
  const ticket = await findTicket(deps.storage.db, secret, 'sign_up', { ...deps, at: deps.now() })
  return ticket ? answerLink(request, reply, { secret, ticket }, undefined, deps) : answerGone(request, reply, deps)
}

type Link = { secret: string; ticket: Ticket }

function answerLink(
  request: FastifyRequest,
  reply: FastifyReply,
  { secret, ticket }: Link,
  problem: LinkProblem | undefined,
  deps: SignInDeps,
): FastifyReply {
  const context = deps.answers.pageContext(request, reply, ownHref('/verify', { ticket: secret }))
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

/** The flow in which the sign-up was begun, if this is the browser that began it. */
function flowOfTicket(request: FastifyRequest, ticket: Ticket, deps: SignInDeps): Flow | undefined {
  return openFlow(readPendingSignUp(ticket).flow, request.headers.cookie, deps)
}

async function takeLink(request: FastifyRequest, reply: FastifyReply, deps: SignInDeps): Promise<FastifyReply> {
  const { storage, passwords, limits, now } = deps
  const refused = refuseForeign(request, reply, deps)
  if (refused) return refused
  const body = formBody(request)
  const secret = body?.get('ticket') ?? ''
  const at = now()
  const found = await findTicket(storage.db, secret, 'sign_up', { ...deps, at })
  if (!body || !found) return answerGone(request, reply, deps)
  const begunHere = flowOfTicket(request, found, deps)
  if (!begunHere) {
    const { within, retryAfterSeconds } = await limits.count(
      { key: `verify:${found.id}`, most: MOST.passwordTries, windowMs: 60 * MINUTE_MS },
      at,
    )
    if (!within) reply.header('retry-after', String(retryAfterSeconds))
    if (!within) return answerLink(request, reply, { secret, ticket: found }, 'too_many_attempts', deps)
    const { passwordHash } = readPendingSignUp(found)
    const right = await passwords.verify(body.get('password') ?? '', passwordHash)
    if (right === 'busy') await limits.uncount(`verify:${found.id}`)
    if (right !== true) return answerLink(request, reply, { secret, ticket: found }, right === 'busy' ? 'busy' : 'wrong_password', deps)
  }
  const { browser, setCookie } = deps.cookies.browserOf(request.headers.cookie)
  if (!begunHere) reply.header('set-cookie', setCookie)
  const ticket = await takeTicket(storage.db, secret, 'sign_up', { ...deps, at })
  return ticket ? finish(request, reply, ticket, begunHere ?? newFlow(browser), deps) : answerGone(request, reply, deps)
}

/** The mailbox has spoken: the account comes into being, or an unproven one changes hands, and its person is signed in. */
async function finish(request: FastifyRequest, reply: FastifyReply, ticket: Ticket, flow: Flow, deps: SignInDeps): Promise<FastifyReply> {
  const { changes, now } = deps
  const finished = await changes.transaction(async (tx, announce) => {
    const result = await finishSignUp(tx, ticket, { announce, now })
    if ('how' in result && result.how === 'taken_over') await endSessionsOfUser(tx, result.account.id, 'taken_over', { announce, now })
    return result
  })
  if ('refusal' in finished) return answerGone(request, reply, deps)
  const proof = proofOf(ticket, finished.account)
  const answered = proof && (await answerSignedIn(request, reply, { account: finished.account, proof, flow }, deps))
  return answered ?? answerGone(request, reply, deps)
}

function proofOf(ticket: Ticket, { passwordHash }: Account): Proof | undefined {
  if (passwordHash !== undefined) return { kind: 'password', passwordHash }
  const { identity } = readPendingSignUp(ticket)
  return identity && { kind: 'identity', issuer: identity.issuer, subject: identity.subject }
}

/** Used, expired, or never there: the same page, which says how to begin again. */
function answerGone(request: FastifyRequest, reply: FastifyReply, deps: SignInDeps): FastifyReply {
  const context = deps.answers.pageContext(request, reply, '/sign-up')
  const page = ticketGonePage(context, { beginUrl: ownHref('/sign-up'), what: 'sign_up' })
  return answerForm(request, reply, { status: 400, page, problem: 'ticket_gone' }, deps)
}
