import { z } from 'zod'
import { formBodySchema, orPage, refusal } from '../../http/index.ts'
import { tooManyPage, UNREADABLE } from '../../sign-in/index.ts'
import { action, FRESH, own, page } from '../page-schemas.ts'

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
  description: `The last way to sign in stays. Ends the user’s other sessions that began at an identity provider, and notifies the owner by mail. ${FRESH}`,
  body: formBodySchema(z.object({ issuer: z.string(), subject: z.string() })),
  response: {
    ...action('To the list'),
    400: orPage(refusal({ ...UNREADABLE, 'campos invalidos': 'nothing else is left to sign in with' })),
    429: tooManyPage,
  },
}
