import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { formBody, jsonObject } from '../../http/index.ts'
import { exchangeAccessToken } from '../check/exchange.ts'
import { callerOf } from './caller-guards.ts'
import type { SessionRouteDeps } from './route-deps.ts'

const grantInput = z.object({ grant_type: z.string() })

const exchangeInput = grantInput.extend({
  subject_token: z.string().min(1),
  subject_token_type: z.literal('urn:portaria:token-type:session'),
})

const GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange'

const ACCESS_TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:access_token'

/** `POST /auth/token`: RFC 8693, with the error codes of RFC 6749 §5.2. */
export async function exchange(request: FastifyRequest, reply: FastifyReply, deps: SessionRouteDeps): Promise<FastifyReply> {
  const { responses, products } = deps
  const refuse = (status: number, error: string) => responses.json(reply, status, { error })
  const caller = await callerOf(request, products)
  if (caller === 'unknown') {
    reply.header('www-authenticate', challenge(request, deps))
    return refuse(401, 'invalid_client')
  }
  const form = formBody(request)
  if (form && [...new Set(form.keys())].length !== [...form.keys()].length) return refuse(400, 'invalid_request')
  const given = form ? Object.fromEntries(form) : jsonObject(request)
  const grant = grantInput.safeParse(given)
  // The other parameters of another grant are its own.
  if (grant.success && grant.data.grant_type !== GRANT) return refuse(400, 'unsupported_grant_type')
  const input = exchangeInput.safeParse(given)
  if (!input.success) return refuse(400, 'invalid_request')
  const token = await exchangeAccessToken(input.data.subject_token, caller, { ...deps, lifeSeconds: deps.accessTokenSeconds })
  if (!token) return refuse(400, 'invalid_grant')
  return responses.json(reply, 200, {
    access_token: token.accessToken,
    issued_token_type: ACCESS_TOKEN_TYPE,
    token_type: 'Bearer',
    expires_in: token.expiresInSeconds,
    scope: token.scope,
  })
}

/** By the scheme that the client used (RFC 6749 §5.2). A key is a bearer alone. */
function challenge({ headers }: FastifyRequest, { issuer }: SessionRouteDeps): string {
  return /^basic\b/i.test(headers.authorization ?? '') ? `Basic realm="${issuer}"` : 'Bearer error="invalid_token"'
}
