import type { Now } from '../kit/index.ts'
import { isOnDomain, type RedirectTarget } from '../products/index.ts'
import type { LiveSession, Tokens } from '../sessions/index.ts'
import { HANDOFF_SECONDS } from './handoff.ts'

export type Appendage = 'eg_session' | 'eg_token' | 'nothing'

/**
 * The parameters for a target. The domain's session goes only to an internal product, on the internal domain or at an address registered as
 * trusted (steps 3 and 3b). An external product gets a handoff, if the login named it with its publishable key.
 */
export function appendage(
  target: RedirectTarget,
  {
    namedByKey,
    hasApiKey,
    cookieDomain,
    baseUrl,
  }: { namedByKey: boolean; hasApiKey: boolean; cookieDomain: string | undefined; baseUrl: string },
): Appendage {
  if (target.forwarded) return 'nothing'
  if (target.product.audience === 'external') return namedByKey ? 'eg_token' : 'nothing'
  if (!target.trusted && !isOnDomain(target.uri, { cookieDomain, baseUrl })) return 'nothing'
  return target.product.handoff === 'eg_token' && hasApiKey ? 'eg_token' : 'eg_session'
}

/** Mints a handoff of a session to one product, good for one redemption within a minute. */
export function mintHandoff(session: LiveSession, productId: string, { tokens, now }: { tokens: Tokens; now: Now }): Promise<string> {
  const expiresAt = Math.min(now() + HANDOFF_SECONDS * 1000, session.expiresAt)
  return tokens.sign('eg-token+jwt', { sub: session.userId, sid: session.id }, { audience: productId, expiresAt })
}

/** The target's address with our parameters after its own query, which is kept byte for byte. */
export function withParameters(target: RedirectTarget, parameters: Record<string, string | undefined>): string {
  const added = Object.entries(parameters).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]))
  if (added.length === 0) return target.uri
  const { uri } = target
  const glue = !uri.includes('?') ? '?' : /[?&]$/.test(uri) ? '' : '&'
  return uri + glue + added.join('&')
}
