import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { withParameters } from '../../handoff/index.ts'
import { formBody, isBehindTheBack, queryOf } from '../../http/index.ts'
import { errorPage, ownHref } from '../../pages/index.ts'
import { type LiveSession, sessionStore } from '../../sessions/index.ts'
import { findBoundSession, newFlow, openFlow, signedOutPage, signOutBrowser } from '../../sign-in/index.ts'
import type { OpenIdDeps } from '../deps.ts'
import type { OpenIdProvider } from '../library/openid-provider.ts'
import { PATHS } from '../paths.ts'
import { hidden, logoutSchema } from '../schemas.ts'
import { openIdTexts } from '../texts.ts'
import { logoutPage } from './logout-page.ts'
import {
  findRegistered,
  type LogoutRefusal,
  type LogoutRequest,
  openLogoutRequest,
  readLogoutRequest,
  sealLogoutRequest,
} from './logout-request.ts'

type LogoutDeps = OpenIdDeps & { provider: OpenIdProvider }
type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

const CONFIRM = `${PATHS.end_session}/confirm` as const
const MAX_REQUEST = 6_000

/** OpenID Connect RP-Initiated Logout 1.0. `onlyOn` answers 404 where no product speaks OpenID Connect. */
export function logoutRoutes(scope: FastifyInstance, onlyOn: (work: Handler) => Handler, deps: LogoutDeps): void {
  scope.get(
    PATHS.end_session,
    { schema: logoutSchema },
    onlyOn((request, reply) => logout(request, reply, deps)),
  )
  scope.post(
    PATHS.end_session,
    { schema: hidden },
    onlyOn((request, reply) => logoutByForm(request, reply, deps)),
  )
  scope.get(
    CONFIRM,
    { schema: hidden },
    onlyOn((request, reply) => confirm(request, reply, deps)),
  )
}

async function logout(request: FastifyRequest, reply: FastifyReply, deps: LogoutDeps): Promise<FastifyReply> {
  if (isBehindTheBack(request, deps.baseUrl)) return deps.responses.json(reply, 200, { signed_out: false })
  const query = queryOf(request)
  const sealed = query.get('request')
  const asked = sealed === null ? await readLogoutRequest(query, deps) : await openLogoutRequest(sealed, deps)
  if ('refusal' in asked) return refuse(request, reply, asked.refusal, deps)
  const session = await findBoundSession(request.headers.cookie, deps)
  if (!session || (await isOfThisBrowser(asked, session, deps))) return finish(request, reply, asked, deps)
  const { browser, setCookie } = deps.cookies.browserOf(request.headers.cookie)
  reply.header('set-cookie', setCookie)
  const confirmUrl = ownHref(CONFIRM, { flow: deps.flows.seal(newFlow(browser, { logout: asked.parameters.toString() })) })
  const context = deps.responses.pageContext(request, reply)
  const appName = asked.client?.address?.host ?? asked.client?.product.name
  return deps.responses.page(reply, 200, logoutPage(context, { confirmUrl, appName }))
}

/**
 * Whether the ID token was given out for the session that this browser holds now. Only then does it show that the app means this sign-in:
 * an older token may have been copied from a log or a history, and another site could sign the user out with it (§2, §6).
 */
async function isOfThisBrowser({ hintedSessionId }: LogoutRequest, { id }: LiveSession, { storage }: LogoutDeps): Promise<boolean> {
  return hintedSessionId !== undefined && (await sessionStore(storage.db).findParentId(hintedSessionId)) === id
}

/** The user has said yes. The address is looked up again, since it may have been removed meanwhile. */
async function confirm(request: FastifyRequest, reply: FastifyReply, deps: LogoutDeps): Promise<FastifyReply> {
  const flow = openFlow(queryOf(request).get('flow'), request.headers.cookie, deps)
  if (flow?.logout === undefined || isBehindTheBack(request, deps.baseUrl)) return refuse(request, reply, 'expired', deps)
  const parameters = new URLSearchParams(flow.logout)
  const asked = await findRegistered(parameters, undefined, deps)
  const still = 'refusal' in asked ? { client: undefined, hintedSessionId: undefined, target: undefined, parameters } : asked
  return finish(request, reply, still, deps)
}

/**
 * Another site's form carries no cookie of ours: it is turned into a navigation that does. Clients choose the form so that the ID token
 * stands in no address, so the navigation has only the result of reading it.
 */
async function logoutByForm(request: FastifyRequest, reply: FastifyReply, deps: LogoutDeps): Promise<FastifyReply> {
  const { responses } = deps
  const form = formBody(request)
  if (!form || form.toString().length > MAX_REQUEST) return responses.refuse(request, reply, form ? 414 : 400, 'Requisicao invalida')
  const asked = await readLogoutRequest(form, deps)
  if ('refusal' in asked) return refuse(request, reply, asked.refusal, deps)
  const location = ownHref(PATHS.end_session, { request: sealLogoutRequest(asked, deps) })
  return reply.code(303).headers({ location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }).send()
}

async function finish(
  request: FastifyRequest,
  reply: FastifyReply,
  { target, parameters }: LogoutRequest,
  deps: LogoutDeps,
): Promise<FastifyReply> {
  await signOutBrowser(request, reply, deps)
  if (target) return deps.responses.redirect(reply, withParameters(target, { state: parameters.get('state') ?? undefined }))
  return deps.responses.page(reply, 200, signedOutPage(deps.responses.pageContext(request, reply, '/auth/signout'), {}))
}

const wire = {
  parameter_twice: 'invalid_request',
  expired: 'invalid_request',
  bad_id_token_hint: 'invalid_request (id_token_hint)',
  client_mismatch: 'invalid_request (client_id)',
  unknown_client: 'invalid_client',
  unregistered_uri: 'invalid_request (post_logout_redirect_uri)',
} as const satisfies Record<LogoutRefusal['refusal'], string>

/** Never a redirect: what is wrong may be the address. */
function refuse(request: FastifyRequest, reply: FastifyReply, refused: LogoutRefusal['refusal'], { responses }: LogoutDeps): FastifyReply {
  if (!request.headers.accept?.includes('text/html')) return responses.json(reply, 400, { error: wire[refused] })
  const context = responses.pageContext(request, reply)
  const texts = openIdTexts[context.language]
  const message = `${texts.message} ${texts.code}: ${wire[refused]}`
  return responses.page(reply, 400, errorPage(context, { status: 400, title: texts.title, message, requestId: request.id }))
}
