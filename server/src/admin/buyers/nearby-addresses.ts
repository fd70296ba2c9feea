/** The characters that are typed before and after an `@`. Others are mistyped less often than they would be looked up. */
const IN_LOCAL_PART = 'abcdefghijklmnopqrstuvwxyz0123456789._-+'
const IN_DOMAIN = 'abcdefghijklmnopqrstuvwxyz0123456789.-'

/** A longer address has too many neighbours: two parameters for each character and letter would reach the databases' limits. */
const MAX_LENGTH = 80

/**
 * All addresses that are one slip of a finger away from this one, which is in normal form: a letter too few, one too many, another one, or
 * two of them swapped. Some 2,000 for a common address. None holds the address itself, and a few are no addresses at all.
 */
export function nearbyAddresses(address: string): string[] {
  const at = address.lastIndexOf('@')
  if (at < 1 || address.length > MAX_LENGTH) return []
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)]
  const found = new Set([
    ...oneSlipFrom(local, IN_LOCAL_PART).map((other) => `${other}@${domain}`),
    ...oneSlipFrom(domain, IN_DOMAIN).map((other) => `${local}@${other}`),
  ])
  found.delete(address)
  return [...found]
}

function oneSlipFrom(text: string, letters: string): string[] {
  const places = Array.from(text, (_, i) => i)
  const others = [...letters]
  const isShort = text.length < 2
  return [
    ...(isShort ? [] : places.map((i) => text.slice(0, i) + text.slice(i + 1))),
    ...places.slice(1).map((i) => `${text.slice(0, i - 1)}${text.charAt(i)}${text.charAt(i - 1)}${text.slice(i + 1)}`),
    ...places.flatMap((i) => others.map((letter) => text.slice(0, i) + letter + text.slice(i + 1))),
    ...[...places, text.length].flatMap((i) => others.map((letter) => text.slice(0, i) + letter + text.slice(i))),
  ]
}
