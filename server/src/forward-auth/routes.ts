import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ChangeFeed } from '../changes/index.ts'
import { type Metrics, queryOf, type Responses, readCookies, type SecurityHeaders } from '../http/index.ts'
import { ownHref } from '../pages/index.ts'
import type { ForwardedHost, ForwardedHosts } from '../products/index.ts'
import type { Admission } from '../rate-limits/index.ts'
import type { Checks, LiveSession, OpenedApps } from '../sessions/index.ts'
import { isDatabaseAway } from '../storage/index.ts'
import { type DecideDeps, decideEntry, type EntryRefusal } from './decide.ts'
import { forwardedAddress, isNavigation } from './forwarded-request.ts'
import { identityHeaders } from './identity-headers.ts'
import { createLiveEntries, type LiveEntries } from './live-entries.ts'
import { questionOf } from './raw-headers.ts'
import { forwardSchema } from './schemas.ts'

export interface ForwardAuthRouteDeps extends DecideDeps {
  admission: Admission
  checks: Checks
  forwardedHosts: ForwardedHosts
  openedApps: OpenedApps
  changes: ChangeFeed
  responses: Responses
  headers: SecurityHeaders
  metrics: Metrics
  /** Whether the server at the other end of the connection is a trusted proxy. */
  isTrustedPeer: (peer: { remoteAddress?: string | undefined }) => boolean
  baseUrl: string
}

/** The head of an answer that lets a request pass, as pairs of header and value. */
type Head = readonly string[]

type Result = 'allowed' | 'proxy_untrusted' | 'host_unknown' | 'session_missing' | EntryRefusal | Unanswered
/** The database is away, or there is no room for the work. */
type Unanswered = 'unknown' | 'shed'

const wire = {
  proxy_untrusted: { status: 403, error: 'proxy nao confiavel' },
  host_unknown: { status: 403, error: 'host nao registrado' },
  session_missing: { status: 401, error: 'sem sessao' },
  profile_missing: { status: 401, error: 'perfil incompleto' },
  plan_missing: { status: 403, error: 'sem plano' },
  unknown: { status: 503, error: 'Servico indisponivel, tente novamente' },
  shed: { status: 503, error: 'Servico indisponivel, tente novamente' },
} as const satisfies Record<Exclude<Result, 'allowed'>, { status: number; error: string }>

/** When the database was just found away, a session that is not in memory is still looked up, with this timeout. */
const AWAY_TIMEOUT_MS = 1_500
const START = '/auth/forward/start'

/**
 * `GET /auth/forward`: what a proxy asks before each request to an app behind it. `scope` is a server scope without hooks, as for the
 * check: with session, host and answer in memory there is no promise and no database.
 */
export function forwardAuthRoutes(scope: FastifyInstance, deps: ForwardAuthRouteDeps): void {
  const { checks, forwardedHosts, changes, headers, metrics, isTrustedPeer, now } = deps
  const { 'content-type': _none, ...common } = headers.json
  const fixed = [...Object.entries(common).flat(), 'content-length', '0']
  const entries = createLiveEntries<Head>({ changes, now })
  const counts: Record<Result, number> = {
    ...{ allowed: 0, proxy_untrusted: 0, host_unknown: 0, session_missing: 0 },
    ...{ profile_missing: 0, plan_missing: 0, unknown: 0, shed: 0 },
  }
  metrics.countResults('portaria_forward_auth_total', 'Questions of proxies, by result', () => counts)
  const allow = (reply: FastifyReply, head: Head) => {
    counts.allowed++
    reply.hijack()
    reply.raw.writeHead(200, head as string[])
    reply.raw.end()
  }
  scope.get('/auth/forward', { schema: forwardSchema }, (request, reply) => {
    const { name, cookie } = questionOf(request.raw.rawHeaders)
    const host = name !== undefined && isTrustedPeer(request.raw.socket) ? forwardedHosts.remembered(name) : undefined
    if (host !== undefined && host !== 'unread') {
      const session = checks.rememberedSession(cookie)
      const head = session && entries.find(session, host)
      if (head) return allow(reply, head)
    }
    return answer(request, reply, { ...deps, fixed, entries, allow, count: (result) => counts[result]++ })
  })
}

interface Answer extends ForwardAuthRouteDeps {
  fixed: Head
  entries: LiveEntries<Head>
  allow: (reply: FastifyReply, head: Head) => void
  count: (result: Result) => void
}

async function answer(request: FastifyRequest, reply: FastifyReply, deps: Answer): Promise<FastifyReply | undefined> {
  await deps.checks.hearOfKeys(presentedBy(request))
  const judged = await deps.admission.run('checks', () => judge(request, deps))
  const found: Judged = judged === 'shed' ? { result: 'shed' } : judged
  if ('head' in found) {
    deps.allow(reply, found.head)
    return undefined
  }
  deps.count(found.result)
  return refuse(request, reply, found, deps)
}

type Judged = { head: Head } | { result: Exclude<Result, 'allowed'>; host?: ForwardedHost }

/** The checks in the order of the decision: the proxy, the host, the session, the profile, the rule. */
async function judge(request: FastifyRequest, deps: Answer): Promise<Judged> {
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

async function judgeHost(request: FastifyRequest, host: ForwardedHost, deps: Answer): Promise<Judged> {
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

function presentedBy({ raw }: FastifyRequest): string[] {
  return readCookies(raw.headers.cookie, 'eg_session').filter((value) => value !== '')
}

async function findSession(request: FastifyRequest, { checks, baseUrl }: Answer): Promise<LiveSession | undefined> {
  const presented = presentedBy(request)
  return presented.length === 0 ? undefined : checks.find(presented, baseUrl)
}

/**
 * A refusal. If the browser can put it right at our host, it is sent there: by a redirect, or, for a proxy that asks with `redirect=no`, by
 * the address beside the status. No cookie is set: it would be one of the app's host.
 */
function refuse(
  request: FastifyRequest,
  reply: FastifyReply,
  { result, host }: Exclude<Judged, { head: Head }>,
  { responses, baseUrl }: Answer,
): FastifyReply {
  const { status, error } = wire[result]
  const isAnswered = result !== 'unknown' && result !== 'shed'
  if (!isAnswered) reply.header('retry-after', '1')
  if (host && isAnswered && isNavigation(request.raw.headers)) {
    const back = forwardedAddress(host, request.raw.headers['x-forwarded-uri'])
    const location = baseUrl + ownHref(START, { redirect_to: back })
    if (queryOf(request).get('redirect') !== 'no') return responses.redirect(reply, location)
    reply.header('location', location)
  }
  return responses.json(reply, status, { error })
}
