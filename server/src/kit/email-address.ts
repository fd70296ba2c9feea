import { domainToASCII } from 'node:url'

/** RFC 5321 §4.5.3.1 bounds: 64 octets before the @, 254 in all. */
const MAX_OCTETS = 254
const MAX_LOCAL_OCTETS = 64
const LOCAL_PART = /^[^\s@"(),:;<>[\\\]\p{C}]+$/u
const DOMAIN = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
/** What `domainToASCII` leaves as it is: ASCII that does not end in a number. Nearly all domains are, and it takes longer than all else here. */
const PLAIN_DOMAIN = /^(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*$/

/**
 * The one form in which an address is counted, stored and mailed: trimmed, NFKC, lower case, its domain in IDNA's ASCII form.
 * `undefined` for what is no address. Quoted local parts and address literals are not taken: no person has one.
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

function toAsciiDomain(domain: string): string {
  return PLAIN_DOMAIN.test(domain) ? domain : domainToASCII(domain)
}
