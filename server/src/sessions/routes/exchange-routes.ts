import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { formBody, jsonObject } from '../../http/index.ts'
import { exchangeAccessToken } from '../check/exchange.ts'
import { callerOf } from './caller-guards.ts'
import type { SessionRouteDeps } from './route-deps.ts'

const exchangeInput = z.object({
  grant_type: z.string(),
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
  if (caller === 'unknown') return refuse(401, 'invalid_client')
  const form = formBody(request)
  if (form && [...new Set(form.keys())].length !== [...form.keys()].length) return refuse(400, 'invalid_request')
  const input = exchangeInput.safeParse(form ? Object.fromEntries(form) : jsonObject(request))
  if (!input.success) return refuse(400, 'invalid_request')
  if (input.data.grant_type !== GRANT) return refuse(400, 'unsupported_grant_type')
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
