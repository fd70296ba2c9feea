import { hostName, readCookies, writeCookie } from '../http/cookies.ts'
import { isBehindTheBack, notBehindTheBack, redirect } from '../http/responses.ts'
import type { Sessions } from '../service/sessions.ts'
import type { Settings } from '../settings.ts'
import { beginAttempt } from './attempt.ts'
import { noticePage } from './page.ts'
import { parseReturnTo } from './return-to.ts'

/** A loop repeats by itself: a slower step was the user's own. */
export const STEP_SECONDS = 15
/**
 * The number of times in a row that a browser may come to sign in without being known. Once is no loop: a sign-out at another app of the
 * family removes the cookie here too. A browser that keeps no session reaches this number within a second or two.
 */
const MAX_ARRIVALS = 3
/** A signed-in user is sent here again and again by a page that does not see their cookies, as a prerendered one. */
const MAX_KNOWN = 5

/** Set where a signed-in user goes on: the number of recent times. */
export function arrived(request: Request, { isHttps }: Pick<Settings, 'isHttps'>): string {
  return writeCookie(arrivedName(isHttps), String(arrivals(request, isHttps) + 1), { maxAge: STEP_SECONDS, isHttps })
}

export function departed({ isHttps }: Pick<Settings, 'isHttps'>): string {
  return writeCookie(arrivedName(isHttps), '', { maxAge: 0, isHttps })
}

function arrivals({ headers }: Request, isHttps: boolean): number {
  return Number.parseInt(readCookies(headers.get('cookie'), arrivedName(isHttps))[0] ?? '', 10) || 0
}

/** A sibling subdomain that could set it would keep users from signing in. */
const arrivedName = (isHttps: boolean) => hostName('portaria_arrived', isHttps)

/**
 * `GET …/sign-in?return_to=/where[&prompt=login]`: redirects to Portaria. A signed-in user goes straight on, unless the password is to be
 * asked for.
 */
export async function signIn(request: Request, query: URLSearchParams, settings: Settings, sessions: Sessions): Promise<Response> {
  // A router that fetches the page of a link, as Next's does, navigates when it gets something else; a redirect to Portaria would only
  // fail.
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

/** The address of a sign-in, or sign-out, that ends at `returnTo`. */
export function hrefOf(
  step: 'sign-in' | 'sign-out',
  returnTo: string,
  { authPath, appPath }: Pick<Settings, 'authPath' | 'appPath'>,
): string {
  const isHome = returnTo === `${appPath}/`
  return `${authPath}/${step}${isHome ? '' : `?return_to=${encodeURIComponent(returnTo)}`}`
}
