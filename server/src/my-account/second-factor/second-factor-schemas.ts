import { z } from 'zod'
import { formBodySchema, orPage, pageAnswer, pageFaults, pageTooLarge, redirectAnswer, refusal } from '../../http/index.ts'
import { FOREIGN_ORIGIN, lang, tooManyPage, UNREADABLE } from '../../sign-in/index.ts'

const own = { tags: ['account'], security: [{ session: [], bound: [] }] }
const toSignIn = 'To /login for someone who is not signed in, or has not authenticated within the last 10 minutes'
const begins = { 403: orPage(refusal(FOREIGN_ORIGIN)), ...pageTooLarge, ...pageFaults }
const changes = { ...begins, 429: tooManyPage }

export const secondFactorSettingsSchema = {
  ...own,
  operationId: 'showTwoFactor',
  summary: 'One’s own second factor',
  description:
    'Off; pending until the first code, with the secret as a square code and as text; or on, with how many recovery codes are left.',
  querystring: z.object({ lang }),
  response: { 200: pageAnswer('The page'), 302: redirectAnswer(toSignIn), ...pageFaults },
}

export const beginSecondFactorSchema = {
  ...own,
  operationId: 'beginTwoFactor',
  summary: 'Begin to turn the second factor on',
  description: 'Makes a secret, valid for half an hour. Nothing is asked at a sign-in before it is confirmed.',
  response: { 302: redirectAnswer('To /account/second-factor, which shows the secret; or to /login'), ...begins },
}

export const confirmSecondFactorSchema = {
  ...own,
  operationId: 'confirmTwoFactor',
  summary: 'Turn the second factor on',
  description:
    'With the first code of the app. Answers ten recovery codes, this once; voids mailed links except “this wasn’t me”, and notifies the owner.',
  body: formBodySchema(z.object({ code: z.string().max(100) })),
  response: {
    200: pageAnswer('The recovery codes'),
    302: redirectAnswer(toSignIn),
    400: orPage(refusal({ ...UNREADABLE, 'codigo invalido': 'not the code of this moment, or nothing waits to be confirmed' })),
    ...changes,
  },
}

export const recoveryCodesSchema = {
  ...own,
  operationId: 'renewRecoveryCodes',
  summary: 'Make new recovery codes',
  description: 'All others are void.',
  response: {
    200: pageAnswer('The recovery codes, this once'),
    302: redirectAnswer(`${toSignIn}; to /account/second-factor where it is off`),
    ...changes,
  },
}

export const endSecondFactorSchema = {
  ...own,
  operationId: 'endTwoFactor',
  summary: 'Turn the second factor off',
  description: 'The recovery codes are void with it. The user gets a mail.',
  response: {
    200: pageAnswer('That it is off'),
    302: redirectAnswer(`${toSignIn}; to /account/second-factor where it was off`),
    ...changes,
  },
}
