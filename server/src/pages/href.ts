declare const checked: unique symbol

/**
 * An address that may stand in a link or a form: a path of this service, or an http(s) address. Never `javascript:`, never `//host`. The
 * caller's list of registered addresses decides whether a *foreign* one may be used.
 */
export type Href = string & { readonly [checked]: true }

/** The address of one of our own pages, its parameters encoded. `undefined` parameters are left out. Throws for anything but a path. */
export function ownHref(path: `/${string}`, query: Record<string, string | undefined> = {}): Href {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const search = new URLSearchParams(given).toString()
  const address = search ? `${path}?${search}` : path
  if (!isHref(address)) throw new TypeError(`no path of this service: ${path}`)
  return address
}

/** True for what {@link Href} promises. */
export function isHref(address: string): address is Href {
  // Browsers drop control characters and take a backslash for a slash (WHATWG URL), so neither may stand in one.
  if (/[\p{Cc}\\\s]/u.test(address)) return false
  if (address.startsWith('/')) return !address.startsWith('//')
  return /^https?:\/\//.test(address) && URL.canParse(address)
}
