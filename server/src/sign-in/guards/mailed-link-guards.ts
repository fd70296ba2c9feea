import type { FastifyReply, FastifyRequest } from 'fastify'
import { formBody, queryOf } from '../../http/index.ts'
import { ownHref } from '../../pages/index.ts'
import { findTicket, type Ticket } from '../../users/index.ts'
import { ticketExpiredPage } from '../flow/ticket-expired-page.ts'
import { answerForm, refuseForeign } from './form-guards.ts'
import type { GuardDeps, Step } from './guard-deps.ts'

/** The folder of mails, for a browser on this very machine; a page leaves the folder out for all others. */
export function mailFolderFor({ hostname }: FastifyRequest, { mailFolder }: { mailFolder: string | undefined }): string | undefined {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname) ? mailFolder : undefined
}

/** A valid mailed link, not used up by looking. `body` is the form posted from its page. */
export interface MailedLink {
  secret: string
  ticket: Ticket
  body: URLSearchParams
}

/** Continues with a mailed link: by GET the one in the address, by POST the one in a form of ours. */
export async function withMailedLink<Deps extends GuardDeps>(
  request: FastifyRequest,
  reply: FastifyReply,
  purpose: Ticket['purpose'],
  deps: Deps,
  step: Step<MailedLink, Deps>,
): Promise<FastifyReply> {
  const refused = request.method === 'POST' ? refuseForeign(request, reply, deps) : undefined
  if (refused) return refused
  const body = formBody(request) ?? new URLSearchParams()
  const secret = (request.method === 'POST' ? body : queryOf(request)).get('ticket') ?? ''
  const ticket = await findTicket(deps.storage.db, secret, purpose, { ...deps, at: deps.now() })
  return ticket ? step(request, reply, { secret, ticket, body }, deps) : answerGone(request, reply, purpose, deps)
}

const beginAgain = {
  sign_up: '/sign-up',
  reset_password: '/recover',
  invitation: '/recover',
  report_sign_in: '/recover',
  undo_deletion: '/login',
  change_email: '/account',
} as const satisfies Record<Ticket['purpose'], string>

/** A mailed link that was used, has expired, or never existed gets one page, which says how to begin again. */
export function answerGone(request: FastifyRequest, reply: FastifyReply, what: Ticket['purpose'], deps: GuardDeps): FastifyReply {
  const context = deps.responses.pageContext(request, reply, beginAgain[what])
  const page = ticketExpiredPage(context, { beginUrl: ownHref(beginAgain[what]), what })
  return answerForm(request, reply, { status: 400, page, problem: 'ticket_expired' }, deps)
}
