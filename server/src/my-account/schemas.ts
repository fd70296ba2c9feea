import { z } from 'zod'
import { formBodySchema, jsonAnswer, orPage, pageAnswer, pageFaults, pageTooLarge, redirectAnswer, refusal } from '../http/index.ts'
import { FOREIGN_ORIGIN, lang, ticket, ticketPage, tooManyPage, UNREADABLE } from '../sign-in/index.ts'

// Schemas of the account's pages, for the API description.

const tags = ['account']
const own = { tags, security: [{ session: [], bound: [] }] } as const
const notSignedIn = { 302: redirectAnswer('To /login for someone who is not signed in; they come back from there') }
const FRESH = 'Asks for a new sign-in (302 to /login) where the last was more than ten minutes ago, and then comes back to the page.'
const page = (what: string) => ({
  ...own,
  querystring: z.object({ lang }),
  response: { 200: pageAnswer(what), ...notSignedIn, ...pageFaults },
})
const list = (what: string) => ({
  ...page(what),
  querystring: z.object({ cursor: z.string().optional().describe('where the page before ended: ten a page'), lang }),
})
const responses = { 403: orPage(refusal(FOREIGN_ORIGIN)), ...pageTooLarge, ...pageFaults }
const action = (to: string) => ({
  302: redirectAnswer(`${to}, or to /login for someone who is not signed in, who comes back from there`),
  ...responses,
})

export const sessionsSchema = {
  ...list('The page'),
  operationId: 'showOwnSessions',
  summary: 'Where one is signed in',
  description:
    'The live sessions of the domain, this browser’s on top of the first page, then the newest first: device, address, when begun and last seen (a few minutes late at most).',
}

export const endSessionSchema = {
  ...own,
  operationId: 'endOwnSession',
  summary: 'End one of one’s own sessions',
  description:
    'Every node refuses it within 2 s, and the product sessions that came from it. An id that is not one’s own live session changes nothing.',
  body: formBodySchema(z.object({ session: z.uuid() })),
  response: action('To the list'),
}

export const endOtherSessionsSchema = {
  ...own,
  operationId: 'endOtherOwnSessions',
  summary: 'End all of one’s sessions but this one',
  response: action('To the list'),
}

export const purchasesSchema = {
  ...list('The page'),
  operationId: 'showOwnPurchases',
  summary: 'What one has bought, and how it stands',
}

export const consentsSchema = {
  ...list('The page'),
  operationId: 'showOwnConsents',
  summary: 'What one has agreed to',
  description: 'The NDA of beta users as it was accepted, and the products that receive data.',
}

export const withdrawConsentSchema = {
  ...own,
  operationId: 'withdrawConsent',
  summary: 'Take a consent back',
  description:
    'Ends one’s sessions in the product, voids handoffs to it that are under way, and lets the splash ask again. What is not there changes nothing.',
  body: formBodySchema(z.object({ product: z.uuid() })),
  response: action('To the list'),
}

export const languageSchema = { ...page('The form'), operationId: 'showLanguageForm', summary: 'The language of pages and mails' }

export const saveLanguageSchema = {
  ...own,
  operationId: 'saveLanguage',
  summary: 'Choose a language',
  body: formBodySchema(z.object({ language: z.enum(['pt-BR', 'en', 'es']) })),
  response: { ...action('To the form in that language'), 400: orPage(refusal({ ...UNREADABLE, 'campos invalidos': 'none of ours' })) },
}

export const providersSchema = {
  ...page('The page'),
  operationId: 'showOwnProviders',
  summary: 'The identity providers one signs in with',
}

export const unlinkProviderSchema = {
  ...own,
  operationId: 'unlinkProvider',
  summary: 'Untie an identity provider from one’s account',
  description: `The last way to sign in stays. Notifies the owner by mail. ${FRESH}`,
  body: formBodySchema(z.object({ issuer: z.string(), subject: z.string() })),
  response: {
    ...action('To the list'),
    400: orPage(refusal({ ...UNREADABLE, 'campos invalidos': 'nothing else is left to sign in with' })),
    429: tooManyPage,
  },
}

export const dataSchema = {
  ...page('The page, with a button'),
  operationId: 'showExportForm',
  summary: 'What the download of one’s data holds',
}

const time = z.iso.datetime().nullable()
const personalData = z
  .object({
    format: z.literal('portaria-personal-data/1'),
    service: z.url(),
    exported_at: z.iso.datetime(),
    profile: z.looseObject({
      id: z.uuid(),
      email: z.email(),
      name: z.string(),
      tax_id: z.object({ kind: z.string().nullable(), number: z.string().nullable() }).nullable(),
    }),
    sign_in: z.looseObject({
      has_password: z.boolean(),
      two_step_since: time,
      recovery_codes_left: z.int(),
      passkeys: z.array(z.object({ name: z.string(), created_at: time, last_used_at: time })),
    }),
    sessions: z.array(z.looseObject({ id: z.uuid(), begun_at: time, last_seen_at: time, ip: z.string(), user_agent: z.string() })),
    consents: z.looseObject({
      nda: z.looseObject({ version: z.string(), accepted_at: time }).nullable(),
      sharings: z.array(z.looseObject({})),
    }),
    apps: z.array(z.object({ product: z.string(), first_opened_at: time })),
    purchases: z.array(z.looseObject({ id: z.uuid(), plan_slug: z.string().nullable(), status: z.string(), active: z.boolean() })),
    notifications: z.array(z.looseObject({ id: z.uuid(), source: z.string(), event: z.string(), received_at: time })),
    mails: z.array(z.object({ kind: z.string(), at: time })),
    links: z.array(z.object({ purpose: z.string(), email: z.email(), made_at: time, expires_at: time })),
    audit: z.array(z.looseObject({ at: time, action: z.string(), by: z.enum(['you', 'operator', 'service', 'product']) })),
  })
  .meta({
    id: 'PersonalData',
    description: 'Times are ISO 8601 in UTC, money is centavos. No secret, no hash of one, nothing of anyone else.',
  })

export const exportSchema = {
  ...own,
  operationId: 'downloadPersonalData',
  summary: 'Everything that is kept about one, as a JSON file',
  description: `\`portaria user export\` prints the same. Ten times an hour. ${FRESH}`,
  response: {
    200: jsonAnswer('The file', personalData),
    302: redirectAnswer('To /login for someone who is not signed in, or has not authenticated within the last 10 minutes'),
    ...responses,
    429: tooManyPage,
  },
}

export const deletionFormSchema = {
  ...page('The form'),
  operationId: 'showDeletionForm',
  summary: 'What the deletion of one’s account does',
  description: FRESH,
}

export const requestDeletionSchema = {
  ...own,
  operationId: 'requestDeletion',
  summary: 'Ask for one’s account to be deleted',
  description: `Closes the account, ends all sessions and mails a link that undoes it for 7 days; then the personal data goes, and a last mail says so. ${FRESH}`,
  body: formBodySchema(z.object({ email: z.email().describe('the address of the account, typed again') })),
  response: {
    200: pageAnswer('That it is closed, and until when it can be undone', { 'Set-Cookie': 'Session and bound cookie, cleared' }),
    ...notSignedIn,
    ...responses,
    400: orPage(refusal({ ...UNREADABLE, 'campos invalidos': 'not the address of the account' })),
    409: orPage(refusal({ 'campos invalidos': 'the last owner can not leave' })),
  },
}

export const undoDeletionPageSchema = { ...ticketPage('showUndoDeletion', 'Where the link in the mail about a deletion leads'), tags }

export const undoDeletionSchema = {
  operationId: 'undoDeletion',
  summary: 'Keep an account that was about to be deleted',
  tags,
  body: formBodySchema(z.object({ ticket })),
  response: {
    200: pageAnswer('Done: its user can sign in again'),
    400: orPage(refusal({ ...UNREADABLE, 'link invalido ou expirado': 'the link is used, a week old, or was never made' })),
    ...responses,
  },
}

export const accountSchema = {
  operationId: 'showAccount',
  summary: 'Who is signed in',
  tags: ['sign-in'],
  security: [{ session: [], bound: [] }],
  response: {
    200: pageAnswer('Name, address, and the way out'),
    302: redirectAnswer('To /login for someone who is not signed in'),
    ...pageFaults,
  },
}
