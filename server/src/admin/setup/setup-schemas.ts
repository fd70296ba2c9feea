import { z } from 'zod'
import { formBodySchema, orPage, pageAnswer, pageFaults, pageTooLarge, redirectAnswer, refusal } from '../../http/index.ts'
import { tooManyPage } from '../../sign-in/index.ts'

// Schemas of the pages of the first start and of the console's sign-in, for the API description.

const tags = ['admin']
const lang = z.enum(['pt-BR', 'en', 'es']).optional().describe('language of the page, remembered')
const token = z.string().describe('the secret of the one-time address')
const GONE = {
  'link invalido ou expirado': 'the address was used, is older than 30 minutes, was voided by a newer one, or there is an administrator',
}

export const setupPageSchema = {
  operationId: 'showSetup',
  summary: 'Where the one-time address of the first start leads',
  description:
    '`portaria setup-link` makes the address, and so does the first start on a terminal. A form for the first owner; looking uses nothing up. The address never stands in a `Referer`.',
  tags,
  querystring: z.object({ token, lang }),
  response: { 200: pageAnswer('The form'), 400: orPage(refusal(GONE)), 429: tooManyPage, ...pageFaults },
}

export const setUpSchema = {
  operationId: 'setUp',
  summary: 'Make the first owner',
  description:
    'Uses the address up, makes the account with the role owner and a verified address, and signs in. Once, however many ask. An address of a user that has an account already takes ' +
    'that account’s password in place of a new one, then the account gets the role; its second factor is asked as at every sign-in. A network sends 30 of these forms an hour.',
  tags,
  body: formBodySchema(
    z.object({
      token,
      name: z.string().max(100).optional().describe('needed for a new account'),
      email: z.email(),
      password: z.string().max(1024),
      account: z.literal('known').optional().describe('the form of an address that has an account'),
    }),
  ),
  response: {
    302: redirectAnswer('Signed in: to /admin, or to /second-factor first', {
      'Set-Cookie': 'eg_session, the bound cookie and the device cookie',
    }),
    400: orPage(refusal({ ...GONE, 'campos invalidos': 'a field is empty or not as it must be' })),
    401: orPage(refusal({ 'senha incorreta': 'the address has an account, and this is not its password' })),
    403: orPage(refusal({ 'origem nao permitida': 'a browser says that the form was sent by another site' })),
    409: orPage(refusal({ 'conta alterada': 'the account changed at that moment; the address is still good' })),
    ...pageTooLarge,
    429: tooManyPage,
    ...pageFaults,
    503: orPage(
      refusal({
        'muitas entradas ao mesmo tempo, tente novamente': 'more passwords to hash at once than the queue holds',
        'Servico indisponivel, tente novamente': 'the database is away',
      }),
    ),
  },
}

export const consoleSignInSchema = {
  operationId: 'signInToConsole',
  summary: 'Sign in to the console',
  description: 'Begins a sign-in that ends at /admin, also of someone who is signed in.',
  tags,
  response: { 302: redirectAnswer('To /login', { 'Set-Cookie': 'The flow cookie' }), ...pageFaults },
}

export const authenticateSchema = {
  operationId: 'authenticateForConsole',
  summary: 'Authenticate again, for the console',
  description:
    'Begins a sign-in that ends at /admin/authenticated. The console opens it in a window of its own when an action asks for recent authentication.',
  tags,
  response: { 302: redirectAnswer('To /login', { 'Set-Cookie': 'The flow cookie' }), ...pageFaults },
}

export const authenticatedSchema = {
  operationId: 'openAuthenticatedPage',
  summary: 'Where a sign-in for the console ends',
  description: 'Its script notifies the console over the BroadcastChannel `portaria-admin` and closes the window.',
  tags,
  security: [{ session: [], bound: [] }],
  querystring: z.object({ lang }),
  response: {
    200: pageAnswer('The page'),
    302: redirectAnswer('To /admin/authenticate: no session, or no authentication of the last ten minutes'),
    ...pageFaults,
  },
}
