import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientAddress } from '../../http/index.ts'
import { newId } from '../../kit/index.ts'
import { ownHref } from '../../pages/index.ts'
import { mintSessionToken, sessionStore, startSession } from '../../sessions/index.ts'
import { type FirstFactor, hasSecondFactor, type User } from '../../users/index.ts'
import type { CompleteSignInDeps } from '../guards/guard-deps.ts'
import { afterSignIn, mayNotify } from './after-sign-in.ts'
import type { Flow } from './flow.ts'
import { presentedSessions } from './presented-sessions.ts'
import { isConsolePage } from './return-page.ts'
import { FLOW_MS } from './sealed-flow.ts'
import { sealFactor } from './shown-factor.ts'
import { findFlowTarget, pendingStep } from './sign-in-attempt.ts'

/** A user, the factor that they showed, and the flow. */
export interface SignedIn {
  user: User
  factor: FirstFactor
  flow: Flow
}

/**
 * The end of every sign-in method. A user with a second factor is asked for it, unless the provider says that it has asked or the device
 * counts as both; everyone else is signed in. `false` when the first factor no longer holds, or the account was closed meanwhile:
 * then nothing was set, and nothing answered. No reply is returned: a promise of one resolves to `undefined`.
 */
export async function answerSignedIn(
  request: FastifyRequest,
  reply: FastifyReply,
  signedIn: SignedIn,
  deps: CompleteSignInDeps,
): Promise<'signed_in' | 'second_step' | false> {
  const { user, factor, flow } = signedIn
  const saysItself = factor.kind === 'identity' && factor.saysSecondFactor
  const showedTwo = factor.kind === 'passkey' || saysItself
  if (showedTwo || !(await hasSecondFactor(deps.storage.db, user.id)))
    return (await beginSession(request, reply, { ...signedIn, factors: showedTwo ? 'two' : 'one' }, deps)) && 'signed_in'
  const shown = { userId: user.id, factor: sealFactor(factor), id: newId(), until: deps.now() + FLOW_MS }
  const pending: Flow = { ...flow, userId: undefined, pendingSignUp: undefined, secondFactor: shown }
  deps.responses.redirect(reply, ownHref('/second-factor', { flow: deps.flows.seal(pending) }))
  return 'second_step'
}

/**
 * Begins the session and sets the browser's cookies. The flow continues to a missing part of the profile, to the splash, or straight to the
 * console. `false` as above.
 */
export async function beginSession(
  request: FastifyRequest,
  reply: FastifyReply,
  { user, factor, flow, factors }: SignedIn & { factors: 'one' | 'two' },
  deps: CompleteSignInDeps,
): Promise<boolean> {
  const { cookies, devices, flows, tokens, responses, baseUrl } = deps
  const { cookie } = request.headers
  const origin = { ip: clientAddress(request), userAgent: request.headers['user-agent'] ?? '' }
  // A user who has signed in before has a language, even after their old sessions were removed.
  const isKnown = user.language !== undefined || (await sessionStore(deps.storage.db).hasAnyOf(user.id))
  const isNewDevice = isKnown && devices.deviceOf(cookies.readDevice(cookie), user.id) === undefined && (await mayNotify(user, deps))
  const started = await startSession(
    { userId: user.id, factor, factors },
    { boundSecret: cookies.readBound(cookie), presented: await presentedSessions(cookie, deps), origin },
    deps,
  )
  if (!started) return false
  const { language } = responses.pageContext(request, reply)
  await afterSignIn(user, { flow, factor, factors, language, isNewDevice, origin }, deps)
  reply.header('set-cookie', cookies.session(await mintSessionToken(started.session, { tokens, issuer: baseUrl })))
  if (started.boundSecret !== undefined) reply.header('set-cookie', cookies.bound(started.boundSecret))
  reply.header('set-cookie', cookies.device(devices.mint(user.id, deps.now())))
  if (cookies.readOriginalSession(cookie) !== undefined) reply.header('set-cookie', cookies.noOriginalSession())
  // The console is not an app: an administrator needs no tax id, and no token leaves for it.
  if (flow.next && isConsolePage(flow.next)) {
    responses.redirect(reply, ownHref(flow.next.page))
    return true
  }
  const nothingWaits = { pendingSignUp: undefined, pendingLink: undefined, secondFactor: undefined, notice: undefined }
  const signedIn: Flow = { ...flow, userId: user.id, ndaDeclined: false, profileSkipped: false, ...nothingWaits }
  // A user who only authenticated again was welcomed before.
  const done = flow.next !== undefined && started.boundSecret === undefined ? '/auth/continue' : '/auth/welcome'
  const target = await findFlowTarget(flow, deps)
  const attempt = { flow: signedIn, user, target: target === 'gone' ? undefined : target }
  const next = pendingStep(attempt) === 'done' ? done : '/complete-profile'
  responses.redirect(reply, ownHref(next, { flow: flows.seal(signedIn) }))
  return true
}
