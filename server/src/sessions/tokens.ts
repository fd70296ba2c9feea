import { sign, verify } from 'node:crypto'
import { type Now, newId } from '../kit/index.ts'
import type { KeyRing } from './signing-keys/key-ring.ts'

/** Every kind has its own `typ`, so that no kind is accepted as another (RFC 8725 §3.11). */
export type TokenType = 'eg-session+jwt' | 'eg-token+jwt' | 'at+jwt'

export interface TokenClaims {
  sub: string
  sid: string
  jti: string
  /** Seconds since 1970, as on the wire. */
  exp: number
  iat: number
  clientId: string | undefined
  /** Of an access token. */
  scope: string | undefined
}

export interface Tokens {
  /** A signed token; `expiresAt` in ms. */
  sign(
    type: TokenType,
    claims: Record<string, unknown> & { sub: string; sid: string },
    scope: { audience: string; expiresAt: number },
  ): Promise<string>
  /** The claims of a genuine, unexpired token of this kind for this audience, or `undefined`. */
  verify(token: string, scope: TokenScope): Promise<TokenClaims | undefined>
  /**
   * For a token that only its key can tell from a genuine one, and whose key is unknown: the next time that the database is asked for new
   * keys. Else `undefined`.
   */
  hearOfKey(token: string, scope: TokenScope): Promise<void> | undefined
}

interface TokenScope {
  type: TokenType
  audience: string
}

export const MAX_TOKEN_BYTES = 3_000
const DIGEST = 'sha256'
/** r and s one behind the other, as JWS has them (RFC 7518 §3.4); Node's own default is DER. */
const ENCODING = { dsaEncoding: 'ieee-p1363' } as const

/**
 * JWTs (RFC 7519) in compact form: ES256 only, and only those that this service writes; `iss` is its address without a slash at the end.
 * Signed and verified on this thread: on another one a signature would cost twice the CPU, and wait behind passwords.
 */
export function createTokens({ keys, issuer, now }: { keys: KeyRing; issuer: string; now: Now }): Tokens {
  const read = (token: string, { type, audience }: TokenScope) => {
    if (token.length > MAX_TOKEN_BYTES) return undefined
    const [head, body, signature, ...rest] = token.split('.').map(decode)
    if (!head || !body || !signature || rest.length > 0) return undefined
    const header = parseObject(head)
    if (header?.alg !== 'ES256' || header.typ !== type || typeof header.kid !== 'string' || 'crit' in header) return undefined
    const payload = parseObject(body)
    const claims = payload?.iss === issuer && payload.aud === audience ? readClaims(payload, Math.floor(now() / 1000)) : undefined
    return claims && { claims, kid: header.kid, signature }
  }
  /** The beginning of the last genuine token: of those that begin so the key is known. */
  let knownHead: string | undefined
  return {
    async sign(type, claims, { audience, expiresAt }) {
      const { kid, privateKey } = await keys.signer()
      const payload = {
        iss: issuer,
        aud: audience,
        ...claims,
        iat: Math.floor(now() / 1000),
        exp: Math.floor(expiresAt / 1000),
        jti: newId(),
      }
      const signed = `${encode({ alg: 'ES256', typ: type, kid })}.${encode(payload)}`
      return `${signed}.${sign(DIGEST, Buffer.from(signed), { key: privateKey, ...ENCODING }).toString('base64url')}`
    },
    async verify(token, scope) {
      const found = read(token, scope)
      // Read before a key is looked up: tokens of other services and expired ones cost no query.
      const key = found && (await keys.verifier(found.kid))
      const signed = Buffer.from(token.slice(0, token.lastIndexOf('.')))
      if (!key || !verify(DIGEST, signed, { key, ...ENCODING }, found.signature)) return undefined
      knownHead = headOf(token)
      return found.claims
    },
    hearOfKey(token, scope) {
      if (knownHead !== undefined && token.startsWith(knownHead)) return undefined
      const found = read(token, scope)
      return found && keys.hearOf(found.kid)
    },
  }
}

/** The claims we need, if each is there with its type, else `undefined`; `now` in seconds. */
function readClaims({ sub, sid, jti, exp, iat, nbf, client_id, scope }: Record<string, unknown>, now: number): TokenClaims | undefined {
  if (typeof sub !== 'string' || typeof sid !== 'string' || typeof jti !== 'string') return undefined
  if (typeof exp !== 'number' || typeof iat !== 'number' || exp <= now || nbf !== undefined) return undefined
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
  return { sub, sid, jti, exp, iat, clientId: text(client_id), scope: text(scope) }
}

/** With the full stop after it. */
function headOf(token: string): string {
  return token.slice(0, token.indexOf('.') + 1)
}

function encode(value: Record<string, unknown>): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

/**
 * Bytes from base64url (RFC 4648 §5) in its only valid spelling: no padding, no other alphabet, no leftover bits. `undefined` for any
 * other.
 */
function decode(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url')
  return text !== '' && bytes.toString('base64url') === text ? bytes : undefined
}

function parseObject(bytes: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString())
    return isObject(value) ? value : undefined
  } catch {
    return undefined // not JSON, so not our token
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
