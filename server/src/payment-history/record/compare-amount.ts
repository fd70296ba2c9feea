import type { FoundPlan } from '../../subscriptions/index.ts'
import { agreedAmount } from '../events/payment-event.ts'
import type { AmountMismatch, NormalizedEvent } from './normalized-event.ts'

export interface Compared {
  mismatch?: AmountMismatch
  /** It is below the price of a plan that is sold for no less, and the operator has not said that it buys the plan. */
  isHeld?: true
}

/**
 * Compares a payment with the price of its plan. Nothing is compared if either is unknown: amounts are known in reais only, and a renewal
 * may name no plan. A gateway takes no payment of nothing, so 0 is a trial or the seller's discount there. In the own checkout it may be a
 * fault. A period that credit paid in part is compared with its price, and a part of a purchase with that of the whole.
 */
export function compareAmount({ stream, plan, event }: NormalizedEvent, found: FoundPlan | string): Compared {
  const amount = agreedAmount(event)
  const { kind, periodPrice = amount } = event
  if (kind !== 'paid' || amount === undefined || periodPrice === undefined) return {}
  if (typeof found === 'string' || periodPrice === found.price) return {}
  if (amount === 0 && stream.by === 'gateway' && !stream.own) return {}
  const mismatch = { paid: amount, price: found.price }
  const isNamed = plan.by === 'slug' && plan.byOperator === true
  return found.belowPrice === 'hold' && periodPrice < found.price && !isNamed ? { mismatch, isHeld: true } : { mismatch }
}
