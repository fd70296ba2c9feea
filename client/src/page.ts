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

const STYLE = `:root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:15vh auto 0;padding:0 1.5rem}h1{font-size:1.5rem;line-height:1.25}
a,button{font:inherit;display:inline-block;margin-top:1rem;padding:.6rem 1.2rem;border:0;border-radius:.5rem;background:#1a56c4;color:#fff;text-decoration:none;cursor:pointer}
a:focus-visible,button:focus-visible{outline:3px solid #7aa7ff;outline-offset:2px}`

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
