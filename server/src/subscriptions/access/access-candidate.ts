import { isSubscriptionState, type SubscriptionState } from '../subscription-states.ts'

/** A subscription as an access check sees it. Times in ms. */
export interface AccessCandidate {
  id: string
  productUser: string | undefined
  planSlug: string | undefined
  /** Centavos; 0 if the plan is not known. */
  price: number
  /** The buyer's address. */
  email: string | undefined
  state: SubscriptionState
  periodEnd: number | undefined
  graceFrom: number | undefined
  /** `Infinity` where nothing runs out. */
  accessUntil: number
  changedAt: number
}

interface CandidateRow {
  id: string
  product_user: string | null
  email: string | null
  price: number | null
  slug: string | null
  state: string
  period_end: number | null
  grace_from: number | null
  access_until: number | null
  changed_at: number
}

export const CANDIDATE = [
  'subscriptions.id',
  'subscriptions.product_user',
  'subscriptions.email',
  'plans.slug',
  'plans.price',
  'subscriptions.state',
  'subscriptions.period_end',
  'subscriptions.grace_from',
  'subscriptions.access_until',
  'subscriptions.changed_at',
] as const

export function toCandidate(row: CandidateRow): AccessCandidate {
  if (!isSubscriptionState(row.state)) throw new Error(`a subscription in an unknown state: ${row.state}`)
  return {
    id: row.id,
    productUser: row.product_user ?? undefined,
    planSlug: row.slug ?? undefined,
    price: row.price ?? 0,
    email: row.email ?? undefined,
    state: row.state,
    periodEnd: row.period_end ?? undefined,
    graceFrom: row.grace_from ?? undefined,
    accessUntil: row.access_until ?? Number.POSITIVE_INFINITY,
    changedAt: row.changed_at,
  }
}
