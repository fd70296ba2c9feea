import type { AmountMismatch, AppliedEvent, NormalizedEvent, NotRecorded } from '../payment-history/index.ts'

export const NOTIFICATION_STATUSES = ['processed', 'test', 'unresolved', 'ignored', 'failed', 'refused'] as const

/**
 * `processed`: applied to a subscription. `test`: recorded, grants nothing. `unresolved`: valid, but it is not clear what or whose it is;
 * waits for the operator. `ignored`: nothing to act on, for good or until its payment is known. `failed`: work on it was given up.
 * `refused`: it was verified, and its form was wrong; its sender heard so.
 */
export type NotificationStatus = (typeof NOTIFICATION_STATUSES)[number]

/**
 * Why a notification is not processed. `duplicate`: another notification says the same, and waits or was ignored by the operator.
 * `awaiting_gateway`: the gateway's API is asked first.
 */
export type Unresolved = NotRecorded | 'duplicate' | 'awaiting_gateway'

/**
 * Why one is ignored for good that was about a payment which is unknown here to this day. Sent again by a reconciliation, it is tried once
 * more.
 */
export const NOT_RECEIVED = 'payment_not_received'

/** Why one that waited is ignored: only the address of its buyer, who is forgotten, could have processed it. */
export const BUYER_FORGOTTEN = 'buyer_forgotten'

/** The reason of a notification that failed because an administrator removed its job. */
export const JOB_REMOVED = 'job_removed'

const OWN = {
  unknown_plan: true,
  ambiguous_plan: true,
  unusable_address: true,
  unexpected_amount: true,
  unknown_payment: true,
  duplicate: true,
  awaiting_gateway: true,
  [NOT_RECEIVED]: true,
  [BUYER_FORGOTTEN]: true,
  [JOB_REMOVED]: true,
} satisfies Record<Unresolved | typeof NOT_RECEIVED | typeof BUYER_FORGOTTEN | typeof JOB_REMOVED, true>

/** The service's own reasons. Any other is a text of an operator's or of a gateway's. */
export const OWN_REASONS: readonly string[] = Object.keys(OWN)

/** Whether a reason is the service's own: that of a refused one names fields of its form. */
export function isOwnReason(why: string, status: NotificationStatus): boolean {
  return status === 'refused' || OWN_REASONS.includes(why)
}

/** The status of a notification that is not processed. Nobody has to act on an ignored one (docs/decisions/0054). */
export function statusOf(why: Unresolved): 'unresolved' | 'ignored' {
  return why === 'unknown_payment' || why === 'duplicate' ? 'ignored' : 'unresolved'
}

/** The outcome of processing a notification. */
export interface NotificationOutcome {
  status: NotificationStatus
  /** Only for a notification that the same transaction added without its payload. */
  payload?: string
  why?: string
  /** Its normalized event, while that waits. */
  normalized?: NormalizedEvent
  applied?: AppliedEvent
  subscriptionId?: string
  /** Ms. */
  at?: number
  mismatch?: AmountMismatch
  /** How long the receipt took, ms: the first time counts. */
  tookMs?: number
}

/** Something that another system reported about a payment, as it was received. */
export interface Notification {
  id: string
  /** `purchase`, or a gateway's name. */
  source: string
  /** The product whose address it came to, for a gateway. */
  productId: string | undefined
  /** The sender's word for what happened. */
  event: string
  status: NotificationStatus
  /** Why it is `unresolved`, `ignored`, `failed` or `refused`. */
  why: string | undefined
  /** The subject: the buyer's address, or the id of a payment or subscription. */
  subject: string | undefined
  /** Exactly the text that was verified. */
  payload: string
  /** JSON of who the buyer is, where the payload names none and the gateway was asked. */
  buyer: string | undefined
  /** The query that came with it, where that says something. */
  query: string | undefined
  subscriptionId: string | undefined
  /** Ms. */
  receivedAt: number
  /** The time of its present status in ms, where that was not the time of receipt. */
  processedAt: number | undefined
  /** Only for a payment that differs from the price of its plan. */
  mismatch: AmountMismatch | undefined
  /** How long its receipt took, ms. */
  tookMs: number | undefined
}
