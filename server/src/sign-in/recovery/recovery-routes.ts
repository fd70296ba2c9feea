import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { clientAddress, formBody, networkOf } from '../../http/index.ts'
import { normaliseEmail, sha256Hex } from '../../kit/index.ts'
import { ownHref } from '../../pages/index.ts'
import { endSessionsOfUser } from '../../sessions/index.ts'
import type { PasswordHasher } from '../../users/index.ts'
import {
  beginRecovery,
  findPasswordError,
  finishRecovery,
  mailLanguage,
  passkeyStore,
  queueMail,
  queueRecovery,
  readRecoveryProduct,
  reportSignIn,
  takeTicket,
} from '../../users/index.ts'
import { answerSignedIn } from '../flow/complete-sign-in.ts'
import { deviceLabel } from '../flow/device.ts'
import { type Flow, newFlow } from '../flow/flow.ts'
import { answerForm, answerGone, countMail, type FlowForm, type MailedLink, mailFolderFor, refuseForeign } from '../guards/form-guards.ts'
import type { CompleteSignInDeps } from '../guards/guard-deps.ts'
import { createGuards } from '../guards/guards.ts'
import { newPasswordPage } from './new-password-page.ts'
import { recoverPage, recoverySentPage } from './recover-page.ts'
import { newPasswordSchemas, recoverFormSchema, recoverSchema, reportSignInPageSchema, reportSignInSchema } from './recovery-schemas.ts'
import { reportSignInPage, signInReportedPage } from './report-sign-in-page.ts'

export interface RecoveryDeps extends CompleteSignInDeps {
  passwords: PasswordHasher
  /** The folder of mails on a developer's machine, where none is sent; pages there mention it. */
  mailFolder: string | undefined
}

const MOST = { address: 3, network: 20 } as const
/**
 * Passwords tried in an hour by one mailed link, and by the links of one network: judging a password costs CPU, and a weak one does not use
 * the link up.
 */
const MAX_TRIES = { ticket: 20, network: 100 } as const

/** A new password by mail, for someone who forgot theirs (`reset_password`) or was invited (`invitation`). */
const newPassword = { reset_password: '/reset-password', invitation: '/invitation' } as const

export function recoveryRoutes(scope: FastifyInstance, deps: RecoveryDeps): void {
  const { flowForm, flowPage, mailedLink } = createGuards(deps)
  scope.get('/recover', { schema: recoverFormSchema }, flowPage(show))
  scope.post('/recover', { schema: recoverSchema }, flowForm(send))
  for (const purpose of ['reset_password', 'invitation'] as const) {
    const { form, save } = newPasswordSchemas[purpose]
    scope.get(newPassword[purpose], { schema: form }, mailedLink(purpose, showForm))
    scope.post(newPassword[purpose], { schema: save }, mailedLink(purpose, setPassword))
  }
  scope.get('/report-sign-in', { schema: reportSignInPageSchema }, mailedLink('report_sign_in', showReport))
  scope.post('/report-sign-in', { schema: reportSignInSchema }, (request, reply) => report(request, reply, deps))
}

async function show(request: FastifyRequest, reply: FastifyReply, flow: Flow, deps: RecoveryDeps): Promise<FastifyReply> {
  return answerRecover(request, reply, flow, {}, deps)
}

type RecoverForm = Omit<Parameters<typeof recoverPage>[1], 'flow'>

function answerRecover(
  request: FastifyRequest,
  reply: FastifyReply,
  flow: Flow,
  form: RecoverForm,
  deps: RecoveryDeps,
  status = 200,
): FastifyReply {
  const sealed = deps.flows.seal(flow)
  const context = deps.responses.pageContext(request, reply, ownHref('/recover', { flow: sealed }))
  return answerForm(request, reply, { status, page: recoverPage(context, { flow: sealed, ...form }), problem: form.problem }, deps)
}

/** The same answer, work and time for every address: the outbox finds out later whether there is an account. */
async function send(request: FastifyRequest, reply: FastifyReply, { body, flow }: FlowForm, deps: RecoveryDeps): Promise<FastifyReply> {
  const { responses } = deps
  const email = body.get('email') ?? ''
  const normal = normaliseEmail(email)
  if (normal === undefined)
    return answerRecover(request, reply, flow, { email, problem: email.trim() === '' ? 'email_missing' : 'email_invalid' }, deps, 400)
  const counters = [
    { key: `recovery:network:${networkOf(clientAddress(request))}`, most: MOST.network },
    { key: `recovery:address:${sha256Hex(normal)}`, most: MOST.address },
  ]
  const tooMany = await countMail(reply, counters, deps)
  if (tooMany) return answerRecover(request, reply, flow, { email, problem: 'too_many_attempts', ...tooMany }, deps, 429)
  const sealed = deps.flows.seal(flow)
  const context = responses.pageContext(request, reply, ownHref('/recover', { flow: sealed }))
  await beginRecovery(normal, { language: context.language, productId: flow.target?.productId }, deps)
  deps.outbox.wake()
  const sent = { email: normal, signInUrl: ownHref('/login', { flow: sealed }), mailFolder: mailFolderFor(request, deps) }
  return responses.page(reply, 200, recoverySentPage(context, sent))
}

async function showForm(request: FastifyRequest, reply: FastifyReply, link: MailedLink, deps: RecoveryDeps): Promise<FastifyReply> {
  return answerNewPassword(request, reply, link, undefined, deps)
}

type PasswordProblem = Parameters<typeof newPasswordPage>[1]['problem']

function answerNewPassword(
  request: FastifyRequest,
  reply: FastifyReply,
  { secret, ticket, retryAfterSeconds }: Omit<MailedLink, 'body'> & { retryAfterSeconds?: number },
  problem: PasswordProblem,
  deps: RecoveryDeps,
): FastifyReply {
  const purpose = ticket.purpose === 'invitation' ? 'invitation' : 'reset_password'
  const path = newPassword[purpose]
  request.pageProduct = purpose === 'reset_password' ? readRecoveryProduct(ticket) : undefined
  const page = newPasswordPage(deps.responses.pageContext(request, reply, ownHref(path, { ticket: secret })), {
    action: path,
    ticket: secret,
    email: ticket.email,
    purpose,
    problem,
    retryAfterSeconds,
  })
  return answerForm(request, reply, { status: statusOf(problem), page, problem }, deps)
}

function statusOf(problem: PasswordProblem): number {
  if (problem === undefined) return 200
  if (problem === 'busy') return 503
  return problem === 'too_many_attempts' ? 429 : 400
}

/** The password is checked and hashed before the ticket is taken, so that a weak one does not use the link up. */
async function setPassword(request: FastifyRequest, reply: FastifyReply, link: MailedLink, deps: RecoveryDeps): Promise<FastifyReply> {
  const { users, changes, passwords, now, cookies } = deps
  const { secret, body } = link
  const { userId, email, purpose } = link.ticket
  const password = body.get('password') ?? ''
  const owner = userId === undefined ? undefined : await users.findById(userId)
  const tooMany = await countTry(request, reply, link, deps)
  if (tooMany) return answerNewPassword(request, reply, { ...link, ...tooMany }, 'too_many_attempts', deps)
  const problem = await findPasswordError(password, [email, owner?.name ?? ''])
  if (problem) return answerNewPassword(request, reply, link, problem, deps)
  const passwordHash = await passwords.hash(password)
  if (passwordHash === 'busy') return answerNewPassword(request, reply, link, 'busy', deps)
  const ip = clientAddress(request)
  const device = await deviceLabel(request.headers['user-agent'] ?? '')
  const user = await changes.transaction(async (tx, announce) => {
    const ticket = await takeTicket(tx, secret, purpose, { ...deps, at: now() })
    const owned = ticket && (await finishRecovery(tx, ticket, passwordHash, { announce, now, ip }))
    if (!owned || owned === 'gone') return undefined
    await endSessionsOfUser(tx, owned.id, 'password_changed', { announce, now })
    if (purpose === 'reset_password') await mailPasswordChanged(tx, owned, { device, ip }, deps)
    return owned
  })
  if (!user) return answerGone(request, reply, purpose, deps)
  deps.outbox.wake()
  const { browser, setCookie } = cookies.browserOf(request.headers.cookie)
  reply.header('set-cookie', setCookie)
  const factor = { kind: 'password', passwordHash } as const
  return (await answerSignedIn(request, reply, { user, factor, flow: newFlow(browser) }, deps)) ?? answerGone(request, reply, purpose, deps)
}

/** Counts a password tried by a mailed link, before any computation. */
function countTry(request: FastifyRequest, reply: FastifyReply, { ticket }: MailedLink, deps: RecoveryDeps) {
  const counters = [
    { key: `new-password:network:${networkOf(clientAddress(request))}`, most: MAX_TRIES.network },
    { key: `new-password:ticket:${ticket.id}`, most: MAX_TRIES.ticket },
  ]
  return countMail(reply, counters, deps)
}

/** Notifies the owner of a new password, with a link to take the account back. */
export async function mailPasswordChanged(
  tx: Parameters<typeof queueMail>[0],
  user: { id: string; email: string; name: string; language: string | undefined },
  where: { device: string; ip: string },
  { sealer, baseUrl, now }: Pick<RecoveryDeps, 'sealer' | 'baseUrl' | 'now'>,
): Promise<void> {
  const at = now()
  const passkeys = await passkeyStore(tx).countOfUser(user.id)
  const data = { name: user.name, when: at, ...where, recoverUrl: `${baseUrl}/recover`, passkeys }
  await queueMail(tx, { to: user.email, kind: 'password_changed', data, language: mailLanguage(user) }, { sealer, at })
}

async function showReport(
  request: FastifyRequest,
  reply: FastifyReply,
  { secret, ticket }: MailedLink,
  deps: RecoveryDeps,
): Promise<FastifyReply> {
  const context = deps.responses.pageContext(request, reply, ownHref('/report-sign-in', { ticket: secret }))
  return deps.responses.page(reply, 200, reportSignInPage(context, { ticket: secret, email: ticket.email }))
}

async function report(request: FastifyRequest, reply: FastifyReply, deps: RecoveryDeps): Promise<FastifyReply> {
  const { changes, sealer, now, responses } = deps
  const refused = refuseForeign(request, reply, deps)
  if (refused) return refused
  const secret = formBody(request)?.get('ticket') ?? ''
  const user = await changes.transaction(async (tx, announce) => {
    const ticket = await takeTicket(tx, secret, 'report_sign_in', { sealer, at: now() })
    const owner = ticket && (await reportSignIn(tx, ticket, { announce, now, ip: clientAddress(request) }))
    if (!owner || owner === 'gone') return undefined
    await endSessionsOfUser(tx, owner.id, 'sign_in_reported', { announce, now })
    await queueRecovery(tx, owner.email, { language: mailLanguage(owner) }, { sealer, at: now() })
    return owner
  })
  if (!user) return answerGone(request, reply, 'report_sign_in', deps)
  const context = responses.pageContext(request, reply, '/recover')
  deps.outbox.wake()
  return responses.page(reply, 200, signInReportedPage(context, { email: user.email }))
}
