import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { formBody, queryOf } from '../http/index.ts'
import { ownHref } from '../pages/index.ts'
import { openFlow } from '../sign-in/index.ts'
import { addConsent } from './authorization/added-consent.ts'
import { nativeRoutes } from './authorization/native-routes.ts'
import { findDescription, refuseDescription } from './client-documents/description-guards.ts'
import type { OpenIdDeps } from './deps.ts'
import { answerByLibrary } from './library/library-routes.ts'
import { createOpenIdProvider } from './library/openid-provider.ts'
import { logoutRoutes } from './logout/logout-routes.ts'
import { PATHS } from './paths.ts'
import { authorizeSchema, hidden, metadataSchema, serverMetadataSchema } from './schemas.ts'
import { answerServer, exchangeMetadata, type LibraryDeps, MAX_REQUEST, SERVER_ROUTES } from './server-routes.ts'

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
