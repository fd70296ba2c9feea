// @portaria/client/fastify: for Fastify 5 (and 4). It does not need Fastify's types.
import { handle, type NodeRequest, rememberUser, toRequest } from './http/node-http.ts'
import { OF_ONE_USER } from './http/responses.ts'
import type { Portaria } from './portaria.ts'
import type { Session } from './user.ts'

export { getUser } from './http/node-http.ts'

/** The parts of a Fastify request that are read here. */
export interface RequestLike {
  raw: NodeRequest
}

/** The parts of a Fastify reply that are written here. */
export interface ReplyLike {
  code(status: number): unknown
  hasHeader(name: string): boolean
  header(name: string, value: string): unknown
  send(body: string): unknown
}

/** The parts of a Fastify app that the plugin needs. */
export interface AppLike {
  addHook(name: 'onRequest', hook: (request: RequestLike, reply: ReplyLike) => Promise<unknown>): unknown
}

/**
 * Answers the client's own paths, before any body is parsed, and leaves all others alone.
 *
 * ```ts
 * import { createPortaria } from '@portaria/client'
 * import { getUser, portariaRoutes, requireUser } from '@portaria/client/fastify'
 * import Fastify from 'fastify'
 *
 * const portaria = createPortaria()
 * const app = Fastify()
 * app.register(portariaRoutes(portaria))
 * app.get('/', { preHandler: requireUser(portaria) }, async (request) => `Hello, ${getUser(request).name}`)
 * await app.listen({ port: 3000 })
 * ```
 */
export function portariaRoutes(portaria: Portaria): (app: AppLike, options: object, done: () => void) => void {
  const plugin = (app: AppLike, _options: object, done: () => void) => {
    app.addHook('onRequest', async (request, reply) => {
      const response = await handle(request.raw, portaria)
      return response && give(response, reply)
    })
    done()
  }
  // For the whole app, not only for the plugin's own routes: the mark that fastify-plugin sets.
  return Object.assign(plugin, { [Symbol.for('skip-override')]: true, [Symbol.for('fastify.display-name')]: '@portaria/client' })
}

/**
 * For `preHandler`: lets signed-in users in; `getUser` then answers the user. A page is redirected to the sign-in and back, any other
 * request gets 401 `{status, reason}`. The answer gets `cache-control: private, no-store`, unless the app has set its own or sets it later.
 */
export function requireUser(portaria: Portaria): (request: RequestLike, reply: ReplyLike) => Promise<unknown> {
  return async (request, reply) => {
    const { user, response } = await portaria.requireUser(toRequest(request.raw, portaria))
    if (response) return give(response, reply)
    rememberUser(request, user)
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', OF_ONE_USER)
  }
}

/** The session, on routes that need no sign-in. */
export function getSession(request: RequestLike, portaria: Portaria): Promise<Session> {
  return portaria.session(toRequest(request.raw, portaria))
}

/** Through Fastify's own reply, so that the hooks of other plugins see it. It keeps several `Set-Cookie` apart. */
async function give(response: Response, reply: ReplyLike): Promise<unknown> {
  reply.code(response.status)
  for (const [name, value] of response.headers) reply.header(name, value)
  return reply.send(await response.text())
}
