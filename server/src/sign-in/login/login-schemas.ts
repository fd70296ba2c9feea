import { z } from 'zod'
import { formBodySchema, orPage, pageAnswer, pageFaults, pageTooLarge, redirectAnswer, refusal } from '../../http/index.ts'
import { ATTEMPT_SECURITY, BAD_FLOW, FOREIGN_ORIGIN, flow, flowQuery, lang, OTHER_USER, tags } from '../flow/schemas.ts'

const COOKIES = 'The cookies named in the description'

export const startSchema = {
  operationId: 'startSignIn',
  summary: 'Start a sign-in',
  description:
    'An app sends the browser here. Variant 1 names `redirect_to` and gets the form; variant 2 names `redirect_uri`, is redirected to the form, and gets the ' +
    'cookies pending_redirect_uri and pending_state for 10 minutes. Exactly one of the two, registered for a product byte for byte. ' +
    'Whoever is signed in already goes straight on to /auth/continue. Sets the flow cookie, which ties the sign-in to this browser.',
  tags,
  querystring: z.object({
    redirect_to: z
      .url()
      .optional()
      .describe('variant 1: where to return to')
      .meta({ examples: ['https://app.example.com/callback'] }),
    redirect_uri: z.url().optional().describe('variant 2: where to return to'),
    api_key: z
      .string()
      .optional()
      .describe('publishable key (pk_…) of the product: an external product receives its eg_token only with it'),
    state: z.string().max(512).optional().describe('a value of the app, returned untouched: compare it with what this browser was given'),
    prompt: z.literal('login').optional().describe('ask for the password even of someone who is signed in'),
    lang,
  }),
  response: {
    200: pageAnswer('The sign-in form (variant 1)', { 'Set-Cookie': 'The flow cookie' }),
    302: redirectAnswer('To /login (variant 2), or to /auth/continue for someone signed in', { 'Set-Cookie': COOKIES }),
    400: orPage(
      refusal({
        'redirect_to ausente': 'neither redirect_to nor redirect_uri was given',
        'redirect_to nao autorizado': 'variant 1: the address is not registered, byte for byte',
        'redirect_uri nao autorizado': 'variant 2: the address is not registered, byte for byte',
        'parametros invalidos': 'both redirect_to and redirect_uri, or a parameter given twice',
        'state invalido': 'state is longer than 512 characters',
        'api_key invalida': 'no publishable key, or not that of the product the address belongs to',
      }),
    ),
    ...pageFaults,
  },
}

export const formSchema = {
  operationId: 'showSignInForm',
  summary: 'The sign-in form',
  description: 'Of a flow, or without one of a sign-in to Portaria itself.',
  tags,
  querystring: z.object({ flow: flow.optional(), lang }),
  response: {
    200: pageAnswer('The form'),
    302: redirectAnswer('To /account: without a flow, for someone signed in'),
    400: orPage(refusal(BAD_FLOW)),
    ...pageFaults,
  },
}

export const signInSchema = {
  operationId: 'signIn',
  summary: 'Sign in by form',
  description:
    'Sets eg_session on the internal domain and, for the host of the service alone, the bound cookie and the device cookie. ' +
    'Ten failures of one account from one network in 15 minutes are the limit, a hundred of one network, a hundred of one account without its device cookie.',
  tags,
  security: [{ flow: [] }],
  body: formBodySchema(z.object({ flow, email: z.email(), password: z.string().max(1024) })),
  response: {
    302: redirectAnswer('To /complete-profile if something is missing there, else to /auth/welcome', { 'Set-Cookie': COOKIES }),
    400: orPage(refusal({ ...BAD_FLOW, 'email ou senha ausente': 'a field is empty' })),
    401: orPage(
      refusal({ 'credenciais invalidas': 'wrong address or password, an unknown, disabled or passwordless account: all answered alike' }),
    ),
    403: orPage(refusal(FOREIGN_ORIGIN)),
    ...pageTooLarge,
    429: orPage(
      refusal({ 'muitas tentativas': 'a limit is reached; the right password does not help' }, { headers: { 'Retry-After': 'Seconds' } }),
    ),
    ...pageFaults,
    503: orPage(
      refusal({
        'muitas entradas ao mesmo tempo, tente novamente': 'more sign-ins at once than the queue of password checks holds',
        'Servico indisponivel, tente novamente': 'the database is away',
      }),
    ),
  },
}

const loginQuery = {
  tags,
  security: ATTEMPT_SECURITY,
  querystring: flowQuery,
}

export const welcomeSchema = {
  ...loginQuery,
  operationId: 'welcome',
  summary: 'Splash of 4 seconds, then on',
  description: `The first time a user goes to an external product it shows what that product receives. ${OTHER_USER}`,
  response: {
    200: pageAnswer('The splash', { Refresh: '4; url=/auth/continue?…' }),
    302: redirectAnswer('To /complete-profile if something is missing there'),
    400: orPage(refusal(BAD_FLOW)),
    ...pageFaults,
  },
}

export const continueSchema = {
  ...loginQuery,
  operationId: 'continueToApp',
  summary: 'Redirect to the app with its token',
  description:
    'An internal product receives eg_session (or eg_token, if it was registered with that handoff), an external one eg_token if the login named its publishable key, ' +
    `any other registered address nothing; always with the state of the login. ${OTHER_USER}`,
  response: {
    200: pageAnswer('The question with which account to go on'),
    302: redirectAnswer('To the registered address; or to /auth/welcome or /complete-profile for what is still to be shown'),
    400: orPage(refusal(BAD_FLOW)),
    ...pageFaults,
  },
}

export const homeSchema = {
  operationId: 'home',
  summary: 'To the account, or to the sign-in',
  tags,
  response: { 302: redirectAnswer('To /account or /login'), ...pageFaults },
}
