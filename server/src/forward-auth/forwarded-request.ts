import type { ForwardedHost } from '../products/index.ts'

/** Of the proxy's request, in lower case. */
type Headers = Readonly<Record<string, string | string[] | undefined>>

const MAX_ADDRESS = 2_000

/**
 * Whether the proxy asks for a browser that opens a page: such a request can be redirected. A script's, a posted form or a frame can't. A
 * browser too old to say so counts by what it accepts.
 */
export function isNavigation(headers: Headers): boolean {
  const { accept, 'sec-fetch-mode': mode = 'navigate', 'sec-fetch-dest': destination = 'document' } = headers
  if (headers['x-forwarded-method'] !== 'GET' || accept?.includes('text/html') !== true) return false
  return mode === 'navigate' && destination === 'document'
}

/**
 * The page that a browser has asked for, for its way back. Only the path is the browser's: the host is the one that is registered. A value
 * that is no path becomes the host's first page, and so does one that is too long for the addresses of a sign-in.
 */
export function forwardedAddress({ origin }: Pick<ForwardedHost, 'origin'>, uri: string | string[] | undefined): string {
  const home = `${origin}/`
  // Without the slash, a value such as `@evil.example` or `.evil.example` would become part of the host.
  if (typeof uri !== 'string' || !/^\/[!-~]*$/.test(uri) || uri.includes('\\')) return home
  const address = origin + uri
  if (address.length > MAX_ADDRESS || !URL.canParse(address)) return home
  const parsed = new URL(address)
  return parsed.origin === origin && parsed.href.length <= MAX_ADDRESS ? parsed.href : home
}
