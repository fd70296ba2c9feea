import { EncryptJWT, jwtDecrypt } from 'jose'
import { BoundedMap } from '../bounded-map.ts'
import { readCookies, writeCookie } from '../http/cookies.ts'
import { numberAt, textAt } from '../http/json.ts'
import type { Settings } from '../settings.ts'
import type { Service } from './service.ts'
import type { SignedIn, WithHeaders } from './sessions.ts'

export interface AccessTokens {
  /**
   * The access token of a session: kept on this server until a minute before it expires, then exchanged anew (RFC 8693). With a cookie
   * secret it is kept in a sealed cookie, which is appended to `responseHeaders`, so it survives this process. `undefined`: the session has
   * just ended.
   */
  of(session: SignedIn, request: WithHeaders, responseHeaders?: Headers): Promise<string | undefined>
  /** Not the kept token, which was refused. */
  renew(session: SignedIn, responseHeaders?: Headers): Promise<string | undefined>
  /** Forgets the tokens of a session. */
  forget(session: SignedIn, responseHeaders?: Headers): void
}

interface Kept {
  token: string
  /** Ms. */
  until: number
}

const COOKIE = 'access_token'
const MARGIN_MS = 60_000
/** The size that browsers allow for a cookie. */
const MAX_COOKIE = 4_000

export function createAccessTokens(settings: Settings, service: Service): AccessTokens {
  const { cookieSecret, isHttps, now } = settings
  const memory = new BoundedMap<string, Kept>()
  const exchanging = new Map<string, Promise<Kept | undefined>>()
  const seal = cookieSecret === undefined ? undefined : createSeal(cookieSecret)
  const isGood = (kept: Kept | undefined) => kept !== undefined && now() < kept.until - MARGIN_MS

  async function exchange({ token: subject, claims: { sid } }: SignedIn): Promise<Kept | undefined> {
    const answer = await service.exchange(subject)
    if (answer === 'ended') return undefined
    const fresh = { token: answer.accessToken, until: now() + answer.expiresInSeconds * 1000 }
    memory.set(sid, fresh)
    return fresh
  }

  /** Concurrent requests share one exchange. */
  function exchangeOnce(session: SignedIn): Promise<Kept | undefined> {
    const { sid } = session.claims
    const pending = exchanging.get(sid) ?? exchange(session).finally(() => exchanging.delete(sid))
    exchanging.set(sid, pending)
    return pending
  }

  async function renew(session: SignedIn, responseHeaders?: Headers): Promise<string | undefined> {
    const fresh = await exchangeOnce(session)
    if (!fresh) return undefined
    const sealed = seal && responseHeaders ? await seal.close(fresh, session.claims.sid) : undefined
    const maxAge = Math.max(0, Math.floor((fresh.until - now()) / 1000))
    if (sealed && sealed.length <= MAX_COOKIE) responseHeaders?.append('set-cookie', writeCookie(COOKIE, sealed, { maxAge, isHttps }))
    return fresh.token
  }

  return {
    renew,
    async of(session, request, responseHeaders) {
      const { sid } = session.claims
      const remembered = memory.get(sid)
      if (remembered && isGood(remembered)) return remembered.token
      const carried = seal && (await seal.open(readCookies(request.headers.get('cookie'), COOKIE)[0], sid))
      if (carried && isGood(carried)) return carried.token
      return renew(session, responseHeaders)
    },
    forget({ claims: { sid } }, responseHeaders) {
      memory.delete(sid)
      if (seal) responseHeaders?.append('set-cookie', writeCookie(COOKIE, '', { maxAge: 0, isHttps }))
    },
  }
}

/** Seals with AES-256-GCM, as a JWE (RFC 7516); bound to its session, so that the cookie is useless beside another session. */
function createSeal(secret: string) {
  let key: Promise<Uint8Array> | undefined
  const findKey = () => {
    key ??= crypto.subtle
      .digest('SHA-256', new TextEncoder().encode(`portaria access_token cookie ${secret}`))
      .then((digest) => new Uint8Array(digest))
    return key
  }
  return {
    async close({ token, until }: Kept, sid: string): Promise<string> {
      return new EncryptJWT({ token, until, sid }).setProtectedHeader({ alg: 'dir', enc: 'A256GCM' }).encrypt(await findKey())
    },
    async open(cookie: string | undefined, sid: string): Promise<Kept | undefined> {
      if (cookie === undefined || cookie === '') return undefined
      const algorithms = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] }
      // Of another session, or sealed with another secret: then a token is exchanged anew.
      const opened = await jwtDecrypt(cookie, await findKey(), algorithms).catch(() => undefined)
      const [token, until] = [textAt(opened?.payload, 'token'), numberAt(opened?.payload, 'until')]
      return token !== null && until !== undefined && opened?.payload.sid === sid ? { token, until } : undefined
    },
  }
}
