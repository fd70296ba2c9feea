import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { clientAddress, networkOf, queryOf } from '../../http/index.ts'
import { beginRoundTrip, finishRoundTrip, providerStore, type VerifiedIdentity } from '../../identity-providers/index.ts'
import { MINUTE_MS } from '../../kit/index.ts'
import { endSessionsOfUser } from '../../sessions/index.ts'
import { mailLanguage, mintReportUrl, queueMail, resolveIdentity, type User } from '../../users/index.ts'
import { answerSignedIn } from '../flow/complete-sign-in.ts'
import type { Flow } from '../flow/flow.ts'
import { confirmsAddress } from '../flow/return-page.ts'
import { openFlow } from '../flow/sign-in-attempt.ts'
import { refuseFlow } from '../guards/attempt-guards.ts'
import { noteOutcome } from '../guards/outcome-guards.ts'
import { backToLogin } from './back-to-login-routes.ts'
import { passOn } from './pass-on-routes.ts'
import type { ProviderDeps } from './provider-deps.ts'
import { callbackSchema, postedCallbackSchema, providerSchema } from './provider-schemas.ts'
import { answerRefusal } from './refused-identity-routes.ts'

/** Round trips that a network begins in 15 minutes: each is a row, and a whole office may sign in at once. */
const MAX_ROUND_TRIPS = 300

/** Sign-in by a provider. It starts with GET, since a form-action policy would stop the redirect of a POST. */
export function providerRoutes(scope: FastifyInstance, deps: ProviderDeps): void {
  scope.get<{ Params: { id: string } }>('/auth/provider/:id', { schema: providerSchema, exposeHeadRoute: false }, (request, reply) =>
    begin(request, reply, request.params.id, deps),
  )
  scope.get('/auth/callback', { schema: callbackSchema, exposeHeadRoute: false }, (request, reply) => finish(request, reply, deps))
  scope.post('/auth/callback', { schema: postedCallbackSchema }, (request, reply) => passOn(request, reply, deps))
}

async function begin(request: FastifyRequest, reply: FastifyReply, id: string, deps: ProviderDeps): Promise<FastifyReply> {
  const flow = openFlow(queryOf(request).get('flow'), request.headers.cookie, deps)
  if (!flow) return refuseFlow(request, reply, deps)
  const begun = { key: `provider:network:${networkOf(clientAddress(request))}`, most: MAX_ROUND_TRIPS, windowMs: 15 * MINUTE_MS }
  const { within, retryAfterSeconds } = await deps.limits.count(begun, deps.now())
  if (!within) {
    reply.header('retry-after', String(retryAfterSeconds))
    return deps.responses.refuse(request, reply, 429, 'muitas tentativas')
  }
  // PostgreSQL takes no NUL in a text, and no id has one.
  const provider = id.includes('\0') ? undefined : await providerStore(deps.storage.db).findById(id)
  if (!provider) return deps.responses.refuse(request, reply, 404, 'Recurso nao encontrado')
  const fresh = { ...flow, userId: undefined, pendingLink: undefined, secondFactor: undefined }
  try {
    const address = await beginRoundTrip(provider, { flow: deps.flows.seal(fresh), anew: fresh.authenticatesAnew }, deps)
    return deps.responses.redirect(reply, address.href)
  } catch (fault) {
    deps.onFault(fault)
    noteOutcome(request, { result: 'provider_unreachable', provider: provider.name }, deps)
    return backToLogin(reply, fresh, { notice: 'provider_unreachable', provider: provider.name }, deps)
  }
}

/** `GET /auth/callback`: whatever the provider answers, the user lands in a flow of this browser or on a page that says what to do. */
async function finish(request: FastifyRequest, reply: FastifyReply, deps: ProviderDeps): Promise<FastifyReply> {
  const result = await finishRoundTrip(queryOf(request), deps)
  if ('refusal' in result && result.refusal === 'no_attempt') return refuseFlow(request, reply, deps)
  const flow = openFlow(result.flow, request.headers.cookie, deps)
  request.pageProduct = flow?.target?.productId
  if (!flow) return refuseFlow(request, reply, deps)
  if ('refusal' in result) {
    if (result.refusal !== 'denied') deps.onFault(result.fault)
    noteOutcome(request, { result: `provider_${result.refusal}`, provider: result.provider.name }, deps)
    return backToLogin(reply, flow, { notice: `provider_${result.refusal}`, provider: result.provider.name }, deps)
  }
  return signInAs(request, reply, result.identity, flow, deps)
}

async function signInAs(
  request: FastifyRequest,
  reply: FastifyReply,
  identity: VerifiedIdentity,
  flow: Flow,
  deps: ProviderDeps,
): Promise<FastifyReply> {
  const { changes, now, storage } = deps
  const provider = (await providerStore(storage.db).findById(identity.providerId))?.name ?? identity.providerId
  const match = await changes.transaction(async (tx, announce) => {
    const found = await resolveIdentity(tx, identity, { announce, now, hasAccount: confirmsAddress(flow) })
    if ('how' in found && found.how === 'claimed') await endSessionsOfUser(tx, found.user.id, 'claimed', { announce, now })
    if ('how' in found) await mailOwner(tx, found, provider, deps)
    return found
  })
  deps.outbox.wake()
  if ('user' in match) {
    const { issuer, subject, saysSecondFactor } = identity
    const factor = { kind: 'identity', issuer, subject, saysSecondFactor } as const
    const answered = await answerSignedIn(request, reply, { user: match.user, factor, flow }, deps)
    noteOutcome(request, { result: answered || 'provider_failed', userId: match.user.id, provider }, deps)
    return answered ? reply : backToLogin(reply, flow, { notice: 'provider_failed', provider }, deps)
  }
  return answerRefusal(request, reply, match, { identity, provider, flow }, deps)
}

/** Mails the account's owner about a new sign-in method. The owner of a new account gets no mail. */
async function mailOwner(
  tx: Parameters<typeof queueMail>[0],
  { user, how }: { user: User; how: 'known' | 'created' | 'linked' | 'claimed' },
  provider: string,
  deps: ProviderDeps,
): Promise<void> {
  const mail = { to: user.email, language: mailLanguage(user) }
  const seal = { sealer: deps.sealer, at: deps.now() }
  if (how === 'claimed') await queueMail(tx, { ...mail, kind: 'account_claimed', data: { name: user.name, provider } }, seal)
  if (how === 'linked') {
    const data = { name: user.name, provider, reportUrl: await mintReportUrl(tx, user, deps) }
    await queueMail(tx, { ...mail, kind: 'identity_linked', data }, seal)
  }
}
