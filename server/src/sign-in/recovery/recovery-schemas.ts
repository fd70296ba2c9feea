import { z } from 'zod'
import { formBodySchema, orPage, pageAnswer, pageFaults, pageTooLarge, redirectAnswer, refusal } from '../../http/index.ts'
import { BAD_FLOW, busyPage, FOREIGN_ORIGIN, flow, lang, ticket, ticketPage, tooManyPage, UNREADABLE } from '../flow/schemas.ts'

const tags = ['recovery']
const LINK_GONE = 'the link is used, too old, or was never made: a page that says how to begin again'

export const recoverFormSchema = {
  operationId: 'showRecoveryForm',
  summary: 'Ask for a new password by mail',
  tags,
  querystring: z.object({ flow: flow.optional(), lang }),
  response: { 200: pageAnswer('The form', { 'Set-Cookie': 'The flow cookie' }), 400: orPage(refusal(BAD_FLOW)), ...pageFaults },
}

export const recoverSchema = {
  operationId: 'beginRecovery',
  summary: 'Send a new-password mail, if there is an account',
  description:
    'The answer, its work and its time are the same for every address; whether it has an account is found out when the mail is made. ' +
    'Three times an hour for an address, twenty for a network.',
  tags,
  security: [{ flow: [] }],
  body: formBodySchema(z.object({ flow, email: z.email() })),
  response: {
    200: pageAnswer('That a mail is on its way if the address has an account'),
    400: orPage(refusal({ ...BAD_FLOW, 'campos invalidos': 'no address, or none that can be' })),
    403: orPage(refusal(FOREIGN_ORIGIN)),
    ...pageTooLarge,
    429: tooManyPage,
    ...pageFaults,
  },
}

const newPassword = {
  tags,
  body: formBodySchema(z.object({ ticket, password: z.string().max(1024) })),
  response: {
    302: redirectAnswer('Signed in: to /complete-profile or, with nothing missing there, to /auth/welcome', {
      'Set-Cookie': 'eg_session, the bound cookie, the device cookie and the flow cookie',
    }),
    400: orPage(
      refusal({
        ...UNREADABLE,
        'campos invalidos': 'the password is too easy to guess; the link stays valid',
        'link invalido ou expirado': LINK_GONE,
      }),
    ),
    403: orPage(refusal(FOREIGN_ORIGIN)),
    ...pageTooLarge,
    429: tooManyPage,
    ...pageFaults,
    503: busyPage,
  },
}

export const newPasswordSchemas = {
  reset_password: {
    form: {
      ...ticketPage('showNewPasswordForm', 'Where the link of the new-password mail leads'),
      description: 'A form, which uses nothing up.',
      tags,
    },
    save: {
      ...newPassword,
      operationId: 'resetPassword',
      summary: 'Set the new password, once',
      description:
        'The link is valid for 30 minutes, and for twenty passwords an hour. Ends every session of the user, voids the other mailed links, and notifies the owner by mail.',
    },
  },
  invitation: {
    form: {
      ...ticketPage('showInvitation', 'Where the link of an invitation leads'),
      description: 'A form for the first password, which uses nothing up.',
      tags,
    },
    save: {
      ...newPassword,
      operationId: 'acceptInvitation',
      summary: 'Set the first password, once',
      description: 'The link is valid for 7 days, and verifies the address.',
    },
  },
} as const

export const reportSignInPageSchema = {
  ...ticketPage('showNotMe', 'Where “this wasn’t me” in a mail leads'),
  description: 'A page with a button, which uses nothing up. The link is valid for 7 days.',
  tags,
}

export const reportSignInSchema = {
  operationId: 'reportSignIn',
  summary: 'This wasn’t me',
  description:
    'Voids the password and every link to an identity provider, gives the account back the address that the mail went to, ends every session, and mails a new-password link there.',
  tags,
  body: formBodySchema(z.object({ ticket })),
  response: {
    200: pageAnswer('What was done, and that a mail is on its way'),
    400: orPage(refusal({ ...UNREADABLE, 'link invalido ou expirado': LINK_GONE })),
    403: orPage(refusal(FOREIGN_ORIGIN)),
    ...pageTooLarge,
    ...pageFaults,
  },
}
