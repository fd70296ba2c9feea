import type { PaymentEvent } from '../events/payment-event.ts'
import type { StreamMatch } from '../streams/match-stream.ts'
import type { Compared } from './compare-amount.ts'
import type { AmountMismatch, NormalizedEvent, NotRecorded } from './normalized-event.ts'

/** The stream, the buyer and the plan of an event. The plan is `undefined` if the stream knows it already. */
export interface Resolved extends Compared {
  ref: string
  email: string | undefined
  plan: { planId: string | undefined; productId: string | undefined }
  paymentId: string | undefined
  /** The plan's own period in ms, if the payment also pays for other things. */
  period?: { periodStart: number | undefined; periodEnd: number | undefined }
  /**
   * The payment names a plan that is registered nowhere, and that no payment of the subscription named before. The event is applied with
   * the known plan, and the operator has to say which it is.
   */
  isPlanMissing?: true
  /** Only for a gateway's event: its stream at that moment. */
  match?: StreamMatch
}

/** Why something has to wait. */
export interface Pending {
  unresolved: NotRecorded
  mismatch?: AmountMismatch
}

/** The stored form. Each property is named, since JSON leaves out missing ones. */
export function completeEvent(
  event: NormalizedEvent['event'],
  { email, plan, paymentId, period }: Pick<Resolved, 'email' | 'plan' | 'paymentId' | 'period'>,
): PaymentEvent {
  const { key, kind, at, amount, foreign, periodPrice, purchaseAmount, method, periodStatedAt } = event
  const { periodStart, periodEnd } = period ?? event
  return {
    ...{ key, kind, at, planId: plan.planId, email, paymentId, amount, foreign, periodPrice, purchaseAmount, method },
    ...{ periodStart, periodEnd, periodStatedAt },
  }
}

export const NO_PLAN = { planId: undefined, productId: undefined }
