import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { decideEntry } from '../../forward-auth/index.ts'
import { queryOf, wantsPage } from '../../http/index.ts'
import { ownHref } from '../../pages/index.ts'
import type { LiveSession } from '../../sessions/index.ts'
import { type Flow, newFlow } from '../flow/flow.ts'
import { findBoundSession } from '../flow/sign-in-attempt.ts'
import type { GuardDeps } from '../guards/guard-deps.ts'
import { refuseStart } from '../login/start-login-routes.ts'
import { forwardStartSchema } from './forward-schemas.ts'
import { planMissingPage } from './plan-missing-page.ts'

export type ForwardStartDeps = GuardDeps

export function forwardStartRoutes(scope: FastifyInstance, deps: ForwardStartDeps): void {
  scope.get('/auth/forward/start', { schema: forwardStartSchema }, (request, reply) => start(request, reply, deps))
}

/**
 * `GET /auth/forward/start`: a proxy has sent the browser here, with the page that it asked for. A proxy's refusal can only be mended on
 * our own host, where cookies can be set and pages have their styles.
 */
async function start(request: FastifyRequest, reply: FastifyReply, deps: ForwardStartDeps): Promise<FastifyReply> {
  const given = queryOf(request).getAll('redirect_to')
  const [address] = given
  if (address === undefined) return refuseStart(request, reply, 'target_missing', deps)
  if (given.length > 1) return refuseStart(request, reply, 'parameters_invalid', deps)
  const found = await deps.forwardedHosts.findTarget(address)
  if (!found) return refuseStart(request, reply, 'target_unregistered', deps)
  const { target, host } = found
  const { browser, setCookie } = deps.cookies.browserOf(request.headers.cookie)
  const flow = newFlow(browser, { target: { uri: target.uri, productId: target.product.id, kind: 'forwarded' } })
  reply.header('set-cookie', setCookie)
  const session = await findBoundSession(request.headers.cookie, deps)
  if (!session) return deps.responses.redirect(reply, ownHref('/login', { flow: deps.flows.seal(flow) }))
  const entry = await decideEntry(session, host, deps)
  request.pageProduct = target.product.id
  if ('refusal' in entry && entry.refusal === 'plan_missing')
    return refusePlan(request, reply, { flow, session, productName: host.product.name }, deps)
  // As at /auth/login: signed in already, and a declined NDA is asked again only at a sign-in.
  const silent = deps.flows.seal({ ...flow, userId: session.userId, ndaDeclined: true })
  return deps.responses.redirect(reply, ownHref('/auth/continue', { flow: silent }))
}

/** A page, and no redirect: the proxy would send the browser here again. */
function refusePlan(
  request: FastifyRequest,
  reply: FastifyReply,
  { flow, session, productName }: { flow: Flow; session: LiveSession; productName: string },
  { responses, flows }: ForwardStartDeps,
): FastifyReply {
  if (!wantsPage(request)) return responses.json(reply, 403, { error: 'sem plano' })
  const signedInAs = { name: session.claims.name, email: session.claims.email ?? '' }
  const otherAccountUrl = ownHref('/login', { flow: flows.seal(flow) })
  return responses.page(reply, 403, planMissingPage(responses.pageContext(request, reply), { productName, signedInAs, otherAccountUrl }))
}
