import { html } from 'ghtml'
import { accountStylesheet, markShapes, revealScript, shapesScript, stylesheet } from './assets/assets.ts'
import type { Href } from './href.ts'
import { type ImpersonationNotice, impersonationBanner } from './impersonation-banner.ts'
import { type Language, languages } from './languages.ts'
import { pageTexts } from './layout-texts.ts'
import { BUILT_IN_LOOK, initialOf, type Look, logoSize } from './look.ts'

/**
 * A page's data from its request. `here` is the page's own path and query (never a host): the language switch points there. `impersonation`
 * is set during one. Without a `look` it is the built-in one.
 */
export interface PageContext {
  language: Language
  here: string
  /** Of this service, as `https://sso.example.com`: pictures of links are found by whole addresses alone. */
  origin?: string
  impersonation?: ImpersonationNotice
  look?: Look
}

/**
 * A page. `title` is plain text, without the product's name. `body` is finished markup: only `html` of ghtml may make it. `problem` says
 * that the page reports an error, `width` makes room for long texts, `styles` adds those of the account's pages. `script` is one of our own
 * files, and optional for the page.
 */
export interface Page {
  title: string
  body: string
  problem?: boolean
  width?: 'narrow' | 'wide'
  styles?: 'account'
  script?: Href
}

const languageNames = { 'pt-BR': 'Português', en: 'English', es: 'Español' } as const satisfies Record<Language, string>

/** The whole HTML document of a page: head, logo or name, one `main`, the foot. No inline script or style (CSP). */
export function layout(
  { language, here, origin, impersonation, look = BUILT_IN_LOOK }: PageContext,
  { title, body, problem = false, width = 'narrow', styles, script }: Page,
): string {
  const texts = pageTexts[language]
  const sheets = [stylesheet.path, styles && accountStylesheet.path, look.stylesheet].filter((sheet) => sheet !== undefined)
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<title>${problem ? `${texts.error}: ` : ''}${title} · ${look.name}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<link rel="icon" type="${look.icon.type}" href="${look.icon.path}">
!${touchIcon(look)}!${styles === 'account' ? '' : cardOf(origin, look, { title, description: texts.description(look.name) })}!${sheets.map(
    (sheet) => html`<link rel="stylesheet" href="${sheet}">
`,
  )}!${script ? html`<script src="${script}" defer></script>` : ''}!${fieldScripts(language, body)}
</head>
<body>
!${impersonation ? impersonationBanner(language, impersonation) : ''}<header class="masthead"><span class="brand">!${brand(look)}</span></header>
<main class="card card-${width}">
!${body}
</main>
<footer class="footer">!${languageSwitch(language, here)}!${foot(language, look)}</footer>
</body>
</html>
`
}

function touchIcon({ touchIcon: path }: Look): string {
  return path === undefined
    ? ''
    : html`<link rel="apple-touch-icon" href="${path}">
`
}

/** What a messenger shows of a link to the page (ogp.me). It has no account, so the pages of one have none. */
function cardOf(
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
function fieldScripts(language: Language, body: string): string {
  const { show, hide, what } = pageTexts[language].password
  const reveal = html`<script src="${revealScript.path}" data-show="${show}" data-hide="${hide}" data-what="${what}" defer></script>`
  const shapes = html`<script src="${shapesScript.path}" defer></script>`
  return html`!${body.includes('class="typed-secret"') ? reveal : ''}!${body.includes(' data-shape="') ? shapes : ''}`
}

/** The name that a page speaks of as its own. */
export function nameOf({ look = BUILT_IN_LOOK }: Pick<PageContext, 'look'>): string {
  return look.name
}

/** The logo, with the name for those who see no pictures; or a mark and the name. */
function brand({ name, mark, logo }: Look): string {
  if (logo) {
    const { width, height } = logoSize(logo.light)
    const dark = logo.dark ? html`<source srcset="${logo.dark.path}" media="(prefers-color-scheme: dark)">` : ''
    return html`<picture>!${dark}<img class="logo" src="${logo.light.path}" alt="${name}" width="${width}" height="${height}"></picture>`
  }
  const shapes =
    mark === 'portaria'
      ? html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">!${markShapes}</svg>`
      : html`<span class="mark initial" aria-hidden="true">${initialOf(name)}</span>`
  return html`!${shapes}${name}`
}

/** The operator's own addresses and line. */
function foot(language: Language, { support, terms, privacy, footer }: Look): string {
  const labels = pageTexts[language]
  const links = [
    { label: labels.support, href: support },
    { label: labels.terms, href: terms },
    { label: labels.privacy, href: privacy },
  ].map(({ label, href }) => (href ? html`<li><a href="${href}">${label}</a></li>` : ''))
  const list = links.some(Boolean) ? html`<ul class="languages">!${links}</ul>` : ''
  return html`!${list}!${footer ? html`<p class="legal">${footer}</p>` : ''}`
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
