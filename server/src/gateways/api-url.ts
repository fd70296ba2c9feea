import type { Gateway } from '../products/index.ts'
import { adapters } from './adapters.ts'

/**
 * What looks wrong about another address of a gateway's API: that it ends elsewhere than the vendor's own does, so that every question would get a 404. It is said
 * and not refused, as a proxy may stand there that knows better. `undefined` when nothing does.
 */
export function doubtApiUrl(gateway: Gateway, apiUrl: string): string | undefined {
  const { url } = adapters[gateway].api
  const own = pathOf(url)
  const path = pathOf(apiUrl)
  if (own === '') {
    const [version] = /\/v\d+$/.exec(path) ?? []
    return (
      version &&
      `${gateway}'s paths begin with their version: ${apiUrl} would be asked for ${version}/v1/…. Its own address is ${url}, without one.`
    )
  }
  return path.endsWith(own) ? undefined : `${gateway}'s own address is ${url}: one that does not end in ${own} is most likely answered 404.`
}

function pathOf(url: string): string {
  return new URL(url).pathname.replace(/\/+$/, '')
}
