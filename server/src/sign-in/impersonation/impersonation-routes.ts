import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ChangeFeed } from '../../changes/index.ts'
import { clientAddress, isBehindTheBack, wantsPage } from '../../http/index.ts'
import { type ImpersonationNotice, ownHref, STOP_IMPERSONATION } from '../../pages/index.ts'
import type { Tokens } from '../../sessions/index.ts'
import { endSession, type LiveSession, mintSessionToken } from '../../sessions/index.ts'
import { findBoundSession } from '../flow/sign-in-attempt.ts'
import { refuseUnlessOwn } from '../guards/form-guards.ts'
import type { GuardDeps } from '../guards/guard-deps.ts'
import { impersonationRefusedPage } from './impersonation-refused-page.ts'
import { mayWhileImpersonating, restoresOriginalSession } from './impersonation-rules.ts'
import { stopImpersonationSchema } from './impersonation-schemas.ts'
import { type OriginalSession, openOriginalSession, restoreOriginalSession } from './original-session.ts'

export interface ImpersonationDeps extends Pick<GuardDeps, 'baseUrl' | 'checks' | 'cookies' | 'now' | 'responses' | 'sealer' | 'storage'> {
  changes: ChangeFeed
  tokens: Tokens
}

/**
 * A hook before every page and action of ours that uses the browser's session. The impersonation rules are enforced here and nowhere else,
 * and allowed pages get a banner. When the impersonation is over, the administrator's own session comes back.
 */
export function guardImpersonation(scope: FastifyInstance, deps: ImpersonationDeps): void {
  scope.addHook('onRequest', async (request, reply) => {
    const { url: route = '' } = request.routeOptions
    // Files are the same for everyone, and work without the database.
    if (route.includes('/assets/')) return
    const session = await findBoundSession(request.headers.cookie, deps)
    if (session?.impersonation) {
      request.impersonation = noticeOf(session, session.impersonation.name)
      if (!mayWhileImpersonating(request.method, route)) return refuseWhileImpersonating(request, reply, deps)
    } else if (
      !session &&
      restoresOriginalSession(request.method, route) &&
      wantsPage(request) &&
      !isBehindTheBack(request, deps.baseUrl)
    ) {
      const original = readOriginalSession(request, deps)
      if (original) return answerBack(request, reply, original, deps)
    }
  })
  scope.post(STOP_IMPERSONATION, { schema: stopImpersonationSchema }, (request, reply) => stop(request, reply, deps))
}

/** The administrator of a browser's impersonation, on pages that no hook of ours guards: the page of an unknown address. */
export async function findImpersonation(
  { headers }: FastifyRequest,
  deps: Pick<ImpersonationDeps, 'cookies' | 'checks' | 'baseUrl'>,
): Promise<ImpersonationNotice | undefined> {
  const session = await findBoundSession(headers.cookie, deps)
  return session?.impersonation && noticeOf(session, session.impersonation.name)
}

function noticeOf({ claims: { name, email }, expiresAt }: LiveSession, by: string): ImpersonationNotice {
  return { by, for: { name, email }, until: expiresAt }
}

function readOriginalSession(request: FastifyRequest, deps: ImpersonationDeps): OriginalSession | undefined {
  return openOriginalSession(deps.cookies.readOriginalSession(request.headers.cookie), deps)
}

/** The refusal, on a page that shows the way out. */
export function refuseWhileImpersonating(
  request: FastifyRequest,
  reply: FastifyReply,
  { responses }: Pick<ImpersonationDeps, 'responses'>,
): FastifyReply {
  if (!wantsPage(request)) return responses.json(reply, 403, { error: 'agindo em nome de outra pessoa' })
  return responses.page(reply, 403, impersonationRefusedPage(responses.pageContext(request, reply, '/account')))
}

async function stop(request: FastifyRequest, reply: FastifyReply, deps: ImpersonationDeps): Promise<FastifyReply> {
  const refused = refuseUnlessOwn(request, reply, deps)
  if (refused) return refused
  const session = await findBoundSession(request.headers.cookie, deps)
  const original = readOriginalSession(request, deps)
  if (session && !session.impersonation) return deps.responses.redirect(reply, ownHref('/'))
  // Two beginnings at once may have crossed their cookies: then this is not the session that was kept as the original.
  if (session && session.id !== original?.impersonationSessionId) {
    const ip = clientAddress(request)
    await deps.changes.transaction((tx, announce) => endSession(tx, session.id, 'impersonation_stopped', { announce, now: deps.now, ip }))
  }
  return original ? answerBack(request, reply, original, deps) : answerNobody(request, reply, deps)
}

/** The administrator is back, at the page of the user. */
async function answerBack(
  request: FastifyRequest,
  reply: FastifyReply,
  original: OriginalSession,
  deps: ImpersonationDeps,
): Promise<FastifyReply> {
  const { cookies, tokens, baseUrl, responses } = deps
  const own = await restoreOriginalSession(original, { ...deps, ip: clientAddress(request) })
  if (!own) return answerNobody(request, reply, deps)
  reply.header('set-cookie', cookies.session(await mintSessionToken(own, { tokens, issuer: baseUrl })))
  reply.header('set-cookie', cookies.bound(original.boundSecret))
  reply.header('set-cookie', cookies.noOriginalSession())
  return responses.redirect(reply, ownHref(`/admin/users/${original.userId}/show`))
}

function answerNobody(request: FastifyRequest, reply: FastifyReply, { cookies, responses }: ImpersonationDeps): FastifyReply {
  for (const cookie of cookies.signedOut(request.headers.cookie)) reply.header('set-cookie', cookie)
  return responses.redirect(reply, ownHref('/admin/sign-in'))
}
