import { DAY_MS } from '../../kit/index.ts'
import type { Method } from '../method.ts'
import type { SubscriptionState } from '../subscription-states.ts'

/** Days of grace after the end of what was paid, where a product has no other. A method that is not known has the shortest. */
export const GRACE_DAYS: Readonly<Record<Method, number>> = { card: 3, boleto: 5, pix: 7 }

export function graceDays(method: Method | undefined, ofProduct: Partial<Record<Method, number>>): number {
  const of = method ?? 'card'
  return ofProduct[of] ?? GRACE_DAYS[of]
}

/** The access that a subscription's row states. Times in ms. */
export interface Validity {
  /** The beginning of grace; `undefined` if nothing can run out. */
  graceFrom: number | undefined
  /** The end of access; `Infinity` until another event, 0 for none. */
  accessUntil: number
}

/** The facts of a subscription from which its access follows. Times in ms. */
interface Dated {
  state: SubscriptionState
  periodEnd: number | undefined
  pastDueSince: number | undefined
  endedAt: number | undefined
  isGranted: boolean
}

/** Whether days of grace count: most subscriptions hold until other events. */
export function hasGrace(subscription: Dated): boolean {
  return validityOf(subscription, 0).graceFrom !== undefined
}

/** The end of access, if no other event comes. */
export function validityOf({ state, periodEnd, pastDueSince, endedAt, isGranted }: Dated, graceInDays: number): Validity {
  if (state === 'canceled')
    return { graceFrom: undefined, accessUntil: Math.min(endedAt ?? periodEnd ?? 0, periodEnd ?? Number.POSITIVE_INFINITY) }
  if (state !== 'active' && state !== 'past_due') return { graceFrom: undefined, accessUntil: 0 }
  if (isGranted) return { graceFrom: undefined, accessUntil: periodEnd ?? Number.POSITIVE_INFINITY }
  const graceFrom = periodEnd ?? pastDueSince
  return { graceFrom, accessUntil: graceFrom === undefined ? Number.POSITIVE_INFINITY : graceFrom + graceInDays * DAY_MS }
}

const REASONS_TO_GRANT = ['paid', 'in_grace', 'paid_until_period_end'] as const
const REASONS_TO_DENY = ['payment_pending', 'past_due', 'expired', 'canceled', 'refunded', 'disputed'] as const

/** Why someone may or may not use a product. */
export const ACCESS_REASONS = [...REASONS_TO_GRANT, 'no_subscription', ...REASONS_TO_DENY, 'linked_to_another_user'] as const
export type AccessReason = (typeof ACCESS_REASONS)[number]

export interface Entitlement {
  active: boolean
  status: SubscriptionState
  reason: AccessReason
}

/**
 * The entitlement at a moment. A paid period that has run out without another event counts as `expired`. A bill that failed takes nothing
 * from the paid period.
 */
export function entitlementOf(
  { state, periodEnd, accessUntil }: { state: SubscriptionState; periodEnd: number | undefined; accessUntil: number },
  now: number,
): Entitlement {
  const active = now < accessUntil
  switch (state) {
    case 'active':
      if (!active) return { active, status: 'expired', reason: 'expired' }
      return { active, status: state, reason: periodEnd === undefined || now < periodEnd ? 'paid' : 'in_grace' }
    case 'past_due':
      if (active && periodEnd !== undefined && now < periodEnd) return { active, status: 'active', reason: 'paid' }
      return { active, status: state, reason: active ? 'in_grace' : 'past_due' }
    case 'canceled':
      return { active, status: state, reason: active ? 'paid_until_period_end' : 'canceled' }
    case 'pending':
      return { active, status: state, reason: 'payment_pending' }
    default:
      return { active, status: state, reason: state }
  }
}
