import type { FastifyRequest } from 'fastify'
import { clientAddress, type Metrics } from '../../http/index.ts'
import type { FailedSignIns } from '../../users/index.ts'

/** Ends of a sign-in that are no failure: it succeeded, continues in another way, or the user canceled. */
const NOT_FAILED: ReadonlySet<unknown> = new Set([
  'signed_in',
  'passkey',
  'second_factor',
  'deletion_pending',
  'provider_denied',
  'provider_link_with_password',
  'provider_confirm_address',
  'provider_deletion_pending',
])

/** Whether a sign-in that ended so has failed, by the word of the metric. */
export function isFailedSignIn(result: unknown): boolean {
  return !NOT_FAILED.has(result)
}

export interface OutcomeDeps {
  metrics: Metrics
  failedSignIns: FailedSignIns
}

/** What is known of the end of a sign-in. */
export interface Outcome {
  /** The word of the metric. */
  result: string
  /** The account that came into question, whatever its user may learn of it. */
  userId?: string | undefined
  /** The identity provider, by name. */
  provider?: string | undefined
}

/** Counts the end of a sign-in. One that failed is kept for the operator's list, too. */
export function noteOutcome(request: FastifyRequest, { result, userId, provider }: Outcome, { metrics, failedSignIns }: OutcomeDeps): void {
  metrics.signIns.inc({ result })
  if (!isFailedSignIn(result)) return
  const origin = { ip: clientAddress(request), userAgent: request.headers['user-agent'] ?? '' }
  failedSignIns.note({ kind: result, userId, provider, ...origin })
}
