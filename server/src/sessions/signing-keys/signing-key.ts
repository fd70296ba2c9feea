import { DAY_MS } from '../../kit/index.ts'

/** An RS256 key pair, for clients of OpenID Connect. Both halves are JWKs; the private one is sealed. */
export interface RsaKey {
  publicJwk: string
  privateSealed: string
}

/**
 * One ES256 key pair (RFC 7518 §3.4). The private half is sealed; `kid` is the public half's thumbprint (RFC 7638). An RS256 pair stands
 * beside it where OpenID Connect is in use: it is made, published, rotated and revoked with it.
 */
export interface SigningKey {
  kid: string
  publicJwk: string
  privateSealed: string
  rsa: RsaKey | undefined
  createdAt: number
  /** It signs from this moment until the next key's moment. It is published from its creation. */
  signsFrom: number
  revokedAt: number | undefined
}

/** A new key is published this long before it signs, so that every verifier has fetched it. */
export const PUBLISHED_AHEAD_MS = DAY_MS
const SIGNS_FOR_MS = 90 * DAY_MS
/** The longest life of any token. */
const LAST_TOKEN_MS = 30 * DAY_MS

/**
 * The key that signs now: the one begun last. Where none has begun, the next one: clocks of nodes differ a little, and a key that another
 * node has just made must count.
 */
export function signingKeyAt(keys: readonly SigningKey[], now: number): SigningKey | undefined {
  const good = keys.filter((key) => key.revokedAt === undefined).toSorted((one, other) => one.signsFrom - other.signsFrom)
  return good.findLast((key) => key.signsFrom <= now) ?? good[0]
}

/** The keys that verify now: not revoked, and their last token not yet expired. */
export function verifyingKeysAt(keys: readonly SigningKey[], now: number): SigningKey[] {
  return keys.filter((key) => {
    if (key.revokedAt !== undefined) return false
    const successors = keys.filter((other) => other.revokedAt === undefined && other.signsFrom > key.signsFrom)
    const stopsSigning = Math.min(...successors.map(({ signsFrom }) => signsFrom))
    return stopsSigning + LAST_TOKEN_MS > now
  })
}

/** The present use of a key: `next` is published and will sign, `verifying` outlives its last token, `retired` is past that. */
export type SigningKeyState = 'next' | 'signing' | 'verifying' | 'retired' | 'revoked'

export function signingKeyState(key: SigningKey, keys: readonly SigningKey[], now: number): SigningKeyState {
  if (key.revokedAt !== undefined) return 'revoked'
  if (key.signsFrom > now) return 'next'
  if (signingKeyAt(keys, now) === key) return 'signing'
  return verifyingKeysAt(keys, now).includes(key) ? 'verifying' : 'retired'
}

/** The end of a key's time to sign (ms), when another should have begun. */
export function signsUntil({ signsFrom }: SigningKey): number {
  return signsFrom + SIGNS_FOR_MS
}

/** The key that waits for its turn to sign, if there is one. */
export function nextKeyAt(keys: readonly SigningKey[], now: number): SigningKey | undefined {
  return keys.find((key) => key.revokedAt === undefined && key.signsFrom > now)
}

/**
 * When the next key should begin to sign, or `undefined` while none is needed: one every 90 days, made a day ahead; at once where none
 * signs.
 */
export function nextKeyDue(keys: readonly SigningKey[], now: number): number | undefined {
  const current = signingKeyAt(keys, now)
  if (!current) return now
  if (nextKeyAt(keys, now) || now < current.signsFrom + SIGNS_FOR_MS - PUBLISHED_AHEAD_MS) return undefined
  return now + PUBLISHED_AHEAD_MS
}
