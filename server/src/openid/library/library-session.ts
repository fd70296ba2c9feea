import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import { sessionStore } from '../../sessions/index.ts'
import { findBoundSession } from '../../sign-in/index.ts'
import type { SignedInBrowser } from '../authorization/authorization-state.ts'
import type { OpenIdDeps } from '../deps.ts'
import { exchangeOf } from './exchange.ts'
import type { Library } from './library.ts'
import { asOAuth } from './policy.ts'

/** The library's session: made from ours at every request, and never saved. */
export async function findSession(ctx: KoaContextWithOIDC, provider: Provider, { errors }: Library, deps: OpenIdDeps) {
  const exchange = exchangeOf(ctx)
  exchange.browser = await asOAuth(() => readBrowser(exchange.cookieHeader, deps), errors)
  const session = new provider.Session()
  Object.defineProperty(session, 'new', { value: true })
  // The library marks a session that it changes, and saves it then.
  Object.defineProperty(session, 'touched', { value: false })
  const { browser } = exchange
  if (browser) {
    const { session: ours, authenticatedAt, withSecondFactor } = browser
    Object.assign(session, { uid: ours.id, accountId: ours.userId, loginTs: Math.floor((authenticatedAt ?? 0) / 1000) })
    if (withSecondFactor) Object.assign(session, { acr: 'mfa', amr: ['mfa'] })
  }
  ctx.oidc.entity('Session', session)
  return session
}

async function readBrowser(cookieHeader: string | undefined, deps: OpenIdDeps): Promise<SignedInBrowser | undefined> {
  const session = await findBoundSession(cookieHeader, deps)
  if (!session) return undefined
  const user = await deps.users.findById(session.userId)
  const times = await sessionStore(deps.storage.db).findAuthTimes(session.id)
  if (!user || !times) return undefined
  const { authenticatedAt, secondFactorAt } = times
  return { session, user, authenticatedAt, withSecondFactor: secondFactorAt !== undefined && secondFactorAt >= (authenticatedAt ?? 0) }
}
