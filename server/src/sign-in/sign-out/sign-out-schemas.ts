import { z } from 'zod'
import { faults, jsonAnswer, jsonBodySchema, pageAnswer, pageFaults, pageTooLarge, redirectAnswer, refusal } from '../../http/index.ts'
import { lang, tags } from '../flow/schemas.ts'

const signOut = {
  tags,
  querystring: z.object({
    redirect_to: z
      .url()
      .optional()
      .describe('an address at the origin of a registered redirect URI, or on the internal domain; any other is ignored'),
    lang,
  }),
}
const signedOut = z.object({ signed_out: z.boolean() })
const signedOutResponses = {
  200: {
    ...pageAnswer('The signed-out page; or false, with nothing ended, for a request that a page made behind the user’s back', {
      'Set-Cookie': 'Clears eg_session and the bound cookie',
    }),
    content: { ...pageAnswer('').content, ...jsonAnswer('', signedOut, { signed_out: false }).content },
  },
  302: redirectAnswer('To redirect_to', { 'Set-Cookie': 'Clears eg_session and the bound cookie' }),
}

export const signOutSchema = {
  ...signOut,
  operationId: 'signOut',
  summary: 'Sign out',
  description: 'Ends the session in every app: its product sessions and access tokens are refused within 2 seconds.',
  response: { ...signedOutResponses, ...pageFaults },
}

export const signOutByPostSchema = {
  ...signOut,
  operationId: 'signOutByPost',
  summary: 'Sign out; or a product ends one of its own sessions',
  description:
    'Without Authorization as GET. With the API key of a product, from its server, it ends the session in the body, if that session is of this product (or of the domain, for an internal product).',
  security: [{}, { apiKey: [] }],
  body: jsonBodySchema(z.object({ eg_session: z.string() })),
  response: {
    ...signedOutResponses,
    400: refusal({ 'eg_session ausente': 'with an API key: the body is no JSON object with eg_session' }),
    401: refusal({ invalid_api_key: 'Authorization carries no live API key' }),
    ...pageTooLarge,
    ...faults,
  },
}
