import { accentStyles } from '../../appearance/index.ts'
import { type IdentityProvider, markOf } from '../../identity-providers/index.ts'
import { composeMail, type MailLook, mailStyles } from '../../mail/index.ts'
import { type Language, ownHref, stylesheet } from '../../pages/index.ts'
import { loginPage, signUpPage } from '../../sign-in/index.ts'

export const PREVIEWS = ['sign_in', 'sign_up', 'mail'] as const
export const SCHEMES = ['light', 'dark'] as const

interface PreviewedPage {
  kind: (typeof PREVIEWS)[number]
  language: Language
  scheme: (typeof SCHEMES)[number]
  look: MailLook
  /** The product in whose sign-in it is shown. */
  productName: string | undefined
  /** The other sign-in methods. */
  providers: readonly Pick<IdentityProvider, 'name' | 'issuer'>[]
  baseUrl: string
}

/** A page or a mail as users would see it, with made-up data, and the styles that may be in it. Nothing in it leads anywhere. Pure. */
export function previewAppearance(page: PreviewedPage): { markup: string; styles: string[] } {
  const { kind, scheme, look } = page
  const sheet = stylesOf(look)
  const markup = inScheme(scheme, still(withStyles(sheet, markupOf(page))))
  return { markup, styles: (kind === 'mail' ? mailStyles(look.palette) : [sheet]).map((styles) => inScheme(scheme, styles)) }
}

function markupOf({ kind, language, look, productName, providers, baseUrl }: PreviewedPage): string {
  const context = { language, here: '/', look }
  if (kind === 'sign_up') return signUpPage(context, { flow: '', productName, values: {}, errors: {} })
  if (kind === 'mail') return composeMail('confirm_address', language, { ...MAIL, url: `${baseUrl}/confirm` }, look).html
  return loginPage(context, {
    flow: '',
    productName,
    providers: providers.map((provider) => ({ name: provider.name, mark: markOf(provider), href: ownHref('/login') })),
    signUpUrl: ownHref('/sign-up'),
    recoverUrl: ownHref('/recover'),
  })
}

const MAIL = { name: 'Maria', code: '482913', minutes: 30 }

function stylesOf({ stylesheet: ofAccent, palette }: MailLook): string {
  return stylesheet.body + (ofAccent === undefined ? '' : (accentStyles(palette.light.accent)?.body ?? ''))
}

/** With the stylesheets inside, so that the scheme can be chosen. A mail has its own already. */
function withStyles(sheet: string, markup: string): string {
  const links = /<link rel="stylesheet" href="[^"]*">\n?/g
  return links.test(markup) ? markup.replace(links, '').replace('</head>', () => `<style>${sheet}</style>\n</head>`) : markup
}

/** Without the targets of links, and without what its policy would refuse with a complaint in the browser's console. */
function still(markup: string): string {
  return markup
    .replaceAll(/(<a\b[^>]*?) href="[^"]*"/g, '$1')
    .replaceAll(/<script\b[^>]*><\/script>/g, '')
    .replaceAll(' autofocus', '')
}

/** In one scheme, whatever the browser's is. */
function inScheme(scheme: PreviewedPage['scheme'], markup: string): string {
  const isDark = scheme === 'dark'
  return markup
    .replaceAll(/\(prefers-color-scheme: ?dark\)/g, isDark ? 'all' : 'not all')
    .replace('<meta name="color-scheme" content="light dark">', `<meta name="color-scheme" content="${scheme}">`)
}
