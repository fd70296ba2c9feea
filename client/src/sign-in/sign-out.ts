import { readCookies, writeCookie } from '../http/cookies.ts'
import { isBehindTheBack, isOwnRequest, json, notBehindTheBack, redirect } from '../http/responses.ts'
import type { Sessions } from '../service/sessions.ts'
import type { Settings } from '../settings.ts'
import type { LateSignOuts } from './late-sign-outs.ts'
import { noticePage } from './page.ts'
import { parseReturnTo } from './return-to.ts'
import { departed } from './sign-in.ts'

export interface SignOut {
  /** The path of this app after the sign-out. Default: its front page. */
  returnTo?: string | undefined
  /**
   * `everywhere`: the family's session, and with it those of all its apps; an internal app has no other. `app`: an external app's own
   * session, which the next sign-in brings back without a password.
   */
  scope?: 'app' | 'everywhere' | undefined
}

/** A browser has one or two. */
const MAX_SESSIONS = 4

interface SignOutDeps {
  sessions: Sessions
  signOuts: LateSignOuts
}

/**
 * `GET` or `POST …/sign-out?return_to=/where[&scope=everywhere]`, from this app's own pages; a link on another site needs a confirmation.
 */
export async function signOutRoute(request: Request, query: URLSearchParams, settings: Settings, deps: SignOutDeps): Promise<Response> {
  if (isBehindTheBack(request) && request.method === 'GET') return notBehindTheBack()
  const scope = query.get('scope') === 'everywhere' ? 'everywhere' : undefined
  if (!isOwnRequest(request, settings)) {
    if (request.method !== 'GET') return json(403, { error: 'this sign-out comes from another site' })
    const href = `${settings.authPath}/sign-out${scope ? `?scope=${scope}` : ''}`
    return noticePage('confirm_sign_out', request, { href, setCookies: [] })
  }
  return signOut(request, { returnTo: query.get('return_to') ?? undefined, scope }, settings, deps)
}

/** Ends the session of a request, here and with Portaria, and answers the redirect that follows. */
export async function signOut(request: Request, { returnTo, scope }: SignOut, settings: Settings, deps: SignOutDeps): Promise<Response> {
  const { cookieName, isHttps, url, appOrigin, publishableKey } = settings
  const target = parseReturnTo(returnTo, settings)
  const isEverywhere = publishableKey === undefined || scope === 'everywhere'
  // An app's own session may have outlived the browser's present family session. Cookies without a session cost no call.
  const own = publishableKey === undefined ? [] : (await deps.sessions.ownTokens(request)).slice(0, MAX_SESSIONS)
  own.forEach(deps.sessions.end)
  await Promise.all(own.map((token) => deps.signOuts.signOut(token)))
  readCookies(request.headers.get('cookie'), cookieName).forEach(deps.sessions.forget)
  const gone = [
    writeCookie(cookieName, '', { maxAge: 0, isHttps }),
    writeCookie('access_token', '', { maxAge: 0, isHttps }),
    departed(settings),
  ]
  return redirect(isEverywhere ? `${url}/auth/signout?redirect_to=${encodeURIComponent(new URL(target, appOrigin).href)}` : target, gone)
}
