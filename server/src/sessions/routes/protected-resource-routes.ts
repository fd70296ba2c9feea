import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Responses, SecurityHeaders } from '../../http/index.ts'
import { protectedResourceSchema } from './key-schemas.ts'

const WELL_KNOWN = '/.well-known/oauth-protected-resource'

/** The API as a resource of OAuth (RFC 9728): its clients learn here which server gives tokens for it. */
export function protectedResourceRoutes(scope: FastifyInstance, { issuer, headers }: { issuer: string; headers: SecurityHeaders }): void {
  const metadata = JSON.stringify({
    resource: `${issuer}/api`,
    authorization_servers: [issuer],
    scopes_supported: ['profile', 'email', 'portaria'],
    bearer_methods_supported: ['header'],
    resource_name: 'Portaria',
    resource_documentation: `${issuer}/docs/openid`,
  })
  const show = (reply: FastifyReply) =>
    reply
      .headers(headers.json)
      .header('cache-control', 'public, max-age=300')
      // Clients in browsers read it too.
      .header('access-control-allow-origin', '*')
      .header('cross-origin-resource-policy', 'cross-origin')
      .send(metadata)
  scope.get(`${WELL_KNOWN}/api`, { schema: protectedResourceSchema('getProtectedResource') }, async (_request, reply) => show(reply))
  // Clients that know the host alone look here.
  scope.get(WELL_KNOWN, { schema: protectedResourceSchema('getProtectedResourceOfHost') }, async (_request, reply) => show(reply))
}

/** 401 with a challenge (RFC 6750 §3, RFC 9728 §5.1). `invalid`: there was a token. */
export function refuseToken(
  reply: FastifyReply,
  token: 'missing' | 'invalid',
  { responses, issuer }: { responses: Responses; issuer: string },
): FastifyReply {
  const error = token === 'invalid' ? 'error="invalid_token", ' : ''
  reply.header('www-authenticate', `Bearer ${error}resource_metadata="${issuer}${WELL_KNOWN}/api"`)
  return responses.json(reply, 401, { error: token === 'invalid' ? 'Token invalido ou expirado' : 'Token ausente' })
}
