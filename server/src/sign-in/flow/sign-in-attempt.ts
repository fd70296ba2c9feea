import { readCookies } from '../../http/index.ts'
import { constantTimeEqual, sha256Base64Url } from '../../kit/index.ts'
import type { ForwardedHosts, ProductDirectory, RedirectTarget } from '../../products/index.ts'
import type { Checks, LiveSession } from '../../sessions/index.ts'
import { nextStep, type ProfileRequirements, type ProfileStep, USUAL_REQUIREMENTS, type User, type UserStore } from '../../users/index.ts'
import type { BrowserCookies } from './browser-cookies.ts'
import type { Flow } from './flow.ts'
import type { Flows } from './sealed-flow.ts'

/** A flow continued by the browser that began it, with the live session of the user who authenticated in it. */
export interface SignInAttempt {
  flow: Flow
  session: LiveSession
  user: User
  /** Its target, checked again just now; `undefined` at Portaria itself. */
  target: RedirectTarget | undefined
}

export type AttemptRefusal = { refusal: 'bad_flow' } | { refusal: 'other_user'; flow: Flow; user: User }

export interface AttemptDeps {
  flows: Flows
  cookies: BrowserCookies
  checks: Checks
  products: ProductDirectory
  forwardedHosts: ForwardedHosts
  users: Pick<UserStore, 'findById'>
  baseUrl: string
}

/**
 * The session that this browser holds at the service's own host. It needs both cookies: `eg_session`, which every app of the domain sees,
 * and the bound cookie, which only we see.
 */
export async function findBoundSession(
  cookieHeader: string | undefined,
  { cookies, checks, baseUrl }: Pick<AttemptDeps, 'cookies' | 'checks' | 'baseUrl'>,
): Promise<LiveSession | undefined> {
  const secret = cookies.readBound(cookieHeader)
  if (secret === undefined) return undefined
  const session = await checks.find(
    readCookies(cookieHeader, 'eg_session').filter((value) => value !== ''),
    baseUrl,
  )
  return session?.boundHash !== undefined && constantTimeEqual(session.boundHash, sha256Base64Url(secret)) ? session : undefined
}

/** Opens a flow for the browser that began it; another browser's flow counts as none. */
export function openFlow(
  sealed: string | null | undefined,
  cookieHeader: string | undefined,
  { flows, cookies }: Pick<AttemptDeps, 'flows' | 'cookies'>,
): Flow | undefined {
  const flow = flows.open(sealed)
  return flow && cookies.isBrowser(cookieHeader, flow.browser) ? flow : undefined
}

/** The target of a flow, as it is registered now: `gone` when it no longer is, or belongs to another product. */
export async function findFlowTarget(
  flow: Flow,
  { products, forwardedHosts }: Pick<AttemptDeps, 'products' | 'forwardedHosts'>,
): Promise<RedirectTarget | undefined | 'gone'> {
  if (!flow.target) return undefined
  const { uri, productId, kind } = flow.target
  const find = {
    redirect_uri: () => products.findTarget(uri),
    forwarded: async () => (await forwardedHosts.findTarget(uri))?.target,
    openid: () => products.openIdTarget(productId, uri),
  }
  const target = await find[kind]()
  return target && target.product.id === productId ? target : 'gone'
}

export async function resumeAttempt(
  sealed: string | null | undefined,
  cookieHeader: string | undefined,
  deps: AttemptDeps,
): Promise<SignInAttempt | AttemptRefusal> {
  const flow = openFlow(sealed, cookieHeader, deps)
  if (flow?.userId === undefined) return { refusal: 'bad_flow' }
  const target = await findFlowTarget(flow, deps)
  if (target === 'gone') return { refusal: 'bad_flow' }
  const session = await findBoundSession(cookieHeader, deps)
  const user = session && (await deps.users.findById(session.userId))
  if (!session || !user) return { refusal: 'bad_flow' }
  if (session.userId !== flow.userId) return { refusal: 'other_user', flow, user }
  return { flow, session, user, target }
}

/** The steps that a sign-in attempt still has to pass, in order. A request for a later address can't skip the profile. */
export function pendingStep({ flow, user, target }: Pick<SignInAttempt, 'flow' | 'user' | 'target'>): ProfileStep {
  return nextStep(user, requirementsOf(target), flow)
}

/** The requirements of the product at the end of a sign-in attempt; the usual ones at Portaria itself. */
export function requirementsOf(target: SignInAttempt['target']): ProfileRequirements {
  return target?.product.requirements ?? USUAL_REQUIREMENTS
}
