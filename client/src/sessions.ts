import { BoundedMap } from './bounded-map.ts'
import { readCookies } from './cookies.ts'
import type { Service } from './service.ts'
import type { Settings } from './settings.ts'
import type { Tokens } from './tokens.ts'
import { type LiveClaims, type Session, type SessionClaims, type SignedOutReason, toUser } from './user.ts'

/** What carries a browser's cookies: a `Request`, or anything else with its headers. */
export interface WithHeaders {
  headers: Pick<Headers, 'get'>
}

/** A session with what it stands on. */
export type FoundSession =
  | { status: 'signed_in'; user: Extract<Session, { status: 'signed_in' }>['user']; token: string; claims: SessionClaims }
  | { status: 'signed_out'; reason: SignedOutReason }

export interface Sessions {
  /** Who is signed in, by the cookies of a request. In the steady state it costs no call, and one a minute and session otherwise. */
  ofRequest(request: WithHeaders): Promise<Session>
  /** The same, with the token. */
  find(request: WithHeaders): Promise<FoundSession>
  /** Whose a token is; from anywhere but a cookie, it is only to be believed with a `state` of this browser. */
  ofToken(token: string): Promise<FoundSession>
  /** Forgets what is remembered of a token that has been signed out here. */
  forget(token: string): void
}

/** One token that verified, and what Portaria said of it. */
interface Seen {
  token: string
  claims: SessionClaims
  found: Promise<FoundSession>
  /** Until when `found` is good without asking anybody, in ms. */
  freshUntil: number
  /** When Portaria last said that it is good; `undefined`: never. */
  confirmedAt: number | undefined
  isAsking: boolean
}

/** What was confirmed stays good so long while Portaria can't be asked. */
const GRACE_MS = 600_000
/** So long a call that failed is not made again, and one that said "ended" is not repeated. */
const PAUSE_MS = 5_000
const ENDED_MS = 60_000
const LEEWAY_MS = 60_000
const MOST_REMEMBERED = 10_000
/** A browser has one or two; more is somebody's attempt to make work. */
const MOST_COOKIES = 4
/** As many characters of a token's signature tell it from every other; the whole is compared then. */
const TAIL = 32

/** Sessions, verified here and confirmed with Portaria. */
export function createSessions(settings: Settings, { tokens, service }: { tokens: Tokens; service: Service }): Sessions {
  const { cookieName, now, apiKey, url, confirmEveryMs } = settings
  const seen = new BoundedMap<string, Seen>(MOST_REMEMBERED)
  // Without a key the domain's sessions are meant. With one, those of its product, whose id may have to be learned.
  let audience = apiKey === undefined ? url : settings.productId

  const remembered = (token: string): Seen | undefined => {
    const one = seen.get(token.slice(-TAIL))
    return one?.token === token ? one : undefined
  }
  const ofToken = (token: string): Promise<FoundSession> => {
    const known = remembered(token)
    if (known && (now() < known.freshUntil || known.isAsking)) return known.found
    return known ? ask(known) : firstSight(token)
  }

  async function firstSight(token: string): Promise<FoundSession> {
    const claims = await tokens.verify(token)
    if (typeof claims === 'string') return signedOut(claims)
    if (audience !== undefined && claims.aud !== audience) return signedOut('invalid')
    const known = remembered(token) // another request may have been faster
    if (known) return ofToken(token)
    const one: Seen = { token, claims, found: UNCONFIRMED, freshUntil: 0, confirmedAt: undefined, isAsking: false }
    seen.set(token.slice(-TAIL), one)
    return ask(one)
  }

  /** However many requests want to know at once, one call is made. */
  function ask(one: Seen): Promise<FoundSession> {
    const before = one.found
    one.isAsking = true
    one.found = confirm(one, before).finally(() => {
      one.isAsking = false
    })
    return one.found
  }

  async function confirm(one: Seen, before: Promise<FoundSession>): Promise<FoundSession> {
    const { token, claims } = one
    const expiresAt = claims.exp * 1000 + LEEWAY_MS
    if (now() >= expiresAt) return signedOut('expired')
    const live = await service.check(token)
    if (live === 'ended' || (live !== 'no_answer' && live.sub !== claims.sub)) {
      one.confirmedAt = undefined
      one.freshUntil = now() + Math.min(ENDED_MS, confirmEveryMs)
      return signedOut('ended')
    }
    if (live === 'no_answer') {
      const goodUntil = (one.confirmedAt ?? Number.NEGATIVE_INFINITY) + GRACE_MS
      const isGood = now() < goodUntil
      one.freshUntil = Math.min(now() + Math.min(PAUSE_MS, confirmEveryMs), expiresAt, isGood ? goodUntil : Number.POSITIVE_INFINITY)
      return isGood ? before : UNCONFIRMED
    }
    audience ??= claims.aud
    one.confirmedAt = now()
    one.freshUntil = Math.min(now() + confirmEveryMs, expiresAt)
    seen.set(token.slice(-TAIL), one) // to the end of those that may be forgotten
    return signedIn(one, live)
  }

  async function ofSeveral(candidates: readonly string[]): Promise<FoundSession> {
    if (candidates.length > MOST_COOKIES) return signedOut('conflicting_sessions')
    const all = await Promise.all(candidates.map(ofToken))
    const live = all.filter((one) => one.status === 'signed_in').sort((a, b) => b.claims.iat - a.claims.iat)
    const isOne = new Set(live.map(({ claims }) => claims.sid)).size === 1
    if (live[0]) return isOne ? live[0] : signedOut('conflicting_sessions')
    return all.find((one) => one.status === 'signed_out' && one.reason === 'unconfirmed') ?? all[0] ?? signedOut('no_session')
  }

  const find = (request: WithHeaders): Promise<FoundSession> => {
    const candidates = readCookies(request.headers.get('cookie'), cookieName)
    const [first] = candidates
    if (candidates.length === 1 && first) return ofToken(first)
    const several = new Set(candidates.filter((one) => one !== ''))
    return several.size > 0 ? ofSeveral([...several]) : NO_SESSION
  }
  return {
    find,
    ofToken,
    ofRequest: async (request) => toSession(await find(request)),
    forget: (token) => seen.delete(token.slice(-TAIL)),
  }
}

const signedOut = (reason: SignedOutReason): FoundSession => ({ status: 'signed_out', reason })
const UNCONFIRMED = Promise.resolve(signedOut('unconfirmed'))
const NO_SESSION = Promise.resolve(signedOut('no_session'))

function signedIn({ token, claims }: Seen, live: LiveClaims): FoundSession {
  return { status: 'signed_in', user: toUser(claims, live), token, claims }
}

/** Without the token, which is nothing for a page. */
export function toSession(found: FoundSession): Session {
  return found.status === 'signed_in' ? { status: 'signed_in', user: found.user } : found
}
