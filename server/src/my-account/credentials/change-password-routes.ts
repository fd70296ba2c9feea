import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientAddress, formBody } from '../../http/index.ts'
import { endOtherSessions } from '../../sessions/index.ts'
import { answerForm, askToSignIn, deviceLabel, holdSignedInUser, mailPasswordChanged, type SignedInUser } from '../../sign-in/index.ts'
import { changePassword, findPasswordError, type User } from '../../users/index.ts'
import { changePasswordPage } from './change-password-page.ts'
import type { CredentialsDeps } from './credentials-deps.ts'

export async function showPassword(
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

export async function savePassword(
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
