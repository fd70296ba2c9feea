import { html } from 'ghtml'
import { type Language, languages } from '../languages.ts'
import { pageTexts } from '../layout-texts.ts'
import type { Look } from '../look.ts'

/** The operator's own addresses and line. */
export function foot(language: Language, { support, terms, privacy, footer }: Look): string {
  const labels = pageTexts[language]
  const links = [
    { label: labels.support, href: support },
    { label: labels.terms, href: terms },
    { label: labels.privacy, href: privacy },
  ].map(({ label, href }) => (href ? html`<li><a href="${href}">${label}</a></li>` : ''))
  const list = links.some(Boolean) ? html`<ul class="languages">!${links}</ul>` : ''
  return html`!${list}!${footer ? html`<p class="legal">${footer}</p>` : ''}`
}

const languageNames = { 'pt-BR': 'Português', en: 'English', es: 'Español' } as const satisfies Record<Language, string>

export function languageSwitch(current: Language, here: string): string {
  const items = languages.map((language) => {
    const state = language === current ? html` aria-current="true"` : ''
    return html`<li><a href="${inLanguage(here, language)}" lang="${language}" hreflang="${language}"!${state}>${languageNames[language]}</a></li>`
  })
  return html`<nav aria-label="${pageTexts[current].languages}"><ul class="languages">!${items}</ul></nav>`
}

/** The same page in another language. The path begins with exactly one slash, since `//name` would lead to another host. */
function inLanguage(here: string, language: Language): string {
  const [path = '', query = ''] = here.split('#', 1)[0]?.split(/\?(.*)/s) ?? []
  const parameters = new URLSearchParams(query)
  parameters.set('lang', language)
  return `/${path.replace(/^[/\\\p{Cc}\s]+/u, '')}?${parameters}`
}
