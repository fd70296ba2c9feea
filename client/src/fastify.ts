// @portaria/client/fastify: for Fastify 5 (and 4). Its types are not asked for.
import { rememberUser } from './http/guarded.ts'
import { type NodeRequest, toRequest } from './http/node-http.ts'
import type { Portaria } from './portaria.ts'
import type { Session } from './user.ts'

export { getUser } from './http/guarded.ts'

/** A request of Fastify, as far as it is read here. */
export interface RequestLike {
  raw: NodeRequest
}

/** A reply of Fastify, as far as it is written here. */
export interface ReplyLike {
  code(status: number): unknown
  header(name: string, value: string): unknown
  send(body: string): unknown
}

/** An app of Fastify, as far as the plugin needs it. */
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
      const response = await portaria.handle(toRequest(request.raw, portaria))
      return response && give(response, reply)
    })
    done()
  }
  // For the whole app, not for the plugin's own routes alone: what fastify-plugin says of a plugin.
  return Object.assign(plugin, { [Symbol.for('skip-override')]: true, [Symbol.for('fastify.display-name')]: '@portaria/client' })
}

/**
 * For `preHandler`: lets in who is signed in, whom `getUser` then tells. A page is sent to sign in and back, everything else gets 401
 * `{status, reason}`.
 */
export function requireUser(portaria: Portaria): (request: RequestLike, reply: ReplyLike) => Promise<unknown> {
  return async (request, reply) => {
    const { user, response } = await portaria.requireUser(toRequest(request.raw, portaria))
    if (response) return give(response, reply)
    rememberUser(request, user)
  }
}

/** Who is signed in, where nobody has to be. */
export function getSession(request: RequestLike, portaria: Portaria): Promise<Session> {
  return portaria.session(toRequest(request.raw, portaria))
}

/** Through Fastify's own reply, so that the hooks of other plugins see it. It keeps several `Set-Cookie` apart. */
async function give(response: Response, reply: ReplyLike): Promise<unknown> {
  reply.code(response.status)
  for (const [name, value] of response.headers) reply.header(name, value)
  return reply.send(await response.text())
}
