import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { clientAddress, formBody, networkOf, queryOf } from '../http/index.ts'
import { MINUTE_MS } from '../kit/index.ts'
import { ownHref } from '../pages/index.ts'
import { openFlow } from '../sign-in/index.ts'
import { isDatabaseAway } from '../storage/index.ts'
import { addConsent } from './authorization/added-consent.ts'
import { nativeRoutes } from './authorization/native-routes.ts'
import { findDescription, refuseDescription } from './client-documents/description-guards.ts'
import type { OpenIdDeps } from './deps.ts'
import { answerByLibrary } from './library/library-routes.ts'
import { createOpenIdProvider, type OpenIdProvider } from './library/openid-provider.ts'
import { logoutRoutes } from './logout/logout-routes.ts'
import { PATHS } from './paths.ts'
import { authorizeSchema, hidden, metadataSchema, serverMetadataSchema, serverSchemas } from './schemas.ts'

type LibraryDeps = OpenIdDeps & { provider: OpenIdProvider }

/** More than any client sends; the request travels in the address of the sign-in. */
const MAX_REQUEST = 6_000
/** Pushed requests of a network in 15 minutes, by clients without a secret. */
const MAX_PUSHED = 300

/** The endpoints of OpenID Connect. `pages` is the scope of pages, with their guards; `scope` that of servers' calls. */
export function openIdRoutes(pages: FastifyInstance, scope: FastifyInstance, deps: OpenIdDeps): void {
  const provider = createOpenIdProvider(deps)
  const given = { ...deps, provider }
  const onlyOn =
    (work: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>) =>
    async (request: FastifyRequest, reply: FastifyReply) =>
      (await provider.isOn()) ? work(request, reply) : deps.responses.refuse(request, reply, 404, 'Recurso nao encontrado')
  pages.get(
    PATHS.authorization,
    { schema: authorizeSchema, exposeHeadRoute: false },
    onlyOn((request, reply) => authorize(request, reply, given)),
  )
  pages.post(
    PATHS.authorization,
    { schema: hidden },
    onlyOn((request, reply) => authorizeByForm(request, reply, deps)),
  )
  nativeRoutes(pages, onlyOn, deps)
  logoutRoutes(pages, onlyOn, given)
  const pass = onlyOn((request, reply) => answerServer(request, reply, given))
  for (const [method, path, schema] of SERVER_ROUTES) scope.route({ method, url: path, schema, exposeHeadRoute: false, handler: pass })
  // Browser apps ask first whether they may (CORS).
  for (const path of new Set(SERVER_ROUTES.map(([, path]) => path)))
    scope.route({ method: 'OPTIONS', url: path, schema: hidden, handler: pass })
  scope.get(
    '/.well-known/openid-configuration',
    { schema: metadataSchema },
    onlyOn((request, reply) => answerByLibrary(request, reply, {}, given)),
  )
  scope.get('/.well-known/oauth-authorization-server', { schema: serverMetadataSchema }, async (request, reply) =>
    (await provider.isOn()) ? answerByLibrary(request, reply, {}, given) : exchangeMetadata(reply, deps),
  )
}

const SERVER_ROUTES = [
  ['POST', PATHS.token, serverSchemas.token],
  ['GET', PATHS.userinfo, serverSchemas.userinfo],
  ['POST', PATHS.userinfo, hidden],
  ['POST', PATHS.introspection, serverSchemas.introspect],
  ['POST', PATHS.revocation, serverSchemas.revoke],
  ['POST', PATHS.pushed_authorization_request, serverSchemas.push],
] as const

/** `GET /openid/authorize`: a client's own request, or the one that a sign-in has just ended for. */
async function authorize(request: FastifyRequest, reply: FastifyReply, deps: LibraryDeps): Promise<FastifyReply> {
  const query = queryOf(request)
  const resume = query.get('resume')
  const flow = resume === null ? undefined : openFlow(resume, request.headers.cookie, deps)
  if (resume !== null && !flow?.openid) return deps.responses.redirect(reply, ownHref('/auth/continue', { flow: resume }))
  const asked = flow?.openid ? new URLSearchParams(flow.openid.query) : query
  if (asked.toString().length > MAX_REQUEST) return deps.responses.refuse(request, reply, 414, 'Requisicao invalida')
  const described = await findDescription(asked.get('client_id'), request, deps)
  if (described && 'refusal' in described) return refuseDescription(request, reply, described.refusal, deps)
  addConsent(asked)
  return answerByLibrary(request, reply, { url: `${PATHS.authorization}?${asked}`, flow, described }, deps)
}

/**
 * The same by a form (Core §3.1.2.1). A form from another site carries no cookie of ours, so it is turned into a navigation that does.
 */
async function authorizeByForm(request: FastifyRequest, reply: FastifyReply, { responses }: OpenIdDeps): Promise<FastifyReply> {
  const form = formBody(request)
  if (!form || form.toString().length > MAX_REQUEST) return responses.refuse(request, reply, form ? 414 : 400, 'Requisicao invalida')
  return reply
    .code(303)
    .headers({ location: `${PATHS.authorization}?${form}`, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    .send()
}

/** A call of a client's server, or of a browser app. The signing key is looked up anew: a revoked one must sign nothing. */
async function answerServer(request: FastifyRequest, reply: FastifyReply, deps: LibraryDeps): Promise<FastifyReply> {
  if (request.routeOptions.url === PATHS.token && request.method === 'POST' && !(await hasSigner(deps))) {
    reply.header('retry-after', '5')
    return deps.responses.json(reply, 503, { error: 'temporarily_unavailable' })
  }
  if (request.routeOptions.url !== PATHS.pushed_authorization_request) return answerByLibrary(request, reply, {}, deps)
  const form = formBody(request)
  if (form && form.toString().length > MAX_REQUEST) return deps.responses.json(reply, 400, { error: 'invalid_request' })
  // Its description is read where a user is asked about it, and nowhere else.
  if (deps.documents?.addressOf(form?.get('client_id'))) return deps.responses.json(reply, 401, { error: 'invalid_client' })
  // An empty secret is none: the library takes the client for one without.
  if (request.headers.authorization === undefined && !form?.get('client_secret') && (await tooManyPushed(request, reply, deps)))
    return deps.responses.json(reply, 429, { error: 'slow_down' })
  if (form) addConsent(form)
  return answerByLibrary(request, reply, form ? { body: form.toString() } : {}, deps)
}

/** Counts a pushed request of a client without a secret: anybody may send one, and each is a row for a minute. */
async function tooManyPushed(request: FastifyRequest, reply: FastifyReply, { limits, now }: OpenIdDeps): Promise<boolean> {
  const counter = { key: `par:${networkOf(clientAddress(request))}`, most: MAX_PUSHED, windowMs: 15 * MINUTE_MS }
  const { within, retryAfterSeconds } = await limits.count(counter, now())
  if (!within) reply.header('retry-after', String(retryAfterSeconds))
  return !within
}

/** Looks the signing key up in the database; `false` while that is away. */
async function hasSigner({ keys }: OpenIdDeps): Promise<boolean> {
  try {
    await keys.signer()
    return true
  } catch (error) {
    if (isDatabaseAway(error)) return false
    throw error
  }
}

/** The metadata of an installation without OpenID Connect: what there is is the exchange of a session for an access token. */
function exchangeMetadata(reply: FastifyReply, { responses, baseUrl }: OpenIdDeps): FastifyReply {
  return responses.json(reply, 200, {
    issuer: baseUrl,
    token_endpoint: `${baseUrl}/auth/token`,
    jwks_uri: `${baseUrl}${PATHS.jwks}`,
    response_types_supported: [], // the contract's own sign-in, not an authorization endpoint of OAuth
    grant_types_supported: ['urn:ietf:params:oauth:grant-type:token-exchange'],
    token_endpoint_auth_methods_supported: ['none'],
  })
}
