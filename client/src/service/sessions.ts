import { BoundedMap } from '../bounded-map.ts'
import { readCookies } from '../http/cookies.ts'
import type { Settings } from '../settings.ts'
import type { LiveProfile, Session, SessionClaims, SignedOutReason } from '../user.ts'
import { lastEvents, mapOfProcess } from './process-memory.ts'
import type { Service } from './service.ts'
import { firstOf, TIMEOUT_AFTER_FAULT_MS, TIMEOUT_MS } from './timeout.ts'
import type { EndedSession, Tokens } from './tokens.ts'

/** The carrier of a browser's cookies: a `Request`, or any object with its headers. */
export interface WithHeaders {
  headers: Pick<Headers, 'get'>
}

/** A session with its token. */
export type FoundSession =
  | { status: 'signed_in'; user: Extract<Session, { status: 'signed_in' }>['user']; token: string; claims: SessionClaims }
  | { status: 'signed_out'; reason: SignedOutReason }

export type SignedIn = Extract<FoundSession, { status: 'signed_in' }>

export interface Sessions {
  /** The signed-in user, by the cookies of a request. In the steady state it costs one call a minute and session. */
  ofRequest(request: WithHeaders): Promise<Session>
  /** The same, with the token. */
  find(request: WithHeaders): Promise<FoundSession>
  /** The user of a token. A token that does not come from a cookie needs a `state` of this browser to be believed. */
  ofToken(token: string): Promise<FoundSession>
  /** The tokens among a request's cookies that Portaria made for this app, live or not; the newest of each session. Asks nobody. */
  ownTokens(request: WithHeaders): Promise<string[]>
  /** Forgets all about a token that was signed out here. */
  forget(token: string): void
  /** Portaria has ended a session, or every session of a user until then. */
  endBy(ended: EndedSession): void
  /** Treats a token as ended from now on, whatever Portaria says: its sign-out may still be on the way. */
  end(token: string): void
}

/** A verified token, with Portaria's answer about it. */
interface Seen {
  token: string
  claims: SessionClaims
  found: Promise<FoundSession>
  /**
   * The time in which `found` counts without a call, in ms. It has a beginning too, so that a clock that is set back does not extend it.
   */
  freshFrom: number
  freshUntil: number
  /** The last event about the user when `found` was asked for. */
  event?: string | undefined
  /** The last confirmation by Portaria; `undefined`: never. */
  confirmedAt?: number | undefined
  isAsking?: boolean
  /** Portaria did not answer the last call. */
  hasFailed?: boolean
}

/** A confirmed session counts for this long while Portaria can't be asked. */
const GRACE_MS = 600_000
/** A failed call is not repeated for this long, nor an answer "ended". */
const PAUSE_MS = 5_000
/** A Portaria without its database says so, and is probably back soon. */
const DEGRADED_PAUSE_MS = 1_000
const ENDED_MS = 60_000
const LEEWAY_MS = 60_000
/** A browser has one or two; more mean an attack that causes work. */
const MAX_COOKIES = 4
/** This many characters of a token's signature distinguish it from every other; then the whole is compared. */
const TAIL = 32

/**
 * The ends that Portaria has reported: by Portaria's address with a session's id or, for all of a user's until then (s), with the user's.
 */
const endedThere = mapOfProcess<number>('@portaria/client')
/** The tokens that were signed out here, by their tails. */
const endedHere = mapOfProcess<string>('@portaria/client/ended')

/** Sessions, verified here and confirmed with Portaria. */
export function createSessions(settings: Settings, { tokens, service }: { tokens: Tokens; service: Service }): Sessions {
  const { cookieName, now, apiKey, publishableKey, productId, url, confirmEveryMs } = settings
  const seen = new BoundedMap<string, Seen>()
  // Without a key the tokens are the domain's. With one, they are its product's: an external product's id may be given; otherwise it is
  // learned.
  let audience = apiKey === undefined ? url : publishableKey === undefined ? undefined : productId

  const remembered = (token: string): Seen | undefined => {
    const one = seen.get(token.slice(-TAIL))
    return one?.token === token ? one : undefined
  }
  const isEndedHere = (token: string) => endedHere.get(token.slice(-TAIL)) === token
  const ofSeen = (one: Seen): Promise<FoundSession> => {
    const { sid, sub, iat } = one.claims
    if (isEndedHere(one.token) || endedThere.has(url + sid) || (endedThere.get(url + sub) ?? 0) >= iat) return ENDED
    const isFresh = one.freshFrom <= now() && now() < one.freshUntil && one.event === lastEvents.get(sub)
    return isFresh || one.isAsking ? one.found : ask(one)
  }
  const ofToken = (token: string): Promise<FoundSession> => {
    const known = remembered(token)
    return known ? ofSeen(known) : firstSight(token)
  }

  async function firstSight(token: string): Promise<FoundSession> {
    const one = await recognise(token)
    return typeof one === 'string' ? signedOut(one) : ofSeen(one)
  }

  /** A token that Portaria made for this app, or the reason why it is invalid. */
  async function recognise(token: string): Promise<Seen | SignedOutReason> {
    if (isEndedHere(token)) return 'ended'
    const claims = remembered(token)?.claims ?? (await tokens.verify(token))
    if (typeof claims === 'string') return claims
    if (audience !== undefined && claims.aud !== audience) return 'invalid'
    const known = remembered(token) // another request may have been faster
    if (known) return known
    const one: Seen = { token, claims, found: UNCONFIRMED, freshFrom: 0, freshUntil: 0 }
    seen.set(token.slice(-TAIL), one)
    return one
  }

  /**
   * Concurrent requests share one call. A session confirmed within the grace time does not wait for a Portaria that hangs: it counts
   * meanwhile, and the call's answer counts from then on.
   */
  function ask(one: Seen): Promise<FoundSession> {
    const before = one.found
    one.isAsking = true
    const asked = confirm(one, before)
      .then((found) => {
        one.found = asked
        return found
      })
      .finally(() => {
        one.isAsking = false
      })
    const { confirmedAt } = one
    const mayStay = confirmedAt !== undefined && confirmedAt <= now() && now() < Math.min(confirmedAt + GRACE_MS, endOf(one))
    one.found = mayStay ? firstOf(asked, before, one.hasFailed ? TIMEOUT_AFTER_FAULT_MS : TIMEOUT_MS) : asked
    return one.found
  }
  const endOf = ({ claims }: Seen) => claims.exp * 1000 + LEEWAY_MS

  async function confirm(one: Seen, before: Promise<FoundSession>): Promise<FoundSession> {
    const { token, claims } = one
    const expiresAt = endOf(one)
    if (now() >= expiresAt) return signedOut('expired')
    one.event = lastEvents.get(claims.sub)
    const live = await service.check(token)
    const at = now()
    one.freshFrom = at
    const hasFailed = live === 'no_answer' || live === 'degraded'
    one.hasFailed = hasFailed
    if (hasFailed) {
      one.confirmedAt &&= Math.min(one.confirmedAt, at) // the clock may have been set back
      // A session never confirmed, or ended, stays as it is.
      const staysUntil = (one.confirmedAt ?? Number.POSITIVE_INFINITY) + GRACE_MS
      one.freshUntil = Math.min(at + Math.min(live === 'degraded' ? DEGRADED_PAUSE_MS : PAUSE_MS, confirmEveryMs), expiresAt)
      if (at >= staysUntil) {
        one.confirmedAt = undefined
        return UNCONFIRMED
      }
      one.freshUntil = Math.min(one.freshUntil, staysUntil)
      return before
    }
    if (live === 'ended' || live.id !== claims.sub) {
      one.confirmedAt = undefined
      one.freshUntil = at + Math.min(ENDED_MS, confirmEveryMs)
      return signedOut('ended')
    }
    audience ??= claims.aud
    one.confirmedAt = at
    one.freshUntil = Math.min(at + confirmEveryMs, expiresAt)
    // Moves it behind the others, so that it is forgotten last; unless a sign-out removed it during this call.
    if (remembered(token) === one) seen.set(token.slice(-TAIL), one)
    return signedIn(one, live)
  }

  /** Cookies of one name: of several tokens of one session the newest counts; of different sessions at most one may be live. */
  async function ofSeveral(candidates: readonly string[]): Promise<FoundSession> {
    if (candidates.length > MAX_COOKIES) return signedOut('conflicting_sessions')
    const all = await Promise.all(candidates.map(recognise))
    const found = await Promise.all(newestOfEach(all).map(ofSeen))
    const live = found.filter((one) => one.status === 'signed_in')
    if (live.length > 1) return signedOut('conflicting_sessions')
    const others = [...found, ...all.filter((one) => typeof one === 'string').map(signedOut)]
    // Includes one that may be live: an attacker who set the other could have kept it confirmed, and this one is the user's own.
    const doubtful = others.find((one) => one.status === 'signed_out' && (one.reason === 'unconfirmed' || one.reason === 'not_yet_valid'))
    return doubtful ?? live[0] ?? others[0] ?? NO_SESSION
  }

  /** Each once. */
  const candidatesOf = ({ headers }: WithHeaders) => [
    ...new Set(readCookies(headers.get('cookie'), cookieName).filter((one) => one !== '')),
  ]
  const find = (request: WithHeaders): Promise<FoundSession> => {
    const candidates = candidatesOf(request)
    const [first] = candidates
    if (first === undefined) return NO_SESSION
    return candidates.length === 1 ? ofToken(first) : ofSeveral(candidates)
  }
  return {
    find,
    ofToken,
    ownTokens: async (request) => newestOfEach(await Promise.all(candidatesOf(request).map(recognise))).map(({ token }) => token),
    ofRequest: async (request) => toSession(await find(request)),
    forget: (token) => seen.delete(token.slice(-TAIL)),
    endBy({ sid, sub, iat }) {
      const key = url + (sid ?? sub)
      endedThere.set(key, Math.max(iat, endedThere.get(key) ?? 0)) // reports may come out of order
    },
    end(token) {
      seen.delete(token.slice(-TAIL))
      endedHere.set(token.slice(-TAIL), token)
    },
  }
}

function newestOfEach(recognised: readonly (Seen | SignedOutReason)[]): Seen[] {
  const known = recognised.filter((one) => typeof one !== 'string').sort((a, b) => a.claims.iat - b.claims.iat)
  return [...new Map(known.map((one) => [one.claims.sid, one])).values()]
}

// Requests share answers: frozen, no caller can change them for others.
const signedOut = (reason: SignedOutReason): FoundSession => Object.freeze({ status: 'signed_out', reason })
const UNCONFIRMED = Promise.resolve(signedOut('unconfirmed'))
const ENDED = Promise.resolve(signedOut('ended'))
const NO_SESSION = Promise.resolve(signedOut('no_session'))

/** The profile comes from the token, the present state from the check. */
function signedIn({ token, claims }: Seen, live: LiveProfile): FoundSession {
  return Object.freeze({ status: 'signed_in', user: Object.freeze({ ...live, ...claims.profile }), token, claims })
}

/** Without the token, which a page does not need. */
export function toSession(found: FoundSession): Session {
  return found.status === 'signed_in' ? Object.freeze({ status: 'signed_in', user: found.user }) : found
}
