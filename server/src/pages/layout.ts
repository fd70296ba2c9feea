import { html } from 'ghtml'
import { favicon, markShapes, stylesheet } from './assets/assets.ts'
import type { Href } from './href.ts'
import { type ImpersonationNotice, impersonationBanner } from './impersonation-banner.ts'
import { type Language, languages } from './languages.ts'
import { pageTexts } from './layout-texts.ts'

/**
 * A page's data from its request. `here` is the page's own path and query (never a host): the language switch points there. `impersonation`
 * is set during one.
 */
export interface PageContext {
  language: Language
  here: string
  impersonation?: ImpersonationNotice
}

/**
 * A page. `title` is plain text, without the product's name. `body` is finished markup: only `html` of ghtml may make it. `problem` says
 * that the page reports an error, `width` makes room for long texts. `script` is one of our own files, and optional for the page.
 */
export interface Page {
  title: string
  body: string
  problem?: boolean
  width?: 'narrow' | 'wide'
  script?: Href
}

const languageNames = { 'pt-BR': 'Português', en: 'English', es: 'Español' } as const satisfies Record<Language, string>

/** The whole HTML document of a page: head, product mark, one `main`, the language switch. No inline script or style (CSP). */
export function layout(
  { language, here, impersonation }: PageContext,
  { title, body, problem = false, width = 'narrow', script }: Page,
): string {
  const texts = pageTexts[language]
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<title>${problem ? `${texts.error}: ` : ''}${title} · Portaria</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<link rel="icon" type="image/svg+xml" href="${favicon.path}">
<link rel="stylesheet" href="${stylesheet.path}">
!${script ? html`<script src="${script}" defer></script>` : ''}
</head>
<body>
!${impersonation ? impersonationBanner(language, impersonation) : ''}<header class="masthead"><span class="brand"><svg class="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">!${markShapes}</svg>Portaria</span></header>
<main class="card card-${width}">
!${body}
</main>
<footer class="footer">!${languageSwitch(language, here)}</footer>
</body>
</html>
`
}

function languageSwitch(current: Language, here: string): string {
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
