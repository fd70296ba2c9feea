import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Account, beginEmailChange, changePassword, findPasswordError, queueMail, ticketUrl } from '../accounts/index.ts'
import { clientAddress, formBody, networkOf, ownHref } from '../http/index.ts'
import { normaliseEmail, sha256Hex } from '../kit/index.ts'
import { endOtherSessions, type LiveSession } from '../sessions/index.ts'
import { emailFormSchema, emailSchema, passwordFormSchema, passwordSchema } from './credentials-schemas.ts'
import { deviceWords } from './device.ts'
import { changeEmailPage, changePasswordPage, emailChangeSentPage, type FailedProof, type ProofProblem } from './pages.ts'
import { tellPasswordChanged } from './recovery-routes.ts'
import type { SignInDeps } from './routes.ts'
import { answerForm, countMail, refuseForeign } from './state-change-routes.ts'
import { findBoundSession } from './visit.ts'

/** How many changes of address may begin in an hour: for an account, to an address, whosever account asks, and from a network. */
const MOST = { account: 3, address: 3, network: 20 } as const
/** How long the mailed link for a change of address is good, as its mail says. */
const CHANGE_MINUTES = 60

/** Changing one's password and address: signed in, and with the password shown again. */
export function credentialsRoutes(scope: FastifyInstance, deps: SignInDeps): void {
  const own = (step: OwnStep) => (request: FastifyRequest, reply: FastifyReply) => withOwner(request, reply, deps, step)
  scope.get('/account/password', { schema: passwordFormSchema }, own(showPassword))
  scope.post('/account/password', { schema: passwordSchema }, own(savePassword))
  scope.get('/account/email', { schema: emailFormSchema }, own(showEmail))
  scope.post('/account/email', { schema: emailSchema }, own(beginEmail))
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
  const failed = await provePassword(request, reply, account, body?.get('current_password') ?? '', deps)
  if (failed) return again(failed, proofStatus[failed.problem])
  const password = body?.get('password') ?? ''
  const problem = await findPasswordError(password, [account.email, account.name])
  if (problem) return again({ passwordError: problem }, 400)
  const hash = await passwords.hash(password)
  if (hash === 'busy') return again({ problem: 'busy' }, 503)
  const ip = clientAddress(request)
  const device = await deviceWords(request.headers['user-agent'] ?? '')
  const result = await changes.transaction(async (tx, announce) => {
    if ((await changePassword(tx, account, hash, { now, ip })) === 'stale') return 'stale'
    await endOtherSessions(tx, { userId: account.id, keep: session.id }, 'password_changed', { announce, now })
    return tellPasswordChanged(tx, account, { device, ip }, deps)
  })
  if (result === 'stale') return again({ problem: 'wrong_password' }, proofStatus.wrong_password)
  deps.outbox.nudge()
  return answerPassword(request, reply, account, { done: true }, deps)
}

export const proofStatus = { wrong_password: 401, too_many_attempts: 429, busy: 503 } as const satisfies Record<ProofProblem, number>

/** Checks the password once more, under the same limits as a sign-in: a stolen browser must not become a way to guess. `undefined` when it is right. */
export async function provePassword(
  request: FastifyRequest,
  reply: FastifyReply,
  { email }: Account,
  password: string,
  { authenticate, cookies }: SignInDeps,
): Promise<(FailedProof & { problem: ProofProblem }) | undefined> {
  const attempt = { email, password, address: clientAddress(request), deviceCookie: cookies.readDevice(request.headers.cookie) }
  const proof = await authenticate(attempt)
  if (!('refusal' in proof)) return undefined
  if (proof.refusal !== 'too_many_attempts') return { problem: proof.refusal === 'busy' ? 'busy' : 'wrong_password' }
  reply.header('retry-after', String(proof.retryAfterSeconds))
  return { problem: 'too_many_attempts', retryAfterSeconds: proof.retryAfterSeconds }
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
  const { storage, sealer, codeKey, baseUrl, now, answers } = deps
  const body = formBody(request)
  const email = body?.get('email') ?? ''
  const again = (form: EmailForm, status: number) => answerEmail(request, reply, account, { email, ...form }, deps, status)
  const failed = await provePassword(request, reply, account, body?.get('current_password') ?? '', deps)
  if (failed) return again(failed, proofStatus[failed.problem])
  const normal = normaliseEmail(email)
  if (normal === undefined) return again({ emailError: email.trim() === '' ? 'required' : 'invalid' }, 400)
  const counters = [
    { key: `change-email:account:${account.id}`, most: MOST.account },
    { key: `change-email:network:${networkOf(clientAddress(request))}`, most: MOST.network },
    { key: `change-email:address:${sha256Hex(normal)}`, most: MOST.address },
  ]
  const tooMany = await countMail(reply, counters, deps)
  if (tooMany) return again({ problem: 'too_many_attempts', ...tooMany }, 429)
  const context = answers.pageContext(request, reply, '/account/email')
  const begun = await storage.transaction(async (tx) => {
    const minted = await beginEmailChange(tx, account, normal, { sealer, codeKey, at: now() })
    if (minted === 'stale') return minted
    const data = {
      name: account.name,
      url: ticketUrl(baseUrl, '/confirm-email', minted.secret),
      minutes: CHANGE_MINUTES,
    }
    await queueMail(tx, { to: normal, kind: 'confirm_new_address', data, language: context.language }, { sealer, at: now() })
    return minted
  })
  if (begun === 'stale') return again({ problem: 'wrong_password' }, proofStatus.wrong_password)
  deps.outbox.nudge()
  return answers.page(reply, 200, emailChangeSentPage(context, { email: normal }))
}
