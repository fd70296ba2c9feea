import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ownHref } from '../../pages/index.ts'
import {
  findBoundSession,
  type GuardDeps,
  hasRecentAuth,
  type LoginNotice,
  newFlow,
  type ReturnPage,
  recentAuthNotice,
} from '../../sign-in/index.ts'
import { authenticatedSchema, authenticateSchema, consoleSignInSchema } from '../setup/setup-schemas.ts'
import { authenticatedPage } from './authenticated-page.ts'

/** The console's sign-in, and the window in which its user authenticates again in the middle of an action. */
export function authenticateRoutes(scope: FastifyInstance, deps: GuardDeps): void {
  scope.get('/admin/sign-in', { schema: consoleSignInSchema }, (request, reply) =>
    begin(request, reply, { next: { page: '/admin', query: {} } }, deps),
  )
  scope.get('/admin/authenticate', { schema: authenticateSchema }, async (request, reply) => {
    const kind = await recentAuthNotice((await findSignedInUser(request, deps))?.user, deps.storage)
    return begin(request, reply, { next: { page: '/admin/authenticated', query: {} }, notice: { kind, provider: '' } }, deps)
  })
  scope.get('/admin/authenticated', { schema: authenticatedSchema }, (request, reply) => showAuthenticated(request, reply, deps))
}

/** A sign-in from the start, even for a signed-in user: one route to authenticate again, the other perhaps as another user. */
async function begin(
  request: FastifyRequest,
  reply: FastifyReply,
  begun: { next: ReturnPage; notice?: LoginNotice },
  { cookies, flows, responses }: GuardDeps,
): Promise<FastifyReply> {
  const { browser, setCookie } = cookies.browserOf(request.headers.cookie)
  reply.header('set-cookie', setCookie)
  return responses.redirect(reply, ownHref('/login', { flow: flows.seal(newFlow(browser, begun)) }))
}

/** The page says so only if it is true: otherwise the console would repeat its request and ask its user once more. */
async function showAuthenticated(request: FastifyRequest, reply: FastifyReply, deps: GuardDeps): Promise<FastifyReply> {
  const owner = await findSignedInUser(request, deps)
  if (!owner || !(await hasRecentAuth(owner, deps))) return deps.responses.redirect(reply, ownHref('/admin/authenticate'))
  return deps.responses.page(reply, 200, authenticatedPage(deps.responses.pageContext(request, reply)))
}

async function findSignedInUser(request: FastifyRequest, deps: GuardDeps) {
  const session = await findBoundSession(request.headers.cookie, deps)
  const user = session && (await deps.users.findById(session.userId))
  return session && user && { session, user }
}
