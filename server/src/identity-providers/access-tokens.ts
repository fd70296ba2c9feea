import type { createRemoteJWKSet, JWTPayload } from 'jose'
import type { GuardedFetch } from '../guarded-fetch/index.ts'
import type { Now } from '../kit/index.ts'
import type { Storage } from '../storage/index.ts'
import type { Discovery } from './discovery.ts'
import type { IdentityProvider } from './provider.ts'
import { providerStore } from './store.ts'
import { isSubject } from './verified-identity.ts'

const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'EdDSA']
const MAX_LENGTH = 8_192

/** Access tokens on `GET /api/me`, of providers marked for this. */
export interface AccessTokens {
  /**
   * Issuer and subject of a valid one; `undefined` for anything else, ID tokens included; a `fault` when the provider does not give its
   * keys.
   */
  verify(token: string): Promise<{ issuer: string; subject: string } | { fault: unknown } | undefined>
}

/** Only JWTs, checked against the provider's own keys with `iss`, `exp` and the audience the operator configured for this very provider. */
export function createAccessTokens({
  storage,
  discovery,
  guardedFetch,
  timeoutSeconds,
  now,
}: {
  storage: Storage
  discovery: Discovery
  guardedFetch: GuardedFetch
  timeoutSeconds: number
  now: Now
}): AccessTokens {
  const keySets = new Map<string, ReturnType<typeof createRemoteJWKSet>>()
  return {
    async verify(token) {
      if (token.length > MAX_LENGTH || token.split('.').length !== 3) return undefined
      const { createRemoteJWKSet, customFetch, decodeJwt, errors, jwtVerify } = await import('jose')
      const issuer = issuerOf(token, decodeJwt)
      const provider = (await providerStore(storage.db).list()).find(
        (one) => one.accessTokenAudience !== undefined && one.issuer === issuer,
      )
      if (!provider?.accessTokenAudience) return undefined
      try {
        const { jwks_uri } = (await discovery.configure(provider)).serverMetadata()
        if (jwks_uri === undefined) return undefined
        const keys =
          keySets.get(jwks_uri) ??
          createRemoteJWKSet(new URL(jwks_uri), {
            [customFetch]: (url: string, init: RequestInit) => guardedFetch(url, init),
            timeoutDuration: timeoutSeconds * 1000,
          })
        keySets.set(jwks_uri, keys)
        const { payload } = await jwtVerify(token, keys, {
          algorithms: ALGORITHMS,
          issuer: provider.issuer,
          audience: provider.accessTokenAudience,
          requiredClaims: ['exp', 'sub'],
          currentDate: new Date(now()),
        })
        return isIdToken(payload, provider) || !isSubject(payload.sub) ? undefined : { issuer: provider.issuer, subject: payload.sub }
      } catch (error) {
        const isToken = error instanceof errors.JOSEError && error.code !== 'ERR_JOSE_GENERIC' && error.code !== 'ERR_JWKS_TIMEOUT'
        return isToken ? undefined : { fault: error }
      }
    },
  }
}

/** An ID token is for the client that requested it: it is not accepted here. */
function isIdToken(payload: JWTPayload, { clientId }: IdentityProvider): boolean {
  const audiences = Array.isArray(payload.aud) ? payload.aud : [payload.aud]
  return 'nonce' in payload || 'at_hash' in payload || audiences.includes(clientId)
}

function issuerOf(token: string, decode: (token: string) => JWTPayload): string | undefined {
  try {
    return decode(token).iss
  } catch {
    return undefined // not a JWT
  }
}
