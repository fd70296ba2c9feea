import { createHmac, createSecretKey, hash, type KeyObject, timingSafeEqual } from 'node:crypto'

export function sha256Hex(text: string | Uint8Array): string {
  return hash('sha256', text, 'hex')
}

export function sha256Base64Url(text: string | Uint8Array): string {
  return hash('sha256', text, 'base64url')
}

/** A short name for a value as it is: equal values have equal names, and no others do, but by a chance of one in 2^64 pairs. */
export function versionOf(value: unknown): string {
  return sha256Base64Url(JSON.stringify(value)).slice(0, 22)
}

/** A secret as a key that is used all the time: Node takes such an object in a quarter of the time that the secret's bytes take. */
export function hmacKey(secret: string): KeyObject {
  return createSecretKey(Buffer.from(secret))
}

export function hmacSha256(key: Uint8Array | KeyObject, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

/** Compares without telling by its time where two values differ. Different lengths are unequal, and only the lengths are given away. */
export function constantTimeEqual(a: string | Uint8Array, b: string | Uint8Array): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}
