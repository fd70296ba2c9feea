import { MINUTE_MS } from '../../kit/index.ts'
import type { AdminApiDeps, AdminCall } from './admin-routes.ts'
import type { Refused } from './refusals.ts'

const MOST_A_MINUTE = 10

/** For what makes the service ask a server, be it its own: ten times a minute for each caller. */
export async function refuseTooMany(
  what: string,
  { caller }: Pick<AdminCall<unknown, unknown>, 'caller'>,
  { limits, now }: Pick<AdminApiDeps, 'limits' | 'now'>,
): Promise<Refused | undefined> {
  const limit = { key: `${what}:${caller.name}`, most: MOST_A_MINUTE, windowMs: MINUTE_MS }
  const { within, retryAfterSeconds } = await limits.count(limit, now())
  return within ? undefined : { refusal: 'too_many', retryAfterSeconds }
}
