import type { SuggestedUser } from '../payments/suggested-users.tsx'

/** A notification of another system about a payment, as lists of the API show it. */
export interface Notification {
  id: string
  /** `purchase`, or a gateway's name. */
  source: string
  /** The sender's word for what happened. */
  event: string
  status: NotificationStatus
  /** The buyer's address. */
  subject: string | null
  received_at: string
  /** Why it is unresolved, ignored or failed, or not applied yet: a name that `whyTexts` knows, or somebody's own words. */
  why: string | null
  product_id: string | null
  subscription_id: string | null
  processed_at: string | null
  /** Centavos, where what was paid is not the price of the plan. */
  paid_amount: number | null
  plan_price: number | null
}

/** A notification, with what was sent and what it changed. */
export interface NotificationDetails extends Notification {
  payload: unknown
  /** Without personal data: for a viewer. */
  masked: boolean
  checks: Array<{ check: 'verified' | 'stored' | 'processed'; state: 'passed' | 'pending' | 'failed'; detail: string | null }>
  attempts: Attempt[]
  changed: Array<{ subscription_id: string; kind: string; at: string; payment_id: string | null }>
  suggested_users: SuggestedUser[]
}

/** One attempt to make something of it. */
export interface Attempt {
  kind: 'receipt' | 'fetch' | 'retry' | 'resolution' | 'other'
  at: string
  ms: number | null
  /** `null`: nobody has kept it. */
  outcome: NotificationStatus | 'asked' | 'fault' | null
  why: string | null
  /** The user, or the service, that began it. */
  actor: string | null
}

export const notificationStatuses = ['unresolved', 'failed', 'refused', 'processed', 'ignored', 'test'] as const
export type NotificationStatus = (typeof notificationStatuses)[number]

/** The reason of a processed one that is kept until the purchase that it is about is known. */
export const AWAITS_PURCHASE = 'awaits_purchase'

export const notificationSources = ['purchase', 'stripe', 'mercadopago', 'asaas', 'pagarme'] as const

export const notificationPath = (id: string) => `/notifications/${encodeURIComponent(id)}/show`

/**
 * The actions that can have an effect. `resolve` is for a notification that is pending for the operator, `ask` for one whose gateway is to
 * be asked, or was in vain, `retry` for one whose payment is unknown.
 */
export function actionsOn({ status, why, processed_at }: Notification): 'resolve' | 'ask' | 'retry' | 'none' {
  if (status === 'failed') return 'ask'
  if (status === 'unresolved') return why === 'awaiting_gateway' ? 'ask' : 'resolve'
  return status === 'ignored' && processed_at === null && (why === 'unknown_payment' || why === 'duplicate') ? 'retry' : 'none'
}
