import type { FastifyReply, FastifyRequest } from 'fastify'
import { ownHref } from '../../pages/index.ts'
import { askedFields, currentNda } from '../../users/index.ts'
import { pendingStep, requirementsOf, type SignInAttempt } from '../flow/sign-in-attempt.ts'
import { ndaPage } from './nda-page.ts'
import type { ProfileDeps } from './profile-deps.ts'
import { profilePage } from './profile-page.ts'

const NOTHING_WRONG = {}

/** The page of the next step, or a redirect onward when no step is left. */
export function answerStep(request: FastifyRequest, reply: FastifyReply, attempt: SignInAttempt, deps: ProfileDeps): FastifyReply {
  const step = pendingStep(attempt)
  if (step === 'done') return deps.responses.redirect(reply, ownHref('/auth/welcome', { flow: deps.flows.seal(attempt.flow) }))
  if (step === 'nda') return answerNda(request, reply, attempt, deps, 200)
  const { name, companyName, phone } = attempt.user
  return answerProfile(
    request,
    reply,
    attempt,
    { values: { fullName: name, companyName, phone }, errors: NOTHING_WRONG, status: 200 },
    deps,
  )
}

/** At a sign-in to Portaria itself no app waits for the data. */
export function canSkip({ target }: SignInAttempt): boolean {
  return target === undefined
}

type ProfileForm = Pick<Parameters<typeof profilePage>[1], 'values' | 'errors'> & { status: number }

export function answerProfile(
  request: FastifyRequest,
  reply: FastifyReply,
  attempt: SignInAttempt,
  { status, ...form }: ProfileForm,
  deps: ProfileDeps,
): FastifyReply {
  const flow = deps.flows.seal(attempt.flow)
  const context = deps.responses.pageContext(request, reply, ownHref('/complete-profile', { flow }))
  const steps = attempt.user.beta && attempt.user.beta.ndaAcceptedAt === undefined ? 2 : 1
  const requirements = requirementsOf(attempt.target)
  const { foreigners } = requirements
  const shown = { flow, ...form, asked: askedFields(attempt.user, requirements), foreigners, canSkip: canSkip(attempt), steps } as const
  return deps.responses.page(reply, status, profilePage(context, shown))
}

export function answerNda(
  request: FastifyRequest,
  reply: FastifyReply,
  attempt: SignInAttempt,
  deps: ProfileDeps,
  status: 200 | 400,
): FastifyReply {
  const flow = deps.flows.seal(attempt.flow)
  const context = deps.responses.pageContext(request, reply, ownHref('/complete-profile', { flow }))
  const { version, text } = currentNda
  const problem = status === 400 ? 'must_choose' : undefined
  return deps.responses.page(reply, status, ndaPage(context, { flow, version, text, textLanguage: 'pt-BR', problem, steps: 2 }))
}
