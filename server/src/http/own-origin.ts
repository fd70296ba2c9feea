import type { FastifyRequest } from 'fastify'

/**
 * Whether a browser says that a state change comes from our own pages: `Origin` decides when it is there, else `Sec-Fetch-Site`.
 * `unknown` when it sends neither (an old browser, or none): then the flow cookie and the hidden flow decide.
 */
export function originOf(request: FastifyRequest, baseUrl: string): 'own' | 'foreign' | 'unknown' {
  const { origin, 'sec-fetch-site': site } = request.headers
  if (origin !== undefined) return origin === baseUrl ? 'own' : 'foreign'
  if (site !== undefined) return site === 'same-origin' ? 'own' : 'foreign'
  return 'unknown'
}

/**
 * A request that the person did not make by going somewhere: an image, a frame, a script's fetch, a page loaded ahead of a click, or
 * another site's form. A form of a sister app is same-site. A browser too old to say so says where a form came from by `Origin`, and then
 * only ours is known to be none of these.
 */
export function isBehindTheBack(request: FastifyRequest, baseUrl: string): boolean {
  const { 'sec-fetch-dest': destination, 'sec-fetch-site': site, 'sec-purpose': secPurpose, purpose, origin } = request.headers
  if (request.method === 'HEAD') return true // nobody looks at what it answers
  if ([secPurpose, purpose].some((given) => given?.includes('prefetch'))) return true
  if (destination !== undefined && destination !== 'document') return true
  if (request.method !== 'POST') return false
  return site === undefined ? origin !== undefined && origin !== baseUrl : site === 'cross-site'
}
