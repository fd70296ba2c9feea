import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientAddress, formBody, networkOf, originOf, queryOf, wantsPage } from '../../http/index.ts'
import { HOUR_MS, MINUTE_MS } from '../../kit/index.ts'
import { ownHref } from '../../pages/index.ts'
import { findTicket, type Ticket } from '../../users/index.ts'
import { type Flow, newFlow } from '../flow/flow.ts'
import { openFlow } from '../flow/sign-in-attempt.ts'
import { ticketExpiredPage } from '../flow/ticket-expired-page.ts'
import { refuseFlow } from './attempt-guards.ts'
import type { GuardDeps, Step } from './guard-deps.ts'

/** Answers 403 to a form that another site posted; `undefined` for one of ours. */
export function refuseForeign(
  request: FastifyRequest,
  reply: FastifyReply,
  { responses, baseUrl }: Pick<GuardDeps, 'responses' | 'baseUrl'>,
): FastifyReply | undefined {
  return originOf(request, baseUrl) === 'foreign' ? responses.refuse(request, reply, 403, 'origem nao permitida') : undefined
}

/**
 * The same for a form without flow or secret. A browser that does not send the form's origin is refused too, since nothing else could
 * decide.
 */
export function refuseUnlessOwn(
  request: FastifyRequest,
  reply: FastifyReply,
  { responses, baseUrl }: Pick<GuardDeps, 'responses' | 'baseUrl'>,
): FastifyReply | undefined {
  return originOf(request, baseUrl) === 'own' ? undefined : responses.refuse(request, reply, 403, 'origem nao permitida')
}

/** The folder of mails, for a browser on this very machine; a page leaves the folder out for all others. */
export function mailFolderFor({ hostname }: FastifyRequest, { mailFolder }: { mailFolder: string | undefined }): string | undefined {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname) ? mailFolder : undefined
}

/** Continues the flow of the address; without one, a flow begins in this browser. */
export async function withFlow<Deps extends GuardDeps>(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: Deps,
  step: Step<Flow, Deps>,
): Promise<FastifyReply> {
  const sealed = queryOf(request).get('flow')
  const { browser, setCookie } = deps.cookies.browserOf(request.headers.cookie)
  const flow = sealed === null ? newFlow(browser) : openFlow(sealed, request.headers.cookie, deps)
  if (!flow) return refuseFlow(request, reply, deps)
  reply.header('set-cookie', setCookie)
  return step(request, reply, flow, deps)
}

export interface FlowForm {
  body: URLSearchParams
  flow: Flow
}

/** Continues with a form of ours, posted by the browser in which its flow began. */
export async function withFlowForm<Deps extends GuardDeps>(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: Deps,
  step: Step<FlowForm, Deps>,
): Promise<FastifyReply> {
  const refused = refuseForeign(request, reply, deps)
  if (refused) return refused
  const body = formBody(request)
  const flow = openFlow(body?.get('flow'), request.headers.cookie, deps)
  return body && flow ? step(request, reply, { body, flow }, deps) : refuseFlow(request, reply, deps)
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
  change_email: '/account/email',
} as const satisfies Record<Ticket['purpose'], string>

/** A mailed link that was used, has expired, or never existed gets one page, which says how to begin again. */
export function answerGone(request: FastifyRequest, reply: FastifyReply, what: Ticket['purpose'], deps: GuardDeps): FastifyReply {
  const context = deps.responses.pageContext(request, reply, beginAgain[what])
  const page = ticketExpiredPage(context, { beginUrl: ownHref(beginAgain[what]), what })
  return answerForm(request, reply, { status: 400, page, problem: 'ticket_expired' }, deps)
}

/**
 * Counts a mail before it is sent, each counter within an hour. When there were too many, answers how long to wait and sets `Retry-After`.
 * A mail that one counter refuses is not counted by the next ones: a network past its limit must not use up the limit of an address.
 */
export async function countMail(
  reply: FastifyReply,
  counters: ReadonlyArray<{ key: string; most: number }>,
  { limits, now }: Pick<GuardDeps, 'limits' | 'now'>,
): Promise<{ retryAfterSeconds: number } | undefined> {
  for (const counter of counters) {
    const { within, retryAfterSeconds } = await limits.count({ ...counter, windowMs: HOUR_MS }, now())
    if (within) continue
    reply.header('retry-after', String(retryAfterSeconds))
    return { retryAfterSeconds }
  }
  return undefined
}

/** The message of a form's error, for clients that show no pages. */
const messages: Readonly<Record<string, string>> = {
  wrong_password: 'senha incorreta',
  too_many_attempts: 'muitas tentativas',
  busy: 'muitas entradas ao mesmo tempo, tente novamente',
  wrong_code: 'codigo invalido',
  code_expired: 'codigo invalido',
  ticket_expired: 'link invalido ou expirado',
  account_changed: 'conta alterada',
  changed_meanwhile: 'dados alterados em outra aba',
  corrected_already: 'numero ja corrigido',
  too_many_tries: 'muitas tentativas',
  unusable: 'Nao foi possivel usar este numero',
}

/** A form with an error: the page for a browser, `{error}` for every other client. A page without an error goes to all. */
export function answerForm(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, page, problem }: { status: number; page: string; problem?: string | undefined },
  { responses }: Pick<GuardDeps, 'responses'>,
): FastifyReply {
  if (status < 400 || wantsPage(request)) return responses.page(reply, status, page)
  return responses.json(reply, status, { error: messages[problem ?? ''] ?? 'campos invalidos' })
}

/** Of a network in 15 minutes: every login page requests a challenge when it is opened, and a whole office may open it. */
const MAX_PASSKEYS = { sign_in: 600, add: 60 } as const

/** Counts a requested challenge or a shown new key. Answers whether there were too many, with `Retry-After` set. */
export async function countPasskeyWork(
  request: FastifyRequest,
  reply: FastifyReply,
  purpose: keyof typeof MAX_PASSKEYS,
  { limits, now }: Pick<GuardDeps, 'limits' | 'now'>,
): Promise<boolean> {
  const key = `passkey:${purpose}:${networkOf(clientAddress(request))}`
  const { within, retryAfterSeconds } = await limits.count({ key, most: MAX_PASSKEYS[purpose], windowMs: 15 * MINUTE_MS }, now())
  if (!within) reply.header('retry-after', String(retryAfterSeconds))
  return !within
}
