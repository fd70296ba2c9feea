import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Metrics } from '../../http/index.ts'
import { clientAddress, formBody, originOf, queryOf, wantsPage } from '../../http/index.ts'
import { markOf, providerStore } from '../../identity-providers/index.ts'
import { parseKeyKind } from '../../kit/index.ts'
import { createPagesByFlow, ownHref } from '../../pages/index.ts'
import { type RedirectTarget, reportLeakedKey } from '../../products/index.ts'
import type { Authentication, AuthenticationRefusal } from '../../users/index.ts'
import { answerSignedIn } from '../flow/complete-sign-in.ts'
import { type Flow, newFlow } from '../flow/flow.ts'
import { findBoundSession, findFlowTarget, openFlow } from '../flow/sign-in-attempt.ts'
import { refuseFlow } from '../guards/attempt-guards.ts'
import type { CompleteSignInDeps, GuardDeps } from '../guards/guard-deps.ts'
import { type LoginProblem, loginPage } from './login-page.ts'
import { type LoginRequest, type LoginRequestRefusal, parseLoginRequest } from './login-request.ts'
import { formSchema, signInSchema, startSchema } from './login-schemas.ts'
import { refusedStartPage } from './refused-start-page.ts'

export interface LoginDeps extends CompleteSignInDeps {
  authenticate: Authentication
  metrics: Metrics
}

/** As long as an address may be (RFC 5321 §4.5.3.1). */
const MAX_HINT = 254

type Refused = LoginRequestRefusal | 'target_unregistered' | 'uri_unregistered' | 'key_invalid'

const messages = {
  target_missing: 'redirect_to ausente',
  parameters_invalid: 'parametros invalidos',
  state_invalid: 'state invalido',
  target_unregistered: 'redirect_to nao autorizado',
  uri_unregistered: 'redirect_uri nao autorizado',
  key_invalid: 'api_key invalida',
} as const satisfies Record<Refused, string>

const wire = {
  wrong_credentials: { status: 401, error: 'credenciais invalidas' },
  too_many_attempts: { status: 429, error: 'muitas tentativas' },
  deletion_pending: { status: 403, error: 'conta em exclusao' },
  busy: { status: 503, error: 'muitas entradas ao mesmo tempo, tente novamente' },
} as const satisfies Record<AuthenticationRefusal['refusal'], { status: number; error: string }>

export function loginRoutes(scope: FastifyInstance, deps: LoginDeps): void {
  scope.get('/auth/login', { schema: startSchema }, (request, reply) => startLogin(request, reply, deps))
  scope.get('/login', { schema: formSchema }, (request, reply) => showForm(request, reply, deps))
  scope.post('/login', { schema: signInSchema }, (request, reply) => signIn(request, reply, deps))
}

/** `GET /auth/login`, both variants. Refusals are 400 and never a redirect. */
async function startLogin(request: FastifyRequest, reply: FastifyReply, deps: LoginDeps): Promise<FastifyReply> {
  const parsed = parseLoginRequest(queryOf(request))
  if (typeof parsed === 'string') return refuseStart(request, reply, parsed, deps)
  const target = await findLoginTarget(request, parsed, deps)
  if (typeof target === 'string') return refuseStart(request, reply, target, deps)
  const { browser, setCookie } = deps.cookies.browserOf(request.headers.cookie)
  const flow = newFlow(browser, {
    target: { uri: target.uri, productId: target.product.id, kind: 'redirect_uri' },
    state: parsed.state,
    namedByKey: parsed.publishableKey !== undefined,
  })
  reply.header('set-cookie', setCookie)
  if (parsed.variant === 2) {
    reply.header('set-cookie', deps.cookies.pending('pending_redirect_uri', parsed.target))
    reply.header('set-cookie', deps.cookies.pending('pending_state', parsed.state))
  }
  const session = parsed.forcesLogin ? undefined : await findBoundSession(request.headers.cookie, deps)
  if (session) {
    // Signed in already: nothing to type, no splash. A declined NDA is asked again only at a sign-in, and this is none.
    const silent = deps.flows.seal({ ...flow, userId: session.userId, ndaDeclined: true })
    return deps.responses.redirect(reply, ownHref('/auth/continue', { flow: silent }))
  }
  if (parsed.variant === 2) return deps.responses.redirect(reply, ownHref('/login', { flow: deps.flows.seal(flow) }))
  return answerLogin(request, reply, { flow, target, here: request.url }, deps)
}

async function findLoginTarget(request: FastifyRequest, login: LoginRequest, deps: LoginDeps): Promise<RedirectTarget | Refused> {
  const { publishableKey } = login
  if (publishableKey !== undefined && parseKeyKind(publishableKey) === 'sk')
    await reportLeakedKey(publishableKey, { place: 'a login', ip: clientAddress(request) }, deps)
  const target = await deps.products.findTarget(login.target)
  if (!target) return login.variant === 1 ? 'target_unregistered' : 'uri_unregistered'
  if (publishableKey === undefined) return target
  const product = await deps.products.findByPublishableKey(publishableKey)
  return product?.id === target.product.id ? target : 'key_invalid'
}

/** A sign-in that can't begin: 400, and never a redirect. */
export function refuseStart(
  request: FastifyRequest,
  reply: FastifyReply,
  refused: Refused,
  { responses }: Pick<LoginDeps, 'responses'>,
): FastifyReply {
  const code = messages[refused]
  if (!wantsPage(request)) return responses.json(reply, 400, { error: code })
  return responses.page(reply, 400, refusedStartPage(responses.pageContext(request, reply), { code }))
}

/** `GET /login`: the form of a flow, or of a sign-in to Portaria itself. */
async function showForm(request: FastifyRequest, reply: FastifyReply, deps: LoginDeps): Promise<FastifyReply> {
  const sealed = queryOf(request).get('flow')
  if (sealed !== null) {
    const flow = openFlow(sealed, request.headers.cookie, deps)
    const target = flow && (await findFlowTarget(flow, deps))
    if (!flow || target === 'gone') return refuseFlow(request, reply, deps)
    const owner = flow.next && (await findBoundSession(request.headers.cookie, deps))
    // During an impersonation nobody is asked for the user's password.
    const email = owner?.impersonation ? undefined : (owner?.claims.email ?? hintedEmail(flow))
    return answerLogin(request, reply, { flow, target, ...(email !== undefined && { email }) }, deps)
  }
  if (await findBoundSession(request.headers.cookie, deps)) return deps.responses.redirect(reply, ownHref('/account'))
  const { browser, setCookie } = deps.cookies.browserOf(request.headers.cookie)
  reply.header('set-cookie', setCookie)
  return answerLogin(request, reply, { flow: newFlow(browser), target: undefined }, deps)
}

/** The address that a client of OpenID Connect expects (`login_hint`), for the form's field. */
function hintedEmail({ openid }: Flow): string | undefined {
  const hint = openid && new URLSearchParams(openid.query).get('login_hint')
  return hint && hint.length <= MAX_HINT ? hint : undefined
}

interface Form {
  flow: Flow
  target: RedirectTarget | undefined
  /** Where the page is, if not at `/login` with the flow. */
  here?: string
  email?: string
  problem?: LoginProblem
  retryAfterSeconds?: number
}

/** Most forms differ in their flow alone. One with an address, a notice or an error is made for itself. */
const pagesByFlow = createPagesByFlow()

/** The form of a flow, with its error. */
export async function answerLogin(
  request: FastifyRequest,
  reply: FastifyReply,
  form: Form,
  deps: GuardDeps,
  status = 200,
): Promise<FastifyReply> {
  const { responses, flows, storage } = deps
  const { flow, target, here, ...shown } = form
  request.pageProduct = target?.product.id
  const providers = await providerStore(storage.db).listOffered()
  // A signed-in user who authenticates again for one of our pages has an account.
  const isStepUp = flow.next !== undefined && (await findBoundSession(request.headers.cookie, deps)) !== undefined
  const context = responses.pageContext(request, reply, here)
  const { language, origin, look } = context
  const productName = target?.product.name
  const make = (sealed: string) =>
    loginPage(here === undefined ? { ...context, here: ownHref('/login', { flow: sealed }) } : context, {
      flow: sealed,
      productName,
      notice: flow.notice,
      email: flow.pendingLink?.email,
      providers: providers.map(({ id, name, issuer }) => ({
        name,
        mark: markOf({ issuer }),
        href: ownHref(`/auth/provider/${id}`, { flow: sealed }),
      })),
      signUpUrl: isStepUp ? undefined : ownHref('/sign-up', { flow: sealed }),
      recoverUrl: ownHref('/recover', { flow: sealed }),
      ...shown,
    })
  // The page says so while the sign-in would link a provider's identity to the account.
  const sealed = flows.seal({ ...flow, userId: undefined, notice: flow.pendingLink && flow.notice })
  const isItsOwn = here !== undefined || flow.notice !== undefined || flow.pendingLink !== undefined || context.impersonation !== undefined
  const markup =
    isItsOwn || Object.keys(shown).length > 0
      ? make(sealed)
      : pagesByFlow({ look, inputs: [language, origin, productName, isStepUp, providers], flow: sealed, make })
  return responses.page(reply, status, markup)
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
  deps.metrics.signIns.inc({ result: 'refusal' in factor ? factor.refusal : 'signed_in' })
  if ('refusal' in factor) {
    const { status, error } = wire[factor.refusal]
    if (factor.refusal !== 'too_many_attempts') return again(status, error, { problem: factor.refusal })
    reply.header('retry-after', String(factor.retryAfterSeconds))
    return again(status, error, { problem: factor.refusal, retryAfterSeconds: factor.retryAfterSeconds })
  }
  const shown = { kind: 'password', passwordHash: factor.user.passwordHash ?? '' } as const
  const answered = await answerSignedIn(request, reply, { user: factor.user, factor: shown, flow }, deps)
  return answered ?? again(401, wire.wrong_credentials.error, { problem: 'wrong_credentials' })
}
