import { z } from 'zod'
import { faults, formOrJsonBodySchema, jsonAnswer, refusal, tooLarge } from '../http/index.ts'

// Schemas of the session routes, for the API description.

const tags = ['sessions']
const ANA = { sub: '019a9f3c-5d1e-7c61-b0a4-2f9d8c7e6b51', email: 'ana@example.com', name: 'Ana Flávia Conceição' }

const session = z
  .object({
    sub: z.uuid(),
    email: z.email().nullable().describe('null for an external product without read:email'),
    name: z.string(),
    is_producer: z.boolean(),
    is_beta: z.boolean(),
    plan_slug: z.string().nullable().describe('null without a plan'),
  })
  .meta({ id: 'Session' })

export const checkSchema = {
  operationId: 'checkSession',
  summary: 'Is this session good, and what is its user today?',
  description:
    'Reads the eg_session cookie. Always 200, never a redirect, never limited. Meant for servers, which hand on the cookie they received. ' +
    'Without Authorization the sessions of the domain are good; with the API key of an external product only the sessions of that product are; with a wrong key none is. ' +
    'The claims are those of today, whatever the token says. While the database is away, a session that this node has not seen is invalid_session with the header ' +
    'Portaria-Degraded (database, or load) and Retry-After: keep what you knew of it and ask again.',
  tags,
  security: [{ session: [] }, { session: [], apiKey: [] }],
  response: {
    200: {
      description: 'Whether the session is good',
      content: {
        'application/json': {
          schema: z.union([
            z.object({
              authenticated: z.literal(true),
              session,
              act: z
                .object({ sub: z.uuid() })
                .optional()
                .describe('only while an administrator acts for the user: who it is (RFC 8693 §4.1). The same claim stands in eg_session'),
            }),
            z.object({ authenticated: z.literal(false), reason: z.enum(['missing_session', 'invalid_session']) }),
          ]),
          examples: {
            valid: { value: { authenticated: true, session: { ...ANA, is_producer: false, is_beta: false, plan_slug: null } } },
            impersonation: {
              summary: 'an administrator acts for the user, for 15 minutes at most',
              value: {
                authenticated: true,
                session: { ...ANA, is_producer: false, is_beta: false, plan_slug: null },
                act: { sub: '0199c2b4-7d3a-7c1e-9f52-1b6f0a4c8e21' },
              },
            },
            missing: { summary: 'no cookie, or an empty one', value: { authenticated: false, reason: 'missing_session' } },
            invalid: {
              summary: 'expired, ended, forged, or of another audience',
              value: { authenticated: false, reason: 'invalid_session' },
            },
          },
        },
      },
    },
  },
}

export const exchangeSchema = {
  operationId: 'exchangeForAccessToken',
  summary: 'Exchange a session for an access token (RFC 8693)',
  description:
    'Form or JSON, from a server. A session of the domain needs no key; that of an external product goes with its API key as bearer.',
  tags,
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
      'The access token (RFC 9068), good for GET /api/me',
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
    401: refusal({ invalid_client: 'Authorization carries no live API key' }),
    ...tooLarge,
    ...faults,
  },
}

export const meSchema = {
  operationId: 'getProfile',
  summary: 'The profile of the user an access token speaks for',
  tags,
  security: [{ accessToken: [] }],
  response: {
    200: jsonAnswer(
      'The profile of today',
      z.object({
        id: z.uuid(),
        email: z.email().nullable().describe('null for an external product without read:email'),
        name: z.string().nullable().describe('null without the scope profile'),
        avatar_url: z.url().nullable(),
        plan: z.string().nullable(),
      }),
      { id: ANA.sub, email: ANA.email, name: ANA.name, avatar_url: null, plan: null },
    ),
    401: refusal({
      'Token ausente': 'there is no bearer token',
      'Token invalido ou expirado': 'no access token, expired, its session has ended, or its user is disabled',
    }),
    404: refusal({ 'Usuario nao encontrado': 'the token is genuine, but its user has been deleted' }),
    ...faults,
  },
}

export function protectedResourceSchema(operationId: string) {
  return {
    operationId,
    summary: 'Which server gives tokens for this API (RFC 9728)',
    description: 'Five minutes cacheable, readable from any site.',
    tags,
    response: {
      200: jsonAnswer(
        'The metadata',
        z.object({
          resource: z.url().describe('what a request for a token names (RFC 8707)'),
          authorization_servers: z.array(z.url()),
          scopes_supported: z.array(z.string()),
          bearer_methods_supported: z.array(z.string()),
          resource_name: z.string(),
          resource_documentation: z.url(),
        }),
      ),
      500: faults[500],
    },
  }
}

export const jwksSchema = {
  operationId: 'getKeys',
  summary: 'Public keys that verify every token (RFC 7517)',
  description: 'Five minutes cacheable, readable from any site. The next key appears here 24 hours before it signs.',
  tags,
  response: { 200: jsonAnswer('The JWK set', z.object({ keys: z.array(z.record(z.string(), z.unknown())) })), 500: faults[500] },
}
