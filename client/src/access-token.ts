import { EncryptJWT, jwtDecrypt } from 'jose'
import { BoundedMap } from './bounded-map.ts'
import { readCookies, writeCookie } from './cookies.ts'
import { PortariaError } from './error.ts'
import { numberAt, textAt } from './json.ts'
import type { Service } from './service.ts'
import type { FoundSession, WithHeaders } from './sessions.ts'
import type { Settings } from './settings.ts'

type SignedIn = Extract<FoundSession, { status: 'signed_in' }>

export interface AccessTokens {
  /**
   * The access token of a session: kept on this server until a minute before it expires, then exchanged anew (RFC 8693). With a cookie secret it is kept in a sealed
   * cookie, which is appended to `responseHeaders`; so it outlives this process.
   */
  of(session: SignedIn, request: WithHeaders, responseHeaders?: Headers): Promise<string>
}

interface Kept {
  token: string
  /** Ms. */
  until: number
}

const COOKIE = 'access_token'
const MARGIN_MS = 60_000
const MOST_REMEMBERED = 10_000
/** What a browser keeps of one cookie. */
const MOST_COOKIE = 4_000

export function createAccessTokens(settings: Settings, service: Service): AccessTokens {
  const { apiKey, cookieSecret, isHttps, now } = settings
  const memory = new BoundedMap<string, Kept>(MOST_REMEMBERED)
  const seal = cookieSecret === undefined ? undefined : createSeal(cookieSecret)
  const isGood = (kept: Kept | undefined) => kept !== undefined && now() < kept.until - MARGIN_MS

  async function exchange(subject: string): Promise<Kept> {
    const body = new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token_type: 'urn:portaria:token-type:session',
      subject_token: subject,
    })
    const headers: Record<string, string> = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }
    const answer = await service.ask('/auth/token', { method: 'POST', headers, body })
    const [token, seconds] = [textAt(answer, 'access_token'), numberAt(answer, 'expires_in')]
    if (token === null || seconds === undefined) throw new PortariaError('unavailable', 'Portaria answers without an access token')
    return { token, until: now() + seconds * 1000 }
  }

  return {
    async of({ claims: { sid }, token: subject }, request, responseHeaders) {
      const remembered = memory.get(sid)
      if (remembered && isGood(remembered)) return remembered.token
      const carried = seal && (await seal.open(readCookies(request.headers.get('cookie'), COOKIE)[0], sid))
      if (carried && isGood(carried)) return carried.token
      const fresh = await exchange(subject)
      memory.set(sid, fresh)
      const sealed = seal && responseHeaders ? await seal.close(fresh, sid) : undefined
      const maxAge = Math.max(0, Math.floor((fresh.until - now()) / 1000))
      if (sealed && sealed.length <= MOST_COOKIE) responseHeaders?.append('set-cookie', writeCookie(COOKIE, sealed, { maxAge, isHttps }))
      return fresh.token
    },
  }
}

/** Seals with AES-256-GCM, as a JWE (RFC 7516); bound to its session, so that one person's cookie is nothing beside another's. */
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
      const opened = await jwtDecrypt(cookie, await findKey(), algorithms).catch(() => undefined)
      const [token, until] = [textAt(opened?.payload, 'token'), numberAt(opened?.payload, 'until')]
      return token !== null && until !== undefined && opened?.payload.sid === sid ? { token, until } : undefined
    },
  }
}
