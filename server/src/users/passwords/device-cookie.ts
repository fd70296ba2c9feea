import { constantTimeEqual, hmacKey, hmacSha256, mintSecret } from '../../kit/index.ts'

/**
 * A cookie that a browser keeps after a sign-in, naming its account (OWASP, "device cookies"). With it, a flood of wrong passwords from
 * elsewhere can't lock the owner out; it opens nothing by itself. It says when it was made (ms) and never expires: newer rules may require
 * a newer one.
 */
export interface DeviceCookies {
  mint(userId: string, at: number): string
  /** The device's own random id, if the cookie was made for this account, at `since` (ms) or later. */
  deviceOf(cookie: string | undefined, userId: string, made?: { since: number }): string | undefined
}

/** The time stands before the secret, in base 36; a cookie without a time counts as the oldest. */
const TIMED = /^([0-9a-z]{1,11})~/

export function createDeviceCookies(secret: Uint8Array): DeviceCookies {
  const key = hmacKey(secret)
  const sign = (device: string, userId: string) => hmacSha256(key, `${device}:${userId}`).toString('base64url')
  return {
    mint(userId, at) {
      const device = `${at.toString(36)}~${mintSecret()}`
      return `${device}.${sign(device, userId)}`
    },
    deviceOf(cookie, userId, { since } = { since: 0 }) {
      const [device = '', signature = ''] = (cookie ?? '').split('.', 2)
      if (device === '' || !constantTimeEqual(signature, sign(device, userId))) return undefined
      const madeAt = Number.parseInt(TIMED.exec(device)?.[1] ?? '0', 36)
      return madeAt >= since ? device : undefined
    },
  }
}
