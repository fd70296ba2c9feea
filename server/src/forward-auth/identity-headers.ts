import type { Product } from '../products/index.ts'
import type { LiveSession } from '../sessions/index.ts'
import type { Entry } from './decide.ts'

/** The characters that stay as they are, so that most addresses do: many apps decode nothing. Spaces stay too, between others. */
const PLAIN = /[A-Za-z0-9@._~+'()*!$#^`|-]/
/** A proxy reads the head of our answer into one buffer, often of 4 KB. */
const MAX_NAME = 100

/**
 * The headers that a proxy passes on about a user, as pairs of name and value. An absent value is empty: it replaces the value that a
 * visitor has sent. An address that nobody has verified is absent, since apps take it for the key of an account.
 */
export function identityHeaders(
  { userId, claims, impersonation }: LiveSession,
  product: Product,
  { verifiedEmail, plan }: Pick<Entry, 'verifiedEmail' | 'plan'>,
): string[] {
  const mayRead = (scope: Product['scopes'][number]) => product.scopes.includes(scope)
  return [
    ...['portaria-user', headerText(userId)],
    ...['portaria-email', headerText(mayRead('read:email') ? (verifiedEmail ?? '') : '')],
    ...['portaria-name', headerText(mayRead('read:profile') ? cut(claims.name) : '')],
    ...['portaria-plan', headerText(plan ?? '')],
    ...['portaria-impersonator', headerText(impersonation?.userId ?? '')],
  ]
}

/**
 * A text as printable ASCII that no parser of headers can take for more than one value: all else is percent-encoded UTF-8, `%` and every
 * control character among it. `decodeURIComponent` gives the text back.
 */
export function headerText(text: string): string {
  let encoded = ''
  for (const character of text) encoded += PLAIN.test(character) || character === ' ' ? character : percentEncoded(character)
  // A parser drops spaces at the ends.
  return encoded.replace(/^ +| +$/g, (spaces) => '%20'.repeat(spaces.length))
}

/** By bytes: `encodeURIComponent` throws at half a character, and leaves some marks. */
function percentEncoded(character: string): string {
  return [...Buffer.from(character, 'utf8')].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')
}

/** By whole characters, as tokens cut it. */
function cut(name: string): string {
  const characters = [...name]
  return characters.length <= MAX_NAME ? name : characters.slice(0, MAX_NAME).join('')
}
