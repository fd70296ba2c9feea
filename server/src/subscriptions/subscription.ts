import type { Validity } from './entitlement.ts'
import type { FoldedSubscription } from './history/fold.ts'
import type { Method } from './history/payment-event.ts'
import type { SubscriptionState } from './subscription-states.ts'

/** What all events of one subscription has in common where it comes from: the sender, and its words for the subscription. */
export interface StreamKey {
  /** `purchase`, or a gateway's name. */
  source: string
  ref: string
}

/** All events of one source about one thing bought by one buyer. A refund closes its subscription, a later payment opens the next one. */
export interface EventStream {
  id: string
  ref: string
  productId: string | undefined
  /** Made a moment ago: nothing else is known of it. */
  isNew: boolean
  /** Its newest subscription is linked to an account that no longer has the address which it was bought with. */
  isLeft: boolean
  /** The buyer's data was deleted: no address is kept on this stream any more. */
  isBuyerForgotten: boolean
  /** The stream that it became a part of. */
  mergedInto: string | undefined
  /** The gateway's ids by which its payments named what was bought. */
  planRefs: readonly string[]
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
  /** The account it is linked to, by an address that its person has proven. */
  userId: string | undefined
  /** What the product calls the person: opaque, made by the first check that gives both inputs. */
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

/** The parts of a subscription that follow from its events alone. */
export function factsOf(folded: FoldedSubscription, validity: Validity) {
  const { state, planId, email, method, periodEnd, changedAt } = folded
  return { state, planId, email, method, periodEnd, changedAt, ...validity }
}
