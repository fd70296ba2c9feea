import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientAddress, formBody, networkOf } from '../http/index.ts'
import { MINUTE_MS } from '../kit/index.ts'
import { isDatabaseAway } from '../storage/index.ts'
import { addConsent } from './authorization/added-consent.ts'
import type { OpenIdDeps } from './deps.ts'
import { answerByLibrary } from './library/library-routes.ts'
import type { OpenIdProvider } from './library/openid-provider.ts'
import { PATHS } from './paths.ts'
import { hidden, serverSchemas } from './schemas.ts'

export type LibraryDeps = OpenIdDeps & { provider: OpenIdProvider }

/** More than any client sends; the request travels in the address of the sign-in. */
export const MAX_REQUEST = 6_000
/** Pushed requests of a network in 15 minutes, by clients without a secret. */
const MAX_PUSHED = 300

export const SERVER_ROUTES = [
  ['POST', PATHS.token, serverSchemas.token],
  ['GET', PATHS.userinfo, serverSchemas.userinfo],
  ['POST', PATHS.userinfo, hidden],
  ['POST', PATHS.introspection, serverSchemas.introspect],
  ['POST', PATHS.revocation, serverSchemas.revoke],
  ['POST', PATHS.pushed_authorization_request, serverSchemas.push],
] as const

/** A call of a client's server, or of a browser app. The signing key is looked up anew: a revoked one must sign nothing. */
export async function answerServer(request: FastifyRequest, reply: FastifyReply, deps: LibraryDeps): Promise<FastifyReply> {
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
export function exchangeMetadata(reply: FastifyReply, { responses, baseUrl }: OpenIdDeps): FastifyReply {
  return responses.json(reply, 200, {
    issuer: baseUrl,
    token_endpoint: `${baseUrl}/auth/token`,
    jwks_uri: `${baseUrl}${PATHS.jwks}`,
    response_types_supported: [], // the contract's own sign-in, not an authorization endpoint of OAuth
    grant_types_supported: ['urn:ietf:params:oauth:grant-type:token-exchange'],
    token_endpoint_auth_methods_supported: ['none'],
  })
}
