import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { recordAudit } from '../../audit/index.ts'
import { clientAddress } from '../../http/index.ts'
import { ownHref } from '../../pages/index.ts'
import type { Attempts } from '../../users/index.ts'
import { mailLanguage, mintReportUrl, queueMail, type User, verifySecondFactor } from '../../users/index.ts'
import { beginSession } from '../flow/complete-sign-in.ts'
import { deviceLabel } from '../flow/device.ts'
import type { Flow, ShownFirst } from '../flow/flow.ts'
import { FLOW_MS } from '../flow/sealed-flow.ts'
import { openFactor } from '../flow/shown-factor.ts'
import { refuseFlow } from '../guards/attempt-guards.ts'
import type { FlowForm } from '../guards/flow-guards.ts'
import { answerForm } from '../guards/form-guards.ts'
import type { CompleteSignInDeps } from '../guards/guard-deps.ts'
import { createGuards } from '../guards/guards.ts'
import { noteOutcome, type OutcomeDeps } from '../guards/outcome-guards.ts'
import { secondFactorPage } from './second-factor-page.ts'
import { secondFactorFormSchema, secondFactorSchema } from './second-factor-schemas.ts'

export interface SecondFactorDeps extends CompleteSignInDeps, OutcomeDeps {
  attempts: Attempts
}

/** The second step of every sign-in method, for users with a second factor. */
export function secondFactorRoutes(scope: FastifyInstance, deps: SecondFactorDeps): void {
  const { flowForm, flowPage } = createGuards(deps)
  scope.get('/second-factor', { schema: secondFactorFormSchema }, flowPage(show))
  scope.post('/second-factor', { schema: secondFactorSchema }, flowForm(check))
}

async function show(request: FastifyRequest, reply: FastifyReply, flow: Flow, deps: SecondFactorDeps): Promise<FastifyReply> {
  const user = await findPendingUser(flow, deps)
  return user ? answerPage(request, reply, { flow, user }, deps) : refuseFlow(request, reply, deps)
}

async function check(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, flow }: FlowForm,
  deps: SecondFactorDeps,
): Promise<FastifyReply> {
  const user = await findPendingUser(flow, deps)
  const shown = flow.secondFactor
  const factor = user && shown && openFactor(shown.factor, user)
  if (!user || !factor) return refuseFlow(request, reply, deps)
  const deviceCookie = deps.cookies.readDevice(request.headers.cookie)
  const attempt = { user, code: body.get('code') ?? '', address: clientAddress(request), deviceCookie }
  const verified = await verifySecondFactor(attempt, deps)
  if ('refusal' in verified) {
    noteOutcome(request, { result: verified.refusal, userId: user.id }, deps)
    if (verified.refusal === 'wrong_code') return answerPage(request, reply, { flow, user, problem: 'wrong_code' }, deps, 401)
    const { retryAfterSeconds } = verified
    reply.header('retry-after', String(retryAfterSeconds))
    return answerPage(request, reply, { flow, user, problem: 'too_many_attempts', retryAfterSeconds }, deps, 429)
  }
  if (verified.used === 'recovery_code') await mailRecoveryCodeUsed(request, user, verified.recoveryCodesLeft, deps)
  // Somebody else who comes back to this page in a shared browser, after its user has signed out, has passed no first factor.
  const answered = (await useUp(shown, deps)) && (await beginSession(request, reply, { user, factor, flow, factors: 'two' }, deps))
  noteOutcome(request, { result: answered ? 'second_factor' : 'attempt_over', userId: user.id }, deps)
  return answered ? reply : refuseFlow(request, reply, deps)
}

/** Uses a first factor up: of any number of calls with one, exactly one gets `true`. The factor expires with its counter. */
async function useUp({ id }: ShownFirst, { limits, now }: SecondFactorDeps): Promise<boolean> {
  return (await limits.count({ key: `first-factor:${id}`, most: 1, windowMs: FLOW_MS }, now())).within
}

/** A used recovery code may be in wrong hands, and the mail is the only warning. Ten codes are ten mails at most. */
async function mailRecoveryCodeUsed(request: FastifyRequest, user: User, left: number, deps: SecondFactorDeps): Promise<void> {
  const at = deps.now()
  const ip = clientAddress(request)
  const where = { name: user.name, when: at, device: await deviceLabel(request.headers['user-agent'] ?? ''), ip }
  await deps.storage.transaction(async (tx) => {
    const data = { ...where, left, reportUrl: await mintReportUrl(tx, user, deps) }
    await queueMail(tx, { to: user.email, kind: 'recovery_code_used', data, language: mailLanguage(user) }, { sealer: deps.sealer, at })
    await recordAudit(tx, { actor: `user:${user.id}`, action: 'user.recovery_code_used', target: user.id, after: { left }, ip }, at)
  })
  deps.outbox.wake()
}

/** The user who must show a second factor in this flow, while the account is enabled. */
async function findPendingUser({ secondFactor }: Flow, { users }: SecondFactorDeps): Promise<User | undefined> {
  const user = secondFactor && (await users.findById(secondFactor.userId))
  return user?.disabledAt === undefined ? user : undefined
}

interface Asked {
  flow: Flow
  user: User
  problem?: 'wrong_code' | 'too_many_attempts'
  retryAfterSeconds?: number
}

function answerPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { flow, user, problem, retryAfterSeconds }: Asked,
  deps: SecondFactorDeps,
  status = 200,
): FastifyReply {
  const sealed = deps.flows.seal(flow)
  const anew = deps.flows.seal({ ...flow, secondFactor: undefined, pendingLink: undefined })
  const context = deps.responses.pageContext(request, reply, ownHref('/second-factor', { flow: sealed }))
  const shown = { flow: sealed, email: user.email, loginUrl: ownHref('/login', { flow: anew }), problem, retryAfterSeconds }
  return answerForm(request, reply, { status, page: secondFactorPage(context, shown), problem }, deps)
}
