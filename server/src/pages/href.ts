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

/** An address that the operator put at the foot of pages and mails: https, or a mailbox. */
export type FooterHref = string & { readonly [footer]: true }

declare const footer: unique symbol

/** The address in its normal form; `undefined` for every other scheme, and for one with a password in it or fields of a mail. */
export function parseFooterHref(text: string): FooterHref | undefined {
  if (text.length > MAX_FOOTER_HREF || /[\p{C}\\\s"'<>`]/u.test(text) || !URL.canParse(text)) return undefined
  const url = new URL(text)
  const isMailbox = url.protocol === 'mailto:' && url.search === '' && url.hash === '' && /^[^@,;?]+@[^@,;?]+$/.test(url.pathname)
  const isPage = /^https:\/\//i.test(text) && url.protocol === 'https:' && url.username === '' && url.password === ''
  return (isMailbox || isPage) && isFooterHref(url.href) ? url.href : undefined
}

const MAX_FOOTER_HREF = 500

function isFooterHref(address: string): address is FooterHref {
  return /^(https:\/\/|mailto:)[^\s"'<>`\\]+$/.test(address)
}
