import type { FastifyReply, FastifyRequest } from 'fastify'
import { recordAudit } from '../../audit/index.ts'
import type { VerifiedIdentity } from '../../identity-providers/index.ts'
import { ownHref } from '../../pages/index.ts'
import { beginIdentitySignUp, type IdentityRefusal } from '../../users/index.ts'
import type { Flow } from '../flow/flow.ts'
import { countMail } from '../guards/count-guards.ts'
import { noteOutcome } from '../guards/outcome-guards.ts'
import { addressCounter, networkCounter } from '../sign-up/sign-up-form-routes.ts'
import { backToLogin } from './back-to-login-routes.ts'
import type { ProviderDeps } from './provider-deps.ts'

export async function answerRefusal(
  request: FastifyRequest,
  reply: FastifyReply,
  match: IdentityRefusal,
  { identity, provider, flow }: { identity: VerifiedIdentity; provider: string; flow: Flow },
  deps: ProviderDeps,
): Promise<FastifyReply> {
  const userId = match.refusal === 'disabled' ? match.userId : undefined
  noteOutcome(request, { result: `provider_${match.refusal}`, userId, provider }, deps)
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
    case 'no_account':
      return backToLogin(reply, flow, { notice: 'confirm_email', provider }, deps)
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
