import type { Product } from './product.ts'

declare const checked: unique symbol

/**
 * A registered address with the product it belongs to: the only thing a redirect away from the service is built from.
 * Made by `ProductDirectory.findTarget` and `signOutTarget` alone.
 */
export interface RedirectTarget {
  readonly [checked]: true
  readonly uri: string
  readonly product: Product
  /** On a foreign domain, yet given the domain's session: the operator registered that very URI as trusted. */
  readonly trusted: boolean
}

/** Only `products/` makes one, out of a row that was found by its exact bytes. */
export function checkedTarget(uri: string, product: Product, trusted: boolean): RedirectTarget {
  return { uri, product, trusted } as RedirectTarget
}

/** Whether a URL's host is the domain or below it. With no cookie domain configured the domain is one exact host, on any port. */
export function isOnDomain(uri: string, { cookieDomain, baseUrl }: { cookieDomain: string | undefined; baseUrl: string }): boolean {
  const { hostname } = new URL(uri)
  if (cookieDomain === undefined) return hostname === new URL(baseUrl).hostname
  return hostname === cookieDomain || hostname.endsWith(`.${cookieDomain}`)
}

/**
 * Where a sign-out may lead: to the origin of a registered redirect URI, or to a host of the internal domain under the service's own
 * scheme. Answers the address in its parsed form, or `undefined`.
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
