import type { Settings } from '../settings.ts'
import { parseUrl } from './parse-url.ts'

/** For the page of one user: nobody else gets it from a cache, and after a sign-out the browser's back button does not show it. */
export const OF_ONE_USER = 'private, no-store'

const NEVER_KEPT = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }

/** A redirect. `location` is ours, or has been checked. */
export function redirect(location: string, setCookies: readonly string[] = []): Response {
  return new Response(null, { status: 302, headers: headers({ location }, setCookies) })
}

export function json(status: number, body: object, own: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers: headers({ 'content-type': 'application/json', ...own }) })
}

export function methodNotAllowed(allow: string): Response {
  return new Response(null, { status: 405, headers: headers({ allow }) })
}

export function headers(own: Record<string, string>, setCookies: readonly string[] = []): Headers {
  const all = new Headers({ ...NEVER_KEPT, ...own })
  for (const cookie of setCookies) all.append('set-cookie', cookie)
  return all
}

/**
 * Whether a state change comes from this app's own pages, or from the user directly. Browsers say so by Fetch Metadata. Old ones, and all
 * on plain http, say so by the `Origin` of a form and the `Referer` of a link; a link without one could come from any site. A client that
 * posts without any of these is no browser, and carries no browser's cookies.
 */
export function isOwnRequest(request: Request, { appOrigin, allowedOrigins }: Pick<Settings, 'appOrigin' | 'allowedOrigins'>): boolean {
  const site = request.headers.get('sec-fetch-site')
  const isLink = request.method === 'GET'
  const origin = request.headers.get('origin')
  const referer = parseUrl(request.headers.get('referer') ?? '')?.origin
  // No page can make a browser send another value.
  if (allowedOrigins.some((one) => one === (isLink ? referer : origin))) return true
  if (site !== null) return site === 'same-origin' || (site === 'none' && isLink)
  return (origin ?? (isLink ? referer : appOrigin)) === appOrigin
}

/** Made by a page or browser without the user's intent: an image, a script, a prefetch. */
export function isBehindTheBack({ headers }: Request): boolean {
  const purpose = `${headers.get('sec-purpose') ?? ''} ${headers.get('purpose') ?? ''}`
  const destination = headers.get('sec-fetch-dest')
  return purpose.includes('prefetch') || headers.has('next-router-prefetch') || (destination !== null && destination !== 'document')
}

/** Nothing was done. The status is not 200, because a browser would keep a prefetched 200 and show it when the user really goes there. */
export function notBehindTheBack(): Response {
  return json(403, { error: 'no page may fetch this address' })
}
