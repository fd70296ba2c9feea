import { writeCookie } from '../http/cookies.ts'
import { redirect } from '../http/responses.ts'
import type { Service } from '../service/service.ts'
import type { Sessions, SignedIn } from '../service/sessions.ts'
import type { Settings } from '../settings.ts'
import type { SignedOutReason } from '../user.ts'
import { endAttempt, maxHops } from './attempt.ts'
import { noticePage } from './page.ts'
import { parseReturnTo } from './return-to.ts'
import { arrived, hrefOf, leaveFor, STEP_SECONDS } from './sign-in.ts'
import type { Notice } from './texts.ts'

interface CallbackDeps {
  sessions: Sessions
  service: Service
}

/**
 * `GET …/callback`: the return from Portaria. The contract's 5 (`eg_session`), 5b (`eg_token`) and 5c (neither). A token is accepted only
 * for this browser's own attempt: otherwise an attacker could sign a victim in as the attacker (login CSRF).
 */
export async function callback(request: Request, query: URLSearchParams, settings: Settings, deps: CallbackDeps): Promise<Response> {
  const given = { state: query.get('state'), token: query.get('eg_session'), handoff: query.get('eg_token') }
  const cookies = request.headers.get('cookie')
  const home = { href: hrefOf('sign-in', `${settings.appPath}/`, settings), setCookies: [] }
  if (given.state === null && given.token === null && given.handoff === null) {
    // A proxy between this app and its browsers may drop every query: then this is a loop as well.
    if (maxHops(cookies, settings, STEP_SECONDS) > 0) return noticePage('no_token', request, home)
    return leaveFor(request, { returnTo: `${settings.appPath}/`, hops: 1, asksAgain: false }, settings)
  }
  const ended = endAttempt(given.state, cookies, settings)
  if (!ended) return noticePage('not_started_here', request, home)
  const { setCookie } = ended
  const { hops } = ended.attempt
  const returnTo = parseReturnTo(ended.attempt.returnTo, settings)
  const refuse = (notice: Notice) => noticePage(notice, request, { href: hrefOf('sign-in', returnTo, settings), setCookies: [setCookie] })

  if (given.handoff !== null) {
    if (settings.apiKey === undefined) return refuse('misconfigured')
    const exchanged = await deps.service.verify(given.handoff)
    if (exchanged === 'invalid_token') settings.onFault(REFUSED)
    return typeof exchanged === 'string' ? refuse(notices[exchanged]) : arrive(exchanged.token)
  }
  return given.token === null ? arriveWithout() : arrive(given.token)

  async function arrive(token: string): Promise<Response> {
    const found = await deps.sessions.ofToken(token)
    if (found.status === 'signed_out') return refuse(signedOutNotices[found.reason] ?? 'no_longer_valid')
    // The parent domain's cookie brings the same session already, in a token of its own: a second one here would outlive its sign-out.
    const carried = await deps.sessions.find(request)
    const isCarried = carried.status === 'signed_in' && carried.claims.sid === found.claims.sid
    return redirect(returnTo, [setCookie, ...(isCarried ? [] : [store(found, settings)]), arrived(request, settings)])
  }

  /** A target without a token relies on the domain's cookie (3b). One more try at most: a target without one twice will never get one. */
  async function arriveWithout(): Promise<Response> {
    const found = await deps.sessions.find(request)
    if (found.status === 'signed_in') return redirect(returnTo, [setCookie, arrived(request, settings)])
    if (hops > 0) return refuse(signedOutNotices[found.reason] ?? 'no_token')
    const answer = leaveFor(request, { returnTo, hops: 1, asksAgain: false }, settings)
    answer.headers.append('set-cookie', setCookie)
    return answer
  }
}

/** The cookie on this host. */
function store({ token, claims }: SignedIn, { cookieName, isHttps, now }: Settings): string {
  const maxAge = Math.max(0, Math.floor(claims.exp - now() / 1000))
  return writeCookie(cookieName, token, { maxAge, isHttps })
}

const REFUSED = "Portaria refused the eg_token: used, over 60 s old, or PORTARIA_API_KEY is another product's"

const notices = {
  invalid_token: 'no_longer_valid',
  invalid_api_key: 'misconfigured',
  no_answer: 'unavailable',
} as const satisfies Record<string, Notice>

/** Every other: `no_longer_valid`. */
const signedOutNotices: Partial<Record<SignedOutReason, Notice>> = {
  not_yet_valid: 'not_yet_valid',
  unconfirmed: 'unavailable',
  conflicting_sessions: 'went_round',
}
