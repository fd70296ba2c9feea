import { formatCookie, readCookie, readCookies } from '../../http/index.ts'
import { constantTimeEqual, hmacKey, hmacSha256, mintSecret, sha256Base64Url } from '../../kit/index.ts'
import { IMPERSONATION_SECONDS, SESSION_SECONDS } from '../../sessions/index.ts'

const FLOW_COOKIE_SECONDS = 3_600
const DEVICE_SECONDS = 34_560_000 // 400 days, the longest that browsers allow
const PENDING_SECONDS = 600

/**
 * The cookies of a browser at the service's own host, and the one it shares with the domain. Each method answers a `Set-Cookie` value or a
 * cookie's value.
 */
export interface BrowserCookies {
  session(token: string): string
  bound(secret: string): string
  device(value: string): string
  /** For variant 2. Without a value an old cookie is cleared. The server itself never reads them. */
  pending(name: 'pending_redirect_uri' | 'pending_state', value: string | undefined): string
  /**
   * Removes session and bound cookie, the domain's session and one that may have been set for this host alone. Also the original session's
   * cookie, if there is one.
   */
  signedOut(header: string | undefined): string[]
  /**
   * For the beginning of an impersonation: the short-lived cookies of its session, and the sealed original session for `originalSeconds`.
   */
  impersonation(begun: { token: string; boundSecret: string; original: string; originalSeconds: number }): string[]
  noOriginalSession(): string
  readOriginalSession(header: string | undefined): string | undefined
  readBound(header: string | undefined): string | undefined
  readDevice(header: string | undefined): string | undefined
  /** The browser's flow cookie as a hash, and the cookie to set: a value that is not ours is replaced. */
  browserOf(header: string | undefined): { browser: string; setCookie: string }
  isBrowser(header: string | undefined, browser: string): boolean
}

/** On https the cookies of our host carry `__Host-`, which no other host can set (RFC 6265bis §4.1.3.2). */
export function createBrowserCookies({
  https,
  cookieDomain,
  flowKey,
}: {
  https: boolean
  cookieDomain: string | undefined
  flowKey: Uint8Array
}): BrowserCookies {
  const prefix = https ? '__Host-' : ''
  const names = {
    bound: `${prefix}portaria`,
    flow: `${prefix}portaria_flow`,
    device: `${prefix}portaria_device`,
    original: `${prefix}portaria_original`,
  }
  const host = (name: string, value: string, maxAgeSeconds: number) => formatCookie({ name, value, maxAgeSeconds, secure: https })
  const domain = cookieDomain === undefined ? {} : { domain: cookieDomain }
  const shared = (value: string, maxAgeSeconds: number) =>
    formatCookie({ name: 'eg_session', value, maxAgeSeconds, secure: https, ...domain })
  const key = hmacKey(flowKey)
  const signature = (id: string) => hmacSha256(key, `flow-cookie:${id}`).toString('base64url')
  const readFlow = (header: string | undefined) => {
    const value = readCookie(header, names.flow)
    const [id = '', factor = ''] = (value ?? '').split('.', 2)
    return value !== undefined && id !== '' && constantTimeEqual(factor, signature(id)) ? value : undefined
  }
  const mintFlow = () => {
    const id = mintSecret()
    return `${id}.${signature(id)}`
  }
  return {
    session: (token) => shared(token, SESSION_SECONDS),
    bound: (secret) => host(names.bound, secret, SESSION_SECONDS),
    device: (value) => host(names.device, value, DEVICE_SECONDS),
    pending: (name, value) => host(name, value === undefined ? '' : encodeURIComponent(value), value === undefined ? 0 : PENDING_SECONDS),
    signedOut: (header) => [
      ...new Set([shared('', 0), host('eg_session', '', 0), host(names.bound, '', 0)]),
      ...(readCookies(header, names.original).length > 0 ? [host(names.original, '', 0)] : []),
    ],
    impersonation: ({ token, boundSecret, original, originalSeconds }) => [
      shared(token, IMPERSONATION_SECONDS),
      host(names.bound, boundSecret, IMPERSONATION_SECONDS),
      host(names.original, original, originalSeconds),
    ],
    noOriginalSession: () => host(names.original, '', 0),
    readOriginalSession: (header) => readCookie(header, names.original),
    readBound: (header) => readCookie(header, names.bound),
    readDevice: (header) => readCookie(header, names.device),
    browserOf(header) {
      const value = readFlow(header) ?? mintFlow()
      return { browser: sha256Base64Url(value), setCookie: host(names.flow, value, FLOW_COOKIE_SECONDS) }
    },
    isBrowser(header, browser) {
      const value = readFlow(header)
      return value !== undefined && constantTimeEqual(sha256Base64Url(value), browser)
    },
  }
}
