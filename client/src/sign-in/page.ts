import { randomText } from '../http/random-text.ts'
import { headers } from '../http/responses.ts'
import { type Notice, textsFor } from './texts.ts'

/** Every other: 400. */
const STATUS: Partial<Record<Notice, number>> = {
  unavailable: 503,
  not_yet_valid: 500,
  no_token: 500,
  misconfigured: 500,
  confirm_sign_out: 200,
}

const STYLE = `:root{color-scheme:light dark;font:1rem/1.5 system-ui,sans-serif}body{margin:0;min-height:100vh;display:grid;place-items:center}main{max-width:25rem;padding:2rem}h1{font-size:1.4rem}
a,button{display:inline-block;padding:.7rem 2rem;border:0;border-radius:.6rem;font:inherit;text-decoration:none;background:light-dark(#1f4fd8,#8fb0ff);color:light-dark(#fff,#111)}`

/**
 * A page that explains a failure and offers the next step, in the browser's language. The only value of the request in it is `href`, which
 * is ours: a link to begin again, or for `confirm_sign_out` the address of the button. It never redirects by itself: the failure would
 * repeat in a loop.
 */
export function noticePage(
  notice: Notice,
  request: Request,
  { href, setCookies }: { href: string; setCookies: readonly string[] },
): Response {
  const texts = textsFor(request.headers.get('accept-language'))
  const [title, text] = texts[notice]
  const nonce = randomText(12)
  const link = escapeText(href)
  const next =
    notice === 'confirm_sign_out'
      ? `<form method="post" action="${link}"><button>${texts.signOut}</button></form>`
      : `<a href="${link}">${texts.again}</a>`
  const html = `<!doctype html><html lang="${texts.language}"><head><meta name="viewport" content="width=device-width"><title>${title}</title><style nonce="${nonce}">${STYLE}</style></head><body><main><h1>${title}</h1><p>${text}</p>${next}</main></body></html>`
  return new Response(html, {
    status: STATUS[notice] ?? 400,
    headers: headers(
      {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; frame-ancestors 'none'`,
        vary: 'Accept-Language, Cookie',
        // With no-referrer, a form would be posted with `Origin: null`.
        'referrer-policy': 'same-origin',
      },
      setCookies,
    ),
  })
}

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)
}
