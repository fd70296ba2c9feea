import { readCookies } from '../../http/index.ts'
import { sha256Base64Url } from '../../kit/index.ts'
import { sessionStore } from '../../sessions/index.ts'
import type { GuardDeps } from '../guards/guard-deps.ts'
import { findOwnSession, openOriginalSession } from '../impersonation/original-session.ts'

const MAX_COOKIES = 4

/**
 * The live sessions that a browser presents: by the domain's cookie (several if a sibling host has set one too), by the bound cookie, and
 * the original session during an impersonation.
 */
export async function presentedSessions(
  cookieHeader: string | undefined,
  deps: Pick<GuardDeps, 'checks' | 'cookies' | 'storage' | 'baseUrl' | 'now' | 'sealer'>,
): Promise<Set<string>> {
  const { checks, cookies, storage, baseUrl, now } = deps
  const ids = new Set<string>()
  for (const token of readCookies(cookieHeader, 'eg_session').slice(0, MAX_COOKIES)) {
    const session = await checks.find([token], baseUrl)
    if (session) ids.add(session.id)
  }
  const secret = cookies.readBound(cookieHeader)
  const bound = secret === undefined ? undefined : await sessionStore(storage.db).findLiveByBoundHash(sha256Base64Url(secret), now())
  if (bound) ids.add(bound.id)
  const original = openOriginalSession(cookies.readOriginalSession(cookieHeader), deps)
  const own = original && (await findOwnSession(original, deps))
  if (own) ids.add(own.id)
  return ids
}
