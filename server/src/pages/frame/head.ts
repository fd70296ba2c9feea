import { html } from 'ghtml'
import { revealScript, shapesScript } from '../assets/assets.ts'
import type { Language } from '../languages.ts'
import { pageTexts } from '../layout-texts.ts'
import type { Look } from '../look.ts'

export function touchIcon({ touchIcon: path }: Look): string {
  return path === undefined
    ? ''
    : html`<link rel="apple-touch-icon" href="${path}">
`
}

/** The card that a messenger shows of a link to the page (ogp.me). A messenger is not signed in, so the account's pages have no card. */
export function cardOf(
  origin: string | undefined,
  { name, logo, touchIcon: icon }: Look,
  { title, description }: { title: string; description: string },
): string {
  const picture = logo?.light.type === 'image/png' ? logo.light.path : icon
  const image =
    origin === undefined || picture === undefined
      ? ''
      : html`<meta property="og:image" content="${origin}${picture}">
`
  return html`<meta property="og:type" content="website">
<meta property="og:site_name" content="${name}">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
!${image}`
}

/** The scripts of a page's fields. Every page that has such a field has its script. */
export function fieldScripts(language: Language, body: string): string {
  const { show, hide, what } = pageTexts[language].password
  const reveal = html`<script src="${revealScript.path}" data-show="${show}" data-hide="${hide}" data-what="${what}" defer></script>`
  const shapes = html`<script src="${shapesScript.path}" defer></script>`
  return html`!${body.includes('class="typed-secret"') ? reveal : ''}!${body.includes(' data-shape="') ? shapes : ''}`
}
