import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ChangeFeed } from '../../changes/index.ts'
import { clientAddress } from '../../http/index.ts'
import type { Outbox } from '../../outbox/index.ts'
import { ownHref } from '../../pages/index.ts'
import { endOtherSessions, type LiveSession } from '../../sessions/index.ts'
import {
  answerGone,
  askToSignIn,
  createGuards,
  findBoundSession,
  type GuardDeps,
  holdSignedInUser,
  type MailedLink,
  type SignedInUser,
} from '../../sign-in/index.ts'
import { isUniqueViolation } from '../../storage/index.ts'
import { linkPurchases } from '../../subscriptions/index.ts'
import { finishEmailChange, mailLanguage, mintReportUrl, queueMail, takeTicket, type User } from '../../users/index.ts'
import { confirmEmailPage, emailChangedPage } from './change-email-page.ts'
import { confirmFormSchema, confirmSchema } from './credentials-schemas.ts'

export interface ConfirmEmailDeps extends GuardDeps {
  changes: ChangeFeed
  codeKey: Uint8Array
  outbox: Pick<Outbox, 'wake'>
}

/** The page of the link to a new address. */
export function confirmEmailRoutes(scope: FastifyInstance, deps: ConfirmEmailDeps): void {
  const { mailedLink } = createGuards(deps)
  scope.get('/confirm-email', { schema: confirmFormSchema }, mailedLink('change_email', showConfirm))
  scope.post('/confirm-email', { schema: confirmSchema }, mailedLink('change_email', confirm))
}

async function showConfirm(request: FastifyRequest, reply: FastifyReply, link: MailedLink, deps: ConfirmEmailDeps): Promise<FastifyReply> {
  const { secret, ticket } = link
  const session = await ownSession(request, link, deps)
  if (!session) return askForAccount(request, reply, link, deps)
  const context = deps.responses.pageContext(request, reply, ownHref('/confirm-email', { ticket: secret }))
  const shown = { ticket: secret, email: ticket.email, isOwn: ticket.email === session.claims.email }
  return deps.responses.page(reply, 200, confirmEmailPage(context, shown))
}

/** This browser's session, if it belongs to the account whose address the link would change. */
async function ownSession(request: FastifyRequest, { ticket }: MailedLink, deps: ConfirmEmailDeps): Promise<LiveSession | undefined> {
  const bound = await findBoundSession(request.headers.cookie, deps)
  return bound?.userId === ticket.userId ? bound : undefined
}

/**
 * The reader of the new mailbox may be somebody else than the user who asked, and their click would verify their address for the user's
 * account. So they sign in to that account, by any of its sign-in methods and with its second factor, and come back with the link.
 */
function askForAccount(request: FastifyRequest, reply: FastifyReply, { secret }: MailedLink, deps: ConfirmEmailDeps): FastifyReply {
  return askToSignIn(request, reply, deps, { to: { page: '/confirm-email', query: { ticket: secret } }, because: 'confirm_email' })
}

/** In a browser where the account is signed in, a button is enough. */
async function confirm(request: FastifyRequest, reply: FastifyReply, link: MailedLink, deps: ConfirmEmailDeps): Promise<FastifyReply> {
  const { userId } = link.ticket
  const user = userId === undefined ? undefined : await deps.users.findById(userId)
  if (!user || user.disabledAt !== undefined) return answerGone(request, reply, 'change_email', deps)
  const session = await ownSession(request, link, deps)
  if (!session) return askForAccount(request, reply, link, deps)
  const changed = await changeAddress(request, link, { user, session }, deps)
  if (changed === 'signed_out') return askForAccount(request, reply, link, deps)
  if (!changed) return answerGone(request, reply, 'change_email', deps)
  deps.outbox.wake()
  const shown = { email: changed.email, isOwn: changed.email === user.email }
  return deps.responses.page(reply, 200, emailChangedPage(deps.responses.pageContext(request, reply, '/account'), shown))
}

/**
 * Uses the link up, ends the other sessions and tells the old address; where the account's own address is verified, nothing ends.
 * `undefined` when the link is used already, or another account has the address by now. `signed_out`: this browser's session has ended
 * meanwhile.
 */
async function changeAddress(
  request: FastifyRequest,
  { secret }: MailedLink,
  owner: SignedInUser,
  deps: ConfirmEmailDeps,
): Promise<User | 'signed_out' | undefined> {
  const { changes, storage, sealer, now } = deps
  try {
    return await changes.transaction(async (tx, announce) => {
      if (!(await holdSignedInUser(tx, owner, now))) return 'signed_out'
      const ticket = await takeTicket(tx, secret, 'change_email', { sealer, at: now() })
      const result = ticket && (await finishEmailChange(tx, ticket, { announce, now, ip: clientAddress(request) }))
      if (!result || typeof result === 'string') return undefined
      const { user, oldEmail } = result
      const others = { userId: user.id, keep: owner.session.id }
      if (oldEmail !== undefined) await endOtherSessions(tx, others, 'email_changed', { announce, now })
      await linkPurchases(tx, user.id, { announce, storage })
      if (oldEmail === undefined) return user
      const reportUrl = await mintReportUrl(tx, { id: user.id, email: oldEmail }, deps)
      const data = { name: user.name, newAddress: user.email, reportUrl }
      await queueMail(tx, { to: oldEmail, kind: 'address_changed', data, language: mailLanguage(user) }, { sealer, at: now() })
      return user
    })
  } catch (error) {
    if (isUniqueViolation(error)) return undefined // another account got this address first
    throw error
  }
}
