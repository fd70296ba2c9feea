import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { clientAddress, wantsPage } from '../../http/index.ts'
import type { Attempts } from '../../users/index.ts'
import { beginPasskeySignIn, type PasskeyRefusal, verifyPasskey } from '../../users/index.ts'
import { answerSignedIn } from '../flow/complete-sign-in.ts'
import { findFlowTarget } from '../flow/sign-in-attempt.ts'
import { refuseFlow } from '../guards/attempt-guards.ts'
import { countPasskeyWork } from '../guards/count-guards.ts'
import type { FlowForm } from '../guards/flow-guards.ts'
import type { CompleteSignInDeps } from '../guards/guard-deps.ts'
import { createGuards } from '../guards/guards.ts'
import { noteOutcome, type OutcomeDeps } from '../guards/outcome-guards.ts'
import { answerLogin } from './login-form-routes.ts'
import { passkeySignInOptionsSchema, passkeySignInSchema } from './passkey-sign-in-schemas.ts'

export interface PasskeySignInDeps extends CompleteSignInDeps, OutcomeDeps {
  attempts: Attempts
}

/** The same answers as for a password, so that nobody learns which passkeys exist. */
const wire = {
  wrong_passkey: { status: 401, error: 'credenciais invalidas' },
  deletion_pending: { status: 403, error: 'conta em exclusao' },
  too_many_attempts: { status: 429, error: 'muitas tentativas' },
} as const satisfies Record<PasskeyRefusal['refusal'], { status: number; error: string }>

/** Signing in with a passkey, which is both factors: by the button of the login page or by the browser's autofill. */
export function passkeySignInRoutes(scope: FastifyInstance, deps: PasskeySignInDeps): void {
  const { flowForm } = createGuards(deps)
  scope.post('/passkeys/sign-in/options', { schema: passkeySignInOptionsSchema }, flowForm(begin))
  scope.post('/passkeys/sign-in', { schema: passkeySignInSchema }, flowForm(signIn))
}

async function begin(request: FastifyRequest, reply: FastifyReply, { flow }: FlowForm, deps: PasskeySignInDeps): Promise<FastifyReply> {
  const tooMany = await countPasskeyWork(request, reply, 'sign_in', deps)
  if (tooMany) return deps.responses.json(reply, 429, { error: wire.too_many_attempts.error })
  return deps.responses.json(reply, 200, await beginPasskeySignIn(flow.browser, deps))
}

async function signIn(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, flow }: FlowForm,
  deps: PasskeySignInDeps,
): Promise<FastifyReply> {
  const target = await findFlowTarget(flow, deps)
  if (target === 'gone') return refuseFlow(request, reply, deps)
  const refuse = (refusal: PasskeyRefusal): Promise<FastifyReply> | FastifyReply => {
    noteOutcome(request, { result: refusal.refusal, userId: refusal.userId }, deps)
    const { status, error } = wire[refusal.refusal]
    const retryAfter = refusal.refusal === 'too_many_attempts' ? { retryAfterSeconds: refusal.retryAfterSeconds } : {}
    if (refusal.refusal === 'too_many_attempts') reply.header('retry-after', String(refusal.retryAfterSeconds))
    if (!wantsPage(request)) return deps.responses.json(reply, status, { error })
    return answerLogin(request, reply, { flow, target, problem: refusal.refusal, ...retryAfter }, deps, status)
  }
  const deviceCookie = deps.cookies.readDevice(request.headers.cookie)
  const attempt = { credential: body.get('credential') ?? '', browser: flow.browser, address: clientAddress(request), deviceCookie }
  const verified = await verifyPasskey(attempt, deps)
  if ('refusal' in verified) return refuse(verified)
  const factor = { kind: 'passkey', credentialId: verified.credentialId } as const
  if (!(await answerSignedIn(request, reply, { user: verified.user, factor, flow }, deps)))
    return refuse({ refusal: 'wrong_passkey', userId: verified.user.id })
  noteOutcome(request, { result: 'passkey' }, deps)
  return reply
}
