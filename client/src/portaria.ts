import { PortariaError } from './error.ts'
import { forAllowedOrigin, preflight } from './http/cors.ts'
import { type Json, textAt } from './http/json.ts'
import { json, methodNotAllowed, redirect } from './http/responses.ts'
import { type Access, type AccessQuery, createAccess } from './service/access.ts'
import { createAccessTokens } from './service/access-token.ts'
import { createService } from './service/service.ts'
import { createSessions, type WithHeaders } from './service/sessions.ts'
import { createTokens } from './service/tokens.ts'
import { type PortariaOptions, readEnvironment, readSettings } from './settings.ts'
import { callback } from './sign-in/callback.ts'
import { createLateSignOuts } from './sign-in/late-sign-outs.ts'
import { parseReturnTo } from './sign-in/return-to.ts'
import { hrefOf, signIn } from './sign-in/sign-in.ts'
import { type SignOut, signOut, signOutRoute } from './sign-in/sign-out.ts'
import type { Session, User } from './user.ts'

/** The profile of today, as `GET /api/me` has it. */
export interface Profile {
  id: string
  email: string | null
  name: string
  avatarUrl: string | null
  planSlug: string | null
}

export interface Portaria {
  /** Where this app lives, as `appUrl` says: an origin, without a slash at the end. */
  readonly origin: string
  /**
   * Answers this client's own paths: sign-in, callback, sign-out and the session for the browser. `undefined` for every other path, which
   * is the app's.
   */
  handle(request: Request): Promise<Response | undefined>
  /** Who is signed in, by a request's cookies. Never throws. */
  session(request: WithHeaders): Promise<Session>
  /**
   * The person, or the response to give instead: for a page the way to sign in and back, for anything else 401 `{status, reason}`. The
   * guard belongs into the handler that it protects, not in front of paths.
   */
  requireUser(request: Request): Promise<{ user: User; response?: undefined } | { user?: undefined; response: Response }>
  /** Where a sign-in begins that ends at a path of this app. */
  signInHref(returnTo?: string): string
  /** Where a sign-out begins; for a link. */
  signOutHref(returnTo?: string): string
  /**
   * Ends the session of a request and answers the redirect that follows. For a handler of your own: that the request comes from your own
   * pages is yours to see to; `…/sign-out` does.
   */
  signOut(request: Request, options?: SignOut): Promise<Response>
  /**
   * An access token that speaks for the person of a request to Portaria's API; `undefined` when nobody is signed in. With a cookie secret
   * give the headers of your response, to keep it there. Throws `PortariaError` where Portaria can't be asked.
   */
  accessToken(request: WithHeaders, responseHeaders?: Headers): Promise<string | undefined>
  /** The profile of the person of a request, fresh from Portaria; `undefined` when nobody is signed in. Throws `PortariaError`. */
  me(request: WithHeaders, responseHeaders?: Headers): Promise<Profile | undefined>
  /** Whether someone may use this product, and why. Needs the API key. Throws `PortariaError` where Portaria can't be asked. */
  checkAccess(query: AccessQuery): Promise<Access>
}

/**
 * Portaria, for one app. Without options it reads `PORTARIA_URL` and `PORTARIA_APP_URL`, and for an external app `PORTARIA_PUBLISHABLE_KEY`
 * and `PORTARIA_API_KEY`. Throws one `PortariaError` that names every fault of these.
 */
export function createPortaria(options: PortariaOptions = {}): Portaria {
  const settings = readSettings(options, readEnvironment())
  const service = createService(settings)
  const sessions = createSessions(settings, { tokens: createTokens(settings), service })
  const accessTokens = createAccessTokens(settings, service)
  const { authPath, sessionPath, appPath } = settings
  const deps = { sessions, service, signOuts: createLateSignOuts(service) }

  const routes: Record<string, (request: Request, query: URLSearchParams) => Promise<Response>> = {
    [`${authPath}/sign-in`]: (request, query) => signIn(request, query, settings, sessions),
    [`${authPath}/callback`]: (request, query) => callback(request, query, settings, deps),
    [`${authPath}/sign-out`]: (request, query) => signOutRoute(request, query, settings, deps),
    [sessionPath]: async (request) => forAllowedOrigin(request, json(200, await sessions.ofRequest(request)), settings),
  }
  /** A path as browsers know it: Next and some proxies cut off what the app lies under. */
  const inApp = (path: string) => (`${path}/`.startsWith(`${appPath}/`) ? path : appPath + path)
  const portaria: Portaria = {
    origin: settings.appOrigin,
    async handle(request) {
      const { pathname, searchParams } = new URL(request.url)
      const path = inApp(pathname).replace(/\/$/, '') // Next can be told to end all addresses with a slash
      const route = routes[path]
      if (!route) return undefined
      const asked = path === sessionPath ? preflight(request, settings) : undefined
      if (asked) return asked
      const allow = path === `${authPath}/sign-out` ? 'GET, POST' : 'GET'
      return allow.split(', ').includes(request.method) ? route(request, searchParams) : methodNotAllowed(allow)
    },
    session: (request) => sessions.ofRequest(request),
    async requireUser(request) {
      const session = await sessions.ofRequest(request)
      if (session.status === 'signed_in') return { user: session.user }
      const url = new URL(request.url)
      const response = isPage(request) ? redirect(portaria.signInHref(inApp(url.pathname) + url.search)) : json(401, session)
      return { response }
    },
    signInHref: (returnTo) => hrefOf('sign-in', parseReturnTo(returnTo ?? null, settings), settings),
    signOutHref: (returnTo) => hrefOf('sign-out', parseReturnTo(returnTo ?? null, settings), settings),
    signOut: (request, given = {}) => signOut(request, given, settings, deps),
    async accessToken(request, responseHeaders) {
      const found = await sessions.find(request)
      if (found.status === 'signed_out') return undefined
      const token = await accessTokens.of(found, request, responseHeaders)
      if (token === undefined) sessions.forget(found.token) // it ended within the minute
      return token
    },
    async me(request, responseHeaders) {
      const found = await sessions.find(request)
      if (found.status === 'signed_out') return undefined
      const ask = async (token: string | undefined) => (token === undefined ? 'refused' : service.me(token))
      const kept = await accessTokens.of(found, request, responseHeaders)
      let profile = await ask(kept)
      // The session has ended, or the key that signed this token has: then there is another.
      if (profile === 'refused' && kept !== undefined) profile = await ask(await accessTokens.renew(found, responseHeaders))
      if (profile !== 'refused') return toProfile(profile)
      accessTokens.forget(found, responseHeaders)
      sessions.forget(found.token)
      return undefined
    },
    checkAccess: createAccess(settings, service),
  }
  return portaria
}

function toProfile(profile: Json): Profile {
  const [id, name] = [textAt(profile, 'id'), textAt(profile, 'name')]
  if (id === null || name === null) throw new PortariaError('unavailable', 'Portaria answers no profile')
  return { id, name, email: textAt(profile, 'email'), avatarUrl: textAt(profile, 'avatar_url'), planSlug: textAt(profile, 'plan') }
}

/** A person's own navigation, which can be sent to sign in; a `fetch` of a page can't. */
function isPage({ method, headers }: Request): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  const mode = headers.get('sec-fetch-mode')
  return mode === null ? (headers.get('accept') ?? '').includes('text/html') : mode === 'navigate'
}
