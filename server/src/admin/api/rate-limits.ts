import { HOUR_MS, MINUTE_MS } from '../../kit/index.ts'
import type { Limit } from '../../rate-limits/index.ts'
import type { AdminApiDeps, AdminCall } from './admin-route.ts'
import type { Refused } from './refusals.ts'

const MAX_A_MINUTE = 10
const MAX_AN_HOUR = 30

type Asking = Pick<AdminCall<unknown, unknown>, 'caller'>
type Deps = Pick<AdminApiDeps, 'limits' | 'now'>

/** For what makes the service ask a server, be it its own, or work for long: ten times a minute for each caller. */
export function refuseTooMany(what: string, { caller }: Asking, deps: Deps): Promise<Refused | undefined> {
  return refuseBeyond([{ key: `${what}:${caller.name}`, most: MAX_A_MINUTE, windowMs: MINUTE_MS }], deps)
}

/**
 * For what leaves the house, or can't be taken back, one person at a time: thirty times an hour for each caller. Who has to do more has the
 * command line.
 */
export function refuseBulk(what: string, { caller }: Asking, deps: Deps): Promise<Refused | undefined> {
  return refuseBeyond([{ key: `${what}:${caller.name}`, most: MAX_AN_HOUR, windowMs: HOUR_MS }], deps)
}

/** Counts one occurrence under each limit, in this order. What one refuses fills none of those after it. */
export async function refuseBeyond(counted: readonly Limit[], { limits, now }: Deps): Promise<Refused | undefined> {
  for (const limit of counted) {
    const { within, retryAfterSeconds } = await limits.count(limit, now())
    if (!within) return { refusal: 'too_many', retryAfterSeconds }
  }
  return undefined
}
