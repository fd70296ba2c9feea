import { normaliseEmail } from '../../kit/index.ts'

/** Line breaks, tabs, and marks that change the direction of writing: with them a name could imitate a paragraph of ours. */
const DISGUISES = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]+/gu
const LONGEST = 100
const LONGEST_NAME = 60

/** A value from users as one line: no control characters, no scheme that a mail client would turn into a link, 100 characters at most. */
export function plain(value: string): string {
  const line = value.replace(DISGUISES, ' ').replace(/:\/\//g, ' ').replace(/\s+/g, ' ').trim()
  const characters = [...line]
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST - 1).join('')}…` : line
}

/**
 * A name to greet, or `undefined` where it could be an advertisement: a spammer could sign up with a stranger's address and write to them
 * through our mail. A host, an address, a phone number or a sentence is not a name.
 */
export function greetableName(name: string): string | undefined {
  const line = plain(name)
  const looksLikeLink = /[:/\\@]|www|[.。．｡]\p{L}{2}/iu.test(line) || name.includes('://')
  const looksLikeNumber = (line.match(/\p{Nd}/gu) ?? []).length >= 4
  return line === '' || looksLikeLink || looksLikeNumber || [...line].length > LONGEST_NAME ? undefined : line
}

/** An address that was checked before, or throws: one with markup or a line break must not be shown. */
export function checkedAddress(address: string): string {
  if (normaliseEmail(address) !== address) throw new TypeError('not an address in its normal form')
  return address
}

/** A link of ours in its normal form; throws for every scheme other than http(s). */
export function checkedUrl(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed?.protocol !== 'https:' && parsed?.protocol !== 'http:')
    throw new TypeError('a link in a mail must be an absolute http(s) address')
  return parsed.href
}
