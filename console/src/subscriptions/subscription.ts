import type { SubscriptionState } from '../payments/state-chip.tsx'
import type { SuggestedUser } from '../payments/suggested-users.tsx'

/** A subscription, in the form of the API's lists. */
export interface Subscription {
  id: string
  state: SubscriptionState
  /** Whether it gives access now. */
  active: boolean
  status: SubscriptionState
  /** Why it gives access, or none: a name that `reasons` knows. */
  reason: string
  plan_slug: string | null
  product: string | null
  /** The buyer's address. */
  email: string | null
  user_id: string | null
  /** The product's id of the user. */
  product_user: string | null
  link_closed_at: string | null
  /** Centavos, of the payment on which its access rests or rested. */
  amount: number | null
  /** In another currency, as `USD 4900`; `amount` is `null` then. */
  foreign_amount: string | null
  /** In the list behind the revenue of a month: the amount that it counts with, in the smallest unit. */
  monthly_amount?: number | null
  monthly_currency?: string | null
  method: string | null
  current_period_end: string | null
  grace_until: string | null
  changed_at: string
}

/** Whether it has no user: neither an account nor a user of the product. */
export function isGuest({ user_id, product_user }: Pick<Subscription, 'user_id' | 'product_user'>): boolean {
  return user_id === null && product_user === null
}

/** One of its events. */
export interface PaymentEvent {
  at: string
  kind: string
  key: string
  plan_slug: string | null
  payment_id: string | null
  /** Centavos. */
  amount: number | null
  /** In another currency, as `USD 4900`; `amount` is `null` then. */
  foreign_amount: string | null
  method: string | null
  period_end: string | null
  notification_id: string | null
}

/** A subscription with all its events. */
export interface SubscriptionDetails extends Subscription {
  source: string
  ref: string
  /** Only the newest of what one buyer bought of one thing moves. */
  is_newest: boolean
  buyer_forgotten_at: string | null
  events: PaymentEvent[]
  suggested_users: SuggestedUser[]
}

export const subscriptionPath = (id: string) => `/subscriptions/${encodeURIComponent(id)}/show`

/** Its source's id: a gateway's id of a subscription or payment, without the product that the service puts before it. */
export function nameAtSource({ ref }: Pick<SubscriptionDetails, 'ref'>): string {
  return /^[0-9a-f-]{36} (?:subscription|payment) (.+)$/.exec(ref)?.[1] ?? ref
}

/** The possible actions. */
export function actionsOn({ status, active, is_newest }: Pick<SubscriptionDetails, 'status' | 'active' | 'is_newest'>) {
  const isOver = status === 'refunded' || status === 'expired' || (status === 'canceled' && !active)
  return { end: is_newest && !isOver, refund: is_newest && status !== 'refunded' }
}
