import { type AccessCandidate, type AccessReason, type Entitlement, entitlementOf, type SubscriptionState } from '../subscriptions/index.ts'

export interface AccessAnswer {
  active: boolean
  /** `none`: no subscription. */
  status: SubscriptionState | 'none'
  reason: AccessReason
  planSlug: string | undefined
  /** Ms. */
  currentPeriodEnd: number | undefined
  /** Ms; only while grace counts. */
  graceUntil: number | undefined
  /** The answer holds until then (ms) if no change is announced; `Infinity` where nothing expires. */
  until: number
}

export const NOTHING = {
  active: false,
  status: 'none',
  planSlug: undefined,
  currentPeriodEnd: undefined,
  graceUntil: undefined,
  until: 0,
} as const

export function answerOf(candidates: readonly AccessCandidate[], now: number): AccessAnswer {
  const best = bestOf(candidates, now)
  if (!best) return { ...NOTHING, reason: 'no_subscription' }
  const { candidate, entitlement } = best
  const hasGrace = entitlement.reason === 'in_grace' || entitlement.status === 'past_due' || entitlement.reason === 'expired'
  return {
    ...entitlement,
    planSlug: candidate.planSlug,
    currentPeriodEnd: candidate.periodEnd,
    graceUntil: hasGrace && candidate.graceFrom !== undefined ? candidate.accessUntil : undefined,
    until: entitlement.reason === 'paid' ? (candidate.periodEnd ?? candidate.accessUntil) : candidate.accessUntil,
  }
}

interface Best {
  candidate: AccessCandidate
  entitlement: Entitlement
}

export function bestOf(candidates: readonly AccessCandidate[], now: number): Best | undefined {
  let best: Best | undefined
  for (const candidate of candidates) {
    const one = { candidate, entitlement: entitlementOf(candidate, now) }
    if (!best || isBetter(one, best)) best = one
  }
  return best
}

/** Active before inactive. Among active ones: paid and renewing first, then the higher price, then the later change. */
function isBetter(one: Best, other: Best): boolean {
  const { active } = one.entitlement
  if (active !== other.entitlement.active) return active
  const [isRunning, isOtherRunning] = [one.entitlement.reason === 'paid', other.entitlement.reason === 'paid']
  if (isRunning !== isOtherRunning) return isRunning
  if (active && one.candidate.price !== other.candidate.price) return one.candidate.price > other.candidate.price
  return one.candidate.changedAt > other.candidate.changedAt
}
