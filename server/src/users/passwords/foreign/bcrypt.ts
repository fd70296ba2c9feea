import { createHmac } from 'node:crypto'
import { decodeBase64, encodeBase64, hashSync } from 'bcryptjs'

/** How the password becomes bcrypt's: as it was typed, or by the digest of WordPress 6.8 (`$wp$2y$…`). */
export type BcryptForm = 'as_typed' | 'wordpress'

export const BCRYPT_SALT_BYTES = 16
export const BCRYPT_TAG_BYTES = 23
export const MIN_BCRYPT_LOG_ROUNDS = 4

/** The 23 bytes of bcrypt, of the 72 first bytes of the password. `undefined` where bcrypt is not defined. */
export function deriveBcrypt(password: string, salt: Buffer, { logRounds, form }: { logRounds: number; form: BcryptForm }) {
  if (salt.length !== BCRYPT_SALT_BYTES || logRounds < MIN_BCRYPT_LOG_ROUNDS) return undefined
  const text = form === 'wordpress' ? wordpressDigest(password) : password
  const settings = `$2b$${String(logRounds).padStart(2, '0')}$${encodeBase64(salt, BCRYPT_SALT_BYTES)}`
  const bytes = bcryptBytes(hashSync(text, settings).slice(settings.length), BCRYPT_TAG_BYTES)
  // bcrypt repeats a password with its closing NUL: "a" and "a\0a" have one hash. Computed all the same, so that it takes its time.
  return text.includes('\0') ? undefined : bytes
}

/** Bytes in bcrypt's own base64. */
export function bcryptBytes(text: string, length: number): Buffer {
  return Buffer.from(decodeBase64(text, length))
}

/** WordPress sees the password of a form with backslashes before quotes, and without blanks at its ends, when it is set and ever after. */
function wordpressDigest(password: string): string {
  const seen = password
    .replace(/['"\\]/g, '\\$&')
    .replaceAll('\0', '\\0')
    .replace(/^[ \t\n\r\v]+|[ \t\n\r\v]+$/g, '')
  return createHmac('sha384', 'wp-sha384').update(seen).digest('base64')
}
