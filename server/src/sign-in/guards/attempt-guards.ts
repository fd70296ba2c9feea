import type { FastifyReply, FastifyRequest } from 'fastify'
import { queryOf } from '../../http/index.ts'
import { ownHref } from '../../pages/index.ts'
import { badFlowPage, otherUserPage } from '../flow/flow-pages.ts'
import { type AttemptRefusal, pendingStep, resumeAttempt, type SignInAttempt } from '../flow/sign-in-attempt.ts'
import type { GuardDeps, Step } from './guard-deps.ts'

/**
 * Continues the sign-in attempt of the address, for its flow's browser and user only; with `complete` only once the profile is complete.
 */
export async function requireAttempt<Deps extends GuardDeps>(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: Deps,
  profile: 'complete' | 'any',
  step: Step<SignInAttempt, Deps>,
): Promise<FastifyReply> {
  const attempt = await resumeAttempt(queryOf(request).get('flow'), request.headers.cookie, deps)
  if ('refusal' in attempt) return refuseAttempt(request, reply, attempt, deps)
  // During an impersonation the administrator has nothing to fill in.
  if (profile === 'any' || attempt.session.impersonation || pendingStep(attempt) === 'done') return step(request, reply, attempt, deps)
  return deps.responses.redirect(reply, ownHref('/complete-profile', { flow: deps.flows.seal(attempt.flow) }))
}

export function refuseAttempt(request: FastifyRequest, reply: FastifyReply, refused: AttemptRefusal, deps: GuardDeps): FastifyReply {
  return refused.refusal === 'bad_flow' ? refuseFlow(request, reply, deps) : answerOtherUser(request, reply, refused, deps)
}

/** The flow expired, was altered, or belongs to another browser or user: nothing can continue. */
export function refuseFlow(request: FastifyRequest, reply: FastifyReply, { responses }: Pick<GuardDeps, 'responses'>): FastifyReply {
  if (!request.headers.accept?.includes('text/html')) return responses.json(reply, 400, { error: 'fluxo invalido ou expirado' })
  return responses.page(reply, 400, badFlowPage(responses.pageContext(request, reply, '/login')))
}

/** Another user has signed in in this browser since the flow began: the user at the screen decides which account continues. */
function answerOtherUser(
  request: FastifyRequest,
  reply: FastifyReply,
  { flow, user }: Extract<AttemptRefusal, { refusal: 'other_user' }>,
  deps: GuardDeps,
): FastifyReply {
  const asThem = deps.flows.seal({ ...flow, userId: user.id, sharingShown: undefined, nativeShown: false })
  const anew = deps.flows.seal({ ...flow, userId: undefined, sharingShown: undefined, nativeShown: false })
  const page = otherUserPage(deps.responses.pageContext(request, reply), {
    signedInAs: { name: user.name, email: user.email },
    continueUrl: ownHref('/auth/continue', { flow: asThem }),
    signInAgainUrl: ownHref('/login', { flow: anew }),
  })
  return deps.responses.page(reply, 200, page)
}
