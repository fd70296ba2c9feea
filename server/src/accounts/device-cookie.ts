import { constantTimeEqual, hmacSha256, mintSecret } from '../kit/index.ts'

/**
 * A mark that a browser keeps after signing in, naming the account it signed in to (OWASP, "device cookies"). With it, a flood of wrong passwords
 * from elsewhere can't lock the owner out; it opens nothing by itself.
 */
export interface DeviceCookies {
  mint(userId: string): string
  /** The device's own random id, when the cookie was made for this account. */
  deviceOf(cookie: string | undefined, userId: string): string | undefined
}

export function createDeviceCookies(key: Uint8Array): DeviceCookies {
  const sign = (device: string, userId: string) => hmacSha256(key, `${device}:${userId}`).toString('base64url')
  return {
    mint(userId) {
      const device = mintSecret()
      return `${device}.${sign(device, userId)}`
    },
    deviceOf(cookie, userId) {
      const [device = '', signature = ''] = (cookie ?? '').split('.', 2)
      return device !== '' && constantTimeEqual(signature, sign(device, userId)) ? device : undefined
    },
  }
}
