import type { Validity } from '../../subscriptions/index.ts'
import type { FoldedSubscription } from './conclude.ts'

/** The parts of a subscription that follow from its events alone. */
export function factsOf(folded: FoldedSubscription, validity: Validity) {
  const { state, planId, email, method, periodEnd, changedAt } = folded
  return { state, planId, email, method, periodEnd, changedAt, ...validity }
}
