import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ChangeFeed } from '../../changes/index.ts'
import { bearerToken, clientAddress, isBehindTheBack, jsonObject, queryOf, readCookies } from '../../http/index.ts'
import { isHref } from '../../pages/index.ts'
import { signOutTarget } from '../../products/index.ts'
import { endSession, sessionAudience } from '../../sessions/index.ts'
import { awaitEarlierCommits, commitAsWriter } from '../../storage/index.ts'
import { presentedSessions } from '../flow/presented-sessions.ts'
import type { GuardDeps } from '../guards/guard-deps.ts'
import { signOutByPostSchema, signOutSchema } from './sign-out-schemas.ts'
import { signedOutPage } from './signed-out-page.ts'

export interface SignOutDeps
  extends Pick<GuardDeps, 'baseUrl' | 'checks' | 'cookies' | 'now' | 'products' | 'responses' | 'sealer' | 'storage'> {
  changes: ChangeFeed
  cookieDomain: string | undefined
}

type SessionEndDeps = Pick<SignOutDeps, 'changes' | 'now' | 'storage'>

export function signOutRoutes(scope: FastifyInstance, deps: SignOutDeps): void {
  scope.get('/auth/signout', { schema: signOutSchema }, (request, reply) => signOut(request, reply, deps))
  scope.post('/auth/signout', { schema: signOutByPostSchema }, (request, reply) =>
    request.headers.authorization === undefined ? signOut(request, reply, deps) : signOutByProduct(request, reply, deps),
  )
}

/** Ends the browser's session and clears its cookies. A request made without the user's intent ends nothing. */
async function signOut(request: FastifyRequest, reply: FastifyReply, deps: SignOutDeps): Promise<FastifyReply> {
  if (isBehindTheBack(request, deps.baseUrl)) return deps.responses.json(reply, 200, { signed_out: false })
  await signOutBrowser(request, reply, deps)
  const wanted = queryOf(request).getAll('redirect_to')
  const target = wanted.length === 1 ? await findSignOutTarget(wanted[0] ?? '', deps) : undefined
  if (target !== undefined) return deps.responses.redirect(reply, target)
  const context = deps.responses.pageContext(request, reply, '/auth/signout')
  return deps.responses.page(reply, 200, signedOutPage(context, {}))
}

/** Ends every session that a browser presents, and clears its cookies. */
export async function signOutBrowser(request: FastifyRequest, reply: FastifyReply, deps: Omit<SignOutDeps, 'cookieDomain'>): Promise<void> {
  const { cookies, checks, baseUrl } = deps
  const ids = await presentedSessions(request.headers.cookie, deps)
  for (const id of ids) await signOutSession(id, clientAddress(request), deps)
  // It may have been signed out by a request that was not answered.
  const presented = readCookies(request.headers.cookie, 'eg_session')
  if (ids.size === 0 && (await checks.isOurs(presented, baseUrl))) await awaitEarlierCommits(deps.storage)
  for (const cookie of cookies.signedOut(request.headers.cookie)) reply.header('set-cookie', cookie)
}

/** Ends a session. It may have ended a moment ago, at another node, by a request that was not answered. */
async function signOutSession(id: string, ip: string | undefined, { changes, now, storage }: SessionEndDeps): Promise<void> {
  await changes.transaction(async (tx, announce) => {
    if (!(await endSession(tx, id, 'signed_out', { announce, now, ip }))) await commitAsWriter(tx, storage)
  })
}

async function findSignOutTarget(text: string, { products, cookieDomain, baseUrl }: SignOutDeps): Promise<string | undefined> {
  const target = signOutTarget(text, { origins: await products.redirectOrigins(), cookieDomain, baseUrl })
  return target !== undefined && isHref(target) ? target : undefined
}

/** A product ends one of its own sessions, from its server: its key as bearer, `{eg_session}` as body. */
async function signOutByProduct(request: FastifyRequest, reply: FastifyReply, deps: SignOutDeps): Promise<FastifyReply> {
  const product = await deps.products.findByApiKey(bearerToken(request))
  if (!product) return deps.responses.json(reply, 401, { error: 'invalid_api_key' })
  const token = jsonObject(request)?.eg_session
  if (typeof token !== 'string' || token === '') return deps.responses.json(reply, 400, { error: 'eg_session ausente' })
  const audience = sessionAudience(product, deps.baseUrl)
  const session = await deps.checks.find([token], audience)
  if (session) await signOutSession(session.id, undefined, deps)
  else if (await deps.checks.isOurs([token], audience)) await awaitEarlierCommits(deps.storage)
  return deps.responses.json(reply, 200, { signed_out: session !== undefined })
}
