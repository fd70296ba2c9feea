import type { Explained } from '../identity-providers/index.ts'
import type { Gateway } from '../products/index.ts'
import { adapters } from './adapters.ts'

export const API_URL_WARNINGS = ['version_twice', 'other_end'] as const
export type ApiUrlWarning = Explained<(typeof API_URL_WARNINGS)[number]>

/**
 * A warning about an address for a gateway's API that ends otherwise than the usual one, so that every request would get a 404. It is not
 * refused, as a proxy may rewrite paths. `undefined` for no warning.
 */
export function warnAboutApiUrl(gateway: Gateway, apiUrl: string): ApiUrlWarning | undefined {
  const { url } = adapters[gateway].api
  const own = pathOf(url)
  const path = pathOf(apiUrl)
  if (own !== '') {
    const says = `${gateway}'s own address is ${url}: one that does not end in ${own} is most likely answered 404.`
    return path.endsWith(own) ? undefined : { code: 'other_end', values: { own_url: url, end: own }, says }
  }
  const [version] = /\/v\d+$/.exec(path) ?? []
  if (version === undefined) return undefined
  const says = `${gateway}'s paths begin with their version: ${apiUrl} would be asked for ${version}/v1/…. Its own address is ${url}, without one.`
  return { code: 'version_twice', values: { own_url: url, end: version }, says }
}

function pathOf(url: string): string {
  return new URL(url).pathname.replace(/\/+$/, '')
}
