import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

export function sha256Hex(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex')
}

export function sha256Base64Url(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('base64url')
}

export function hmacSha256(key: Uint8Array, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

/** Compares without telling by its time where two values differ. Different lengths are unequal, and only the lengths are given away. */
export function constantTimeEqual(a: string | Uint8Array, b: string | Uint8Array): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}
