import { z } from 'zod'
import { faults, jsonAnswer, jsonBodySchema, refusal, tooLarge } from '../http/index.ts'

export const verifyInput = z.object({ token: z.string().min(1).describe('the eg_token') })

const user = z.object({
  sub: z.uuid(),
  email: z.email().optional().describe('absent without read:email'),
  name: z.string(),
  is_producer: z.boolean(),
  scopes: z.array(z.enum(['read:email', 'read:profile'])).describe('what the product is registered for'),
})

/** Schemas of `POST /auth/verify`, for the API description. */
export const verifySchema = {
  operationId: 'verifyHandoff',
  summary: 'Exchange an eg_token for an eg_session, once',
  description:
    'From the server of the product, within 60 seconds of the redirect. An external product receives a session of its own, an internal one that of the domain. ' +
    'The key is looked at first, then the body, then the token. A token of another product is refused and stays unused; after 503 the same token can be tried again.',
  tags: ['handoff'],
  security: [{ apiKey: [] }],
  body: jsonBodySchema(verifyInput),
  response: {
    200: jsonAnswer('The user, and the session', z.object({ user, eg_session: z.string().describe('signed JWT') }), {
      user: {
        sub: '019a9f3c-5d1e-7c61-b0a4-2f9d8c7e6b51',
        email: 'ana@example.com',
        name: 'Ana Flávia Conceição',
        is_producer: false,
        scopes: ['read:email', 'read:profile'],
      },
      eg_session: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImVnLXNlc3Npb24rand0In0…',
    }),
    400: refusal({ 'token ausente': 'the body is no JSON object, or its token is missing, empty or no text' }),
    401: refusal({
      invalid_api_key: 'Authorization carries no live API key',
      invalid_token: 'expired, forged, redeemed before, of another product, or its session has ended',
    }),
    ...tooLarge,
    ...faults,
  },
}
