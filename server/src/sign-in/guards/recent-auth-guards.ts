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

/** Changes of how a user signs in, in an hour: whoever sets up every device they have needs fewer. */
const MAX_CHANGES = 30

/** For the browser's own bound session alone; a POST from our own pages alone. Anyone else goes to sign in, and comes back to this page. */
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
 * The same for what a stolen browser must not do: who has not authenticated within the last ten minutes does so first, by any of their
 * sign-in methods and the second factor, and comes back to the page. What they had typed is typed again.
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

/** Counts a change of how one signs in: each is told by mail, and the one mail that matters must not lie under hundreds of others. */
export function countChange<Deps extends GuardDeps>(step: Step<SignedInUser, Deps>): Step<SignedInUser, Deps> {
  return async (request, reply, owner, deps) => {
    const counter = { key: `change:${owner.user.id}`, most: MAX_CHANGES, windowMs: HOUR_MS }
    const { within, retryAfterSeconds } = await deps.limits.count(counter, deps.now())
    if (within) return step(request, reply, owner, deps)
    reply.header('retry-after', String(retryAfterSeconds))
    return deps.responses.refuse(request, reply, 429, 'muitas tentativas')
  }
}

/**
 * Sends a browser to sign in. It comes back `to` where it is told, which is the page that was asked for, or that of the form that was
 * posted.
 */
export function askToSignIn(
  request: FastifyRequest,
  reply: FastifyReply,
  { cookies, flows, responses }: Pick<GuardDeps, 'cookies' | 'flows' | 'responses'>,
  { to, because }: { to?: ReturnPage; because?: LoginNotice['kind'] } = {},
): FastifyReply {
  const { browser, setCookie } = cookies.browserOf(request.headers.cookie)
  reply.header('set-cookie', setCookie)
  const next = to ?? returnPageOf(request.url.split('?', 1)[0] ?? '', queryOf(request))
  const flow = newFlow(browser, { next, notice: because && { kind: because, provider: '' } })
  return responses.redirect(reply, ownHref('/login', { flow: flows.seal(flow) }))
}
