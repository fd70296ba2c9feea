import { z } from 'zod'
import { formBodySchema, orPage, pageAnswer, pageFaults, pageTooLarge, redirectAnswer, refusal } from '../../http/index.ts'
import { BAD_FLOW, busyPage, FOREIGN_ORIGIN, flow, lang, ticket, ticketPage, tooManyPage, UNREADABLE } from '../flow/schemas.ts'

const tags = ['sign-up']
const HERE = 'The browser that began it alone: the flow names the ticket, and the flow cookie the browser.'
const SIGNED_IN = 'Signed in: to /complete-profile or, with nothing missing there, to /auth/welcome'
const COOKIES = 'eg_session, the bound cookie and the device cookie'

export const signUpFormSchema = {
  operationId: 'showSignUpForm',
  summary: 'The sign-up form',
  description: 'Of a flow, or without one of a sign-up at Portaria itself.',
  tags,
  querystring: z.object({ flow: flow.optional(), lang }),
  response: { 200: pageAnswer('The form', { 'Set-Cookie': 'The flow cookie' }), 400: orPage(refusal(BAD_FLOW)), ...pageFaults },
}

export const signUpSchema = {
  operationId: 'beginSignUp',
  summary: 'Begin a sign-up',
  description:
    'Makes no account: a mail with a code and a link verifies the address first. The answer is the same for an address that has an account already; its user gets a mail. ' +
    'Three times an hour for an address, twenty for a network; sign-ups that come from a provider count with them. ' +
    'A network sends a hundred of these forms an hour, right or wrong.',
  tags,
  security: [{ flow: [] }],
  body: formBodySchema(
    z.object({
      flow,
      name: z.string().max(100),
      email: z.email(),
      password: z.string().max(1024).describe('not short, common, or made of one’s own name and address'),
    }),
  ),
  response: {
    302: redirectAnswer('To /check-mail'),
    400: orPage(refusal({ ...BAD_FLOW, 'campos invalidos': 'a field is empty or not as it must be' })),
    403: orPage(refusal(FOREIGN_ORIGIN)),
    ...pageTooLarge,
    429: tooManyPage,
    ...pageFaults,
    503: busyPage,
  },
}

export const codeFormSchema = {
  operationId: 'showCodeForm',
  summary: 'Where the code of the mail is typed',
  description: HERE,
  tags,
  security: [{ flow: [] }],
  querystring: z.object({ flow, lang }),
  response: { 200: pageAnswer('The form'), 400: orPage(refusal(BAD_FLOW)), ...pageFaults },
}

export const codeSchema = {
  operationId: 'verifyAddressByCode',
  summary: 'Verify an address by its code',
  description: `Makes the account, or claims an unverified one, and signs in. ${HERE} Five tries.`,
  tags,
  security: [{ flow: [] }],
  body: formBodySchema(z.object({ flow, code: z.string().describe('six digits; anything between them is passed over') })),
  response: {
    302: redirectAnswer(SIGNED_IN, { 'Set-Cookie': COOKIES }),
    400: orPage(refusal({ ...BAD_FLOW, 'codigo invalido': 'the code is wrong, used, an hour old or tried five times' })),
    403: orPage(refusal(FOREIGN_ORIGIN)),
    ...pageTooLarge,
    ...pageFaults,
  },
}

export const linkPageSchema = {
  ...ticketPage('showSignUpLink', 'Where the link of the sign-up mail leads'),
  description:
    'A page with a button, which uses nothing up. In another browser than the one that began the sign-up it asks for the chosen password too.',
  tags,
}

export const linkSchema = {
  operationId: 'verifyAddressByLink',
  summary: 'Verify an address by its link',
  description:
    'As by code. Valid for an hour, once. In another browser than the one that began it, with the chosen password: five tries an hour.',
  tags,
  body: formBodySchema(z.object({ ticket, password: z.string().max(1024).optional().describe('needed in another browser') })),
  response: {
    302: redirectAnswer(SIGNED_IN, { 'Set-Cookie': COOKIES }),
    400: orPage(refusal({ ...UNREADABLE, 'link invalido ou expirado': 'the link is used, an hour old, or was never made' })),
    401: orPage(refusal({ 'senha incorreta': 'another browser, and not the password that was chosen' })),
    403: orPage(refusal(FOREIGN_ORIGIN)),
    ...pageTooLarge,
    429: tooManyPage,
    ...pageFaults,
    503: busyPage,
  },
}
