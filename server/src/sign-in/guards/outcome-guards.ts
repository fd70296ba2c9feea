import type { FastifyRequest } from 'fastify'
import { clientAddress, type Metrics } from '../../http/index.ts'
import type { FailedSignIns } from '../../users/index.ts'

/** How sign-ins fail, by the words of the metric. */
export const FAILED_SIGN_INS = [
  'wrong_credentials',
  'too_many_attempts',
  'busy',
  'wrong_passkey',
  'wrong_code',
  'provider_failed',
  'provider_unreachable',
  'provider_not_recent',
  'provider_no_address',
  'provider_disabled',
] as const

type Failed = (typeof FAILED_SIGN_INS)[number]
/** Ends that are no failure: it succeeded, continues in another way, or the user canceled. */
type NotFailed =
  | 'signed_in'
  | 'passkey'
  | 'second_step'
  | 'second_factor'
  | 'attempt_over'
  | 'deletion_pending'
  | `provider_${'denied' | 'link_with_password' | 'confirm_address' | 'no_account' | 'deletion_pending'}`

/** Whether a sign-in that ended so has failed, by the word of the metric. */
export function isFailedSignIn(result: unknown): result is Failed {
  return FAILED_SIGN_INS.some((kind) => kind === result)
}

export interface OutcomeDeps {
  metrics: Metrics
  failedSignIns: FailedSignIns
}

/** The end of a sign-in. */
export interface Outcome {
  /** The word of the metric. */
  result: Failed | NotFailed
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
