import { nameOf, type PaymentEvent, type readFacts } from '../../payment-history/index.ts'

/** The plans that the payments of a stream have named so far. */
export interface Plans {
  /** The payments that were made, by their names. */
  made: Set<string>
  /** The plan of the payment that was made last. */
  ofLast: string | undefined
  /** The first that anything named. */
  first: string | undefined
}

export function noPlans(): Plans {
  return { made: new Set(), ofLast: undefined, first: undefined }
}

/** Notes which plan an event names. Only a payment that was not made before changes the plan, as in the fold. */
export function notePlan(plans: Plans, event: PaymentEvent, facts: ReturnType<typeof readFacts>): void {
  const name = nameOf(event)
  plans.first ??= event.planId
  if (event.kind === 'payment_undone') plans.made.delete(name)
  if ((event.kind !== 'paid' && event.kind !== 'granted') || plans.made.has(name)) return
  plans.made.add(name)
  plans.ofLast = facts.get(name)?.planId ?? plans.ofLast
}
