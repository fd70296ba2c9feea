import { domainToASCII, domainToUnicode } from 'node:url'

/** RFC 5321 §4.5.3.1 bounds: 64 octets before the @, 254 in all. */
const MAX_OCTETS = 254
const MAX_LOCAL_OCTETS = 64
/** No invisible characters: two addresses that look alike would be two users. */
const LOCAL_PART = /^[^\s@"(),:;<>[\\\]\p{C}\p{Default_Ignorable_Code_Point}]+$/u
/** Its last label begins with a letter: a resolver reads `0x7f.1` as an address of this machine. */
const DOMAIN = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/
/**
 * A domain that `domainToASCII` leaves unchanged: ASCII that does not end in a number. Nearly all domains are, and the conversion takes
 * longer than all else here.
 */
const PLAIN_DOMAIN = /^(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*$/

/**
 * The one form in which an address is compared, stored and mailed: trimmed, NFKC, lower case, its domain in IDNA's ASCII form. `undefined`
 * for an invalid address. Quoted local parts and address literals are not accepted: nobody uses them.
 */
export function normaliseEmail(text: string): string | undefined {
  if (text.length > MAX_OCTETS * 2) return undefined
  const folded = text.normalize('NFKC').trim().toLowerCase().normalize('NFKC')
  const at = folded.lastIndexOf('@')
  if (at < 1) return undefined
  const local = folded.slice(0, at)
  const domain = toAsciiDomain(folded.slice(at + 1))
  if (!LOCAL_PART.test(local) || local.startsWith('.') || local.endsWith('.') || local.includes('..') || !DOMAIN.test(domain))
    return undefined
  const address = `${local}@${domain}`
  if (Buffer.byteLength(local) > MAX_LOCAL_OCTETS || Buffer.byteLength(address) > MAX_OCTETS) return undefined
  return address
}

/**
 * The normal form of an address that another party has verified: only if it is written so, apart from the case of ASCII letters and the
 * spelling of its domain. An address that only folding makes equal, as one in full-width letters, is another mailbox to that party:
 * `undefined`, as for an invalid address.
 */
export function plainEmail(text: string): string | undefined {
  const normal = normaliseEmail(text)
  const written = text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
  if (normal === undefined || written === normal) return normal
  const at = normal.lastIndexOf('@')
  return written === `${normal.slice(0, at)}@${domainToUnicode(normal.slice(at + 1))}` ? normal : undefined
}

function toAsciiDomain(domain: string): string {
  return PLAIN_DOMAIN.test(domain) ? domain : domainToASCII(domain)
}
