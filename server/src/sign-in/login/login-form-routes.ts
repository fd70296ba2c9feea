import type { FastifyReply, FastifyRequest } from 'fastify'
import { queryOf } from '../../http/index.ts'
import { markOf } from '../../identity-providers/index.ts'
import { createPagesByFlow, ownHref } from '../../pages/index.ts'
import type { RedirectTarget } from '../../products/index.ts'
import { type Flow, newFlow } from '../flow/flow.ts'
import { confirmsAddress } from '../flow/return-page.ts'
import { findBoundSession, findFlowTarget, openFlow } from '../flow/sign-in-attempt.ts'
import { refuseFlow } from '../guards/attempt-guards.ts'
import type { GuardDeps } from '../guards/guard-deps.ts'
import type { LoginDeps } from './login-deps.ts'
import type { LoginProblem } from './login-form.ts'
import { loginPage } from './login-page.ts'

/** As long as an address may be (RFC 5321 §4.5.3.1). */
const MAX_HINT = 254

/** `GET /login`: the form of a flow, or of a sign-in to Portaria itself. */
export async function showLogin(request: FastifyRequest, reply: FastifyReply, deps: LoginDeps): Promise<FastifyReply> {
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

export interface Form {
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

/** A signed-in user who authenticates again for one of our pages has an account, as has who confirms its address. */
async function isOfAnAccount(request: FastifyRequest, flow: Flow, deps: GuardDeps): Promise<boolean> {
  return confirmsAddress(flow) || (flow.next !== undefined && (await findBoundSession(request.headers.cookie, deps)) !== undefined)
}

/** The form of a flow, with its error. */
export async function answerLogin(
  request: FastifyRequest,
  reply: FastifyReply,
  form: Form,
  deps: GuardDeps,
  status = 200,
): Promise<FastifyReply> {
  const { responses, flows, listProviders } = deps
  const { flow, target, here, ...shown } = form
  request.pageProduct = target?.product.id
  const providers = await listProviders()
  const hasAccount = await isOfAnAccount(request, flow, deps)
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
      signUpUrl: hasAccount ? undefined : ownHref('/sign-up', { flow: sealed }),
      recoverUrl: ownHref('/recover', { flow: sealed }),
      ...shown,
    })
  // The page says so while the sign-in would link a provider's identity to the account.
  const sealed = flows.seal({ ...flow, userId: undefined, notice: flow.pendingLink && flow.notice })
  const isItsOwn = here !== undefined || flow.notice !== undefined || flow.pendingLink !== undefined || context.impersonation !== undefined
  const markup =
    isItsOwn || Object.keys(shown).length > 0
      ? make(sealed)
      : pagesByFlow({ look, inputs: [language, origin, productName, hasAccount, providers], flow: sealed, make })
  return responses.page(reply, status, markup)
}
