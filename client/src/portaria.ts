import { PortariaError } from './error.ts'
import { forAllowedOrigin, preflight } from './http/cors.ts'
import { type Json, textAt } from './http/json.ts'
import { isStream, leftOpen, readText } from './http/read-text.ts'
import { json, methodNotAllowed, redirect } from './http/responses.ts'
import { type Access, type AccessQuery, createAccess } from './service/access.ts'
import { createAccessTokens } from './service/access-token.ts'
import { createService } from './service/service.ts'
import { createSessions, type WithHeaders } from './service/sessions.ts'
import { createTokens } from './service/tokens.ts'
import { type PortariaOptions, type ReadBody, readEnvironment, readSettings } from './settings.ts'
import { backchannelLogout } from './sign-in/backchannel-logout.ts'
import { callback } from './sign-in/callback.ts'
import { createLateSignOuts } from './sign-in/late-sign-outs.ts'
import { parseReturnTo } from './sign-in/return-to.ts'
import { hrefOf, signIn } from './sign-in/sign-in.ts'
import { type SignOut, signOut, signOutRoute } from './sign-in/sign-out.ts'
import type { Session, User } from './user.ts'

/** The present profile, as `GET /api/me` answers it. */
export interface Profile {
  id: string
  email: string | null
  name: string
  avatarUrl: string | null
  planSlug: string | null
}

export interface Portaria {
  /** This app's origin by `appUrl`, without a slash at the end. */
  readonly origin: string
  /**
   * Answers this client's own paths: sign-in, callback, sign-out, Portaria's reports of sign-outs, its events with `onEvent`, and the
   * session for the browser. `undefined` for every other path, which the app answers. `readBody` and `raw` (the framework's own request):
   * for a request whose body is elsewhere; `readBody` may answer `undefined` for a body that is too long.
   */
  handle(request: Request, readBody?: ReadBody, raw?: unknown): Promise<Response | undefined>
  /** The session of a request, by its cookies: the signed-in user, or why there is none. Never throws. */
  session(request: WithHeaders): Promise<Session>
  /**
   * The user, or the response to give instead: a page gets a redirect to the sign-in and back, any other request 401 `{status, reason}`.
   * Call it in the handler that it protects, not for paths.
   */
  requireUser(request: Request): Promise<{ user: User; response?: undefined } | { user?: undefined; response: Response }>
  /** The address of a sign-in that ends at a path of this app. */
  signInHref(returnTo?: string): string
  /** The address of a sign-out, for a link. */
  signOutHref(returnTo?: string): string
  /**
   * Ends the session of a request and answers the redirect that follows. For a handler of your own, which must check itself that the
   * request comes from your own pages; `…/sign-out` does so.
   */
  signOut(request: Request, options?: SignOut): Promise<Response>
  /**
   * An access token to Portaria's API for the user of a request; `undefined` when nobody is signed in. With a cookie secret, pass the
   * headers of your response, so that the token is kept there. Throws `PortariaError` if Portaria can't be asked.
   */
  accessToken(request: WithHeaders, responseHeaders?: Headers): Promise<string | undefined>
  /** The profile of a request's user, fresh from Portaria; `undefined` when nobody is signed in. Throws `PortariaError`. */
  me(request: WithHeaders, responseHeaders?: Headers): Promise<Profile | undefined>
  /** Whether someone may use this product, and why. Needs the API key. Throws `PortariaError` if Portaria can't be asked. */
  checkAccess(query: AccessQuery): Promise<Access>
}

/**
 * Portaria, for one app. Without options it reads `PORTARIA_URL` and `PORTARIA_APP_URL`, and for an external app `PORTARIA_PUBLISHABLE_KEY`
 * and `PORTARIA_API_KEY`. Throws one `PortariaError` that names every fault of these.
 */
export function createPortaria(options: PortariaOptions = {}): Portaria {
  const settings = readSettings(options, readEnvironment())
  const service = createService(settings)
  const tokens = createTokens(settings)
  const sessions = createSessions(settings, { tokens, service })
  const accessTokens = createAccessTokens(settings, service)
  const { authPath, sessionPath, appPath, onEvent } = settings
  const deps = { sessions, tokens, service, signOuts: createLateSignOuts(service) }

  type Answer = (request: Request, readBody: ReadBody, raw: unknown, query: URLSearchParams) => Promise<Response>
  const at = (step: string) => `${authPath}/${step}`
  const routes: Record<string, [allow: string, answer: Answer] | undefined> = {
    [at('sign-in')]: ['GET', (request, _readBody, _raw, query) => signIn(request, query, settings, sessions)],
    [at('callback')]: ['GET', (request, _readBody, _raw, query) => callback(request, query, settings, deps)],
    [at('sign-out')]: ['GET, POST', (request, _readBody, _raw, query) => signOutRoute(request, query, settings, deps)],
    [at('backchannel-logout')]: ['POST', async (_request, readBody) => backchannelLogout(await readBody(), settings, deps)],
    [at('events')]: onEvent && ['POST', onEvent],
    [sessionPath]: ['GET', async (request) => forAllowedOrigin(request, json(200, await sessions.ofRequest(request)), settings)],
  }
  /** A path as browsers know it: Next and some proxies remove the app's base path. */
  const inApp = (path: string) => (`${path}/`.startsWith(`${appPath}/`) ? path : appPath + path)
  const portaria: Portaria = {
    origin: settings.appOrigin,
    async handle(request, readBody = () => formOf(request, raw), raw) {
      const { pathname, searchParams } = new URL(request.url)
      const path = inApp(pathname).replace(/\/$/, '') // Next can be set to end all addresses with a slash
      const route = routes[path]
      if (!route) return undefined
      const asked = path === sessionPath ? preflight(request, settings) : undefined
      if (asked) return asked
      const [allow, answer] = route
      return allow.split(', ').includes(request.method) ? answer(request, readBody, raw, searchParams) : methodNotAllowed(allow)
    },
    session: (request) => sessions.ofRequest(request),
    async requireUser(request) {
      const session = await sessions.ofRequest(request)
      if (session.status === 'signed_in') return { user: session.user }
      const url = new URL(request.url)
      const response = isPage(request) ? redirect(portaria.signInHref(inApp(url.pathname) + url.search)) : json(401, session)
      return { response }
    },
    signInHref: (returnTo) => hrefOf('sign-in', parseReturnTo(returnTo, settings), settings),
    signOutHref: (returnTo) => hrefOf('sign-out', parseReturnTo(returnTo, settings), settings),
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
      // The session has ended, or the signing key was revoked: then there is a new token.
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

/**
 * The form with a logout token, which has 2,000 characters at most: from a body parser that was there before, or from the stream of `raw`
 * or of the request. Anybody can send a body that breaks off: that is an empty form, and no fault of this app.
 */
async function formOf(request: Request, raw: unknown): Promise<string | undefined> {
  const token: unknown = Object(Object(raw).body).logout_token
  if (typeof token === 'string') return `logout_token=${token}`
  // A body that the app has read is a fault, which `text` names: it is answered 500, and Portaria sends it again.
  if (request.bodyUsed) return request.text()
  const stream = isStream(raw) ? raw : request.body
  return readText(stream && leftOpen(stream), 10_000).catch(() => '')
}

function toProfile(profile: Json): Profile {
  const [id, name] = [textAt(profile, 'id'), textAt(profile, 'name')]
  if (id === null || name === null) throw new PortariaError('unavailable', 'Portaria answers no profile')
  return { id, name, email: textAt(profile, 'email'), avatarUrl: textAt(profile, 'avatar_url'), planSlug: textAt(profile, 'plan') }
}

/** A navigation of the user, which can be redirected to the sign-in; a `fetch` can't. */
function isPage({ method, headers }: Request): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  const mode = headers.get('sec-fetch-mode')
  return mode === null ? (headers.get('accept') ?? '').includes('text/html') : mode === 'navigate'
}
