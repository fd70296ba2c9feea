import { DAY_MS, HOUR_MS, MINUTE_MS } from '../kit/index.ts'
import { FatalJobFault, TryLater } from './job.ts'

/** The waits between the attempts of a job: mails, gateways' APIs, and whatever else is tried again. */
const RETRY_DELAYS_MS = [
  10_000,
  30_000,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
  8 * HOUR_MS,
  12 * HOUR_MS,
  DAY_MS,
]

/**
 * The wait after a failed attempt, or `undefined` when it was the last: then the job is a dead letter. All attempts span about two days,
 * and never less: a server that says "in a second" all through its outage must not use them up.
 */
export function waitAfter(attempts: number, fault: unknown): number | undefined {
  if (fault instanceof FatalJobFault) return undefined
  const wait = RETRY_DELAYS_MS[attempts - 1]
  return wait === undefined || !(fault instanceof TryLater) ? wait : Math.max(fault.afterMs, wait)
}
