import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { recordAudit } from '../../audit/index.ts'
import type { Metrics } from '../../http/index.ts'
import { clientAddress, formBody, networkOf, queryOf } from '../../http/index.ts'
import type { Discovery } from '../../identity-providers/index.ts'
import { beginRoundTrip, finishRoundTrip, providerStore, type VerifiedIdentity } from '../../identity-providers/index.ts'
import { MINUTE_MS } from '../../kit/index.ts'
import { ownHref } from '../../pages/index.ts'
import { endSessionsOfUser } from '../../sessions/index.ts'
import type { PasswordHasher } from '../../users/index.ts'
import {
  beginIdentitySignUp,
  type IdentityRefusal,
  mailLanguage,
  mintReportUrl,
  queueMail,
  resolveIdentity,
  type User,
} from '../../users/index.ts'
import { answerSignedIn } from '../flow/complete-sign-in.ts'
import type { Flow, LoginNotice } from '../flow/flow.ts'
import { openFlow } from '../flow/sign-in-attempt.ts'
import { refuseFlow } from '../guards/attempt-guards.ts'
import { countMail } from '../guards/form-guards.ts'
import type { CompleteSignInDeps } from '../guards/guard-deps.ts'
import { addressCounter, networkCounter } from '../sign-up/sign-up-routes.ts'
import { callbackPage } from './callback-page.ts'
import { callbackSchema, postedCallbackSchema, providerSchema } from './provider-schemas.ts'

export interface ProviderDeps extends CompleteSignInDeps {
  /** The one address to which identity providers redirect browsers back. */
  callbackUrl: string
  discovery: Discovery
  metrics: Metrics
  onFault: (error: unknown) => void
  passwords: PasswordHasher
}

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
    deps.metrics.signIns.inc({ result: `provider_${result.refusal}` })
    return backToLogin(reply, flow, { notice: `provider_${result.refusal}`, provider: result.provider.name }, deps)
  }
  return signInAs(request, reply, result.identity, flow, deps)
}

/**
 * An answer that another site's form posts (`response_mode=form_post`, Apple) comes without our cookies. A page of ours goes on to the same
 * address by GET, as other providers do at once: that request is our own, so the flow's cookie is there and decides. Nothing is read or
 * written here, and what stands beside the answer, as a user's name that nobody has signed, is left out.
 */
function passOn(request: FastifyRequest, reply: FastifyReply, deps: ProviderDeps): FastifyReply {
  const answer = Object.fromEntries(
    ANSWERED.flatMap((name) => {
      const values = formBody(request)?.getAll(name) ?? []
      return values.length === 1 ? [[name, values[0]?.slice(0, MAX_ANSWERED) ?? '']] : []
    }),
  )
  if (answer.state === undefined) return refuseFlow(request, reply, deps)
  const continueUrl = ownHref('/auth/callback', answer)
  reply.header('refresh', `0; url=${continueUrl}`)
  return deps.responses.page(reply, 200, callbackPage(deps.responses.pageContext(request, reply, ownHref('/login')), { continueUrl }))
}

const ANSWERED = ['state', 'code', 'iss', 'error', 'error_description'] as const
const MAX_ANSWERED = 2_000

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
    const found = await resolveIdentity(tx, identity, { announce, now })
    if ('how' in found && found.how === 'claimed') await endSessionsOfUser(tx, found.user.id, 'claimed', { announce, now })
    if ('how' in found) await mailOwner(tx, found, provider, deps)
    return found
  })
  deps.outbox.wake()
  if ('user' in match) {
    const { issuer, subject, saysSecondFactor } = identity
    const factor = { kind: 'identity', issuer, subject, saysSecondFactor } as const
    const answered = await answerSignedIn(request, reply, { user: match.user, factor, flow }, deps)
    deps.metrics.signIns.inc({ result: answered ? 'signed_in' : 'provider_failed' })
    return answered ?? backToLogin(reply, flow, { notice: 'provider_failed', provider }, deps)
  }
  return answerRefusal(request, reply, match, { identity, provider, flow }, deps)
}

async function answerRefusal(
  request: FastifyRequest,
  reply: FastifyReply,
  match: IdentityRefusal,
  { identity, provider, flow }: { identity: VerifiedIdentity; provider: string; flow: Flow },
  deps: ProviderDeps,
): Promise<FastifyReply> {
  deps.metrics.signIns.inc({ result: `provider_${match.refusal}` })
  const tooMany = await countMail(reply, countersOf(match, request), deps)
  if (tooMany) return deps.responses.refuse(request, reply, 429, 'muitas tentativas')
  switch (match.refusal) {
    case 'link_with_password': {
      const { providerId, issuer, subject } = identity
      return backToLogin(
        reply,
        { ...flow, pendingLink: { providerId, issuer, subject, email: match.email } },
        { notice: 'link_with_password', provider },
        deps,
      )
    }
    case 'confirm_address':
      return waitForMail(request, reply, identity, match.email, flow, deps)
    case 'no_address':
      return backToLogin(reply, flow, { notice: 'provider_gave_no_address', provider }, deps)
    case 'deletion_pending':
      return backToLogin(reply, flow, { notice: 'deletion_pending', provider }, deps)
    case 'disabled':
      // Not the provider's name for them, which the deletion of the account would leave here.
      await recordAudit(deps.storage.db, { actor: 'system', action: 'sign_in.refused_disabled', target: match.userId }, deps.now())
      return backToLogin(reply, flow, { notice: 'provider_failed', provider }, deps)
  }
}

/**
 * The provider does not verify its addresses, so anyone can claim any address there. The limits of the form apply: no address gets more
 * mails and codes than by the form, and no network can test many addresses for accounts.
 */
function countersOf(match: IdentityRefusal, request: FastifyRequest): ReturnType<typeof networkCounter>[] {
  if (match.refusal === 'link_with_password') return [networkCounter(request)]
  return match.refusal === 'confirm_address' ? [networkCounter(request), addressCounter(match.email)] : []
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

/** The provider does not verify its addresses: the user must confirm the mailbox. */
async function waitForMail(
  request: FastifyRequest,
  reply: FastifyReply,
  identity: VerifiedIdentity,
  email: string,
  flow: Flow,
  deps: ProviderDeps,
): Promise<FastifyReply> {
  const { language } = deps.responses.pageContext(request, reply)
  const { ticketId } = await beginIdentitySignUp(
    email,
    identity,
    { flow: deps.flows.sealForMail(flow), language, productId: flow.target?.productId },
    deps,
  )
  deps.outbox.wake()
  return deps.responses.redirect(
    reply,
    ownHref('/check-mail', { flow: deps.flows.sealForMail({ ...flow, pendingSignUp: { ticketId, email } }) }),
  )
}

/** The login page of the same flow, with a notice of what happened. */
function backToLogin(
  reply: FastifyReply,
  flow: Flow,
  { notice: kind, provider }: { notice: LoginNotice['kind']; provider: string },
  { responses, flows }: ProviderDeps,
): FastifyReply {
  return responses.redirect(reply, ownHref('/login', { flow: flows.seal({ ...flow, userId: undefined, notice: { kind, provider } }) }))
}
