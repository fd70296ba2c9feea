// @portaria/client/express: for Express 4 and 5, and other frameworks with its kind of middleware. It does not need Express's types.
import { handle, type NodeRequest, type NodeResponse, rememberUser, send, toRequest } from './http/node-http.ts'
import { OF_ONE_USER } from './http/responses.ts'
import type { Portaria } from './portaria.ts'
import type { Session } from './user.ts'

export { getUser } from './http/node-http.ts'

/** A middleware, as Express calls it. It never rejects: a fault goes to `next`. */
export type Middleware = (req: NodeRequest, res: NodeResponse, next: (fault?: unknown) => void) => Promise<void>

/**
 * Answers the client's own paths and leaves all others alone, with their bodies. With `onEvent` it stands before body parsers, or they keep
 * the bytes as `rawBody`; without it their order does not matter.
 *
 * ```ts
 * import { createPortaria } from '@portaria/client'
 * import { getUser, portariaRoutes, requireUser } from '@portaria/client/express'
 * import express from 'express'
 *
 * const portaria = createPortaria()
 * const app = express()
 * app.use(portariaRoutes(portaria))
 * app.get('/', requireUser(portaria), (req, res) => {
 *   res.send(`Hello, ${getUser(req).name}`)
 * })
 * app.listen(3000)
 * ```
 */
export function portariaRoutes(portaria: Portaria): Middleware {
  return step(async (req) => handle(req, portaria))
}

/**
 * In front of a handler: lets signed-in users in; `getUser` then answers the user. A page is redirected to the sign-in and back, any other
 * request gets 401 `{status, reason}`. The answer gets `cache-control: private, no-store`, unless the app has set its own or sets it later.
 */
export function requireUser(portaria: Portaria): Middleware {
  return step(async (req, res) => {
    const { user, response } = await portaria.requireUser(toRequest(req, portaria))
    if (response) return response
    rememberUser(req, user)
    if (!res.headersSent && !res.hasHeader('cache-control')) res.setHeader('cache-control', OF_ONE_USER)
    return undefined
  })
}

/** The session, on routes that need no sign-in. */
export function getSession(req: NodeRequest, portaria: Portaria): Promise<Session> {
  return portaria.session(toRequest(req, portaria))
}

function step(decide: (req: NodeRequest, res: NodeResponse) => Promise<Response | undefined>): Middleware {
  return async (req, res, next) => {
    let response: Response | undefined
    try {
      response = await decide(req, res)
      if (response) await send(response, res)
    } catch (fault) {
      return next(fault)
    }
    if (!response) next()
  }
}
