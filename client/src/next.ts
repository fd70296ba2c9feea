// @portaria/client/next: for the App Router of Next 15 and 16.

// The server's half of next/navigation. By its name with the extension, as Node needs it, Turbopack finds the browser's half, which fails
// in route handlers.
import { redirect } from 'next/dist/client/components/redirect.js'
import { headers } from 'next/headers.js'
import { connection } from 'next/server.js'
import { createPortaria, type Portaria, type Profile } from './portaria.ts'
import type { Access, AccessQuery } from './service/access.ts'
import type { WithHeaders } from './service/sessions.ts'
import type { PortariaOptions } from './settings.ts'
import type { Session, User } from './user.ts'

type Required = Awaited<ReturnType<Portaria['requireUser']>>

/** Portaria in the terms of Next. Everything but `GET` and `POST` is for server components, server actions and route handlers. */
export interface NextPortaria {
  /** For `app/auth/[...portaria]/route.ts`, and for `app/api/auth/session/route.ts`. */
  GET(request: Request): Promise<Response>
  /** For `app/auth/[...portaria]/route.ts`: a sign-out by form, and those that Portaria reports. */
  POST(request: Request): Promise<Response>
  /** The session of the request. A page that calls it is rendered for each request. */
  session(): Promise<Session>
  /**
   * The user. Without one, redirects to the sign-in, and then to `returnTo`, a path of this app (default: its front page). Call it in each
   * page, action and handler.
   */
  requireUser(returnTo?: string): Promise<User>
  /**
   * For `proxy.ts` and route handlers: the user, or the response to give instead. A page gets a redirect to the sign-in and back, any other
   * request 401 `{status, reason}`.
   */
  requireUser(request: Request): Promise<Required>
  /** An access token for Portaria's API; `undefined` when nobody is signed in. Throws `PortariaError`. */
  accessToken(): Promise<string | undefined>
  /** The profile, fresh from Portaria. Throws `PortariaError`. */
  me(): Promise<Profile | undefined>
  /** Whether someone may use this product. Throws `PortariaError`. */
  checkAccess(query: AccessQuery): Promise<Access>
  /** The client itself. Throws one `PortariaError` that names every fault of the settings. */
  portaria(): Portaria
}

/**
 * For an app that says something in options; one that says all in the environment takes the functions of this module as they are. Nothing
 * is read or checked before the first request, since `next build` imports modules where there is no environment.
 *
 * ```ts
 * // portaria.ts
 * export const { GET, POST, session, requireUser } = createNextPortaria({ confirmEverySeconds: 10 })
 * ```
 */
export function createNextPortaria(options?: PortariaOptions): NextPortaria {
  let made: Portaria | undefined
  const portaria = () => {
    made ??= withWholeLocations(createPortaria({ fetch: pastCaches, ...options }))
    return made
  }
  const forRequest = async <Answer>(ask: (client: Portaria, request: WithHeaders) => Promise<Answer>) => {
    const request = await thisRequest()
    return ask(portaria(), request)
  }
  const handle = async (request: Request) => {
    await thisRequest() // for Next: not while building
    return (await portaria().handle(request)) ?? new Response(null, { status: 404 })
  }
  function requireUser(returnTo?: string): Promise<User>
  function requireUser(request: Request): Promise<Required>
  async function requireUser(asked?: string | Request): Promise<User | Required> {
    const request = await thisRequest()
    const { origin, ...client } = portaria()
    if (asked instanceof Request) return client.requireUser(asked)
    const found = await client.session(request)
    // The whole address: to a path, Next would add its `basePath` once more.
    return found.status === 'signed_in' ? found.user : redirect(origin + client.signInHref(asked))
  }
  return {
    async GET(request) {
      const response = await handle(request)
      return response.status === 403 && isFetchOfRouter(request) ? goThere() : response
    },
    POST: handle,
    portaria,
    session: () => forRequest((client, request) => client.session(request)),
    requireUser,
    accessToken: () => forRequest((client, request) => client.accessToken(request)),
    me: () => forRequest((client, request) => client.me(request)),
    checkAccess: async (query) => portaria().checkAccess(query),
  }
}

/** Next's `proxy.ts` accepts no `Location` that is only a path. */
function withWholeLocations(portaria: Portaria): Portaria {
  const whole = <T extends Response | undefined>(response: T): T => {
    const location = response?.headers.get('location')
    if (location?.startsWith('/')) response?.headers.set('location', portaria.origin + location)
    return response
  }
  return {
    ...portaria,
    handle: async (...given) => whole(await portaria.handle(...given)),
    signOut: async (...given) => whole(await portaria.signOut(...given)),
    async requireUser(request) {
      const found = await portaria.requireUser(request)
      whole(found.response)
      return found
    },
  }
}

/**
 * Calls the runtime's own `fetch` and not Next's replacement: on a page with `fetchCache = 'force-cache'` that one would store sessions and
 * tokens on disk, whatever the call's options say. Next keeps the original in this property.
 */
const pastCaches: typeof fetch = (input, init) => {
  const own: typeof fetch | undefined = Reflect.get(fetch, '_nextOriginalFetch')
  return own ? own(input, init) : fetch(input, { ...init, cache: 'no-store' })
}

/** Next's router fetches the target of a link or `redirect`. */
function isFetchOfRouter({ headers }: Request): boolean {
  return headers.get('sec-fetch-dest') === 'empty' && headers.get('sec-fetch-site') === 'same-origin'
}

/** An answer that is no page of Next makes its router navigate the browser there; so would a 403, but with an error on the console. */
function goThere(): Response {
  return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } })
}

/**
 * It also marks for Next that the page belongs to one user and must not be cached. `connection`: the code after it reads a clock, which
 * Next forbids in prerendered parts.
 */
async function thisRequest(): Promise<WithHeaders> {
  await connection()
  return { headers: await headers() }
}

/**
 * The same for an app that says all in the environment.
 *
 * ```tsx
 * // app/auth/[...portaria]/route.ts
 * export { GET, POST } from '@portaria/client/next'
 *
 * // app/api/auth/session/route.ts
 * export { GET } from '@portaria/client/next'
 *
 * // app/page.tsx
 * import { requireUser } from '@portaria/client/next'
 * import { Suspense } from 'react'
 * export default function Page() {
 *   return <Suspense><Hello /></Suspense>
 * }
 * async function Hello() {
 *   const user = await requireUser('/')
 *   return <h1>Hello, {user.name}</h1>
 * }
 * ```
 */
export const { GET, POST, session, requireUser, accessToken, me, checkAccess, portaria } = createNextPortaria()
