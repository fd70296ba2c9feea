import { z } from 'zod'
import { formBodySchema, orPage, pageAnswer, pageFaults, redirectAnswer, refusal } from '../../http/index.ts'
import { BAD_FLOW, flow, tags, tooManyPage } from '../flow/schemas.ts'

export const providerSchema = {
  operationId: 'startProviderSignIn',
  summary: 'Sign in through an identity provider',
  description: 'OpenID Connect: code flow with PKCE (S256), state and nonce. The buttons of the sign-in form lead here.',
  tags,
  security: [{ flow: [] }],
  params: z.object({
    id: z
      .string()
      .describe('the operator’s name for the provider')
      .meta({ examples: ['google'] }),
  }),
  querystring: z.object({ flow }),
  response: {
    302: redirectAnswer('To the provider; or back to /login with a message when it does not answer'),
    400: orPage(refusal(BAD_FLOW)),
    404: orPage(refusal({ 'Recurso nao encontrado': 'no provider of this name is connected' })),
    ...pageFaults,
  },
}

export const callbackSchema = {
  operationId: 'finishProviderSignIn',
  summary: 'Where identity providers send the browser back to',
  description:
    'One address for all of them: `state` names the attempt, and the attempt the provider. Each attempt is taken once, in the browser that began it. ' +
    'The user is known by issuer and subject, never by the address alone. ' +
    'Where the provider’s word about the address does not count, the limits of a sign-up hold: twenty times an hour for a network, ' +
    'with the sign-ups by form, and three mails for an address.',
  tags,
  security: [{ flow: [] }],
  querystring: z.object({
    state: z.string().describe('names the attempt'),
    code: z.string().optional().describe('exchanged at the provider'),
    iss: z.string().optional().describe('the issuer that answers (RFC 9207); checked where the provider says that it sends it'),
    error: z.string().optional().describe('what the provider says instead of a code'),
    error_description: z.string().optional(),
  }),
  response: {
    302: redirectAnswer(
      'Signed in: to /complete-profile or /auth/welcome. To /check-mail when the mailbox has to verify the address. Else to /login with a message: ' +
        'the user said no, the provider does not answer or its answer does not hold, it gave no address, or the local account has to be verified first',
      { 'Set-Cookie': 'eg_session, the bound cookie and the device cookie, when signed in' },
    ),
    400: orPage(
      refusal({ 'fluxo invalido ou expirado': 'state is missing, unknown, used, older than 30 minutes, or belongs to another browser' }),
    ),
    429: tooManyPage,
    ...pageFaults,
  },
}

export const postedCallbackSchema = {
  operationId: 'passOnProviderAnswer',
  summary: 'The same for a provider that answers by a form',
  description:
    'Apple sends its answer so (`response_mode=form_post`), and a form of another site brings no cookies of ours. The page goes on to the same address by GET, ' +
    'where the answer is checked. Nothing is read or changed here.',
  tags,
  body: formBodySchema(
    z.object({
      state: z.string().describe('names the attempt'),
      code: z.string().optional(),
      error: z.string().optional(),
    }),
  ),
  response: {
    200: pageAnswer('A page that goes on to GET /auth/callback at once', { Refresh: 'at once, to the same answer by GET' }),
    400: orPage(refusal({ 'fluxo invalido ou expirado': 'state is missing' })),
    ...pageFaults,
  },
}
