import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientAddress, formBody, networkOf, queryOf } from '../../http/index.ts'
import { ownHref } from '../../pages/index.ts'
import { answerForm, type CompleteSignInDeps, countMail, refuseForeign } from '../../sign-in/index.ts'
import type { Authentication, PasswordHasher } from '../../users/index.ts'
import { isSetupLink } from './setup-link.ts'
import { setupGonePage } from './setup-page.ts'

export interface SetupDeps extends CompleteSignInDeps {
  authenticate: Authentication
  passwords: PasswordHasher
}

/**
 * Of a network in an hour: forms with the right secret, since hashing a password costs CPU; and forms with a wrong secret, which nobody can
 * guess but anyone can send.
 */
export const SETUP_MOST = { forms: 30, wrong: 100 } as const

/** A valid link, not used up by looking. `body` is the form posted from its page. */
export interface SetupLink {
  token: string
  body: URLSearchParams
}

type Step = (request: FastifyRequest, reply: FastifyReply, link: SetupLink, deps: SetupDeps) => Promise<FastifyReply>

export async function withSetupLink(request: FastifyRequest, reply: FastifyReply, deps: SetupDeps, step: Step): Promise<FastifyReply> {
  const isForm = request.method === 'POST'
  const refused = isForm ? refuseForeign(request, reply, deps) : undefined
  if (refused) return refused
  const body = formBody(request) ?? new URLSearchParams()
  const token = (isForm ? body : queryOf(request)).get('token') ?? ''
  if (await isSetupLink(deps.storage.db, token, deps.now)) return step(request, reply, { token, body }, deps)
  const tooMany = await countMail(reply, [{ key: `setup:wrong:${networkOf(clientAddress(request))}`, most: SETUP_MOST.wrong }], deps)
  return tooMany ? deps.responses.refuse(request, reply, 429, 'muitas tentativas') : answerSetupGone(request, reply, deps)
}

export function answerSetupGone(request: FastifyRequest, reply: FastifyReply, deps: SetupDeps): FastifyReply {
  const page = setupGonePage(deps.responses.pageContext(request, reply, ownHref('/setup')))
  return answerForm(request, reply, { status: 400, page, problem: 'ticket_expired' }, deps)
}
