import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { clientAddress, isBehindTheBack, wantsPage } from '../../http/index.ts'
import { type ActingNotice, ownHref, STOP_ACTING } from '../../pages/index.ts'
import { endSession, type LiveSession, mintSessionToken } from '../../sessions/index.ts'
import { refuseUnlessOwn } from '../flow/form-guards.ts'
import { findBoundSession } from '../flow/sign-in-attempt.ts'
import type { SignInDeps } from '../routes.ts'
import { actingRefusedPage } from './impersonation-refused-page.ts'
import { bringsBack, mayWhileActing } from './impersonation-rules.ts'
import { stopActingSchema } from './impersonation-schemas.ts'
import { type Aside, bringBack, openAside } from './original-session.ts'

/**
 * Stands before every page and deed of ours that goes by the browser's session: what nobody may do in somebody else's name is refused here and nowhere else, and what may
 * be done is done under a banner. Where the acting is over, the administrator's own session comes back.
 */
export function guardActing(scope: FastifyInstance, deps: SignInDeps): void {
  scope.addHook('onRequest', async (request, reply) => {
    const { url: route = '' } = request.routeOptions
    // Files are the same for everyone, and are there when the database is not.
    if (route.includes('/assets/')) return
    const session = await findBoundSession(request.headers.cookie, deps)
    if (session?.acting) {
      request.acting = noticeOf(session, session.acting.name)
      if (!mayWhileActing(request.method, route)) return refuseActing(request, reply, deps)
    } else if (!session && bringsBack(request.method, route) && wantsPage(request) && !isBehindTheBack(request, deps.baseUrl)) {
      const aside = readAside(request, deps)
      if (aside) return answerBack(request, reply, aside, deps)
    }
  })
  scope.post(STOP_ACTING, { schema: stopActingSchema }, (request, reply) => stop(request, reply, deps))
}

/** Who acts for somebody in a browser, where no hook of ours has asked: on the page of an address that does not exist. */
export async function findActing(
  { headers }: FastifyRequest,
  deps: Pick<SignInDeps, 'cookies' | 'checks' | 'baseUrl'>,
): Promise<ActingNotice | undefined> {
  const session = await findBoundSession(headers.cookie, deps)
  return session?.acting && noticeOf(session, session.acting.name)
}

function noticeOf({ claims: { name, email }, expiresAt }: LiveSession, by: string): ActingNotice {
  return { by, for: { name, email }, until: expiresAt }
}

function readAside(request: FastifyRequest, deps: SignInDeps): Aside | undefined {
  return openAside(deps.cookies.readAside(request.headers.cookie), deps)
}

/** What can't be done in somebody else's name, said on a page that shows the way out. */
export function refuseActing(request: FastifyRequest, reply: FastifyReply, { responses }: Pick<SignInDeps, 'responses'>): FastifyReply {
  if (!wantsPage(request)) return responses.json(reply, 403, { error: 'agindo em nome de outra pessoa' })
  return responses.page(reply, 403, actingRefusedPage(responses.pageContext(request, reply, '/account')))
}

async function stop(request: FastifyRequest, reply: FastifyReply, deps: SignInDeps): Promise<FastifyReply> {
  const refused = refuseUnlessOwn(request, reply, deps)
  if (refused) return refused
  const session = await findBoundSession(request.headers.cookie, deps)
  const aside = readAside(request, deps)
  if (session && !session.acting) return deps.responses.redirect(reply, ownHref('/'))
  // The cookies of two beginnings at once may have crossed: then this is another than the one kept aside.
  if (session && session.id !== aside?.actingSessionId) {
    const ip = clientAddress(request)
    await deps.changes.transaction((tx, announce) => endSession(tx, session.id, 'acting_stopped', { announce, now: deps.now, ip }))
  }
  return aside ? answerBack(request, reply, aside, deps) : answerNobody(request, reply, deps)
}

/** The administrator is back, at the person they acted for. */
async function answerBack(request: FastifyRequest, reply: FastifyReply, aside: Aside, deps: SignInDeps): Promise<FastifyReply> {
  const { cookies, tokens, baseUrl, responses } = deps
  const own = await bringBack(aside, { ...deps, ip: clientAddress(request) })
  if (!own) return answerNobody(request, reply, deps)
  reply.header('set-cookie', cookies.session(await mintSessionToken(own, { tokens, issuer: baseUrl })))
  reply.header('set-cookie', cookies.bound(aside.boundSecret))
  reply.header('set-cookie', cookies.noAside())
  return responses.redirect(reply, ownHref(`/admin/users/${aside.userId}/show`))
}

function answerNobody(request: FastifyRequest, reply: FastifyReply, { cookies, responses }: SignInDeps): FastifyReply {
  for (const cookie of cookies.signedOut(request.headers.cookie)) reply.header('set-cookie', cookie)
  return responses.redirect(reply, ownHref('/admin/sign-in'))
}
