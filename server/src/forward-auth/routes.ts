import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type JudgeDeps, judge, presentedBy } from './judge-guards.ts'
import { createLiveEntries } from './live-entries.ts'
import { questionOf } from './raw-headers.ts'
import { refuse } from './refuse-guards.ts'
import type { ForwardAuthRouteDeps, Head, Judged, Result } from './route-deps.ts'
import { forwardSchema } from './schemas.ts'

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
      const session = checks.remembered(cookie)?.session
      const head = session && entries.find(session, host)
      if (head) return allow(reply, head)
    }
    return answer(request, reply, { ...deps, fixed, entries, allow, count: (result) => counts[result]++ })
  })
}

interface Answer extends JudgeDeps {
  allow: (reply: FastifyReply, head: Head) => void
  count: (result: Result) => void
}

async function answer(request: FastifyRequest, reply: FastifyReply, deps: Answer): Promise<FastifyReply> {
  await deps.checks.hearOfKeys(presentedBy(request))
  const judged = await deps.admission.run('checks', () => judge(request, deps))
  const found: Judged = judged === 'shed' ? { result: 'shed' } : judged
  if ('head' in found) {
    deps.allow(reply, found.head)
    return reply
  }
  deps.count(found.result)
  return refuse(request, reply, found, deps)
}
