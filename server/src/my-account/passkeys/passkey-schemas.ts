import { z } from 'zod'
import {
  faults,
  formBodySchema,
  jsonAnswer,
  orPage,
  pageAnswer,
  pageFaults,
  pageTooLarge,
  redirectAnswer,
  refusal,
  tooLarge,
} from '../../http/index.ts'
import { FOREIGN_ORIGIN, lang, passkeyCredential, passkeyOptions, tooMany, tooManyPage, UNREADABLE } from '../../sign-in/index.ts'

const own = { tags: ['account'], security: [{ session: [], bound: [] }] } as const
const elsewhere = {
  302: redirectAnswer(
    'To /login for someone who is not signed in, or has not authenticated within the last 10 minutes; they come back from there',
  ),
}
const id = z.string().describe('the id of the credential, in base64url')
const name = z.string().describe('at most 60 characters are kept')
const posted = {
  200: pageAnswer('Done'),
  ...elsewhere,
  400: orPage(refusal({ ...UNREADABLE, 'campos invalidos': 'not possible: the page says why' })),
  403: orPage(refusal(FOREIGN_ORIGIN)),
  ...pageTooLarge,
  ...pageFaults,
}
const GONE = orPage(refusal({ 'campos invalidos': 'no such passkey of this account' }))

export const passkeysSchema = {
  ...own,
  operationId: 'listOwnPasskeys',
  summary: 'One’s own passkeys',
  querystring: z.object({ lang }),
  response: { 200: pageAnswer('The page'), ...elsewhere, ...pageFaults },
}

export const passkeySchema = {
  ...own,
  operationId: 'showOwnPasskey',
  summary: 'One of one’s own passkeys',
  querystring: z.object({ id, lang }),
  response: { 200: pageAnswer('The page, with what can be changed'), ...elsewhere, 404: GONE, ...pageFaults },
}

export const passkeyOptionsSchema = {
  ...own,
  operationId: 'beginPasskey',
  summary: 'What a browser needs to have a device make a passkey',
  description:
    'PublicKeyCredentialCreationOptions as JSON (WebAuthn Level 3). The challenge is valid for five minutes, once, in this session.',
  response: {
    200: jsonAnswer('The options', passkeyOptions),
    ...elsewhere,
    403: orPage(refusal(FOREIGN_ORIGIN)),
    ...tooLarge,
    429: tooMany,
    ...faults,
  },
}

export const addPasskeySchema = {
  ...own,
  operationId: 'addPasskey',
  summary: 'Add a passkey',
  description: 'At most 20. Voids mailed links except “this wasn’t me”, and notifies the owner by mail.',
  body: formBodySchema(z.object({ credential: passkeyCredential, name })),
  response: { ...posted, 429: tooManyPage },
}

export const renamePasskeySchema = {
  ...own,
  operationId: 'renamePasskey',
  summary: 'Give a passkey another name',
  body: formBodySchema(z.object({ id, name })),
  response: { ...posted, 404: GONE },
}

export const removePasskeySchema = {
  ...own,
  operationId: 'removePasskey',
  summary: 'Remove a passkey',
  description:
    'Not the last way into the account. Ends the sessions that it began, but this one. Voids mailed links except “this wasn’t me”, and notifies the owner by mail.',
  body: formBodySchema(z.object({ id })),
  response: { ...posted, 404: GONE, 429: tooManyPage },
}
