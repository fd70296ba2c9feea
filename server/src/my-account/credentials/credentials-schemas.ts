import { z } from 'zod'
import { formBodySchema, orPage, pageAnswer, pageFaults, pageTooLarge, redirectAnswer, refusal } from '../../http/index.ts'
import { busyPage, FOREIGN_ORIGIN, lang, ticket, ticketPage, tooManyPage, UNREADABLE } from '../../sign-in/index.ts'

const tags = ['account']
const own = { tags, security: [{ session: [], bound: [] }] } as const
const notSignedIn = {
  302: redirectAnswer(
    'To /login for someone who is not signed in, or has not authenticated within the last 10 minutes; they come back from there',
  ),
}
const form = {
  ...own,
  querystring: z.object({ lang }),
  response: { 200: pageAnswer('The form'), ...notSignedIn, ...pageFaults },
}
const responses = {
  ...notSignedIn,
  403: orPage(refusal(FOREIGN_ORIGIN)),
  ...pageTooLarge,
  ...pageFaults,
}

export const passwordFormSchema = { ...form, operationId: 'showPasswordForm', summary: 'The form for another password' }

export const changePasswordAddressSchema = {
  operationId: 'findPasswordForm',
  summary: 'Where password managers find the form for another password',
  description: 'A Well-Known URL for Changing Passwords (W3C).',
  tags,
  response: { 302: redirectAnswer('To /account/password'), ...pageFaults },
}

export const passwordSchema = {
  ...own,
  operationId: 'changePassword',
  summary: 'Change the password, or choose a first one',
  description: 'Ends every other session of the user, voids mailed links except “this wasn’t me”, and notifies the owner by mail.',
  body: formBodySchema(z.object({ password: z.string().max(1024) })),
  response: {
    200: pageAnswer('Done'),
    ...responses,
    400: orPage(refusal({ ...UNREADABLE, 'campos invalidos': 'the new password is too easy to guess' })),
    429: tooManyPage,
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
    ...responses,
    400: orPage(refusal({ ...UNREADABLE, 'campos invalidos': 'no address, none that can be, or the account’s own, verified one' })),
    429: tooManyPage,
  },
}

export const confirmOwnEmailSchema = {
  ...own,
  operationId: 'beginEmailConfirmation',
  summary: 'Mail a link that verifies the account’s own address',
  description:
    'For an address that nobody has verified: purchases of it are linked once its mailbox has answered. Counts with the changes of address, and needs no recent authentication.',
  response: {
    200: pageAnswer('That a mail is on its way'),
    302: redirectAnswer('To /account where the address is verified already, or to /login for someone who is not signed in'),
    403: orPage(refusal(FOREIGN_ORIGIN)),
    429: tooManyPage,
    ...pageTooLarge,
    ...pageFaults,
  },
}

const elsewhere = redirectAnswer('To /login for a browser in which the account is not signed in; from there it comes back with the ticket')
const confirmForm = ticketPage('showEmailConfirmation', 'Where the link to the new address leads')

export const confirmFormSchema = {
  ...confirmForm,
  response: { ...confirmForm.response, 302: elsewhere },
  description: 'A page with a button, which uses nothing up; where the account is not signed in, it leads to the login page and back.',
  tags,
}

export const confirmSchema = {
  operationId: 'confirmEmail',
  summary: 'Verify the new address, or the account’s own',
  description:
    'Where the account is signed in, the ticket is enough. Anywhere else one signs in to it first, second factor included: a click alone would verify the address of whoever reads the new mailbox for somebody else’s account. Good for an hour, once. A new address ends the other sessions, and the old one is notified, from where it can be undone for 7 days; the account’s own one is verified and nothing else changes.',
  tags,
  body: formBodySchema(z.object({ ticket })),
  response: {
    200: pageAnswer('Done'),
    302: elsewhere,
    400: orPage(
      refusal(UNREADABLE, {
        also: 'the link is used, an hour old, or never made, or the address has another account by now: a page that says so',
      }),
    ),
    403: orPage(refusal(FOREIGN_ORIGIN)),
    ...pageTooLarge,
    ...pageFaults,
  },
}
