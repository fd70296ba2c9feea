import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientAddress, queryOf, wantsPage } from '../../http/index.ts'
import { parseKeyKind } from '../../kit/index.ts'
import { ownHref } from '../../pages/index.ts'
import { type RedirectTarget, reportLeakedKey } from '../../products/index.ts'
import { newFlow } from '../flow/flow.ts'
import { findBoundSession } from '../flow/sign-in-attempt.ts'
import type { LoginDeps } from './login-deps.ts'
import { answerLogin } from './login-form-routes.ts'
import { type LoginRequest, type LoginRequestRefusal, parseLoginRequest } from './login-request.ts'
import { refusedStartPage } from './refused-start-page.ts'

type Refused = LoginRequestRefusal | 'target_unregistered' | 'uri_unregistered' | 'key_invalid'

const messages = {
  target_missing: 'redirect_to ausente',
  parameters_invalid: 'parametros invalidos',
  state_invalid: 'state invalido',
  target_unregistered: 'redirect_to nao autorizado',
  uri_unregistered: 'redirect_uri nao autorizado',
  key_invalid: 'api_key invalida',
} as const satisfies Record<Refused, string>

/** `GET /auth/login`, both variants. Refusals are 400 and never a redirect. */
export async function startLogin(request: FastifyRequest, reply: FastifyReply, deps: LoginDeps): Promise<FastifyReply> {
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
