import { hostName, readCookies, writeCookie } from '../http/cookies.ts'
import { isBehindTheBack, notBehindTheBack, redirect } from '../http/responses.ts'
import type { Sessions } from '../service/sessions.ts'
import type { Settings } from '../settings.ts'
import { beginAttempt } from './attempt.ts'
import { noticePage } from './page.ts'
import { parseReturnTo } from './return-to.ts'

/** A circle goes round by itself: a step that takes longer was somebody's own. */
export const STEP_SECONDS = 15
/**
 * So often in a row somebody may arrive and come to sign in again, not known. Once is no circle: a sign-out at another app of the family
 * takes the cookie from here as well. A browser that keeps no session gets here within a second or two.
 */
const MAX_ARRIVALS = 3
/**
 * Somebody who is signed in and is sent here again and again: by a page that does not see their cookies, as one that was rendered once for
 * all.
 */
const MAX_KNOWN = 5

/** Left where somebody who is signed in goes on: how often that happened just now. */
export function arrived(request: Request, { isHttps }: Pick<Settings, 'isHttps'>): string {
  return writeCookie(arrivedName(isHttps), String(arrivals(request, isHttps) + 1), { maxAge: STEP_SECONDS, isHttps })
}

export function departed({ isHttps }: Pick<Settings, 'isHttps'>): string {
  return writeCookie(arrivedName(isHttps), '', { maxAge: 0, isHttps })
}

function arrivals({ headers }: Request, isHttps: boolean): number {
  return Number.parseInt(readCookies(headers.get('cookie'), arrivedName(isHttps))[0] ?? '', 10) || 0
}

/** A sibling subdomain that could set it would keep people from signing in. */
const arrivedName = (isHttps: boolean) => hostName('portaria_arrived', isHttps)

/**
 * `GET …/sign-in?return_to=/where[&prompt=login]`: off to Portaria. Somebody who is signed in already goes straight on, unless the password
 * is to be asked for.
 */
export async function signIn(request: Request, query: URLSearchParams, settings: Settings, sessions: Sessions): Promise<Response> {
  // A router that fetches the page of a link, as Next's does, goes there itself when it gets something else; on the way to Portaria it
  // would only fail.
  if (isBehindTheBack(request)) return notBehindTheBack()
  const returnTo = parseReturnTo(query.get('return_to'), settings)
  const asksAgain = query.get('prompt') === 'login'
  if (!asksAgain) {
    const session = await sessions.ofRequest(request)
    const most = session.status === 'signed_in' ? MAX_KNOWN : MAX_ARRIVALS
    if (arrivals(request, settings.isHttps) >= most)
      return noticePage('went_round', request, { href: hrefOf('sign-in', returnTo, settings), setCookies: [departed(settings)] })
    if (session.status === 'signed_in') return redirect(returnTo, [arrived(request, settings)])
  }
  return leaveFor(request, { returnTo, hops: 0, asksAgain }, settings)
}

/** The redirect to Portaria, with a new attempt. */
export function leaveFor(
  request: Request,
  { returnTo, hops, asksAgain }: { returnTo: string; hops: number; asksAgain: boolean },
  settings: Settings,
): Response {
  const { url, appOrigin, authPath, publishableKey } = settings
  const { state, setCookies } = beginAttempt({ returnTo, hops }, request.headers.get('cookie'), settings)
  const login = new URL('/auth/login', url)
  login.searchParams.set('redirect_to', `${appOrigin}${authPath}/callback`)
  if (publishableKey !== undefined) login.searchParams.set('api_key', publishableKey)
  login.searchParams.set('state', state)
  if (asksAgain) login.searchParams.set('prompt', 'login')
  return redirect(login.href, setCookies)
}

/** Where a sign-in, or a sign-out, begins that ends at `returnTo`. */
export function hrefOf(
  step: 'sign-in' | 'sign-out',
  returnTo: string,
  { authPath, appPath }: Pick<Settings, 'authPath' | 'appPath'>,
): string {
  const isHome = returnTo === `${appPath}/`
  return `${authPath}/${step}${isHome ? '' : `?return_to=${encodeURIComponent(returnTo)}`}`
}
