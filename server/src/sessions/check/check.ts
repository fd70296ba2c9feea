import { type AsciiJson, asciiJson } from '../../http/index.ts'
import { BoundedMap, inTurns, type Now } from '../../kit/index.ts'
import { actClaim, type LiveSession } from '../session.ts'
import type { KeyRing } from '../signing-keys/key-ring.ts'
import type { Tokens } from '../tokens.ts'
import { type LiveSessions, MAX_REMEMBERED } from './live-sessions.ts'

const COOKIE = 'eg_session='
/** The last characters of a token are part of its signature: 192 bits that no other token shares. The whole token is compared as well. */
const KEY_CHARACTERS = 32
const MAX_COOKIES = 4

/** A session that is known without a look, and the body that says so. */
export interface Remembered {
  session: LiveSession
  body: AsciiJson
}

interface Verified extends Remembered {
  token: string
  audience: string
  /** Ms: when the token or its session expires or its claims must be read again, whichever is first. */
  expiresAt: number
}

/** Checks `eg_session` tokens, from memory where this node has seen them before. */
export interface Checks {
  /**
   * The session and the prebuilt response for a `Cookie` header with exactly one `eg_session` of this audience, the domain's unless it is
   * given, that is remembered and live; else `undefined`. Never asks the database.
   */
  remembered(cookieHeader: string | undefined, audience?: string): Remembered | undefined
  /**
   * The live session of these tokens. Several tokens must name the same session (a sibling host may have set its own); the newest counts.
   */
  find(tokens: readonly string[], audience: string): Promise<LiveSession | undefined>
  /** Whether one of these tokens is signed by us and has not expired, be its session live or over. */
  isOurs(tokens: readonly string[], audience: string): Promise<boolean>
  /**
   * Where one of these tokens of the domain names a key that is unknown here: when the next look for new keys is over, however it ended. To
   * wait for it is no work, and takes no place in a budget. Else `undefined`.
   */
  hearOfKeys(tokens: readonly string[]): Promise<unknown> | undefined
  /** The body of `GET /auth/check` for a live session. */
  body(session: LiveSession): AsciiJson
  /** Gives the memory of tokens back whose sessions are forgotten or over. */
  forgetOver(): Promise<void>
  /** Remembered tokens. */
  size(): number
}

export interface CheckDeps {
  tokens: Tokens
  sessions: LiveSessions
  keys: KeyRing
  /** The audience of the domain's sessions. */
  domainAudience: string
  now: Now
}

export function createChecks({ tokens, sessions, keys, domainAudience, now }: CheckDeps): Checks {
  const verified = new BoundedMap<string, Verified>(MAX_REMEMBERED)
  let keysLoaded = 0
  keys.onLoad(() => {
    keysLoaded++
    verified.clear()
    sessions.forgetEverything()
  })

  const find = async (token: string, audience: string): Promise<Verified | undefined> => {
    const known = verified.get(token.slice(-KEY_CHARACTERS))
    const at = now()
    if (known && known.token === token && known.audience === audience && isGood(known, at)) {
      sessions.note(known.session, at)
      return known
    }
    const before = keysLoaded
    const claims = await tokens.verify(token, { type: 'eg-session+jwt', audience })
    const session = claims && (await sessions.find(claims.sid))
    if (!claims || !session || session.userId !== claims.sub) return undefined
    const own = ownCopy(token)
    const entry: Verified = {
      token: own,
      audience,
      expiresAt: Math.min(claims.exp * 1000, session.expiresAt, session.claimsUntil),
      session,
      body: checkBody(session),
    }
    // Keys were read anew since this token was verified. It is answered, but not remembered: its key may be the revoked one.
    if (!sessions.isStale(session) && keysLoaded === before) verified.set(ownCopy(own.slice(-KEY_CHARACTERS)), entry)
    return entry
  }
  // The clock is read once for all: a reading costs as much as all else that is asked of a remembered token.
  const isGood = (entry: Verified, at: number) => !sessions.isStale(entry.session) && entry.expiresAt > at && sessions.isTrusted(at)
  const remembered: Checks['remembered'] = (header, audience = domainAudience) => {
    const token = singleToken(header)
    if (token === undefined) return undefined
    const entry = verified.get(token.slice(-KEY_CHARACTERS))
    const at = now()
    if (!entry || entry.token !== token || entry.audience !== audience || !isGood(entry, at)) return undefined
    sessions.note(entry.session, at)
    return entry
  }

  return {
    body: checkBody,
    remembered,
    size: () => verified.size,
    forgetOver() {
      const at = now()
      return inTurns(verified.entries(), ([key, { session, expiresAt }]) => {
        if (sessions.isStale(session) || expiresAt <= at) verified.delete(key)
      })
    },
    hearOfKeys(presented) {
      if (presented.length > MAX_COOKIES) return undefined
      const looks = presented.flatMap((token) => tokens.hearOfKey(token, { type: 'eg-session+jwt', audience: domainAudience }) ?? [])
      return looks.length > 0 ? Promise.allSettled(looks) : undefined
    },
    async isOurs(candidates, audience) {
      const claims = await Promise.all(
        candidates.slice(0, MAX_COOKIES).map((token) => tokens.verify(token, { type: 'eg-session+jwt', audience })),
      )
      return claims.some((found) => found !== undefined)
    },
    async find(candidates, audience) {
      const distinct = new Set(candidates)
      if (distinct.size > MAX_COOKIES) return undefined
      const found = new Set<LiveSession['id']>()
      let newest: Verified | undefined
      for (const token of distinct) {
        const entry = await find(token, audience)
        if (!entry) continue
        found.add(entry.session.id)
        if (!newest || entry.expiresAt >= newest.expiresAt) newest = entry
      }
      return found.size === 1 ? newest?.session : undefined
    },
  }
}

/** A substring keeps the whole text alive in V8: a remembered token must not hold its header with all other cookies. */
function ownCopy(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1')
}

/** The one `eg_session` in a Cookie header, found without parsing the header; `undefined` when there is none or more than one. */
function singleToken(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  const at = header.indexOf(COOKIE)
  if (at < 0 || !isBeginning(header, at)) return undefined
  const from = at + COOKIE.length
  if (header.indexOf(COOKIE, from) >= 0) return undefined
  const end = header.indexOf(';', from)
  return end < 0 ? header.slice(from) : header.slice(from, end)
}

/** Whether a cookie begins here: a semicolon separates cookies, with or without spaces after it. */
function isBeginning(header: string, at: number): boolean {
  let before = at - 1
  while (header.charCodeAt(before) === 32 || header.charCodeAt(before) === 9) before--
  return before < 0 || header.charCodeAt(before) === 59
}

function checkBody(live: LiveSession): AsciiJson {
  const { userId, claims } = live
  const session = {
    sub: userId,
    email: claims.email ?? null,
    name: claims.name,
    is_producer: claims.isProducer,
    is_beta: claims.isBeta,
    plan_slug: claims.planSlug ?? null,
  }
  // Beside the session object: the contract lists that object's fields.
  return asciiJson({ authenticated: true, session, ...actClaim(live) })
}
