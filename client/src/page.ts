import { headers } from './answers.ts'
import { randomText } from './base64url.ts'
import { type Notice, textsFor } from './texts.ts'

const STATUS = {
  not_started_here: 400,
  no_longer_valid: 400,
  unavailable: 503,
  not_yet_valid: 500,
  no_token: 500,
  went_round: 400,
  misconfigured: 500,
  confirm_sign_out: 200,
} as const satisfies Record<Notice, number>

const STYLE = `:root{color-scheme:light dark;--accent:light-dark(#1f4fd8,#8fb0ff)}body{margin:0;min-height:100vh;display:grid;place-items:center;font:1rem/1.5 system-ui,sans-serif;background:light-dark(#f4f5f7,#101317);color:light-dark(#16191d,#e8ebef)}
main{box-sizing:border-box;width:min(27.5rem,calc(100% - 2rem));padding:2.25rem;border:1px solid light-dark(#dde1e6,#2c323a);border-radius:1rem;background:light-dark(#fff,#181c21)}h1{margin:0;font-size:1.375rem;line-height:1.3;text-wrap:balance}p{margin:.5rem 0 1.5rem;color:light-dark(#59636e,#9aa5b1)}
a,button{display:block;box-sizing:border-box;width:100%;padding:.7rem;border:0;border-radius:.625rem;font:inherit;font-weight:600;text-align:center;text-decoration:none;background:var(--accent);color:light-dark(#fff,#10151d);cursor:pointer}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}`

/**
 * A page that says what went wrong and offers the next step, in the browser's language. Nothing of the request stands in it but `href`, which is ours: a way to begin
 * again, or for `confirm_sign_out` the address that the button posts to. No redirect by itself: what failed would fail again, round and round.
 */
export function noticePage(
  notice: Notice,
  request: Request,
  { href, setCookies }: { href: string; setCookies: readonly string[] },
): Response {
  const { language, texts } = textsFor(request.headers.get('accept-language'))
  const { title, text } = texts[notice]
  const nonce = randomText(12)
  const link = escapeText(href)
  const next =
    notice === 'confirm_sign_out'
      ? `<form method="post" action="${link}"><button>${texts.signOut}</button></form>`
      : `<a href="${link}">${texts.again}</a>`
  const html = `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style nonce="${nonce}">${STYLE}</style></head><body><main><h1>${title}</h1><p>${text}</p>${next}</main></body></html>`
  return new Response(html, {
    status: STATUS[notice],
    headers: headers(
      {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; frame-ancestors 'none'`,
        vary: 'Accept-Language, Cookie',
        // A form of a page without a referrer would say `Origin: null`.
        'referrer-policy': 'same-origin',
      },
      setCookies,
    ),
  })
}

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)
}
