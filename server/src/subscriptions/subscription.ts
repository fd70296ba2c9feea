import type { Validity } from './access/entitlement.ts'
import type { Method } from './method.ts'
import type { SubscriptionState } from './subscription-states.ts'

/** The key of a stream: the sender, and the sender's name for the subscription. */
export interface StreamKey {
  /** `purchase`, or a gateway's name. */
  source: string
  ref: string
}

/** A subscription: a buyer's plan, and its state. */
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
  /** Its buyer was forgotten, and the address was taken out of it: no event brings one back. */
  isBuyerForgotten: boolean
  /** The account it is linked to, by an address that its user has verified. */
  userId: string | undefined
  /** The product's own id of the user: opaque, linked by the first check that gives both inputs. */
  productUser: string | undefined
  /** The time when the operator took it from an account, in ms. No address links it by itself since then. */
  linkClosedAt: number | undefined
  state: SubscriptionState
  method: Method | undefined
  /** The end of the paid period, in ms. */
  periodEnd: number | undefined
  /** The time of its newest event, in ms. */
  changedAt: number
}
