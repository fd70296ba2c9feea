import { z } from 'zod'
import { faults, formOrJsonBodySchema, jsonAnswer, refusal, tooLarge } from '../../http/index.ts'

export const exchangeSchema = {
  operationId: 'exchangeForAccessToken',
  summary: 'Exchange a session for an access token (RFC 8693)',
  description:
    'Form or JSON, from a server. A session of the domain needs no key; that of an external product goes with its API key as bearer.',
  tags: ['sessions'],
  security: [{}, { apiKey: [] }],
  body: formOrJsonBodySchema(
    z.object({
      grant_type: z.literal('urn:ietf:params:oauth:grant-type:token-exchange'),
      subject_token: z.string().describe('the eg_session'),
      subject_token_type: z.literal('urn:portaria:token-type:session'),
    }),
  ),
  response: {
    200: jsonAnswer(
      'The access token (RFC 9068), valid for GET /api/me',
      z.object({
        access_token: z.string(),
        issued_token_type: z.literal('urn:ietf:params:oauth:token-type:access_token'),
        token_type: z.literal('Bearer'),
        expires_in: z.int().describe('seconds'),
        scope: z.string(),
      }),
      {
        access_token: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9…',
        issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        token_type: 'Bearer',
        expires_in: 3600,
        scope: 'profile email',
      },
    ),
    400: refusal({
      invalid_request: 'a parameter is missing, empty, given twice, or the token type is another',
      unsupported_grant_type: 'grant_type is another',
      invalid_grant: 'the session is not live, is not one of this caller, or an administrator acts in it',
    }),
    401: refusal(
      { invalid_client: 'Authorization carries no live API key' },
      { headers: { 'WWW-Authenticate': 'A challenge of the scheme that Authorization had' } },
    ),
    ...tooLarge,
    ...faults,
  },
}
