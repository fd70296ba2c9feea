import { z } from 'zod'
import { faults, jsonAnswer, orPage, pageAnswer, redirectAnswer, refusal } from '../http/index.ts'

const tags = ['openid']

/** Routes that the description leaves out: another method of a described one, or a page between two. */
export const hidden = { hide: true }

const OFF = refusal({ 'Recurso nao encontrado': 'no product speaks OpenID Connect here' })

/** Schemas of the endpoints, for the API description. The standards say what each takes; the library checks it. */
export const authorizeSchema = {
  operationId: 'authorize',
  summary: 'Authorization endpoint (OpenID Connect Core §3.1.2)',
  description:
    'Authorization code flow with PKCE. The answer goes to the registered redirect URI, with iss (RFC 9207). A fault of the client or its redirect URI is a page. Also by POST.',
  tags,
  querystring: z.object({
    client_id: z.string().describe("the product's publishable key"),
    redirect_uri: z.string().describe('registered byte for byte; a native app on loopback may use any port'),
    response_type: z.literal('code'),
    scope: z.string().describe('openid, profile, email, offline_access, portaria'),
    state: z.string().optional(),
    nonce: z.string().optional(),
    code_challenge: z.string().optional(),
    code_challenge_method: z.literal('S256').optional(),
    prompt: z.string().optional().describe('none, login, consent, select_account, create'),
    max_age: z.string().optional(),
    resource: z.string().optional().describe('RFC 8707'),
    request_uri: z.string().optional().describe('of a pushed request (RFC 9126)'),
  }),
  response: {
    303: redirectAnswer('To the client with a code or an error, or to the sign-in'),
    400: orPage(refusal({ invalid_request: 'the client, or its redirect URI, is unknown' })),
    404: OFF,
    ...faults,
  },
}

export const logoutSchema = {
  operationId: 'logout',
  summary: 'RP-initiated logout',
  description:
    'Without an ID token of the session that the browser holds, the user is asked first. Leads to registered addresses alone. Also by POST.',
  tags,
  querystring: z.object({
    id_token_hint: z.string().optional(),
    client_id: z.string().optional(),
    post_logout_redirect_uri: z.string().optional(),
    state: z.string().optional(),
  }),
  response: {
    200: pageAnswer('The question, or the signed-out page'),
    302: redirectAnswer('To post_logout_redirect_uri'),
    400: orPage(refusal({ invalid_request: 'the ID token is none of ours, or the address is not registered' })),
    404: OFF,
    ...faults,
  },
}

const metadata = {
  tags,
  response: { 200: jsonAnswer('The metadata', z.record(z.string(), z.unknown())), 404: OFF, 500: faults[500] },
}

export const metadataSchema = { ...metadata, operationId: 'getOpenIdConfiguration', summary: 'Metadata (OpenID Connect Discovery 1.0)' }

export const serverMetadataSchema = {
  ...metadata,
  operationId: 'getMetadata',
  summary: 'Under which name tokens are issued (RFC 8414)',
  description: "An app whose address of Portaria is not this issuer believes no token; the client's doctor compares the two.",
  response: { 200: metadata.response[200], 500: faults[500] },
}

/** Of OAuth (RFC 6749 §5.2): the word, and a sentence for developers. */
const oauthError = z.object({ error: z.string(), error_description: z.string().optional() }).meta({ id: 'OAuthError' })

/** The endpoints that clients' servers call. */
function serverSchema(operationId: string, summary: string, { is400 }: { is400: Record<string, string> }) {
  return {
    operationId,
    summary,
    tags,
    response: {
      200: jsonAnswer('As the standard has it', z.record(z.string(), z.unknown())),
      400: refusal(is400, { schema: oauthError }),
      401: refusal({ invalid_client: 'the client is unknown, or its secret is no live API key of it' }, { schema: oauthError }),
      404: OFF,
      503: refusal({ temporarily_unavailable: 'the database is away; nothing was redeemed' }, { schema: oauthError }),
    },
  }
}

const malformed = { invalid_request: 'a parameter is missing, malformed or given twice' }

export const serverSchemas = {
  token: serverSchema('token', 'Token endpoint: codes and refresh tokens', {
    is400: {
      invalid_grant: 'the code or refresh token was used before, has expired, is another client’s, or its session has ended',
      ...malformed,
    },
  }),
  userinfo: {
    ...serverSchema('userinfo', 'Userinfo (OpenID Connect Core §5.3)', { is400: malformed }),
    security: [{ accessToken: [] }],
  },
  introspect: serverSchema('introspect', 'Introspection of a token of this client (RFC 7662)', { is400: malformed }),
  revoke: serverSchema('revokeToken', 'Revocation (RFC 7009)', { is400: malformed }),
  push: serverSchema('pushAuthorizationRequest', 'Pushed authorization requests (RFC 9126)', { is400: malformed }),
}
