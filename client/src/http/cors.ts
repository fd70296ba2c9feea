import type { Settings } from '../settings.ts'
import { headers } from './responses.ts'

const KEPT_SECONDS = '600'

/** A browser's preflight request from another origin. `undefined`: it is none, or the origin is not allowed. */
export function preflight(request: Request, settings: Settings): Response | undefined {
  if (request.method !== 'OPTIONS' || !request.headers.has('access-control-request-method') || allowed(request, settings) === undefined)
    return undefined
  const own = { 'access-control-allow-methods': 'GET', 'access-control-max-age': KEPT_SECONDS }
  return forAllowedOrigin(request, new Response(null, { status: 204, headers: headers(own) }), settings)
}

/**
 * Lets a page of an allowed origin read an answer that depends on cookies. The header names only that origin, by its bytes: never `*`,
 * never `null`.
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
