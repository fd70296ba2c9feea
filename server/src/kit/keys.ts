import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** pk: publishable, sk: API key, wk: webhook key, adm: admin token (the key kinds of the service). */
export type KeyKind = 'pk' | 'sk' | 'wk' | 'adm'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 43 // 62^43 > 2^256
const CHECKSUM_LENGTH = 6 // 62^6 > 2^32
const SHAPE = new RegExp(`^(pk|sk|wk|adm)_([0-9A-Za-z]{${RANDOM_LENGTH}})([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`)

/**
 * A fresh key: 256 random bits in base 62 after its prefix, then a CRC-32, so that typos are found without a look-up and secret scanners
 * recognise it.
 */
export function mintKey(kind: KeyKind): string {
  const body = `${kind}_${base62(BigInt(`0x${randomBytes(32).toString('hex')}`), RANDOM_LENGTH)}`
  return body + checksum(body)
}

/** The kind of a well-formed key, or `undefined` for any other text, also for a key with a typo. */
export function parseKeyKind(text: string): KeyKind | undefined {
  const match = SHAPE.exec(text)
  if (!match || checksum(text.slice(0, -CHECKSUM_LENGTH)) !== match[3]) return undefined
  const kind = match[1]
  return kind === 'pk' || kind === 'sk' || kind === 'wk' || kind === 'adm' ? kind : undefined
}

/** The visible part of a key that is stored as a hash: its first and last characters. */
export function keyHint(key: string): string {
  return `${key.slice(0, 7)}…${key.slice(-4)}`
}

/** 256 random bits as base64url, for cookies and one-time values. */
export function mintSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** In numbers, since each request with a key computes one. */
function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = `${DIGITS[rest % 62]}${digits}`
    rest = Math.floor(rest / 62)
  }
  return digits
}

function base62(value: bigint, length: number): string {
  let rest = value
  let text = ''
  for (let i = 0; i < length; i++) {
    text = DIGITS[Number(rest % 62n)] + text
    rest /= 62n
  }
  return text
}
