import { z } from 'zod'
import { formBodySchema, orPage, pageAnswer, pageFaults, pageTooLarge, redirectAnswer, refusal } from '../http/index.ts'
import { busyPage, FOREIGN_ORIGIN, lang, ticket, ticketPage, tooManyPage, UNREADABLE } from './schemas.ts'

const tags = ['account']
const own = { tags, security: [{ session: [], bound: [] }] } as const
const notSignedIn = {
  302: redirectAnswer(
    'To /login for someone who is not signed in, or has not proven within the last 10 minutes who they are; they come back from there',
  ),
}
const form = {
  ...own,
  querystring: z.object({ lang }),
  response: { 200: pageAnswer('The form'), ...notSignedIn, ...pageFaults },
}
const current = z.string().max(1024).describe('the password, under the limits of a sign-in')
const answers = {
  ...notSignedIn,
  403: orPage(refusal(FOREIGN_ORIGIN)),
  ...pageTooLarge,
  ...pageFaults,
}

export const passwordFormSchema = { ...form, operationId: 'showPasswordForm', summary: 'The form for another password' }

export const passwordSchema = {
  ...own,
  operationId: 'changePassword',
  summary: 'Change the password, or choose a first one',
  description: 'Ends every other session of the person, voids mailed links except “this wasn’t me”, and tells the owner by mail.',
  body: formBodySchema(z.object({ password: z.string().max(1024) })),
  response: {
    200: pageAnswer('Done'),
    ...answers,
    400: orPage(refusal({ ...UNREADABLE, 'campos invalidos': 'the new password is too easy to guess' })),
    503: busyPage,
  },
}

export const emailFormSchema = { ...form, operationId: 'showEmailForm', summary: 'The form for another address' }

export const emailSchema = {
  ...own,
  operationId: 'beginEmailChange',
  summary: 'Begin a change of address',
  description:
    'Mails a link to the new address; nothing changes before it is used. Three times an hour for an account, three to an address, and twenty for a network.',
  body: formBodySchema(z.object({ email: z.email() })),
  response: {
    200: pageAnswer('That a mail is on its way'),
    ...answers,
    400: orPage(refusal({ ...UNREADABLE, 'campos invalidos': 'no address, or none that can be' })),
    429: tooManyPage,
  },
}

export const confirmFormSchema = {
  ...ticketPage('showEmailConfirmation', 'Where the link to the new address leads'),
  description: 'A page with a button, which uses nothing up; where the account is not signed in, it asks for its password.',
  tags,
}

export const confirmSchema = {
  operationId: 'confirmEmail',
  summary: 'Prove the new address',
  description:
    'Where the account is signed in, the ticket is enough. Anywhere else its password is asked, under the limits of a sign-in: a click alone would prove the address of whoever reads the new mailbox for somebody else’s account. Good for an hour, once. Ends the other sessions, and tells the old address, from where it can be undone for 7 days.',
  tags,
  body: formBodySchema(z.object({ ticket, current_password: current.optional() })),
  response: {
    200: pageAnswer('Done'),
    400: orPage(
      refusal(UNREADABLE, {
        also: 'the link is used, an hour old, or never made, or the address has an account by now: a page that says so',
      }),
    ),
    401: orPage(refusal({ 'senha incorreta': 'the account is not signed in here, and this is not its password' })),
    403: orPage(refusal(FOREIGN_ORIGIN)),
    ...pageTooLarge,
    429: tooManyPage,
    ...pageFaults,
    503: busyPage,
  },
}
