import type { Portaria } from '../portaria.ts'
import { parseUrl } from './parse-url.ts'

/**
 * An incoming request of Node, as far as it is read here: that of `node:http`, of Express 4 and 5, of Connect, and `request.raw` of
 * Fastify.
 */
export interface NodeRequest {
  method?: string | undefined
  url?: string | undefined
  /** The address before Express cut off what an app is mounted at. */
  originalUrl?: string | undefined
  headers: Readonly<Record<string, string | string[] | undefined>>
}

/** A response of Node, as far as it is written here. */
export interface NodeResponse {
  statusCode: number
  readonly headersSent: boolean
  readonly destroyed: boolean
  setHeader(name: string, value: string): unknown
  appendHeader(name: string, value: string): unknown
  end(body?: Uint8Array): unknown
}

/** What a `Request` can't have (Fetch §4.6); nothing here asks for more than whether it is GET or POST. */
const UNHEARD_OF = /^(?:connect|trace|track)$/i

/**
 * A `Request` with the method, path and headers of Node's. Its origin is the app's own, whatever `Host` says. It has no body: that stays
 * where it is, for whoever reads it, before or after.
 */
export function toRequest(req: NodeRequest, { origin }: Pick<Portaria, 'origin'>): Request {
  const method = UNHEARD_OF.test(req.method ?? 'GET') ? 'OPTIONS' : (req.method ?? 'GET')
  return new Request(origin + pathOf(req.originalUrl ?? req.url ?? '/'), { method, headers: toHeaders(req.headers) })
}

/**
 * A path stays a path, with two slashes as well. Proxies may ask for a whole address (RFC 9112 §3.2.2): its host counts as little as
 * `Host`.
 */
function pathOf(target: string): string {
  if (target.startsWith('/')) return target
  const url = parseUrl(target)
  return url ? url.pathname + url.search : '/'
}

function toHeaders(from: NodeRequest['headers']): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(from)) {
    if (name.startsWith(':')) continue // what HTTP/2 says in place of a request line
    for (const one of typeof value === 'string' ? [value] : (value ?? [])) headers.append(name, one)
  }
  return headers
}

/**
 * Gives a `Response` in Node's way; each cookie in a header of its own, beside those of others. Who has gone away, or was answered
 * meanwhile, gets nothing.
 */
export async function send(response: Response, res: NodeResponse): Promise<void> {
  const body = new Uint8Array(await response.arrayBuffer())
  if (res.headersSent || res.destroyed) return
  res.statusCode = response.status
  for (const [name, value] of response.headers) {
    if (name === 'set-cookie') res.appendHeader(name, value)
    else res.setHeader(name, value)
  }
  res.end(body)
}
