import type { Validity } from './entitlement.ts'
import type { Method } from './method.ts'
import type { SubscriptionState } from './subscription-states.ts'

/** What all events of one subscription has in common where it comes from: the sender, and its words for the subscription. */
export interface StreamKey {
  /** `purchase`, or a gateway's name. */
  source: string
  ref: string
}

/** Who has which plan, and since when it is so. */
export interface Subscription extends Validity {
  id: string
  streamId: string
  /** Counts the subscriptions of a stream, from 0. */
  number: number
  /** The registered product it was bought for. */
  productId: string | undefined
  planId: string | undefined
  /** The buyer's address in normal form. */
  email: string | undefined
  /** The account it is linked to, by an address that its user has proven. */
  userId: string | undefined
  /** What the product calls the user: opaque, made by the first check that gives both inputs. */
  productUser: string | undefined
  /** When the operator took it from an account: since then no address claims it by itself. */
  linkClosedAt: number | undefined
  state: SubscriptionState
  method: Method | undefined
  /** Until when it is paid, in ms. */
  periodEnd: number | undefined
  /** When the newest event about it happened, in ms. */
  changedAt: number
}
