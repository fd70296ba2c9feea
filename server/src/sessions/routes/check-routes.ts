import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { asciiJson, bearerToken, createPrebuiltResponses, readCookies } from '../../http/index.ts'
import { isDatabaseAway } from '../../storage/index.ts'
import { sessionAudience } from '../audience.ts'
import type { Remembered } from '../check/check.ts'
import type { LiveSession } from '../session.ts'
import { callerOf } from './caller-guards.ts'
import { checkSchema } from './check-schema.ts'
import type { SessionRouteDeps } from './route-deps.ts'

const MISSING = asciiJson({ authenticated: false, reason: 'missing_session' })

const INVALID = asciiJson({ authenticated: false, reason: 'invalid_session' })

/** When the database was just found away, a session that is not in memory is still looked up, with this timeout. */
const AWAY_TIMEOUT_MS = 1_500

/** `GET /auth/check`: always 200, never a redirect, no limit, and no database in the steady state. */
export function checkRoute(scope: FastifyInstance, deps: SessionRouteDeps): void {
  const { headers, metrics } = deps
  const answer = createPrebuiltResponses(headers.json)
  const degraded = (why: 'database' | 'load') => createPrebuiltResponses({ ...headers.json, 'portaria-degraded': why, 'retry-after': '1' })
  const answerDegraded = { unknown: degraded('database'), shed: degraded('load') }
  const counts = { valid: 0, missing: 0, invalid: 0, unknown: 0, shed: 0 }
  metrics.countResults('portaria_checks_total', 'Session checks, by result', () => counts)
  scope.get('/auth/check', { schema: checkSchema }, (request, reply) => {
    const ready = recall(request, deps)
    if (ready !== undefined) {
      counts.valid++
      return answer(reply, ready.body)
    }
    const presented = readCookies(request.raw.headers.cookie, 'eg_session').filter((value) => value !== '')
    if (presented.length === 0) {
      counts.missing++
      return answer(reply, MISSING)
    }
    return look(request, presented, deps).then((found) => {
      if (found === 'unknown' || found === 'shed') {
        counts[found]++
        return answerDegraded[found](reply, INVALID)
      }
      counts[found ? 'valid' : 'invalid']++
      return answer(reply, found?.body ?? INVALID)
    })
  })
}

/** News and keys are waited for without a place, since that is no work. After them memory may know. */
async function look(
  request: FastifyRequest,
  presented: string[],
  deps: SessionRouteDeps,
): Promise<Remembered | undefined | 'unknown' | 'shed'> {
  await Promise.all([deps.changes.refresh(), deps.checks.hearOfKeys(presented)])
  const known = recall(request, deps)
  if (known !== undefined) return known
  const session = await deps.admission.run('checks', () => findChecked(request, presented, deps))
  return typeof session === 'object' ? { session, body: deps.checks.body(session) } : session
}

/** The answer where the session, and the key if there is one, are in memory. It takes no place, so no storm of other work delays it. */
function recall(request: FastifyRequest, { checks, products, issuer, openedApps }: SessionRouteDeps): Remembered | undefined {
  const { cookie, authorization } = request.raw.headers
  if (authorization === undefined) return checks.remembered(cookie)
  const key = bearerToken(request)
  const caller = key === undefined ? undefined : products.rememberedByApiKey(key)
  const known = caller && checks.remembered(cookie, sessionAudience(caller, issuer))
  if (known && caller.audience === 'internal') openedApps.note(known.session, caller.id)
  return known
}

/**
 * The session behind a check. With a key only that product's sessions count. While the database is away only remembered sessions are known;
 * the contract words all others like ended ones, and a header distinguishes the two.
 */
async function findChecked(
  request: FastifyRequest,
  presented: string[],
  deps: SessionRouteDeps,
): Promise<LiveSession | undefined | 'unknown'> {
  const { checks, products, changes, issuer, openedApps } = deps
  const find = async () => {
    const caller = await callerOf(request, products)
    if (caller === 'unknown') return undefined
    const session = await checks.find(presented, sessionAudience(caller, issuer))
    if (session && caller?.audience === 'internal') openedApps.note(session, caller.id)
    return session
  }
  try {
    if ((await changes.refresh()) === 'current') return await find()
    const giveUp = setTimeout(AWAY_TIMEOUT_MS, undefined, { ref: false })
    return (await Promise.race([find(), giveUp])) ?? 'unknown'
  } catch (error) {
    if (isDatabaseAway(error)) return 'unknown'
    throw error
  }
}
