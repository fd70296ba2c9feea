import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ownHref } from '../pages/index.ts'
import { findBoundSession, isFresh, type LoginNotice, newFlow, provingNotice, type SignInDeps, type WayBack } from '../sign-in/index.ts'
import { provenPage } from './proven-page.ts'
import { consoleSignInSchema, provenSchema, proveSchema } from './setup-schemas.ts'

/** How somebody signs in to the console, and proves in a window of its own who they are when it asks in the middle of something. */
export function proveRoutes(scope: FastifyInstance, deps: SignInDeps): void {
  scope.get('/admin/sign-in', { schema: consoleSignInSchema }, (request, reply) =>
    begin(request, reply, { next: { page: '/admin', query: {} } }, deps),
  )
  scope.get('/admin/prove', { schema: proveSchema }, async (request, reply) => {
    const kind = await provingNotice((await findOwner(request, deps))?.user, deps.storage)
    return begin(request, reply, { next: { page: '/admin/proven', query: {} }, notice: { kind, provider: '' } }, deps)
  })
  scope.get('/admin/proven', { schema: provenSchema }, (request, reply) => showProven(request, reply, deps))
}

/** A sign-in from the start, also of someone who is signed in: here to prove it anew, there perhaps as somebody else. */
async function begin(
  request: FastifyRequest,
  reply: FastifyReply,
  begun: { next: WayBack; notice?: LoginNotice },
  { cookies, flows, responses }: SignInDeps,
): Promise<FastifyReply> {
  const { browser, setCookie } = cookies.browserOf(request.headers.cookie)
  reply.header('set-cookie', setCookie)
  return responses.redirect(reply, ownHref('/login', { flow: flows.seal(newFlow(browser, begun)) }))
}

/** The page says so only where it is so: a console that asked again in vain would ask its person once more. */
async function showProven(request: FastifyRequest, reply: FastifyReply, deps: SignInDeps): Promise<FastifyReply> {
  const owner = await findOwner(request, deps)
  if (!owner || !(await isFresh(owner, deps))) return deps.responses.redirect(reply, ownHref('/admin/prove'))
  return deps.responses.page(reply, 200, provenPage(deps.responses.pageContext(request, reply)))
}

async function findOwner(request: FastifyRequest, deps: SignInDeps) {
  const session = await findBoundSession(request.headers.cookie, deps)
  const user = session && (await deps.users.findById(session.userId))
  return session && user && { session, user }
}
