import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ChangeFeed } from '../../changes/index.ts'
import { clientAddress, formBody, networkOf } from '../../http/index.ts'
import { normaliseEmail, sha256Hex } from '../../kit/index.ts'
import type { Outbox } from '../../outbox/index.ts'
import { ownHref } from '../../pages/index.ts'
import { endOtherSessions } from '../../sessions/index.ts'
import {
  answerForm,
  askToSignIn,
  countMail,
  createGuards,
  deviceLabel,
  type GuardDeps,
  holdSignedInUser,
  mailPasswordChanged,
  type SignedInUser,
} from '../../sign-in/index.ts'
import type { PasswordHasher } from '../../users/index.ts'
import { beginEmailChange, changePassword, findPasswordError, queueMail, ticketUrl, type User } from '../../users/index.ts'
import { changeEmailPage, emailChangeSentPage } from './change-email-page.ts'
import { changePasswordPage } from './change-password-page.ts'
import { changePasswordAddressSchema, emailFormSchema, emailSchema, passwordFormSchema, passwordSchema } from './credentials-schemas.ts'

export interface CredentialsDeps extends GuardDeps {
  changes: ChangeFeed
  codeKey: Uint8Array
  outbox: Pick<Outbox, 'wake'>
  passwords: PasswordHasher
}

/** Changes of address that may begin in an hour: by an account, to an address (by any account), and from a network. */
const MOST = { account: 3, address: 3, network: 20 } as const
/** The life of the mailed link for a change of address, as its mail says. */
const CHANGE_MINUTES = 60

/** Changing one's password and address, with a recent authentication. */
export function credentialsRoutes(scope: FastifyInstance, deps: CredentialsDeps): void {
  const { countChange, requireRecentAuth } = createGuards(deps)
  scope.get('/account/password', { schema: passwordFormSchema }, requireRecentAuth(showPassword))
  scope.post('/account/password', { schema: passwordSchema }, requireRecentAuth(countChange(savePassword)))
  scope.get('/.well-known/change-password', { schema: changePasswordAddressSchema }, async (_request, reply) =>
    deps.responses.redirect(reply, ownHref('/account/password')),
  )
  scope.get('/account/email', { schema: emailFormSchema }, requireRecentAuth(showEmail))
  scope.post('/account/email', { schema: emailSchema }, requireRecentAuth(beginEmail))
}

async function showPassword(
  request: FastifyRequest,
  reply: FastifyReply,
  { user }: SignedInUser,
  deps: CredentialsDeps,
): Promise<FastifyReply> {
  return answerPassword(request, reply, user, {}, deps)
}

type PasswordForm = Omit<Parameters<typeof changePasswordPage>[1], 'email' | 'hasPassword'>

function answerPassword(
  request: FastifyRequest,
  reply: FastifyReply,
  { email, passwordHash }: User,
  form: PasswordForm,
  deps: CredentialsDeps,
  status = 200,
): FastifyReply {
  const context = deps.responses.pageContext(request, reply, '/account/password')
  const page = changePasswordPage(context, { email, hasPassword: passwordHash !== undefined, ...form })
  return answerForm(request, reply, { status, page, problem: form.problem }, deps)
}

async function savePassword(
  request: FastifyRequest,
  reply: FastifyReply,
  owner: SignedInUser,
  deps: CredentialsDeps,
): Promise<FastifyReply> {
  const { user, session } = owner
  const { changes, passwords, now } = deps
  const again = (form: PasswordForm, status: number) => answerPassword(request, reply, user, form, deps, status)
  const password = formBody(request)?.get('password') ?? ''
  const problem = await findPasswordError(password, [user.email, user.name])
  if (problem === 'busy') return again({ problem }, 503)
  if (problem) return again({ passwordError: problem }, 400)
  const hash = await passwords.hash(password)
  if (hash === 'busy') return again({ problem: 'busy' }, 503)
  const ip = clientAddress(request)
  const device = await deviceLabel(request.headers['user-agent'] ?? '')
  const isChanged = await changes.transaction(async (tx, announce) => {
    if (!(await holdSignedInUser(tx, owner, now))) return false
    await changePassword(tx, user, hash, { now, ip })
    await endOtherSessions(tx, { userId: user.id, keep: session.id }, 'password_changed', { announce, now })
    await mailPasswordChanged(tx, user, { device, ip }, deps)
    return true
  })
  if (!isChanged) return askToSignIn(request, reply, deps)
  deps.outbox.wake()
  return answerPassword(request, reply, user, { done: true }, deps)
}

async function showEmail(
  request: FastifyRequest,
  reply: FastifyReply,
  { user }: SignedInUser,
  deps: CredentialsDeps,
): Promise<FastifyReply> {
  return answerEmail(request, reply, user, {}, deps)
}

type EmailForm = Omit<Parameters<typeof changeEmailPage>[1], 'current'>

function answerEmail(
  request: FastifyRequest,
  reply: FastifyReply,
  { email }: User,
  form: EmailForm,
  deps: CredentialsDeps,
  status = 200,
): FastifyReply {
  const page = changeEmailPage(deps.responses.pageContext(request, reply, '/account/email'), { current: email, ...form })
  return answerForm(request, reply, { status, page, problem: form.problem }, deps)
}

async function beginEmail(request: FastifyRequest, reply: FastifyReply, owner: SignedInUser, deps: CredentialsDeps): Promise<FastifyReply> {
  const { user } = owner
  const { storage, sealer, codeKey, baseUrl, now, responses } = deps
  const email = formBody(request)?.get('email') ?? ''
  const again = (form: EmailForm, status: number) => answerEmail(request, reply, user, { email, ...form }, deps, status)
  const normal = normaliseEmail(email)
  if (normal === undefined) return again({ emailError: email.trim() === '' ? 'required' : 'invalid' }, 400)
  const counters = [
    { key: `change-email:account:${user.id}`, most: MOST.account },
    { key: `change-email:network:${networkOf(clientAddress(request))}`, most: MOST.network },
    { key: `change-email:address:${sha256Hex(normal)}`, most: MOST.address },
  ]
  const tooMany = await countMail(reply, counters, deps)
  if (tooMany) return again({ problem: 'too_many_attempts', ...tooMany }, 429)
  const context = responses.pageContext(request, reply, '/account/email')
  const isBegun = await storage.transaction(async (tx) => {
    if (!(await holdSignedInUser(tx, owner, now))) return false
    const minted = await beginEmailChange(tx, user, normal, { sealer, codeKey, at: now() })
    const data = {
      name: user.name,
      url: ticketUrl(baseUrl, '/confirm-email', minted.secret),
      minutes: CHANGE_MINUTES,
    }
    await queueMail(tx, { to: normal, kind: 'confirm_new_address', data, language: context.language }, { sealer, at: now() })
    return true
  })
  if (!isBegun) return askToSignIn(request, reply, deps)
  deps.outbox.wake()
  return responses.page(reply, 200, emailChangeSentPage(context, { email: normal }))
}
