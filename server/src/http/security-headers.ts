import { createHash } from 'node:crypto'

/** Sent with every answer of the service, JSON and pages alike. */
const COMMON = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const

const CSP_NOTHING = "default-src 'none'; frame-ancestors 'none'"
/** Pages load our own stylesheet, script and images, post to themselves and call us (the script of passkeys does), and nothing else. */
const CSP_PAGE =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

/**
 * A page of ours that the console shows in a frame, with its styles inside. It runs, sends and opens nothing. Styles in elements, which
 * mails have, are allowed by their hashes, too.
 */
function previewPolicy(styles: readonly string[]): string {
  const hashes = styles.map((style) => `'sha256-${createHash('sha256').update(style).digest('base64')}'`).join(' ')
  return `default-src 'none'; style-src 'unsafe-hashes' ${hashes}; img-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'; sandbox allow-same-origin`
}

export interface SecurityHeaders {
  json: Readonly<Record<string, string>>
  page: Readonly<Record<string, string>>
  redirect: Readonly<Record<string, string>>
  /** Of a page in a frame of the console. `styles` are all that it has, as they stand in it, made without anybody's text. */
  preview(styles: readonly string[]): Readonly<Record<string, string>>
}

/** One frozen object for each kind of answer, made at start. HSTS only on https: on http a browser must ignore it (RFC 6797 §7.2). */
export function securityHeaders({ https }: { https: boolean }): SecurityHeaders {
  const common = { ...COMMON, ...(https && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }) }
  const json = { ...common, 'cache-control': 'no-store', 'content-security-policy': CSP_NOTHING, 'referrer-policy': 'no-referrer' }
  return {
    json: Object.freeze({ ...json, 'content-type': 'application/json; charset=utf-8' }),
    // same-origin, not no-referrer: the latter makes a page's own form post `Origin: null`
    page: Object.freeze({
      ...common,
      'cache-control': 'no-store',
      'content-security-policy': CSP_PAGE,
      'referrer-policy': 'same-origin',
      vary: 'Cookie, Accept, Accept-Language',
      'content-type': 'text/html; charset=utf-8',
    }),
    redirect: Object.freeze({ ...json, vary: 'Cookie, Accept, Accept-Language' }),
    preview: (styles) => ({
      ...json,
      'x-frame-options': 'SAMEORIGIN',
      'content-security-policy': previewPolicy(styles),
      'content-type': 'text/html; charset=utf-8',
    }),
  }
}
