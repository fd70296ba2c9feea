import type { NotificationStatus } from '../../notifications/notification.ts'
import type { Evidence } from '../../payments/suggested-users.tsx'

/** Why somebody has access, or none, as the service answers it. */
export type AccessReason =
  | 'paid'
  | 'in_grace'
  | 'paid_until_period_end'
  | 'no_subscription'
  | 'payment_pending'
  | 'past_due'
  | 'expired'
  | 'canceled'
  | 'refunded'
  | 'disputed'
  | 'linked_to_another_user'

/** A purchase and its access, whether it is linked to the user or not. */
export interface PurchaseAccess {
  /** `null`: the operator's own plans. */
  product: string | null
  product_name: string | null
  active: boolean
  reason: AccessReason
  plan_slug: string | null
  plan_name: string | null
  /** Centavos. */
  amount: number | null
  /** In another currency, as `USD 4900`; `amount` is `null` then. */
  foreign_amount: string | null
  method: string | null
  current_period_end: string | null
  grace_until: string | null
  subscription_id: string
  /** The kind of the event that decided it; `null` where a time ran out without one. */
  event: string | null
  event_at: string | null
  by_operator: boolean
  notification_id: string | null
}

/** A purchase that may be the user's. */
export interface UnlinkedPurchase extends PurchaseAccess {
  email: string | null
  /** The user to whom it is linked, where there is one. */
  user_id: string | null
  link_closed_at: string | null
  because: Evidence[]
}

export interface WaitingNotification {
  notification_id: string
  source: string
  event: string
  status: NotificationStatus
  why: string | null
  product_name: string | null
  received_at: string
  because: Evidence[]
}

/** A user's access, product by product. */
export interface UserAccess {
  locked: boolean
  address_verified: boolean
  products: Array<PurchaseAccess & { others: number }>
  unlinked: UnlinkedPurchase[]
  waiting: WaitingNotification[]
}
