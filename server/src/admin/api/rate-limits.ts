import { HOUR_MS, MINUTE_MS } from '../../kit/index.ts'
import type { Limit } from '../../rate-limits/index.ts'
import type { AdminApiDeps, AdminCall } from './admin-route.ts'
import type { Refused } from './refusals.ts'

const MAX_A_MINUTE = 10
const MAX_AN_HOUR = 30

type Asking = Pick<AdminCall<unknown, unknown>, 'caller'>
type Deps = Pick<AdminApiDeps, 'limits' | 'now'>

/** For operations that make the service call a server, even itself, or that take long: ten a minute for each caller. */
export function refuseTooMany(what: string, { caller }: Asking, deps: Deps): Promise<Refused | undefined> {
  return refuseBeyond([{ key: `${what}:${caller.name}`, most: MAX_A_MINUTE, windowMs: MINUTE_MS }], deps)
}

/**
 * For operations that send data out, or can't be undone, for one user at a time: thirty an hour for each caller. The command line has no
 * such limit.
 */
export function refuseBulk(what: string, { caller }: Asking, deps: Deps): Promise<Refused | undefined> {
  return refuseBeyond([{ key: `${what}:${caller.name}`, most: MAX_AN_HOUR, windowMs: HOUR_MS }], deps)
}

/** Counts one occurrence under each limit, in this order. A refusal by one counts for none of those after it. */
export async function refuseBeyond(counted: readonly Limit[], { limits, now }: Deps): Promise<Refused | undefined> {
  for (const limit of counted) {
    const { within, retryAfterSeconds } = await limits.count(limit, now())
    if (!within) return { refusal: 'too_many', retryAfterSeconds }
  }
  return undefined
}
