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

export interface SecurityHeaders {
  json: Readonly<Record<string, string>>
  page: Readonly<Record<string, string>>
  redirect: Readonly<Record<string, string>>
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
  }
}
