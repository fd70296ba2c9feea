// @portaria/client/hono: for Hono 4, in every runtime.
import type { HonoRequest, MiddlewareHandler } from 'hono'
import { OF_ONE_USER } from './http/responses.ts'
import type { Portaria } from './portaria.ts'
import type { User } from './user.ts'

/**
 * Answers the client's own paths and leaves all others alone.
 *
 * ```ts
 * import { createPortaria } from '@portaria/client'
 * import { portariaRoutes, requireUser } from '@portaria/client/hono'
 * import { Hono } from 'hono'
 *
 * const portaria = createPortaria()
 * const app = new Hono()
 * app.use(portariaRoutes(portaria))
 * app.get('/', requireUser(portaria), (c) => c.text(`Hello, ${c.var.user.name}`))
 * export default app
 * ```
 */
export function portariaRoutes(portaria: Portaria): MiddlewareHandler {
  return async (c, next) => {
    const { raw } = c.req
    return (await portaria.handle(raw, raw.bodyUsed ? () => readKept(c.req) : undefined)) ?? next()
  }
}

/** Hono keeps a body that the app has read; a form that was read by its fields has no text any more. */
async function readKept(req: HonoRequest): Promise<string> {
  if (!req.bodyCache.formData) return req.text()
  return `logout_token=${(await req.formData()).getAll('logout_token')}`
}

/**
 * In front of a handler: lets signed-in users in, as `c.var.user`. A page is redirected to the sign-in and back, any other request gets 401
 * `{status, reason}`. The answer gets `cache-control: private, no-store`, unless the app sets its own.
 */
export function requireUser(portaria: Portaria): MiddlewareHandler<{ Variables: { user: User } }> {
  return async (c, next) => {
    const { user, response } = await portaria.requireUser(c.req.raw)
    if (response) return response
    c.set('user', user)
    await next()
    // Afterwards, since a `Response` of the app's own takes no headers from before. That of a WebSocket (101) can't be made anew.
    if (c.res.status !== 101 && !c.res.headers.has('cache-control')) c.header('cache-control', OF_ONE_USER)
  }
}
