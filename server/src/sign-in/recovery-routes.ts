import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  beginRecovery,
  disownSignIn,
  findPasswordError,
  findTicket,
  finishRecovery,
  mailLanguage,
  queueMail,
  queueRecovery,
  type Ticket,
  takeTicket,
} from '../accounts/index.ts'
import { clientAddress, formBody, networkOf, ownHref, queryOf } from '../http/index.ts'
import { HOUR_MS, normaliseEmail, sha256Hex } from '../kit/index.ts'
import { endSessionsOfUser } from '../sessions/index.ts'
import { deviceWords } from './device.ts'
import { type Flow, newFlow } from './flow.ts'
import { newPasswordPage, notMeDonePage, notMePage, recoverPage, recoverySentPage, ticketGonePage } from './pages.ts'
import { newPasswordSchemas, notMePageSchema, notMeSchema, recoverFormSchema, recoverSchema } from './recovery-schemas.ts'
import type { SignInDeps } from './routes.ts'
import { answerSignedIn } from './signed-in-routes.ts'
import { answerForm, refuseForeign } from './state-change-routes.ts'
import { openFlow } from './visit.ts'
import { refuseFlow } from './visit-routes.ts'

const MOST = { address: 3, network: 20 } as const

/** A new password by mail, for someone who forgot theirs (`reset_password`) or was invited (`invitation`). */
const newPassword = {
  reset_password: { path: '/reset-password', beginUrl: ownHref('/recover') },
  invitation: { path: '/invitation', beginUrl: ownHref('/recover') },
} as const
type NewPasswordPurpose = keyof typeof newPassword

export function recoveryRoutes(scope: FastifyInstance, deps: SignInDeps): void {
  scope.get('/recover', { schema: recoverFormSchema }, (request, reply) => show(request, reply, deps))
  scope.post('/recover', { schema: recoverSchema }, (request, reply) => send(request, reply, deps))
  for (const purpose of ['reset_password', 'invitation'] as const) {
    const { path } = newPassword[purpose]
    scope.get(path, { schema: newPasswordSchemas[purpose].form }, (request, reply) => showForm(request, reply, purpose, deps))
    scope.post(path, { schema: newPasswordSchemas[purpose].save }, (request, reply) => setPassword(request, reply, purpose, deps))
  }
  scope.get('/not-me', { schema: notMePageSchema }, (request, reply) => showNotMe(request, reply, deps))
  scope.post('/not-me', { schema: notMeSchema }, (request, reply) => disown(request, reply, deps))
}

async function show(request: FastifyRequest, reply: FastifyReply, deps: SignInDeps): Promise<FastifyReply> {
  const sealed = queryOf(request).get('flow')
  const { browser, setCookie } = deps.cookies.browserOf(request.headers.cookie)
  const flow = sealed === null ? newFlow(browser) : openFlow(sealed, request.headers.cookie, deps)
  if (!flow) return refuseFlow(request, reply, deps)
  reply.header('set-cookie', setCookie)
  return answerRecover(request, reply, flow, {}, deps)
}

type RecoverForm = Omit<Parameters<typeof recoverPage>[1], 'flow'>

function answerRecover(
  request: FastifyRequest,
  reply: FastifyReply,
  flow: Flow,
  form: RecoverForm,
  deps: SignInDeps,
  status = 200,
): FastifyReply {
  const sealed = deps.flows.seal(flow)
  const context = deps.answers.pageContext(request, reply, ownHref('/recover', { flow: sealed }))
  return answerForm(request, reply, { status, page: recoverPage(context, { flow: sealed, ...form }), problem: form.problem }, deps)
}

/** The same answer, work and time for every address: the mail finds out whether there is an account. */
async function send(request: FastifyRequest, reply: FastifyReply, deps: SignInDeps): Promise<FastifyReply> {
  const { limits, now, answers } = deps
  const refused = refuseForeign(request, reply, deps)
  if (refused) return refused
  const body = formBody(request)
  const flow = openFlow(body?.get('flow'), request.headers.cookie, deps)
  if (!body || !flow) return refuseFlow(request, reply, deps)
  const email = body.get('email') ?? ''
  const normal = normaliseEmail(email)
  if (normal === undefined)
    return answerRecover(request, reply, flow, { email, problem: email.trim() === '' ? 'email_missing' : 'email_invalid' }, deps, 400)
  const network = await limits.count(
    { key: `recovery:network:${networkOf(clientAddress(request))}`, most: MOST.network, windowMs: HOUR_MS },
    now(),
  )
  const address = await limits.count({ key: `recovery:address:${sha256Hex(normal)}`, most: MOST.address, windowMs: HOUR_MS }, now())
  if (!network.within || !address.within) {
    const retryAfterSeconds = Math.max(network.retryAfterSeconds, address.retryAfterSeconds)
    reply.header('retry-after', String(retryAfterSeconds))
    return answerRecover(request, reply, flow, { email, problem: 'too_many_attempts', retryAfterSeconds }, deps, 429)
  }
  const sealed = deps.flows.seal(flow)
  const context = answers.pageContext(request, reply, ownHref('/recover', { flow: sealed }))
  await beginRecovery(normal, context.language, deps)
  deps.outbox.nudge()
  return answers.page(reply, 200, recoverySentPage(context, { email: normal, signInUrl: ownHref('/login', { flow: sealed }) }))
}

async function showForm(
  request: FastifyRequest,
  reply: FastifyReply,
  purpose: NewPasswordPurpose,
  deps: SignInDeps,
): Promise<FastifyReply> {
  const secret = queryOf(request).get('ticket') ?? ''
  const ticket = await findTicket(deps.storage.db, secret, purpose, { ...deps, at: deps.now() })
  return ticket ? answerNewPassword(request, reply, { secret, ticket }, undefined, deps) : answerGone(request, reply, purpose, deps)
}

type PasswordProblem = Parameters<typeof newPasswordPage>[1]['problem']

function answerNewPassword(
  request: FastifyRequest,
  reply: FastifyReply,
  { secret, ticket }: { secret: string; ticket: Ticket },
  problem: PasswordProblem,
  deps: SignInDeps,
): FastifyReply {
  const purpose = ticket.purpose === 'invitation' ? 'invitation' : 'reset_password'
  const { path } = newPassword[purpose]
  const page = newPasswordPage(deps.answers.pageContext(request, reply, ownHref(path, { ticket: secret })), {
    action: path,
    ticket: secret,
    email: ticket.email,
    purpose,
    problem,
  })
  return answerForm(request, reply, { status: problem === undefined ? 200 : problem === 'busy' ? 503 : 400, page, problem }, deps)
}

/** The password is checked and hashed before the ticket is taken, so that a weak one does not use the link up. */
async function setPassword(
  request: FastifyRequest,
  reply: FastifyReply,
  purpose: NewPasswordPurpose,
  deps: SignInDeps,
): Promise<FastifyReply> {
  const { storage, accounts, changes, passwords, now, cookies } = deps
  const refused = refuseForeign(request, reply, deps)
  if (refused) return refused
  const body = formBody(request)
  const secret = body?.get('ticket') ?? ''
  const found = await findTicket(storage.db, secret, purpose, { ...deps, at: now() })
  if (!body || !found) return answerGone(request, reply, purpose, deps)
  const password = body.get('password') ?? ''
  const owner = found.userId === undefined ? undefined : await accounts.findById(found.userId)
  const problem = await findPasswordError(password, [found.email, owner?.name ?? ''])
  if (problem) return answerNewPassword(request, reply, { secret, ticket: found }, problem, deps)
  const passwordHash = await passwords.hash(password)
  if (passwordHash === 'busy') return answerNewPassword(request, reply, { secret, ticket: found }, 'busy', deps)
  const ip = clientAddress(request)
  const device = await deviceWords(request.headers['user-agent'] ?? '')
  const account = await changes.transaction(async (tx, announce) => {
    const ticket = await takeTicket(tx, secret, purpose, { ...deps, at: now() })
    const owned = ticket && (await finishRecovery(tx, ticket, passwordHash, { announce, now, ip }))
    if (!owned || owned === 'gone') return undefined
    await endSessionsOfUser(tx, owned.id, 'password_changed', { announce, now })
    if (purpose === 'reset_password') await tellPasswordChanged(tx, owned, { device, ip }, deps)
    return owned
  })
  if (!account) return answerGone(request, reply, purpose, deps)
  deps.outbox.nudge()
  const { browser, setCookie } = cookies.browserOf(request.headers.cookie)
  reply.header('set-cookie', setCookie)
  const proof = { kind: 'password', passwordHash } as const
  return (
    (await answerSignedIn(request, reply, { account, proof, flow: newFlow(browser) }, deps)) ?? answerGone(request, reply, purpose, deps)
  )
}

/** Tells the owner of a new password, with the way to take the account back. */
export async function tellPasswordChanged(
  tx: Parameters<typeof queueMail>[0],
  account: { email: string; name: string; language: string | undefined },
  where: { device: string; ip: string },
  { sealer, baseUrl, now }: SignInDeps,
): Promise<void> {
  const at = now()
  const data = { name: account.name, when: at, ...where, recoverUrl: `${baseUrl}/recover` }
  await queueMail(tx, { to: account.email, kind: 'password_changed', data, language: mailLanguage(account) }, { sealer, at })
}

async function showNotMe(request: FastifyRequest, reply: FastifyReply, deps: SignInDeps): Promise<FastifyReply> {
  const secret = queryOf(request).get('ticket') ?? ''
  const ticket = await findTicket(deps.storage.db, secret, 'not_me', { ...deps, at: deps.now() })
  if (!ticket) return answerGone(request, reply, 'not_me', deps)
  const context = deps.answers.pageContext(request, reply, ownHref('/not-me', { ticket: secret }))
  return deps.answers.page(reply, 200, notMePage(context, { ticket: secret, email: ticket.email }))
}

async function disown(request: FastifyRequest, reply: FastifyReply, deps: SignInDeps): Promise<FastifyReply> {
  const { changes, sealer, now, answers } = deps
  const refused = refuseForeign(request, reply, deps)
  if (refused) return refused
  const secret = formBody(request)?.get('ticket') ?? ''
  const account = await changes.transaction(async (tx, announce) => {
    const ticket = await takeTicket(tx, secret, 'not_me', { sealer, at: now() })
    const owner = ticket && (await disownSignIn(tx, ticket, { announce, now, ip: clientAddress(request) }))
    if (!owner || owner === 'gone') return undefined
    await endSessionsOfUser(tx, owner.id, 'disowned', { announce, now })
    await queueRecovery(tx, owner.email, mailLanguage(owner), { sealer, at: now() })
    return owner
  })
  if (!account) return answerGone(request, reply, 'not_me', deps)
  const context = answers.pageContext(request, reply, '/recover')
  deps.outbox.nudge()
  return answers.page(reply, 200, notMeDonePage(context, { email: account.email }))
}

function answerGone(request: FastifyRequest, reply: FastifyReply, what: NewPasswordPurpose | 'not_me', deps: SignInDeps): FastifyReply {
  const page = ticketGonePage(deps.answers.pageContext(request, reply, '/recover'), { beginUrl: ownHref('/recover'), what })
  return answerForm(request, reply, { status: 400, page, problem: 'ticket_gone' }, deps)
}
