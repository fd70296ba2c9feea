import { MINUTE_MS, type Now } from '../kit/index.ts'
import type { Limit, LimitStore } from '../rate-limits/index.ts'
import type { Library } from './library/library.ts'

const WINDOW_MS = 15 * MINUTE_MS
/** An app that works signs a user in a few times a day; each session is a row for weeks, with an audit entry and a notice at its end. */
const MAX_SESSIONS = 60
/** An app that refreshes every minute needs fifteen; each used token is a row for a day. */
const MAX_REFRESHES = 600

/** Sessions that a user begins at one product. */
export const sessionLimit = ({ userId, productId }: { userId: string; productId: string }): Limit => ({
  key: `openid:session:${userId}:${productId}`,
  most: MAX_SESSIONS,
  windowMs: WINDOW_MS,
})

/** Refreshes in one session of a client. */
export const refreshLimit = (sessionId: string): Limit => ({
  key: `openid:refresh:${sessionId}`,
  most: MAX_REFRESHES,
  windowMs: WINDOW_MS,
})

/** Counts one more, and throws `temporarily_unavailable` (RFC 6749 §4.1.2.1) with 429 and `Retry-After` beyond the limit. */
export async function countForClient(
  limit: Limit,
  { errors, Provider }: Library,
  { limits, now }: { limits: LimitStore; now: Now },
): Promise<void> {
  const { within, retryAfterSeconds } = await limits.count(limit, now())
  if (within) return
  Provider.ctx?.set('retry-after', String(retryAfterSeconds))
  throw Object.assign(new errors.TemporarilyUnavailable('too many requests'), { status: 429, statusCode: 429 })
}
