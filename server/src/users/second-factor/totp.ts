import { Secret, TOTP } from 'otpauth'

// RFC 6238 as every authenticator app supports it: SHA-1, six digits, 30 seconds.

const SECRET_BYTES = 20
const PERIOD_SECONDS = 30
/** A code is valid for its own 30 seconds and the steps beside them (RFC 6238 §5.2): clocks differ, and typing takes time. */
const WINDOW = 1

/** 160 random bits in base32, as apps take them (RFC 4226 §4, R6). */
export function mintTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32
}

/** The content of the QR code: `otpauth://totp/…`. The app shows `issuer` beside the address. */
export function totpUri(secret: string, { issuer, email }: { issuer: string; email: string }): string {
  return totp(secret, { issuer, label: email }).toString()
}

/** The 30-second step of this code, now or beside now; `undefined` when it is invalid. The caller makes sure that a step counts once. */
export function findTotpStep(secret: string, code: string, now: number): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined
  const delta = totp(secret).validate({ token: code, timestamp: now, window: WINDOW })
  return delta === null ? undefined : Math.floor(now / 1000 / PERIOD_SECONDS) + delta
}

function totp(secret: string, named: { issuer?: string; label?: string } = {}): TOTP {
  return new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: PERIOD_SECONDS, ...named })
}

/** Secrets of other systems have 80 bits and more; a longer one than this is none. */
const SECRET_BYTES_RANGE = { least: 10, most: 128 }

/**
 * A secret of another system, in base32 or as `otpauth://totp/…`, in our form. Refuses codes of another kind than ours: their app would
 * show codes that never fit.
 */
export function parseTotpSecret(text: string): { secret: string } | { refused: 'malformed' | 'other_codes' } {
  const uri = text.startsWith('otpauth:') ? URL.parse(text) : undefined
  if (uri === null || (uri && uri.host !== 'totp')) return { refused: uri ? 'other_codes' : 'malformed' }
  const [algorithm, digits, period] = ['algorithm', 'digits', 'period'].map((name) => uri?.searchParams.get(name))
  const isOurs = /^sha-?1$/i.test(algorithm ?? 'SHA1') && (digits ?? '6') === '6' && (period ?? '30') === String(PERIOD_SECONDS)
  if (!isOurs) return { refused: 'other_codes' }
  const base32 = (uri ? (uri.searchParams.get('secret') ?? '') : text).toUpperCase().replaceAll(/[\s-]|=+$/g, '')
  if (!/^[A-Z2-7]+$/.test(base32)) return { refused: 'malformed' }
  const { bytes, base32: secret } = Secret.fromBase32(base32)
  const isLong = bytes.length >= SECRET_BYTES_RANGE.least && bytes.length <= SECRET_BYTES_RANGE.most
  return isLong ? { secret } : { refused: 'malformed' }
}

/** A secret of these bytes, in our form. */
export function totpSecretOf(bytes: Uint8Array): string {
  return new Secret({ buffer: new Uint8Array(bytes).buffer }).base32
}
