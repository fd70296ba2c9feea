import { redirect } from './answers.ts'
import { beginAttempt } from './attempt.ts'
import { readCookies, writeCookie } from './cookies.ts'
import { noticePage } from './page.ts'
import { parseReturnTo } from './return-to.ts'
import type { Sessions } from './sessions.ts'
import type { Settings } from './settings.ts'

/** Left by a callback that signed somebody in: whoever comes to sign in again within these seconds, still not known, goes round in a circle. */
const ARRIVED = 'portaria_arrived'
const ARRIVED_SECONDS = 30

export function arrived({ isHttps }: Pick<Settings, 'isHttps'>): string {
  return writeCookie(ARRIVED, '1', { maxAge: ARRIVED_SECONDS, isHttps })
}

export function departed({ isHttps }: Pick<Settings, 'isHttps'>): string {
  return writeCookie(ARRIVED, '', { maxAge: 0, isHttps })
}

/** `GET …/sign-in?return_to=/where[&prompt=login]`: off to Portaria. Somebody who is signed in already goes straight on, unless the password is to be asked for. */
export async function signIn(request: Request, query: URLSearchParams, settings: Settings, sessions: Sessions): Promise<Response> {
  const returnTo = parseReturnTo(query.get('return_to'), settings)
  const asksAgain = query.get('prompt') === 'login'
  if (!asksAgain && (await sessions.ofRequest(request)).status === 'signed_in') return redirect(returnTo)
  const cookies = request.headers.get('cookie')
  const goesRound = readCookies(cookies, ARRIVED).length > 0 && !asksAgain
  if (goesRound) return noticePage('went_round', request, { href: signInHref(returnTo, settings), setCookies: [departed(settings)] })
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

/** Where a sign-in begins that ends at `returnTo`. */
export function signInHref(returnTo: string, { authPath, appPath }: Pick<Settings, 'authPath' | 'appPath'>): string {
  const isHome = returnTo === `${appPath}/`
  return `${authPath}/sign-in${isHome ? '' : `?return_to=${encodeURIComponent(returnTo)}`}`
}
