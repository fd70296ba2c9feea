import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientAddress, formBody } from '../../http/index.ts'
import { ownHref } from '../../pages/index.ts'
import { endSessionsOfUser } from '../../sessions/index.ts'
import { mailLanguage, queueRecovery, reportSignIn, takeTicket } from '../../users/index.ts'
import { refuseForeign } from '../guards/form-guards.ts'
import { answerGone, type MailedLink } from '../guards/mailed-link-guards.ts'
import type { RecoveryDeps } from './recovery-deps.ts'
import { reportSignInPage, signInReportedPage } from './report-sign-in-page.ts'

export async function showReport(
  request: FastifyRequest,
  reply: FastifyReply,
  { secret, ticket }: MailedLink,
  deps: RecoveryDeps,
): Promise<FastifyReply> {
  const context = deps.responses.pageContext(request, reply, ownHref('/report-sign-in', { ticket: secret }))
  return deps.responses.page(reply, 200, reportSignInPage(context, { ticket: secret, email: ticket.email }))
}

export async function reportThisSignIn(request: FastifyRequest, reply: FastifyReply, deps: RecoveryDeps): Promise<FastifyReply> {
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
