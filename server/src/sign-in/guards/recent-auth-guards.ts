import type { FastifyReply, FastifyRequest } from 'fastify'
import { queryOf } from '../../http/index.ts'
import { HOUR_MS } from '../../kit/index.ts'
import { ownHref } from '../../pages/index.ts'
import { type LoginNotice, newFlow } from '../flow/flow.ts'
import { hasRecentAuth, recentAuthNotice, type SignedInUser } from '../flow/recent-auth.ts'
import { type ReturnPage, returnPageOf } from '../flow/return-page.ts'
import { findBoundSession } from '../flow/sign-in-attempt.ts'
import { refuseUnlessOwn } from './form-guards.ts'
import type { GuardDeps, Step } from './guard-deps.ts'

/** Changes of sign-in methods in an hour: a user who sets up all their devices needs fewer. */
const MAX_CHANGES = 30

/** For the browser's own bound session only; a POST from our own pages only. All others go to sign in, and come back to this page. */
export async function requireUser<Deps extends GuardDeps>(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: Deps,
  step: Step<SignedInUser, Deps>,
): Promise<FastifyReply> {
  const refused = request.method === 'POST' ? refuseUnlessOwn(request, reply, deps) : undefined
  if (refused) return refused
  const session = await findBoundSession(request.headers.cookie, deps)
  const user = session && (await deps.users.findById(session.userId))
  return session && user ? step(request, reply, { user, session }, deps) : askToSignIn(request, reply, deps)
}

/**
 * The same for actions that a stolen browser must not do. A user who has not authenticated within the last ten minutes does so first, with
 * the second factor, and comes back to the page. Typed values are lost.
 */
export function requireRecentAuth<Deps extends GuardDeps>(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: Deps,
  step: Step<SignedInUser, Deps>,
): Promise<FastifyReply> {
  return requireUser(request, reply, deps, async (_request, _reply, owner) =>
    (await hasRecentAuth(owner, deps))
      ? step(request, reply, owner, deps)
      : askToSignIn(request, reply, deps, { because: await recentAuthNotice(owner.user, deps.storage) }),
  )
}

/** Counts a change of sign-in methods. Each sends a mail, and the one important mail must not lie under hundreds of others. */
export function countChange<Deps extends GuardDeps>(step: Step<SignedInUser, Deps>): Step<SignedInUser, Deps> {
  return async (request, reply, owner, deps) => {
    const counter = { key: `change:${owner.user.id}`, most: MAX_CHANGES, windowMs: HOUR_MS }
    const { within, retryAfterSeconds } = await deps.limits.count(counter, deps.now())
    if (within) return step(request, reply, owner, deps)
    reply.header('retry-after', String(retryAfterSeconds))
    return deps.responses.refuse(request, reply, 429, 'muitas tentativas')
  }
}

/** Sends a browser to sign in. It comes back to `to`, or else to the requested page or the page of the posted form. */
export function askToSignIn(
  request: FastifyRequest,
  reply: FastifyReply,
  { cookies, flows, responses }: Pick<GuardDeps, 'cookies' | 'flows' | 'responses'>,
  { to, because }: { to?: ReturnPage; because?: LoginNotice['kind'] } = {},
): FastifyReply {
  const { browser, setCookie } = cookies.browserOf(request.headers.cookie)
  reply.header('set-cookie', setCookie)
  const next = to ?? returnPageOf(request.url.split('?', 1)[0] ?? '', queryOf(request))
  const flow = newFlow(browser, { next, authenticatesAnew: because !== undefined, notice: because && { kind: because, provider: '' } })
  return responses.redirect(reply, ownHref('/login', { flow: flows.seal(flow) }))
}
