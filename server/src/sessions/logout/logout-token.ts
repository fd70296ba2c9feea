import { importJWK, SignJWT } from 'jose'
import { type Now, newId } from '../../kit/index.ts'
import type { Product } from '../../products/index.ts'
import type { KeyRing } from '../signing-keys/key-ring.ts'

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
/** The life that Back-Channel Logout 1.0 §2.4 recommends at most. */
const LIFE_SECONDS = 120

export interface LogoutTokenDeps {
  keys: Pick<KeyRing, 'signer' | 'privateJwks'>
  issuer: string
  now: Now
}

/** The session that an app was given: the domain's, or one of the app's own. */
export type SessionKind = 'domain' | 'own'

/** The session that has ended. Where its kind is not known the product decides. */
interface Ended {
  sub: string
  sid: string
  kind?: SessionKind | undefined
}

/**
 * A fresh logout token (Back-Channel Logout 1.0 §2.4) for one attempt: a repeated one would look like a replay. Its audience is the
 * publishable key, which is the `client_id` of OpenID Connect; for the domain's own session, which an internal app was given, the issuer.
 */
export async function issueLogoutToken(
  product: Product,
  { sub, sid, kind = product.openid || product.audience === 'external' ? 'own' : 'domain' }: Ended,
  { keys, issuer, now }: LogoutTokenDeps,
): Promise<string> {
  // Learns of a revoked key first: its tokens would be refused.
  await keys.signer()
  // The app reads it with what reads the session's token: an eg_session is always ES256.
  const alg = kind === 'domain' ? 'ES256' : (product.openid?.idTokenAlg ?? 'ES256')
  const jwks = keys.privateJwks()
  const jwk = jwks.find((key) => key.alg === alg) ?? jwks[0]
  if (!jwk) throw new Error('there is no signing key')
  const at = Math.floor(now() / 1000)
  return new SignJWT({ events: { [EVENT]: {} }, sid })
    .setProtectedHeader({ alg: jwk.alg, typ: 'logout+jwt', kid: jwk.kid })
    .setIssuer(issuer)
    .setAudience(kind === 'domain' ? issuer : product.publishableKey)
    .setSubject(sub)
    .setIssuedAt(at)
    .setExpirationTime(at + LIFE_SECONDS)
    .setJti(newId())
    .sign(await importJWK(jwk, jwk.alg))
}
