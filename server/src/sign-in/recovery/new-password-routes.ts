import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientAddress, networkOf } from '../../http/index.ts'
import { ownHref } from '../../pages/index.ts'
import { endSessionsOfUser } from '../../sessions/index.ts'
import {
  findPasswordError,
  finishRecovery,
  mailLanguage,
  passkeyStore,
  queueMail,
  readRecoveryProduct,
  takeTicket,
} from '../../users/index.ts'
import { answerSignedIn } from '../flow/complete-sign-in.ts'
import { deviceLabel } from '../flow/device.ts'
import { newFlow } from '../flow/flow.ts'
import { countMail } from '../guards/count-guards.ts'
import { answerForm } from '../guards/form-guards.ts'
import { answerGone, type MailedLink } from '../guards/mailed-link-guards.ts'
import { newPasswordPage } from './new-password-page.ts'
import type { RecoveryDeps } from './recovery-deps.ts'

/**
 * Passwords tried in an hour by one mailed link, and by the links of one network: judging a password costs CPU, and a weak one does not use
 * the link up.
 */
const MAX_TRIES = { ticket: 20, network: 100 } as const

/** A new password by mail, for someone who forgot theirs (`reset_password`) or was invited (`invitation`). */
export const NEW_PASSWORD = { reset_password: '/reset-password', invitation: '/invitation' } as const

export async function showNewPassword(
  request: FastifyRequest,
  reply: FastifyReply,
  link: MailedLink,
  deps: RecoveryDeps,
): Promise<FastifyReply> {
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
  const path = NEW_PASSWORD[purpose]
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
export async function setNewPassword(
  request: FastifyRequest,
  reply: FastifyReply,
  link: MailedLink,
  deps: RecoveryDeps,
): Promise<FastifyReply> {
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
  const answered = await answerSignedIn(request, reply, { user, factor, flow: newFlow(browser) }, deps)
  return answered ? reply : answerGone(request, reply, purpose, deps)
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
