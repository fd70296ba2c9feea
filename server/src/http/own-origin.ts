import type { FastifyRequest } from 'fastify'

/**
 * Whether a browser says that a state change comes from our own pages: `Origin` decides if present, else `Sec-Fetch-Site`. `unknown`
 * without either (an old browser, or none): then the flow cookie and the hidden flow decide.
 */
export function originOf(request: FastifyRequest, baseUrl: string): 'own' | 'foreign' | 'unknown' {
  const { origin, 'sec-fetch-site': site } = request.headers
  if (origin !== undefined) return origin === baseUrl ? 'own' : 'foreign'
  if (site !== undefined) return site === 'same-origin' ? 'own' : 'foreign'
  return 'unknown'
}

/**
 * A request that the user did not make by navigating: an image, a frame, a script's fetch, a preloaded page, or another site's form. A form
 * of a sister app is same-site. An old browser sends only a form's `Origin`, and then only our own is accepted.
 */
export function isBehindTheBack(request: FastifyRequest, baseUrl: string): boolean {
  const { 'sec-fetch-dest': destination, 'sec-fetch-site': site, 'sec-purpose': secPurpose, purpose, origin } = request.headers
  if (request.method === 'HEAD') return true // nobody sees its answer
  if ([secPurpose, purpose].some((given) => given?.includes('prefetch'))) return true
  if (destination !== undefined && destination !== 'document') return true
  if (request.method !== 'POST') return false
  return site === undefined ? origin !== undefined && origin !== baseUrl : site === 'cross-site'
}
