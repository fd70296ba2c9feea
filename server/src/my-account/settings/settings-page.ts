import { html } from 'ghtml'
import { alert, icon, type Language, languages, notice, ownHref, type PageContext, texts } from '../../pages/index.ts'
import type { Identity } from '../../users/index.ts'
import { accountLayout, buttonForm, entries, foot, moment, plain } from '../components.ts'

const languageNames = { 'pt-BR': 'Português (Brasil)', en: 'English', es: 'Español' } as const satisfies Record<Language, string>

/** The language of pages and mails: `language`, posted to `/account/language`. */
export function languagePage(context: PageContext, { said }: { said?: 'saved' | 'invalid' | undefined }): string {
  const labels = texts[context.language].ownLanguage
  const choices = languages.map((one) => {
    const state = one === context.language ? ' checked' : ''
    return html`<label class="check" for="language-${one}" lang="${one}"><input type="radio" id="language-${one}" name="language" value="${one}"!${state}>${languageNames[one]}</label>`
  })
  const body = html`<h1>${labels.title}</h1>
<p class="lead">${labels.lead}</p>
!${said === 'saved' ? notice(labels.saved, labels.savedAdvice) : ''}!${said === 'invalid' ? alert(labels.invalid) : ''}
<form method="post" action="${ownHref('/account/language')}">
<fieldset aria-label="${labels.choose}">!${choices}</fieldset>
<button class="button" type="submit">${labels.submit}</button>
</form>
!${foot(context)}`
  return accountLayout(context, { title: labels.title, body, problem: said === 'invalid' })
}

/** `name` is the provider's, or its issuer where it is no longer connected. */
interface ProvidersPage {
  providers: Array<Identity & { name: string }>
  problem?: 'last_sign_in_method' | undefined
}

/** The accounts of other services with which a user signs in. */
export function providersPage(context: PageContext, { providers, problem }: ProvidersPage): string {
  const labels = texts[context.language].ownProviders
  const shown = providers.map(({ name, issuer, subject, email, createdAt }) => ({
    heading: name,
    facts: [
      { label: texts[context.language].login.email, value: email === undefined ? undefined : plain(email) },
      { label: labels.linked, value: moment(createdAt, context.language) },
    ],
    action: context.impersonation
      ? undefined
      : buttonForm('/account/providers/unlink', { label: labels.unlink, named: labels.unlinkOf(name), fields: { issuer, subject } }),
  }))
  const body = html`<h1>${labels.title}</h1>
!${shown.length > 0 ? html`<p class="lead">${labels.lead}</p><p class="note">${labels.signsOut} ${labels.linksAgain}</p>` : ''}
!${problem ? alert(labels.lastWay, { advice: labels.lastWayAdvice }) : ''}
!${entries(shown, labels.none)}
!${foot(context, { times: shown.length > 0 ? 'brasilia' : 'none' })}`
  return accountLayout(context, { title: labels.title, body, problem: problem !== undefined })
}

/** The contents of the download, and its button. */
export function dataPage(context: PageContext): string {
  const labels = texts[context.language].ownData
  const body = html`<h1>${labels.title}</h1>
<p class="lead">${labels.lead}</p>
<section class="facts" aria-labelledby="holds"><h2 id="holds">${labels.holds}</h2>
<ul>!${labels.items.map((item) => html`<li>!${icon('check')}<span>${item}</span></li>`)}</ul><p>${labels.never}</p></section>
<form method="post" action="${ownHref('/account/data')}"><button class="button" type="submit">${labels.submit}</button></form>
<p class="note">${labels.careful}</p>
!${foot(context)}`
  return accountLayout(context, { title: labels.title, body })
}
