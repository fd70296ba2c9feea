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

/** How somebody signs in to the console, and proves in a window of its own who they are when it asks in the middle of something. */
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

/** A sign-in from the start, also of someone who is signed in: here to prove it anew, there perhaps as somebody else. */
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

/** The page says so only where it is so: a console that asked again in vain would ask its user once more. */
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
