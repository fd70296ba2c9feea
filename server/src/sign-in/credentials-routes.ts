import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  type Account,
  beginEmailChange,
  changePassword,
  findPasswordError,
  findTicket,
  finishEmailChange,
  mailLanguage,
  mintNotMeUrl,
  queueMail,
  takeTicket,
  ticketUrl,
} from '../accounts/index.ts'
import { clientAddress, formBody, networkOf, ownHref, queryOf } from '../http/index.ts'
import { HOUR_MS } from '../kit/index.ts'
import { endOtherSessions, type LiveSession } from '../sessions/index.ts'
import {
  confirmFormSchema,
  confirmSchema,
  emailFormSchema,
  emailSchema,
  passwordFormSchema,
  passwordSchema,
} from './credentials-schemas.ts'
import { deviceWords } from './device.ts'
import { changeEmailPage, changePasswordPage, confirmEmailPage, emailChangeSentPage, ticketGonePage } from './pages.ts'
import { tellPasswordChanged } from './recovery-routes.ts'
import type { SignInDeps } from './routes.ts'
import { answerForm, refuseForeign } from './state-change-routes.ts'
import { findBoundSession } from './visit.ts'

const MOST = { mails: 3 } as const
/** How long the mailed link for a change of address is good, as its mail says. */
const CHANGE_MINUTES = 60

/** Changing one's password and address: signed in, and with the password shown again. */
export function credentialsRoutes(scope: FastifyInstance, deps: SignInDeps): void {
  const own = (step: OwnStep) => (request: FastifyRequest, reply: FastifyReply) => withOwner(request, reply, deps, step)
  scope.get('/account/password', { schema: passwordFormSchema }, own(showPassword))
  scope.post('/account/password', { schema: passwordSchema }, own(savePassword))
  scope.get('/account/email', { schema: emailFormSchema }, own(showEmail))
  scope.post('/account/email', { schema: emailSchema }, own(beginEmail))
  scope.get('/confirm-email', { schema: confirmFormSchema }, (request, reply) => showConfirm(request, reply, deps))
  scope.post('/confirm-email', { schema: confirmSchema }, (request, reply) => confirm(request, reply, deps))
}

interface Owner {
  account: Account
  session: LiveSession
}
type OwnStep = (request: FastifyRequest, reply: FastifyReply, owner: Owner, deps: SignInDeps) => Promise<FastifyReply>

/** For the browser's own bound session alone; a POST from our own pages alone. */
async function withOwner(request: FastifyRequest, reply: FastifyReply, deps: SignInDeps, step: OwnStep): Promise<FastifyReply> {
  const refused = request.method === 'POST' ? refuseForeign(request, reply, deps) : undefined
  if (refused) return refused
  const session = await findBoundSession(request.headers.cookie, deps)
  const account = session && (await deps.accounts.findById(session.userId))
  return session && account ? step(request, reply, { account, session }, deps) : deps.answers.redirect(reply, ownHref('/login'))
}

async function showPassword(request: FastifyRequest, reply: FastifyReply, { account }: Owner, deps: SignInDeps): Promise<FastifyReply> {
  return answerPassword(request, reply, account, {}, deps)
}

type PasswordForm = Omit<Parameters<typeof changePasswordPage>[1], 'email'>

function answerPassword(
  request: FastifyRequest,
  reply: FastifyReply,
  { email }: Account,
  form: PasswordForm,
  deps: SignInDeps,
  status = 200,
): FastifyReply {
  const page = changePasswordPage(deps.answers.pageContext(request, reply, '/account/password'), { email, ...form })
  return answerForm(request, reply, { status, page, problem: form.problem }, deps)
}

async function savePassword(
  request: FastifyRequest,
  reply: FastifyReply,
  { account, session }: Owner,
  deps: SignInDeps,
): Promise<FastifyReply> {
  const { changes, passwords, now } = deps
  const body = formBody(request)
  const again = (form: PasswordForm, status: number) => answerPassword(request, reply, account, form, deps, status)
  const proof = await provePassword(request, reply, account, body?.get('current_password') ?? '', deps)
  if (proof !== 'right') return again({ problem: proof.problem }, proof.status)
  const password = body?.get('password') ?? ''
  const problem = await findPasswordError(password, [account.email, account.name])
  if (problem) return again({ passwordError: problem }, 400)
  const hash = await passwords.hash(password)
  if (hash === 'busy') return again({ problem: 'busy' }, 503)
  const ip = clientAddress(request)
  const device = await deviceWords(request.headers['user-agent'] ?? '')
  await changes.transaction(async (tx, announce) => {
    await changePassword(tx, account, hash, { now, ip })
    await endOtherSessions(tx, { userId: account.id, keep: session.id }, 'password_changed', { announce, now })
    await tellPasswordChanged(tx, account, { device, ip }, deps)
  })
  deps.outbox.nudge()
  return answerPassword(request, reply, account, { done: true }, deps)
}

/** Checks the password once more, under the same limits as a sign-in: a stolen browser must not become a way to guess. */
async function provePassword(
  request: FastifyRequest,
  reply: FastifyReply,
  { email }: Account,
  password: string,
  { authenticate, cookies }: SignInDeps,
): Promise<'right' | { problem: 'wrong_password' | 'too_many_attempts' | 'busy'; status: number }> {
  const attempt = { email, password, address: clientAddress(request), deviceCookie: cookies.readDevice(request.headers.cookie) }
  const proof = await authenticate(attempt)
  if (!('refusal' in proof)) return 'right'
  if (proof.refusal !== 'too_many_attempts')
    return proof.refusal === 'busy' ? { problem: 'busy', status: 503 } : { problem: 'wrong_password', status: 401 }
  reply.header('retry-after', String(proof.retryAfterSeconds))
  return { problem: 'too_many_attempts', status: 429 }
}

async function showEmail(request: FastifyRequest, reply: FastifyReply, { account }: Owner, deps: SignInDeps): Promise<FastifyReply> {
  return answerEmail(request, reply, account, {}, deps)
}

type EmailForm = Omit<Parameters<typeof changeEmailPage>[1], 'current'>

function answerEmail(
  request: FastifyRequest,
  reply: FastifyReply,
  { email }: Account,
  form: EmailForm,
  deps: SignInDeps,
  status = 200,
): FastifyReply {
  const page = changeEmailPage(deps.answers.pageContext(request, reply, '/account/email'), { current: email, ...form })
  return answerForm(request, reply, { status, page, problem: form.problem }, deps)
}

async function beginEmail(request: FastifyRequest, reply: FastifyReply, { account }: Owner, deps: SignInDeps): Promise<FastifyReply> {
  const { storage, sealer, codeKey, baseUrl, limits, now, answers } = deps
  const body = formBody(request)
  const email = body?.get('email') ?? ''
  const again = (form: EmailForm, status: number) => answerEmail(request, reply, account, { email, ...form }, deps, status)
  const proof = await provePassword(request, reply, account, body?.get('current_password') ?? '', deps)
  if (proof !== 'right') return again({ problem: proof.problem }, proof.status)
  const network = networkOf(clientAddress(request))
  for (const key of [`change-email:account:${account.id}`, `change-email:network:${network}`]) {
    const { within, retryAfterSeconds } = await limits.count({ key, most: MOST.mails, windowMs: HOUR_MS }, now())
    if (within) continue
    reply.header('retry-after', String(retryAfterSeconds))
    return again({ problem: 'too_many_attempts' }, 429)
  }
  const context = answers.pageContext(request, reply, '/account/email')
  const begun = await storage.transaction(async (tx) => {
    const minted = await beginEmailChange(tx, account, email, { sealer, codeKey, at: now() })
    if (minted === 'malformed') return minted
    const data = {
      name: account.name,
      url: ticketUrl(baseUrl, '/confirm-email', minted.secret),
      minutes: CHANGE_MINUTES,
    }
    await queueMail(tx, { to: minted.email, kind: 'confirm_new_address', data, language: context.language }, { sealer, at: now() })
    return minted
  })
  if (begun === 'malformed') return again({ emailError: email.trim() === '' ? 'required' : 'invalid' }, 400)
  deps.outbox.nudge()
  return answers.page(reply, 200, emailChangeSentPage(context, { email: begun.email }))
}

async function showConfirm(request: FastifyRequest, reply: FastifyReply, deps: SignInDeps): Promise<FastifyReply> {
  const secret = queryOf(request).get('ticket') ?? ''
  const ticket = await findTicket(deps.storage.db, secret, 'change_email', { ...deps, at: deps.now() })
  if (!ticket) return answerGone(request, reply, deps)
  const context = deps.answers.pageContext(request, reply, ownHref('/confirm-email', { ticket: secret }))
  return deps.answers.page(reply, 200, confirmEmailPage(context, { ticket: secret, email: ticket.email, done: false }))
}

/** Needs no session: whoever holds the link reads the new mailbox, and the change was asked for with the password. The old address is told. */
async function confirm(request: FastifyRequest, reply: FastifyReply, deps: SignInDeps): Promise<FastifyReply> {
  const { changes, sealer, now, answers } = deps
  const refused = refuseForeign(request, reply, deps)
  if (refused) return refused
  const secret = formBody(request)?.get('ticket') ?? ''
  const bound = await findBoundSession(request.headers.cookie, deps)
  const changed = await changes.transaction(async (tx, announce) => {
    const ticket = await takeTicket(tx, secret, 'change_email', { sealer, at: now() })
    const result = ticket && (await finishEmailChange(tx, ticket, { announce, now, ip: clientAddress(request) }))
    if (!result || typeof result === 'string') return undefined
    const { account, oldEmail } = result
    await endOtherSessions(tx, { userId: account.id, keep: bound?.userId === account.id ? bound.id : '' }, 'email_changed', {
      announce,
      now,
    })
    const notMeUrl = await mintNotMeUrl(tx, { id: account.id, email: oldEmail }, deps)
    const data = { name: account.name, newAddress: account.email, notMeUrl }
    await queueMail(tx, { to: oldEmail, kind: 'address_changed', data, language: mailLanguage(account) }, { sealer, at: now() })
    return account
  })
  if (!changed) return answerGone(request, reply, deps)
  deps.outbox.nudge()
  const context = answers.pageContext(request, reply, '/account')
  return answers.page(reply, 200, confirmEmailPage(context, { ticket: '', email: changed.email, done: true }))
}

function answerGone(request: FastifyRequest, reply: FastifyReply, deps: SignInDeps): FastifyReply {
  const context = deps.answers.pageContext(request, reply, '/account/email')
  const page = ticketGonePage(context, { beginUrl: ownHref('/account/email'), what: 'change_email' })
  return answerForm(request, reply, { status: 400, page, problem: 'ticket_gone' }, deps)
}
