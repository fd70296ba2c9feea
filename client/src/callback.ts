import { redirect } from './answers.ts'
import { type Attempt, endAttempt } from './attempt.ts'
import { readCookies, writeCookie } from './cookies.ts'
import { noticePage } from './page.ts'
import type { Service } from './service.ts'
import type { FoundSession, Sessions } from './sessions.ts'
import type { Settings } from './settings.ts'
import { arrived, leaveFor, signInHref } from './sign-in.ts'
import type { Notice } from './texts.ts'
import type { SignedOutReason } from './user.ts'

interface CallbackDeps {
  sessions: Sessions
  service: Service
}

/**
 * `GET …/callback`: back from Portaria. The contract's 5 (`eg_session`), 5b (`eg_token`) and 5c (neither). A token is looked at only for this browser's own attempt:
 * without that rule anybody could have a victim arrive as somebody else (login CSRF).
 */
export async function callback(request: Request, query: URLSearchParams, settings: Settings, deps: CallbackDeps): Promise<Response> {
  const given = { state: query.get('state'), token: query.get('eg_session'), handoff: query.get('eg_token') }
  if (given.state === null && given.token === null && given.handoff === null)
    return leaveFor(request, { returnTo: `${settings.appPath}/`, hops: 0, asksAgain: false }, settings)
  const ended = endAttempt(given.state, request.headers.get('cookie'), settings)
  if (!ended) return noticePage('not_started_here', request, { href: signInHref(`${settings.appPath}/`, settings), setCookies: [] })
  const { attempt, setCookie } = ended
  const refuse = (notice: Notice) => noticePage(notice, request, { href: signInHref(attempt.returnTo, settings), setCookies: [setCookie] })

  if (given.handoff !== null) {
    if (settings.apiKey === undefined) return refuse('misconfigured')
    const exchanged = await deps.service.verify(given.handoff)
    return typeof exchanged === 'string' ? refuse(notices[exchanged]) : arrive(exchanged.token)
  }
  return given.token === null ? arriveWithout() : arrive(given.token)

  async function arrive(token: string): Promise<Response> {
    const found = await deps.sessions.ofToken(token)
    if (found.status === 'signed_out') return refuse(signedOutNotices[found.reason])
    return redirect(attempt.returnTo, [setCookie, ...store(found, request, settings), arrived(settings)])
  }

  /** A target that gets no token relies on the domain's cookie (3b). One more try at most: what brings none twice never will. */
  async function arriveWithout(): Promise<Response> {
    const { status } = await deps.sessions.find(request)
    if (status === 'signed_in') return redirect(attempt.returnTo, [setCookie, arrived(settings)])
    return attempt.hops > 0 ? refuse('no_token') : goAgain(attempt)
  }

  function goAgain({ returnTo, hops }: Attempt): Response {
    const answer = leaveFor(request, { returnTo, hops: hops + 1, asksAgain: false }, settings)
    answer.headers.append('set-cookie', setCookie)
    return answer
  }
}

/** The cookie on this host; none where the parent domain's brings the same token already, since two of them would drift apart. */
function store(found: Extract<FoundSession, { status: 'signed_in' }>, request: Request, settings: Settings): string[] {
  const { cookieName, isHttps, now } = settings
  const carried = readCookies(request.headers.get('cookie'), cookieName)
  const maxAge = Math.max(0, Math.floor(found.claims.exp - now() / 1000))
  if (!carried.includes(found.token)) return [writeCookie(cookieName, found.token, { maxAge, isHttps })]
  // An old one of this host beside the domain's new one would stand in its way.
  return carried.length > 1 ? [writeCookie(cookieName, '', { maxAge: 0, isHttps })] : []
}

const notices = {
  invalid_token: 'no_longer_valid',
  invalid_api_key: 'misconfigured',
  no_answer: 'unavailable',
} as const satisfies Record<string, Notice>

const signedOutNotices = {
  no_session: 'no_longer_valid',
  invalid: 'no_longer_valid',
  expired: 'no_longer_valid',
  not_yet_valid: 'not_yet_valid',
  ended: 'no_longer_valid',
  unconfirmed: 'unavailable',
  conflicting_sessions: 'went_round',
} as const satisfies Record<SignedOutReason, Notice>
