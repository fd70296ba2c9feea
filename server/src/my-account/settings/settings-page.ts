import { html } from 'ghtml'
import { alert, icon, type Language, languages, layout, notice, ownHref, type PageContext, texts } from '../../pages/index.ts'
import type { Identity } from '../../users/index.ts'
import { buttonForm, entries, foot, moment, plain } from '../components.ts'

const languageNames = { 'pt-BR': 'Português (Brasil)', en: 'English', es: 'Español' } as const satisfies Record<Language, string>

/** The language of pages and mails: `language`, posted to `/account/language`. */
export function languagePage(context: PageContext, { said }: { said?: 'saved' | 'invalid' | undefined }): string {
  const words = texts[context.language].ownLanguage
  const choices = languages.map((one) => {
    const state = one === context.language ? ' checked' : ''
    return html`<label class="check" for="language-${one}" lang="${one}"><input type="radio" id="language-${one}" name="language" value="${one}"!${state}>${languageNames[one]}</label>`
  })
  const body = html`<h1>${words.title}</h1>
<p class="lead">${words.lead}</p>
!${said === 'saved' ? notice(words.saved, words.savedAdvice) : ''}!${said === 'invalid' ? alert(words.invalid) : ''}
<form method="post" action="${ownHref('/account/language')}">
<fieldset aria-label="${words.choose}">!${choices}</fieldset>
<button class="button" type="submit">${words.submit}</button>
</form>
!${foot(context)}`
  return layout(context, { title: words.title, body, problem: said === 'invalid' })
}

/** `name` is the provider's, or its issuer where it is no longer connected. */
interface ProvidersPage {
  providers: Array<Identity & { name: string }>
  problem?: 'last_sign_in_method' | undefined
}

/** The accounts of other services with which a user signs in. */
export function providersPage(context: PageContext, { providers, problem }: ProvidersPage): string {
  const words = texts[context.language].ownProviders
  const shown = providers.map(({ name, issuer, subject, email, createdAt }) => ({
    heading: name,
    facts: [
      { label: texts[context.language].login.email, value: email === undefined ? undefined : plain(email) },
      { label: words.linked, value: moment(createdAt, context.language) },
    ],
    action: context.impersonation
      ? undefined
      : buttonForm('/account/providers/unlink', { label: words.unlink, named: words.unlinkOf(name), fields: { issuer, subject } }),
  }))
  const body = html`<h1>${words.title}</h1>
!${shown.length > 0 ? html`<p class="lead">${words.lead}</p>` : ''}
!${problem ? alert(words.lastWay, { advice: words.lastWayAdvice }) : ''}
!${entries(shown, words.none)}
!${foot(context, { times: shown.length > 0 ? 'brasilia' : 'none' })}`
  return layout(context, { title: words.title, body, problem: problem !== undefined })
}

/** The contents of the download, and its button. */
export function dataPage(context: PageContext): string {
  const words = texts[context.language].ownData
  const body = html`<h1>${words.title}</h1>
<p class="lead">${words.lead}</p>
<section class="facts" aria-labelledby="holds"><h2 id="holds">${words.holds}</h2>
<ul>!${words.items.map((item) => html`<li>!${icon('check')}<span>${item}</span></li>`)}</ul><p>${words.never}</p></section>
<form method="post" action="${ownHref('/account/data')}"><button class="button" type="submit">${words.submit}</button></form>
<p class="note">${words.careful}</p>
!${foot(context)}`
  return layout(context, { title: words.title, body })
}
