import type { FastifyReply, FastifyRequest } from 'fastify'
import { ownHref } from '../http/index.ts'
import { type AccountPage, newFlow } from './flow.ts'
import type { SignInDeps } from './routes.ts'
import { refuseForeign } from './state-change-routes.ts'
import { isFresh, type Owner } from './step-up.ts'
import { findBoundSession } from './visit.ts'

export type OwnerStep = (request: FastifyRequest, reply: FastifyReply, owner: Owner, deps: SignInDeps) => Promise<FastifyReply>

/** For the browser's own bound session alone; a POST from our own pages alone. Anyone else goes to sign in. */
export async function withOwner(request: FastifyRequest, reply: FastifyReply, deps: SignInDeps, step: OwnerStep): Promise<FastifyReply> {
  const refused = request.method === 'POST' ? refuseForeign(request, reply, deps) : undefined
  if (refused) return refused
  const session = await findBoundSession(request.headers.cookie, deps)
  const account = session && (await deps.accounts.findById(session.userId))
  return session && account ? step(request, reply, { account, session }, deps) : deps.answers.redirect(reply, ownHref('/login'))
}

/**
 * The same for what a stolen browser must not do: who has not proven within the last ten minutes who they are does so first, by any of their ways in and the second factor,
 * and comes back to `page`. What they had typed is typed again.
 */
export function withFreshOwner(
  request: FastifyRequest,
  reply: FastifyReply,
  page: AccountPage,
  deps: SignInDeps,
  step: OwnerStep,
): Promise<FastifyReply> {
  return withOwner(request, reply, deps, async (_request, _reply, owner) => {
    if (await isFresh(owner.session, deps)) return step(request, reply, owner, deps)
    const { browser, setCookie } = deps.cookies.browserOf(request.headers.cookie)
    reply.header('set-cookie', setCookie)
    const flow = newFlow(browser, { next: page, notice: { kind: 'prove_again', provider: '' } })
    return deps.answers.redirect(reply, ownHref('/login', { flow: deps.flows.seal(flow) }))
  })
}
