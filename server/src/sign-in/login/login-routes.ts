import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { clientAddress, formBody, originOf, wantsPage } from '../../http/index.ts'
import type { AuthenticationRefusal } from '../../users/index.ts'
import { answerSignedIn } from '../flow/complete-sign-in.ts'
import { findFlowTarget, openFlow } from '../flow/sign-in-attempt.ts'
import { refuseFlow } from '../guards/attempt-guards.ts'
import { noteOutcome } from '../guards/outcome-guards.ts'
import type { LoginDeps } from './login-deps.ts'
import { answerLogin, type Form, showLogin } from './login-form-routes.ts'
import { formSchema, signInSchema, startSchema } from './login-schemas.ts'
import { startLogin } from './start-login-routes.ts'

const wire = {
  wrong_credentials: { status: 401, error: 'credenciais invalidas' },
  too_many_attempts: { status: 429, error: 'muitas tentativas' },
  deletion_pending: { status: 403, error: 'conta em exclusao' },
  busy: { status: 503, error: 'muitas entradas ao mesmo tempo, tente novamente' },
} as const satisfies Record<AuthenticationRefusal['refusal'], { status: number; error: string }>

export function loginRoutes(scope: FastifyInstance, deps: LoginDeps): void {
  scope.get('/auth/login', { schema: startSchema }, (request, reply) => startLogin(request, reply, deps))
  scope.get('/login', { schema: formSchema }, (request, reply) => showLogin(request, reply, deps))
  scope.post('/login', { schema: signInSchema }, (request, reply) => signIn(request, reply, deps))
}

/** `POST /login`: the form comes back with its errors, or the browser goes on to the profile or the splash. */
async function signIn(request: FastifyRequest, reply: FastifyReply, deps: LoginDeps): Promise<FastifyReply> {
  if (originOf(request, deps.baseUrl) === 'foreign') return deps.responses.refuse(request, reply, 403, 'origem nao permitida')
  const body = formBody(request)
  const flow = openFlow(body?.get('flow'), request.headers.cookie, deps)
  const target = flow && (await findFlowTarget(flow, deps))
  if (!body || !flow || target === 'gone') return refuseFlow(request, reply, deps)
  const email = (body.get('email') ?? '').trim()
  const password = body.get('password') ?? ''
  const again = (status: number, error: string, form: Pick<Form, 'problem' | 'retryAfterSeconds'>) =>
    wantsPage(request)
      ? answerLogin(request, reply, { flow, target, email, ...form }, deps, status)
      : deps.responses.json(reply, status, { error })
  if (email === '' || password === '') return again(400, 'email ou senha ausente', { problem: 'missing_fields' })

  const { cookie } = request.headers
  const address = clientAddress(request)
  const factor = await deps.authenticate({ email, password, address, deviceCookie: deps.cookies.readDevice(cookie) })
  if ('refusal' in factor) {
    noteOutcome(request, { result: factor.refusal, userId: factor.userId }, deps)
    const { status, error } = wire[factor.refusal]
    if (factor.refusal !== 'too_many_attempts') return again(status, error, { problem: factor.refusal })
    reply.header('retry-after', String(factor.retryAfterSeconds))
    return again(status, error, { problem: factor.refusal, retryAfterSeconds: factor.retryAfterSeconds })
  }
  const shown = { kind: 'password', passwordHash: factor.user.passwordHash ?? '' } as const
  const answered = await answerSignedIn(request, reply, { user: factor.user, factor: shown, flow }, deps)
  noteOutcome(request, { result: answered || 'wrong_credentials', userId: factor.user.id }, deps)
  if (answered) return reply
  return again(401, wire.wrong_credentials.error, { problem: 'wrong_credentials' })
}
