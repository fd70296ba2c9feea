import type { Product } from './product.ts'

declare const checked: unique symbol

/**
 * A registered address with its product: every redirect away from the service is built from one. Made only by
 * `ProductDirectory.findTarget`, `ForwardedHosts.findTarget` and `signOutTarget`.
 */
export interface RedirectTarget {
  readonly [checked]: true
  readonly uri: string
  readonly product: Product
  /** On a foreign domain, yet it receives the domain's session: the operator registered this URI as trusted. */
  readonly trusted: boolean
  /** A page on a host behind a proxy: it receives nothing, since the domain's cookie is there already. */
  readonly forwarded: boolean
}

/** Only `products/` makes one, from a row that was found by its exact bytes. */
export function checkedTarget(uri: string, product: Product, trusted: boolean): RedirectTarget {
  return { uri, product, trusted, forwarded: false } as RedirectTarget
}

/** The same for a page on a registered host (`forwarded-hosts.ts`). */
export function forwardedTarget(uri: string, product: Product): RedirectTarget {
  return { uri, product, trusted: false, forwarded: true } as RedirectTarget
}

/** Whether a URL's host is the domain or below it. Without a cookie domain the domain is one exact host, on any port. */
export function isOnDomain(uri: string, { cookieDomain, baseUrl }: { cookieDomain: string | undefined; baseUrl: string }): boolean {
  const { hostname } = new URL(uri)
  if (cookieDomain === undefined) return hostname === new URL(baseUrl).hostname
  return hostname === cookieDomain || hostname.endsWith(`.${cookieDomain}`)
}

/**
 * The target of a sign-out: the origin of a registered redirect URI, or a host of the internal domain under the service's own scheme.
 * Answers the address in its parsed form, or `undefined`.
 */
export function signOutTarget(
  text: string,
  { origins, cookieDomain, baseUrl }: { origins: ReadonlySet<string>; cookieDomain: string | undefined; baseUrl: string },
): string | undefined {
  if (/[\p{Cc}\s\\]/u.test(text) || !URL.canParse(text)) return undefined
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined
  if (url.username !== '' || url.password !== '') return undefined
  if (origins.has(url.origin)) return url.href
  const schemeFits = url.protocol === 'https:' || baseUrl.startsWith('http:')
  return schemeFits && isOnDomain(url.href, { cookieDomain, baseUrl }) ? url.href : undefined
}
