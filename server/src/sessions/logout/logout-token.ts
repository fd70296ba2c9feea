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

/**
 * A fresh logout token (Back-Channel Logout 1.0 §2.4) for one attempt: a repeated one would look like a replay. Its audience is the
 * publishable key, which is the `client_id` of OpenID Connect; for an internal app, which has the domain's own session, the issuer.
 */
export async function issueLogoutToken(
  product: Product,
  { sub, sid }: { sub: string; sid: string },
  { keys, issuer, now }: LogoutTokenDeps,
): Promise<string> {
  // Learns of a revoked key first: its tokens would be refused.
  await keys.signer()
  const alg = product.openid?.idTokenAlg ?? 'ES256'
  const jwks = keys.privateJwks()
  const jwk = jwks.find((key) => key.alg === alg) ?? jwks[0]
  if (!jwk) throw new Error('there is no signing key')
  const at = Math.floor(now() / 1000)
  return new SignJWT({ events: { [EVENT]: {} }, sid })
    .setProtectedHeader({ alg: jwk.alg, typ: 'logout+jwt', kid: jwk.kid })
    .setIssuer(issuer)
    .setAudience(product.openid || product.audience === 'external' ? product.publishableKey : issuer)
    .setSubject(sub)
    .setIssuedAt(at)
    .setExpirationTime(at + LIFE_SECONDS)
    .setJti(newId())
    .sign(await importJWK(jwk, jwk.alg))
}
