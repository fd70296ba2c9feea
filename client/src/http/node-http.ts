import type { Portaria } from '../portaria.ts'
import type { User } from '../user.ts'

/**
 * The parts of an incoming Node request that are read here: of `node:http`, of Express 4 and 5, of Connect, and of Fastify's `request.raw`.
 */
export interface NodeRequest {
  method?: string | undefined
  url?: string | undefined
  /** The address before Express removed the path that an app is mounted at. */
  originalUrl?: string | undefined
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** The body, where a body parser has read it. */
  body?: unknown
  [Symbol.asyncIterator]?(): AsyncIterator<unknown>
}

/** The parts of a Node response that are written here. */
export interface NodeResponse {
  statusCode: number
  readonly headersSent: boolean
  readonly destroyed: boolean
  hasHeader(name: string): boolean
  setHeader(name: string, value: string): unknown
  appendHeader(name: string, value: string): unknown
  end(body?: Uint8Array): unknown
}

/** Methods that a `Request` can't have (Fetch §4.6); only GET and POST are distinguished here. */
const UNHEARD_OF = /^(?:connect|trace|track)$/i

/**
 * A `Request` with the method, path and headers of Node's. Its origin is the app's own, whatever `Host` says. It has no body: the original
 * request keeps it, for any reader before or after.
 */
export function toRequest(req: NodeRequest, { origin }: Pick<Portaria, 'origin'>): Request {
  const method = UNHEARD_OF.test(req.method ?? 'GET') ? 'OPTIONS' : (req.method ?? 'GET')
  return new Request(origin + pathOf(req.originalUrl ?? req.url ?? '/'), { method, headers: toHeaders(req.headers) })
}

/** The answer to one of the client's own paths. */
export function handle(req: NodeRequest, portaria: Portaria): Promise<Response | undefined> {
  return portaria.handle(toRequest(req, portaria), undefined, req)
}

/** A path stays a path, even with two slashes. Proxies may request a whole address (RFC 9112 §3.2.2): its host is ignored, like `Host`. */
function pathOf(target: string): string {
  if (target.startsWith('/')) return target
  if (!URL.canParse(target)) return '/'
  const { pathname, search } = new URL(target)
  return pathname + search
}

function toHeaders(from: NodeRequest['headers']): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(from)) {
    if (name.startsWith(':')) continue // HTTP/2 has these instead of a request line
    for (const one of typeof value === 'string' ? [value] : (value ?? [])) headers.append(name, one)
  }
  return headers
}

/**
 * Sends a `Response` in Node's way, with each cookie in a header of its own, beside those of others. A closed or already answered
 * connection gets nothing.
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

/**
 * The user of each guarded request. It is not a property of the request, since its type would promise it without a guard too, and other
 * code writes there.
 */
const users = new WeakMap<object, User>()

export function rememberUser(request: object, user: User): void {
  users.set(request, user)
}

/** The user of a request that has passed `requireUser`. Throws on a route without the guard, so that a forgotten guard is no sign-in. */
export function getUser(request: object): User {
  const user = users.get(request)
  if (!user) throw new Error('getUser: this route has no requireUser in front of it')
  return user
}
