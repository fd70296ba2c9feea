import type { Now } from '../../kit/index.ts'
import type { Product } from '../../products/index.ts'
import { INTERNAL_CLIENT, SCOPE, sessionAudience } from '../audience.ts'
import type { Tokens } from '../tokens.ts'
import type { Checks } from './check.ts'

export interface AccessToken {
  accessToken: string
  expiresInSeconds: number
  scope: string
}

/**
 * A live session's access token (RFC 9068), never good for longer than the session itself; `undefined` for a session that is not live here,
 * and for an impersonation.
 */
export async function exchangeAccessToken(
  sessionToken: string,
  product: Product | undefined,
  { checks, tokens, issuer, lifeSeconds, now }: { checks: Checks; tokens: Tokens; issuer: string; lifeSeconds: number; now: Now },
): Promise<AccessToken | undefined> {
  const session = await checks.find([sessionToken], sessionAudience(product, issuer))
  // An API may verify an access token offline (RFC 9068 §4), so it would outlive the impersonation.
  if (!session || session.impersonation) return undefined
  const expiresAt = Math.min(now() + lifeSeconds * 1000, session.expiresAt)
  const claims = { sub: session.userId, sid: session.id, client_id: session.productId ?? INTERNAL_CLIENT, scope: SCOPE }
  const accessToken = await tokens.sign('at+jwt', claims, { audience: `${issuer}/api`, expiresAt })
  return { accessToken, expiresInSeconds: Math.floor((expiresAt - now()) / 1000), scope: SCOPE }
}
