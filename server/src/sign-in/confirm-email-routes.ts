import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Account, finishEmailChange, mailLanguage, mintNotMeUrl, queueMail, takeTicket } from '../accounts/index.ts'
import { clientAddress, ownHref } from '../http/index.ts'
import { endOtherSessions, type LiveSession } from '../sessions/index.ts'
import { isUniqueViolation } from '../storage/index.ts'
import { claimPurchases } from '../subscriptions/index.ts'
import { confirmFormSchema, confirmSchema } from './credentials-schemas.ts'
import { confirmEmailPage, emailChangedPage, type FailedProof, type ProofProblem } from './pages.ts'
import type { SignInDeps } from './routes.ts'
import { answerForm, answerGone, type MailedLink, withMailedLink } from './state-change-routes.ts'
import { findBoundSession } from './visit.ts'

/** Where the link to a new address leads. */
export function confirmEmailRoutes(scope: FastifyInstance, deps: SignInDeps): void {
  scope.get('/confirm-email', { schema: confirmFormSchema }, (request, reply) =>
    withMailedLink(request, reply, 'change_email', deps, showConfirm),
  )
  scope.post('/confirm-email', { schema: confirmSchema }, (request, reply) => withMailedLink(request, reply, 'change_email', deps, confirm))
}

async function showConfirm(request: FastifyRequest, reply: FastifyReply, link: MailedLink, deps: SignInDeps): Promise<FastifyReply> {
  return answerConfirm(request, reply, link, (await ownSession(request, link, deps)) ? 'nothing' : 'password', {}, deps)
}

/** The session of this browser, if it is of the account whose address the link would change. */
async function ownSession(request: FastifyRequest, { ticket }: MailedLink, deps: SignInDeps): Promise<LiveSession | undefined> {
  const bound = await findBoundSession(request.headers.cookie, deps)
  return bound?.userId === ticket.userId ? bound : undefined
}

function answerConfirm(
  request: FastifyRequest,
  reply: FastifyReply,
  { secret, ticket }: MailedLink,
  asks: 'nothing' | 'password',
  failed: FailedProof,
  deps: SignInDeps,
): FastifyReply {
  const context = deps.answers.pageContext(request, reply, ownHref('/confirm-email', { ticket: secret }))
  const page = confirmEmailPage(context, { ticket: secret, email: ticket.email, asks, ...failed })
  const { problem } = failed
  return answerForm(request, reply, { status: problem === undefined ? 200 : proofStatus[problem], page, problem }, deps)
}

/**
 * Where the account is signed in, a button is enough. Anywhere else its password is asked: who reads the new mailbox need not be who asked for the change,
 * and their click would prove their address for somebody else's account.
 */
async function confirm(request: FastifyRequest, reply: FastifyReply, link: MailedLink, deps: SignInDeps): Promise<FastifyReply> {
  const { userId } = link.ticket
  const account = userId === undefined ? undefined : await deps.accounts.findById(userId)
  if (!account || account.disabledAt !== undefined) return answerGone(request, reply, 'change_email', deps)
  const session = await ownSession(request, link, deps)
  const failed = session ? undefined : await provePassword(request, reply, account, link.body.get('current_password') ?? '', deps)
  if (failed) return answerConfirm(request, reply, link, 'password', failed, deps)
  const changed = await changeAddress(request, link, session, deps)
  if (!changed) return answerGone(request, reply, 'change_email', deps)
  deps.outbox.nudge()
  return deps.answers.page(reply, 200, emailChangedPage(deps.answers.pageContext(request, reply, '/account'), changed))
}

const proofStatus = { wrong_password: 401, too_many_attempts: 429, busy: 503 } as const satisfies Record<ProofProblem, number>

/** Checks the password under the same limits as a sign-in: a stolen browser must not become a way to guess. `undefined` when it is right. */
async function provePassword(
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

/** Uses the link up and tells the old address; `undefined` when it is used already, or the address has an account by now. */
async function changeAddress(
  request: FastifyRequest,
  { secret }: MailedLink,
  session: LiveSession | undefined,
  deps: SignInDeps,
): Promise<Account | undefined> {
  const { changes, storage, sealer, now } = deps
  try {
    return await changes.transaction(async (tx, announce) => {
      const ticket = await takeTicket(tx, secret, 'change_email', { sealer, at: now() })
      const result = ticket && (await finishEmailChange(tx, ticket, { announce, now, ip: clientAddress(request) }))
      if (!result || typeof result === 'string') return undefined
      const { account, oldEmail } = result
      await endOtherSessions(tx, { userId: account.id, keep: session?.id ?? '' }, 'email_changed', { announce, now })
      await claimPurchases(tx, account.id, { announce, storage })
      const notMeUrl = await mintNotMeUrl(tx, { id: account.id, email: oldEmail }, deps)
      const data = { name: account.name, newAddress: account.email, notMeUrl }
      await queueMail(tx, { to: oldEmail, kind: 'address_changed', data, language: mailLanguage(account) }, { sealer, at: now() })
      return account
    })
  } catch (error) {
    if (isUniqueViolation(error)) return undefined // another account was first with this address
    throw error
  }
}
