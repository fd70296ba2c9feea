import { actionOf, type FoldAlong, foldAlong, type PaymentEvent } from '../payment-history/index.ts'
import type { GraceDays } from '../products/index.ts'
import { graceDays, validityOf } from '../subscriptions/index.ts'
import { type Money, moneyOf, REAIS } from './currency.ts'
import { monthlyAmount } from './monthly-amount.ts'

/** The ground of access: a payment, a trial that costs nothing, or the operator's grant. */
export type Ground = 'paid' | 'trial' | 'granted'

export interface Status {
  /** Of the subscription within its stream, from 0. */
  number: number
  ground: Ground
  planId: string | undefined
  /** The currency of its payment. */
  currency: string
  /** The amount for a month, in the smallest unit of the currency; `undefined`: it is not known. */
  monthly: number | undefined
}

/** A change of status from a moment on; `undefined`: it gives no access. */
export interface Change {
  at: number
  status: Status | undefined
}

/** The access that a stream gave, and of which subscription each payment is, by its name. */
interface Activity {
  changes: Change[]
  numberOf(payment: string): number
}

/**
 * The access that a stream gave, from moment to moment. It is as the service would have answered then, had every notification come at once:
 * the events up to a moment are folded, and later ones change nothing of it. `events` in order.
 */
export function activityOf(events: readonly PaymentEvent[], grace: GraceDays): Activity {
  const changes: Array<Change & { opened?: string | undefined }> = []
  const fold = foldAlong()
  const known = [...Map.groupBy(events, momentsOf(events))].sort(([one], [other]) => one - other)
  for (const [place, [at, said]] of known.entries()) {
    for (const event of said) fold.add(event)
    const [next] = known[place + 1] ?? [Number.POSITIVE_INFINITY]
    const { status, until, opened } = statusAt(fold, at, grace)
    changes.push({ at, status, opened })
    if (status && until < next) changes.push({ at: until, status: undefined })
  }
  // By what was known then, a payment may have opened a subscription that there is not by what is known now.
  for (const { status, opened } of changes) if (status) status.number = opened === undefined ? 0 : fold.numberOf(opened)
  return { changes, numberOf: fold.numberOf }
}

/**
 * The moment since which an event is known. The operator's refund is several events, of which some are dated back, so that nothing goes on:
 * none of them takes effect before the operator did it.
 */
function momentsOf(events: readonly PaymentEvent[]): (event: PaymentEvent) => number {
  const doneAt = new Map<string, number>()
  for (const event of events) {
    const action = actionOf(event)
    if (action !== undefined) doneAt.set(action, Math.max(event.at, doneAt.get(action) ?? 0))
  }
  return (event) => doneAt.get(actionOf(event) ?? '') ?? event.at
}

function statusAt(
  fold: FoldAlong,
  at: number,
  grace: GraceDays,
): { status: Status | undefined; until: number; opened?: string | undefined } {
  const { folded, number, opened } = fold.last()
  const { accessUntil: until } = validityOf(folded, graceDays(folded.method, grace))
  if (until <= at) return { status: undefined, until }
  const { planId, isGranted, paid } = folded
  const money: Money = paid ? moneyOf(paid) : { currency: REAIS, amount: undefined }
  const price = paid?.price ?? money.amount
  const ground: Ground = isGranted ? 'granted' : price === 0 ? 'trial' : 'paid'
  const monthly = ground === 'paid' && paid && price !== undefined ? monthlyAmount(price, paid) : undefined
  return { status: { number, ground, planId, currency: money.currency, monthly }, until, opened }
}
