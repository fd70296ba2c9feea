import { setTimeout } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { readCookies } from '../http/index.ts'
import type { ForwardedHost } from '../products/index.ts'
import type { LiveSession } from '../sessions/index.ts'
import { isDatabaseAway } from '../storage/index.ts'
import { decideEntry } from './decide.ts'
import { identityHeaders } from './identity-headers.ts'
import type { LiveEntries } from './live-entries.ts'
import type { ForwardAuthRouteDeps, Head, Judged } from './route-deps.ts'

export interface JudgeDeps extends ForwardAuthRouteDeps {
  /** The headers of every answer. */
  fixed: Head
  entries: LiveEntries<Head>
}

/** When the database was just found away, a session that is not in memory is still looked up, with this timeout. */
const AWAY_TIMEOUT_MS = 1_500

/** The checks in the order of the decision: the proxy, the host, the session, the profile, the rule. */
export async function judge(request: FastifyRequest, deps: JudgeDeps): Promise<Judged> {
  const { forwardedHosts, isTrustedPeer, changes } = deps
  if (!isTrustedPeer(request.raw.socket)) return { result: 'proxy_untrusted' }
  const name = request.raw.headers['x-forwarded-host']
  if (typeof name !== 'string') return { result: 'host_unknown' }
  const find = async (): Promise<Judged> => {
    const host = await forwardedHosts.find(name.toLowerCase())
    return host ? judgeHost(request, host, deps) : { result: 'host_unknown' }
  }
  try {
    if ((await changes.refresh()) === 'current') return await find()
    const giveUp = setTimeout(AWAY_TIMEOUT_MS, undefined, { ref: false })
    return (await Promise.race([find(), giveUp])) ?? { result: 'unknown' }
  } catch (error) {
    if (isDatabaseAway(error)) return { result: 'unknown' }
    throw error
  }
}

async function judgeHost(request: FastifyRequest, host: ForwardedHost, deps: JudgeDeps): Promise<Judged> {
  const session = await findSession(request, deps)
  if (!session) return { result: 'session_missing', host }
  const kept = deps.entries.find(session, host)
  if (kept) return { head: kept }
  const entry = await decideEntry(session, host, deps)
  if ('refusal' in entry) return { result: entry.refusal, host }
  deps.openedApps.note(session, host.product.id)
  const head = [...deps.fixed, ...identityHeaders(session, host.product, entry)]
  // The rule may have changed since it was read. Then the answer is given, but not kept.
  if (deps.forwardedHosts.isCurrent(host)) deps.entries.remember(session, host, head, entry.until)
  return { head }
}

async function findSession(request: FastifyRequest, { checks, baseUrl }: JudgeDeps): Promise<LiveSession | undefined> {
  const presented = presentedBy(request)
  return presented.length === 0 ? undefined : checks.find(presented, baseUrl)
}

export function presentedBy({ raw }: FastifyRequest): string[] {
  return readCookies(raw.headers.cookie, 'eg_session').filter((value) => value !== '')
}
