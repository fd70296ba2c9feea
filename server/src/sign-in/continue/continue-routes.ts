import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { recordAudit } from '../../audit/index.ts'
import type { ChangeFeed } from '../../changes/index.ts'
import { appendage, mintHandoff, withParameters } from '../../handoff/index.ts'
import { clientAddress, isBehindTheBack } from '../../http/index.ts'
import { MINUTE_MS } from '../../kit/index.ts'
import { ownHref } from '../../pages/index.ts'
import type { Product, RedirectTarget } from '../../products/index.ts'
import { type Impersonator, type LiveSession, mintSessionToken, recordHandover, type Tokens } from '../../sessions/index.ts'
import { consentStore, openedAppStore } from '../../users/index.ts'
import { findBoundSession, type SignInAttempt } from '../flow/sign-in-attempt.ts'
import type { GuardDeps } from '../guards/guard-deps.ts'
import { createGuards } from '../guards/guards.ts'
import { refuseWhileImpersonating } from '../impersonation/impersonation-routes.ts'
import { continueSchema, homeSchema, welcomeSchema } from '../login/login-schemas.ts'
import { isFirstSharing, isSharingShown, sharingOf } from './sharing.ts'
import { welcomePage } from './welcome-page.ts'

export interface ContinueDeps extends GuardDeps {
  changes: ChangeFeed
  tokens: Tokens
  cookieDomain: string | undefined
}

/** The contract's splash. */
const SPLASH_SECONDS = 4
/** Handoffs of a user to a product in 15 minutes: each one that is redeemed is a session of thirty days. */
const MAX_HANDOFFS = 60

export function continueRoutes(scope: FastifyInstance, deps: ContinueDeps): void {
  const { requireAttempt } = createGuards(deps)
  scope.get('/auth/welcome', { schema: welcomeSchema }, requireAttempt('complete', welcome))
  scope.get('/auth/continue', { schema: continueSchema }, requireAttempt('complete', goOn))
  scope.get('/', { schema: homeSchema }, async (request, reply) => {
    const session = await findBoundSession(request.headers.cookie, deps)
    return deps.responses.redirect(reply, ownHref(session ? '/account' : '/login'))
  })
}

async function welcome(request: FastifyRequest, reply: FastifyReply, attempt: SignInAttempt, deps: ContinueDeps): Promise<FastifyReply> {
  const { flow, user, target } = attempt
  const asksToShare = target !== undefined && (await isFirstSharing(attempt, target, deps))
  const continueUrl = ownHref('/auth/continue', {
    flow: deps.flows.seal({ ...flow, sharingShown: asksToShare ? target.product.scopes : undefined }),
  })
  const sharing = asksToShare ? sharingOf(target) : undefined
  const context = deps.responses.pageContext(request, reply)
  // No refresh where data would go to another company: a page in the background must not consent. The splash follows the click.
  const refreshes = !asksToShare
  if (refreshes) reply.header('refresh', `${SPLASH_SECONDS}; url=${continueUrl}`)
  const shown = { name: user.name, productName: target?.product.name, continueUrl, refreshes, sharing }
  return deps.responses.page(reply, 200, welcomePage(context, shown))
}

/** `/auth/continue`: the only place where a token leaves. It is minted on demand, so that a handoff's minute starts here. */
async function goOn(request: FastifyRequest, reply: FastifyReply, attempt: SignInAttempt, deps: ContinueDeps): Promise<FastifyReply> {
  const { flow, session, target } = attempt
  if (!target) return deps.responses.redirect(reply, ownHref(flow.next?.page ?? '/account', flow.next?.query))
  if (flow.openid) return goOnToClient(request, reply, { ...attempt, target }, deps)
  const hasApiKey = await deps.products.hasLiveApiKey(target.product.id)
  const kind = appendage(target, { namedByKey: flow.namedByKey, hasApiKey, cookieDomain: deps.cookieDomain, baseUrl: deps.baseUrl })
  if (session.impersonation && (target.product.audience === 'external' || kind === 'eg_token'))
    return refuseWhileImpersonating(request, reply, deps)
  if (await isFirstSharing(attempt, target, deps)) {
    if (!isClicked(request, attempt, target, deps))
      return deps.responses.redirect(reply, ownHref('/auth/welcome', { flow: deps.flows.seal(flow) }))
    await recordSharing(request, attempt, target.product, deps)
    // The click is done, and the contract's splash comes before an app.
    return deps.responses.redirect(reply, ownHref('/auth/welcome', { flow: deps.flows.seal({ ...flow, sharingShown: undefined }) }))
  }
  if (kind === 'eg_token' && (await tooManyHandoffs(reply, attempt, target.product, deps)))
    return deps.responses.refuse(request, reply, 429, 'muitas tentativas')
  if (session.impersonation) await recordImpersonatedHandoff(request, session, session.impersonation, target.product, deps)
  else await openedAppStore(deps.storage.db).note(attempt.user.id, target.product.id, deps.now())
  if (kind === 'eg_session') await recordHandover({ sessionId: session.id, product: target.product }, deps)
  const token =
    kind === 'eg_session'
      ? { eg_session: await mintSessionToken(session, { tokens: deps.tokens, issuer: deps.baseUrl }) }
      : kind === 'eg_token'
        ? { eg_token: await mintHandoff(session, target.product.id, deps) }
        : {}
  return deps.responses.redirect(reply, withParameters(target, { ...token, state: flow.state }))
}

/** Counts a handoff before it is minted. Answers whether there were too many, with `Retry-After` set. */
async function tooManyHandoffs(
  reply: FastifyReply,
  { user }: SignInAttempt,
  { id }: Product,
  { limits, now }: ContinueDeps,
): Promise<boolean> {
  const { within, retryAfterSeconds } = await limits.count(
    { key: `handoff:${user.id}:${id}`, most: MAX_HANDOFFS, windowMs: 15 * MINUTE_MS },
    now(),
  )
  if (!within) reply.header('retry-after', String(retryAfterSeconds))
  return !within
}

/** Back to the authorization request, which answers the client. It asks again for all that stands before an answer. */
async function goOnToClient(
  request: FastifyRequest,
  reply: FastifyReply,
  attempt: SignInAttempt & { target: RedirectTarget },
  deps: ContinueDeps,
): Promise<FastifyReply> {
  const sealed = deps.flows.seal(attempt.flow)
  if (attempt.session.impersonation) return refuseWhileImpersonating(request, reply, deps)
  if (await isFirstSharing(attempt, attempt.target, deps)) {
    if (!isClicked(request, attempt, attempt.target, deps))
      return deps.responses.redirect(reply, ownHref('/auth/welcome', { flow: sealed }))
    await recordSharing(request, attempt, attempt.target.product, deps)
  }
  return deps.responses.redirect(reply, ownHref('/openid/authorize', { resume: sealed }))
}

/** Whether the user has seen which data are shared, and has gone on from there. A request that a browser makes by itself is no consent. */
function isClicked(request: FastifyRequest, { flow }: SignInAttempt, { product }: RedirectTarget, { baseUrl }: ContinueDeps): boolean {
  return isSharingShown(flow, product) && !isBehindTheBack(request, baseUrl)
}

async function recordSharing(
  request: FastifyRequest,
  { user }: SignInAttempt,
  product: Product,
  { changes, now }: ContinueDeps,
): Promise<void> {
  const seen = { ip: clientAddress(request), userAgent: (request.headers['user-agent'] ?? '').slice(0, 400) }
  const consent = { userId: user.id, productId: product.id, scopes: product.scopes.join(' '), ...seen }
  await changes.transaction(async (tx, announce) => {
    await consentStore(tx).putConsent(consent, now())
    // The product may have sessions of this user already, which show more from now on.
    announce({ kind: 'user_changed', subject: user.id })
  })
}

/** An impersonation that goes on to an app is audited, with both users. */
async function recordImpersonatedHandoff(
  request: FastifyRequest,
  { id, userId }: LiveSession,
  { userId: administratorId }: Impersonator,
  { slug }: Product,
  { storage, now }: ContinueDeps,
): Promise<void> {
  const entry = {
    actor: `user:${administratorId}`,
    action: 'user.impersonated_handoff',
    target: userId,
    after: { session: id, product: slug },
  }
  await recordAudit(storage.db, { ...entry, ip: clientAddress(request) }, now())
}
