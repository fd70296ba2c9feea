import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { withParameters } from '../../handoff/index.ts'
import { formBody, isBehindTheBack, queryOf } from '../../http/index.ts'
import { errorPage, ownHref } from '../../pages/index.ts'
import type { OpenIdClient, RedirectTarget } from '../../products/index.ts'
import { findBoundSession, newFlow, openFlow, signedOutPage, signOutBrowser } from '../../sign-in/index.ts'
import type { OpenIdDeps } from '../deps.ts'
import type { OpenIdProvider } from '../library/openid-provider.ts'
import { PATHS } from '../paths.ts'
import { hidden, logoutSchema } from '../schemas.ts'
import { openIdTexts } from '../texts.ts'
import { logoutPage } from './logout-page.ts'

const CONFIRM = `${PATHS.end_session}/confirm` as const
const MAX_REQUEST = 6_000

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** OpenID Connect RP-Initiated Logout 1.0. `onlyOn` answers 404 where no product speaks OpenID Connect. */
export function logoutRoutes(scope: FastifyInstance, provider: OpenIdProvider, onlyOn: (work: Handler) => Handler, deps: OpenIdDeps): void {
  scope.get(
    PATHS.end_session,
    { schema: logoutSchema },
    onlyOn((request, reply) => logout(request, reply, provider, deps)),
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

/** A logout as a client asks for it, its parts checked against each other and against the registration. */
interface LogoutRequest {
  client: OpenIdClient | undefined
  /** The user whom the ID token names. */
  hintedUserId: string | undefined
  target: RedirectTarget | undefined
  state: string | undefined
}

type LogoutRefusal = { refusal: 'parameter_twice' | 'bad_id_token_hint' | 'client_mismatch' | 'unknown_client' | 'unregistered_uri' }

const PARAMETERS = ['id_token_hint', 'client_id', 'post_logout_redirect_uri', 'state', 'ui_locales', 'logout_hint']

async function readRequest(
  query: URLSearchParams,
  provider: OpenIdProvider,
  { products }: OpenIdDeps,
): Promise<LogoutRequest | LogoutRefusal> {
  if (PARAMETERS.some((name) => query.getAll(name).length > 1)) return { refusal: 'parameter_twice' }
  const hint = query.get('id_token_hint')
  const hinted = hint === null ? undefined : await readHint(hint, provider)
  if (hint !== null && !hinted) return { refusal: 'bad_id_token_hint' }
  const named = query.get('client_id') ?? undefined
  if (named !== undefined && hinted && hinted.clientId !== named) return { refusal: 'client_mismatch' }
  const clientId = hinted?.clientId ?? named
  const client = clientId === undefined ? undefined : (await products.openIdClients()).get(clientId)
  if (clientId !== undefined && !client) return { refusal: 'unknown_client' }
  const uri = query.get('post_logout_redirect_uri')
  // Without a client nothing says whose address it is: it is left out, and the user ends at our page (§3).
  const target = uri === null || clientId === undefined ? undefined : await products.postLogoutTarget(clientId, uri)
  if (uri !== null && clientId !== undefined && !target) return { refusal: 'unregistered_uri' }
  return { client, hintedUserId: hinted?.userId, target, state: query.get('state') ?? undefined }
}

/** An ID token of ours, however old (§2: the expiry does not matter), checked with its signature, issuer and audience. */
async function readHint(hint: string, provider: OpenIdProvider): Promise<{ clientId: string; userId: string } | undefined> {
  const { Client, IdToken } = (await provider.instance()).provider
  try {
    const { aud } = JSON.parse(Buffer.from(hint.split('.')[1] ?? '', 'base64url').toString())
    const client = typeof aud === 'string' ? await Client.find(aud) : undefined
    if (!client || typeof aud !== 'string') return undefined
    const { payload } = await IdToken.validate(hint, client)
    return typeof payload.sub === 'string' ? { clientId: aud, userId: payload.sub } : undefined
  } catch {
    return undefined // no JWT, or none of ours
  }
}

async function logout(request: FastifyRequest, reply: FastifyReply, provider: OpenIdProvider, deps: OpenIdDeps): Promise<FastifyReply> {
  if (isBehindTheBack(request, deps.baseUrl)) return deps.responses.json(reply, 200, { signed_out: false })
  const query = queryOf(request)
  const asked = await readRequest(query, provider, deps)
  if ('refusal' in asked) return refuse(request, reply, asked.refusal, deps)
  const session = await findBoundSession(request.headers.cookie, deps)
  // An ID token of this very user shows that the app means them; nobody else has one, so no other site can sign them out.
  if (!session || asked.hintedUserId === session.userId) return finish(request, reply, asked, deps)
  const { browser, setCookie } = deps.cookies.browserOf(request.headers.cookie)
  reply.header('set-cookie', setCookie)
  const waiting = newFlow(browser, { openid: { query: keptOf(query, asked).toString(), begunAt: deps.now(), asksConsent: false } })
  const confirmUrl = ownHref(CONFIRM, { flow: deps.flows.seal(waiting) })
  const context = deps.responses.pageContext(request, reply)
  return deps.responses.page(reply, 200, logoutPage(context, { confirmUrl, appName: asked.client?.product.name }))
}

/** What the confirmation needs: the ID token has done its part. */
function keptOf(query: URLSearchParams, { client }: LogoutRequest): URLSearchParams {
  const kept = new URLSearchParams()
  if (client) kept.set('client_id', client.product.publishableKey)
  for (const name of ['post_logout_redirect_uri', 'state']) for (const value of query.getAll(name)) kept.set(name, value)
  return kept
}

/** The user has said yes. The address is looked up again, since it may have been removed meanwhile. */
async function confirm(request: FastifyRequest, reply: FastifyReply, deps: OpenIdDeps): Promise<FastifyReply> {
  const flow = openFlow(queryOf(request).get('flow'), request.headers.cookie, deps)
  if (!flow?.openid || isBehindTheBack(request, deps.baseUrl)) return refuse(request, reply, 'parameter_twice', deps)
  const query = new URLSearchParams(flow.openid.query)
  const target = await deps.products.postLogoutTarget(query.get('client_id') ?? '', query.get('post_logout_redirect_uri') ?? '')
  return finish(request, reply, { client: undefined, hintedUserId: undefined, target, state: query.get('state') ?? undefined }, deps)
}

/** Another site's form carries no cookie of ours: it is turned into a navigation that does. */
async function logoutByForm(request: FastifyRequest, reply: FastifyReply, { responses }: OpenIdDeps): Promise<FastifyReply> {
  const form = formBody(request)
  if (!form || form.toString().length > MAX_REQUEST) return responses.refuse(request, reply, form ? 414 : 400, 'Requisicao invalida')
  return reply
    .code(303)
    .headers({ location: `${PATHS.end_session}?${form}`, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    .send()
}

async function finish(
  request: FastifyRequest,
  reply: FastifyReply,
  { target, state }: LogoutRequest,
  deps: OpenIdDeps,
): Promise<FastifyReply> {
  await signOutBrowser(request, reply, deps)
  if (target) return deps.responses.redirect(reply, withParameters(target, { state }))
  return deps.responses.page(reply, 200, signedOutPage(deps.responses.pageContext(request, reply, '/auth/signout'), {}))
}

const wire = {
  parameter_twice: 'invalid_request',
  bad_id_token_hint: 'invalid_request (id_token_hint)',
  client_mismatch: 'invalid_request (client_id)',
  unknown_client: 'invalid_client',
  unregistered_uri: 'invalid_request (post_logout_redirect_uri)',
} as const satisfies Record<LogoutRefusal['refusal'], string>

/** Never a redirect: what is wrong may be the address. */
function refuse(request: FastifyRequest, reply: FastifyReply, refused: LogoutRefusal['refusal'], { responses }: OpenIdDeps): FastifyReply {
  if (!request.headers.accept?.includes('text/html')) return responses.json(reply, 400, { error: wire[refused] })
  const context = responses.pageContext(request, reply)
  const texts = openIdTexts[context.language]
  const message = `${texts.message} ${texts.code}: ${wire[refused]}`
  return responses.page(reply, 400, errorPage(context, { status: 400, title: texts.title, message, requestId: request.id }))
}
