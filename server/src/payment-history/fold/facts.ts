import type { Subscription, Validity } from '../../subscriptions/index.ts'
import type { FoldedSubscription } from './conclude.ts'

/** The parts of a subscription that follow from its events alone. */
export function factsOf(folded: FoldedSubscription, validity: Validity) {
  const { state, planId, email, method, periodEnd, changedAt } = folded
  return { state, planId, email, method, periodEnd, changedAt, ...validity }
}

/** The address that a subscription is kept with, of that which its events come to. They may still have the address of another buyer. */
export function keptAddress<T>(email: T, stored: Pick<Subscription, 'isBuyerForgotten'> | undefined): T | undefined {
  return stored?.isBuyerForgotten ? undefined : email
}
