import { html } from 'ghtml'
import { accountStylesheet, stylesheet } from './assets/assets.ts'
import { brand } from './frame/brand.ts'
import { foot, languageSwitch } from './frame/foot.ts'
import { cardOf, fieldScripts, touchIcon } from './frame/head.ts'
import type { Href } from './href.ts'
import { type ImpersonationNotice, impersonationBanner } from './impersonation-banner.ts'
import type { Language } from './languages.ts'
import { pageTexts } from './layout-texts.ts'
import { BUILT_IN_LOOK, type Look } from './look.ts'

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

/** The name that a page speaks of as its own. */
export function nameOf({ look = BUILT_IN_LOOK }: Pick<PageContext, 'look'>): string {
  return look.name
}
