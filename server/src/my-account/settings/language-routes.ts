import type { FastifyReply, FastifyRequest } from 'fastify'
import { formBody, queryOf } from '../../http/index.ts'
import { languages, ownHref } from '../../pages/index.ts'
import { answerForm, type SignedInUser } from '../../sign-in/index.ts'
import { userStore } from '../../users/index.ts'
import type { SettingsDeps } from './settings-deps.ts'
import { languagePage } from './settings-page.ts'

export const LANGUAGE = '/account/language'

export async function showLanguage(
  request: FastifyRequest,
  reply: FastifyReply,
  _owner: SignedInUser,
  { responses }: SettingsDeps,
): Promise<FastifyReply> {
  const said = queryOf(request).has('saved') ? 'saved' : undefined
  return responses.page(reply, 200, languagePage(responses.pageContext(request, reply, LANGUAGE), { said }))
}

/** Mails change at once. Pages change by the redirect's address, which sets the cookie as the language switch does. */
export async function saveLanguage(
  request: FastifyRequest,
  reply: FastifyReply,
  { user }: SignedInUser,
  deps: SettingsDeps,
): Promise<FastifyReply> {
  const wanted = formBody(request)?.get('language')
  const language = languages.find((one) => one === wanted)
  if (language === undefined) {
    const page = languagePage(deps.responses.pageContext(request, reply, LANGUAGE), { said: 'invalid' })
    return answerForm(request, reply, { status: 400, page, problem: 'invalid' }, deps)
  }
  await userStore(deps.storage.db).setLanguage(user.id, language)
  return deps.responses.redirect(reply, ownHref(LANGUAGE, { lang: language, saved: '1' }))
}
