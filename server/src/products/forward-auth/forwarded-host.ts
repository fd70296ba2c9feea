import { isOnDomain } from '../redirect-target.ts'

export type ForwardedHostRefusal = 'host_malformed' | 'host_off_domain' | 'host_is_own'

const HOST = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?(?::[1-9]\d{0,4})?$/

/** The address of a host in the scheme that all apps of the service have. */
export function forwardedOrigin(host: string, baseUrl: string): string {
  return `${new URL(baseUrl).protocol}//${host}`
}

/**
 * Refuses a host that could not work: not in normal form, outside of the domain that the session's cookie is for, or the service's own,
 * which would ask itself.
 */
export function refuseForwardedHost(
  host: string,
  { cookieDomain, baseUrl }: { cookieDomain: string | undefined; baseUrl: string },
): ForwardedHostRefusal | undefined {
  const origin = forwardedOrigin(host, baseUrl)
  if (!HOST.test(host) || !URL.canParse(origin) || new URL(origin).host !== host) return 'host_malformed'
  if (!isOnDomain(origin, { cookieDomain, baseUrl })) return 'host_off_domain'
  return new URL(origin).host === new URL(baseUrl).host ? 'host_is_own' : undefined
}
