import { type KeyObject, timingSafeEqual } from 'node:crypto'
import { hasFewValues, hmacSha256 } from '../kit/index.ts'

/** A body without its signature: `signedText` is the signed text, and only that is read any further. */
export interface SignedBody {
  signature: unknown
  signedText: string
}

/** A secret shared with the sender. */
export type SigningSecret = Uint8Array | KeyObject

export type SignatureRefusal = 'signature_missing' | 'signature_invalid'

/** No notification is nested deeper than three levels; a much deeper one is meant to break a parser. */
const MAX_DEPTH = 32
/** A notification has some thirty values. One with thousands is refused before it is parsed, since no signature can be checked before. */
const MAX_VALUES = 4_000
const HEX = /^[0-9a-f]{64}$/i

/**
 * Reads a JSON object and takes its top-level `signature` out. The rest is written as JSON again, as the contract's senders do before they
 * sign: this normalizes doubled keys, numbers and escapes, once. `undefined` for anything but an object, and for thousands of values, a
 * `__proto__` key or endless nesting.
 */
export function parseSignedBody(text: string): SignedBody | undefined {
  if (!hasFewValues(text, MAX_VALUES)) return undefined
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return undefined // not JSON: the caller chooses the refusal
  }
  if (!isObject(body) || !isPlain(body, MAX_DEPTH)) return undefined
  const { signature, ...rest } = body
  return { signature, signedText: JSON.stringify(rest) }
}

/** Whether `signature` is the HMAC SHA256 of the signed text with one of the secrets, in hex of either case. */
export function refuseSignature({ signature, signedText }: SignedBody, secrets: readonly SigningSecret[]): SignatureRefusal | undefined {
  if (signature === undefined || signature === null || signature === '') return 'signature_missing'
  if (typeof signature !== 'string' || !HEX.test(signature)) return 'signature_invalid'
  const given = Buffer.from(signature, 'hex')
  // Every secret is tried: the time of an answer must not reveal which one matched.
  const matches = secrets.filter((secret) => timingSafeEqual(hmacSha256(secret, signedText), given))
  return matches.length > 0 ? undefined : 'signature_invalid'
}

/** The signature of a text, as a sender makes it. */
export function signPurchase(signedText: string, secret: SigningSecret): string {
  return hmacSha256(secret, signedText).toString('hex')
}

/** Whether objects are nested no deeper than `depth` and none has a key that would change its prototype. */
function isPlain(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (depth === 0) return false
  if (Object.hasOwn(value, '__proto__')) return false
  return Object.values(value).every((inner) => isPlain(inner, depth - 1))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
