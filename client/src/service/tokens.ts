import { createRemoteJWKSet, customFetch, errors, type JWTVerifyOptions, jwtVerify } from 'jose'
import { asObject, numberAt, parseJson, textAt } from '../http/json.ts'
import { readText } from '../http/read-text.ts'
import type { Settings } from '../settings.ts'
import type { SessionClaims, SignedOutReason } from '../user.ts'
import { MAX_ANSWER } from './max-answer.ts'

/** Clocks differ; a larger difference is a wrong clock. */
const LEEWAY_SECONDS = 60
/** The size that fits into a cookie. */
const MAX_LENGTH = 4096
/** The only spelling that can stand in a header; decoders may accept others. */
const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]+$/
/** The pause after keys that could not be fetched, and between fetches for an unknown key. */
const PAUSE_MS = 5_000

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout'

/** The session that a logout token names, or the user whose every session has ended. */
export interface EndedSession {
  sid: string | null
  sub: string | null
  /** When Portaria said so, in seconds. */
  iat: number
}

export type TokenRefusal = Extract<SignedOutReason, 'invalid' | 'expired' | 'not_yet_valid' | 'unconfirmed'>

export interface Tokens {
  /**
   * The session of a token, if Portaria made it: algorithm, signature, `typ`, `iss`, and `aud` where known. Only Portaria can say whether
   * it is still live. `unconfirmed`: the keys could not be fetched.
   */
  verify(token: string): Promise<SessionClaims | TokenRefusal>
  /** The same for a logout token for this app (Back-Channel Logout 1.0 §2.6). */
  verifyLogout(token: string): Promise<EndedSession | TokenRefusal>
}

/**
 * Verifies tokens against Portaria's published keys, which are fetched when needed, kept for ten minutes, and fetched again for a key that
 * is not among them.
 */
export function createTokens(settings: Settings): Tokens {
  const { url, publishableKey, fetch, timeoutMs, now, onFault } = settings
  let pausedUntil = 0
  let reason = ''
  const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', url), {
    timeoutDuration: timeoutMs,
    cooldownDuration: PAUSE_MS,
    async [customFetch](address, options) {
      // Without this pause every request with a token would wait for a Portaria that hangs. Until its end the fault stays the same.
      const isPaused = pausedUntil - PAUSE_MS <= now() && now() < pausedUntil
      if (isPaused) throw new Error(reason)
      const keys = await fetch(address, options).then(readKeys, () => 'does not answer')
      if (typeof keys === 'object') return Response.json(keys)
      pausedUntil = now() + PAUSE_MS
      reason = `${url} ${keys}`
      throw new Error(reason)
    },
  })
  async function verify<Claims extends { iat: number }>(
    token: string,
    options: JWTVerifyOptions,
    parse: (payload: Record<string, unknown>) => Claims | undefined,
  ): Promise<Claims | TokenRefusal> {
    if (token.length > MAX_LENGTH || !COMPACT.test(token)) return 'invalid'
    try {
      const own = { issuer: url, clockTolerance: LEEWAY_SECONDS, currentDate: new Date(now()) }
      const claims = parse((await jwtVerify(token, keys, { ...own, ...options })).payload)
      if (!claims) return 'invalid'
      return claims.iat > now() / 1000 + LEEWAY_SECONDS ? 'not_yet_valid' : claims
    } catch (fault) {
      return refusalOf(fault, onFault)
    }
  }
  return {
    verify: (token) => verify(token, { algorithms: ['ES256'], typ: 'eg-session+jwt' }, parseClaims),
    verifyLogout: (token) =>
      // RS256 where the product speaks OpenID Connect too. Each key is published for one algorithm.
      verify(token, { algorithms: ['ES256', 'RS256'], typ: 'logout+jwt', audience: publishableKey ?? url }, parseLogout),
  }
}

/** The whole answer is read here: a broken one, or a page, counts as none. */
async function readKeys(response: Response): Promise<object | string> {
  if (response.status !== 200) return `answers ${response.status}`
  const text = await readText(response.body, MAX_ANSWER).catch(() => null) // a broken connection counts as no answer
  if (text === null) return 'does not answer'
  const set = parseJson(text)
  return Array.isArray(set?.keys) && set.keys.every(asObject) ? set : 'answers no keys'
}

function refusalOf(fault: unknown, onFault: Settings['onFault']): TokenRefusal {
  if (fault instanceof errors.JWTExpired) return 'expired'
  // jose's messages for an invalid key set, or for none, are of these two kinds; all others concern the token.
  const isAboutKeys = !(fault instanceof errors.JOSEError) || fault.code === 'ERR_JOSE_GENERIC' || fault instanceof errors.JWKSTimeout
  if (!isAboutKeys && !(fault instanceof errors.JWKSInvalid)) return 'invalid'
  onFault(`no keys to verify sessions with: ${fault instanceof Error ? fault.message : 'the request failed'}`)
  return 'unconfirmed'
}

function parseLogout(payload: Record<string, unknown>): EndedSession | undefined {
  const [sid, sub, iat] = [textAt(payload, 'sid'), textAt(payload, 'sub'), numberAt(payload, 'iat')]
  const isLogout = asObject(asObject(payload.events)?.[LOGOUT_EVENT]) && !('nonce' in payload) && payload.exp && textAt(payload, 'jti')
  return isLogout && iat !== undefined && (sid ?? sub) !== null ? { sid, sub, iat } : undefined
}

function parseClaims(payload: Record<string, unknown>): SessionClaims | undefined {
  const [sub, sid, aud] = [textAt(payload, 'sub'), textAt(payload, 'sid'), textAt(payload, 'aud')]
  const [exp, iat] = [numberAt(payload, 'exp'), numberAt(payload, 'iat')]
  if (sub === null || sid === null || aud === null || exp === undefined || iat === undefined) return undefined
  const actorId = textAt(asObject(payload.act), 'sub')
  // An impersonation without its administrator's id must not pass as the user.
  if (payload.act !== undefined && actorId === null) return undefined
  const [avatarUrl, companyName, rankName] = [textAt(payload, 'avatar_url'), textAt(payload, 'company_name'), textAt(payload, 'rank_name')]
  return { sub, sid, aud, exp, iat, profile: { avatarUrl, companyName, rankName, actorId } }
}
