import { Secret, TOTP } from 'otpauth'

// RFC 6238 with what every authenticator app knows: SHA-1, six digits, 30 seconds.

const SECRET_BYTES = 20
const PERIOD_SECONDS = 30
/** A code is good for its own 30 seconds and those beside it (RFC 6238 §5.2): clocks differ, and people type. */
const WINDOW = 1

/** 160 random bits in base32, as apps take them (RFC 4226 §4, R6). */
export function mintTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32
}

/** What the square code says: `otpauth://totp/…`. `issuer` is what the app shows beside the address. */
export function totpUri(secret: string, { issuer, email }: { issuer: string; email: string }): string {
  return totp(secret, { issuer, label: email }).toString()
}

/** The 30-second step whose code this is, now or beside now; `undefined` when it is none. A step counts once: the caller sees to that. */
export function findTotpStep(secret: string, code: string, now: number): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined
  const delta = totp(secret).validate({ token: code, timestamp: now, window: WINDOW })
  return delta === null ? undefined : Math.floor(now / 1000 / PERIOD_SECONDS) + delta
}

function totp(secret: string, named: { issuer?: string; label?: string } = {}): TOTP {
  return new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: PERIOD_SECONDS, ...named })
}
