import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../kit/index.ts'

/** The waits between the attempts of a delivery: eight attempts in about 28 hours. */
const RETRY_DELAYS_MS = [5_000, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 5 * HOUR_MS, 10 * HOUR_MS, 10 * HOUR_MS]
/** A wait is up to a fifth longer, so that what failed together does not come back together. */
const JITTER = 0.2
/** An endpoint that has failed for this long is disabled … */
const FAILING_MS = 5 * DAY_MS
/** … and its owner has known of it for this long. */
const WARNED_MS = DAY_MS

/** The wait after a failed attempt; `undefined` when it was the last. `random` is from 0 to 1. */
export function retryWait(attempts: number, random: number): number | undefined {
  const wait = RETRY_DELAYS_MS[attempts - 1]
  return wait === undefined ? undefined : Math.round(wait * (1 + JITTER * random))
}

/** The consequence of a further failure, after a first one at `failingSince`. */
export function afterFailure(
  { failingSince, warnedAt }: { failingSince: number; warnedAt: number | undefined },
  now: number,
): 'goes_on' | 'warn' | 'disable' {
  if (warnedAt === undefined) return now - failingSince >= DAY_MS ? 'warn' : 'goes_on'
  return now >= disablesAt({ failingSince, warnedAt }) ? 'disable' : 'goes_on'
}

/** When the failures of an endpoint disable it, if they go on. */
export function disablesAt({ failingSince, warnedAt }: { failingSince: number; warnedAt: number | undefined }): number {
  return Math.max(failingSince + FAILING_MS, (warnedAt ?? failingSince + DAY_MS) + WARNED_MS)
}

/** Seconds or a date (RFC 9110 §10.2.3), as ms from now; a day at most. */
export function parseRetryAfter(text: string | null, now: number): number | undefined {
  if (text === null) return undefined
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), DAY_MS)
}
