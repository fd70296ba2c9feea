import type { Settings } from '../settings.ts'
import { headers } from './responses.ts'

const KEPT_SECONDS = '600'

/**
 * A browser's question, before it asks for something from another origin, whether it may. `undefined`: this is none, or nobody's who may.
 */
export function preflight(request: Request, settings: Settings): Response | undefined {
  if (request.method !== 'OPTIONS' || !request.headers.has('access-control-request-method') || allowed(request, settings) === undefined)
    return undefined
  const own = { 'access-control-allow-methods': 'GET', 'access-control-max-age': KEPT_SECONDS }
  return forAllowedOrigin(request, new Response(null, { status: 204, headers: headers(own, []) }), settings)
}

/**
 * Lets a page of an allowed origin read an answer that its browser's cookies were sent for. The origin stands there alone, by its bytes:
 * never `*`, never `null`.
 */
export function forAllowedOrigin(request: Request, response: Response, settings: Settings): Response {
  if (settings.allowedOrigins.length > 0) response.headers.append('vary', 'Origin')
  const origin = allowed(request, settings)
  if (origin === undefined) return response
  response.headers.set('access-control-allow-origin', origin)
  response.headers.set('access-control-allow-credentials', 'true')
  return response
}

function allowed({ headers }: Request, { allowedOrigins }: Settings): string | undefined {
  const origin = headers.get('origin')
  return allowedOrigins.find((one) => one === origin)
}
