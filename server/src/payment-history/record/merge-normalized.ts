import { type GatewayStream, namesOf } from '../streams/match-stream.ts'
import type { NormalizedEvent } from './normalized-event.ts'

type NormalizedGatewayEvent = NormalizedEvent & { stream: GatewayStream }

/** The result of two copies of one event that waits, in either order. Stored copies have the same result (`merge-events-store.ts`). */
export function mergeNormalized(known: NormalizedGatewayEvent, again: NormalizedGatewayEvent): NormalizedGatewayEvent {
  const fresh = namesOf(again.stream).filter((name) => !namesOf(known.stream).includes(name))
  const { event } = known
  return {
    stream: {
      ...known.stream,
      subscriptionId: known.stream.subscriptionId ?? again.stream.subscriptionId,
      paymentId: known.stream.paymentId ?? again.stream.paymentId,
      paymentAliases: [...known.stream.paymentAliases, ...fresh],
    },
    plan: mergePlan(known, again),
    ...((known.isApplied || again.isApplied) && { isApplied: true }),
    email: known.email ?? again.email,
    event: {
      ...event,
      at: Math.min(event.at, again.event.at),
      paymentId: event.paymentId ?? again.event.paymentId,
      amount: amountOf(event, again.event),
      foreign: event.foreign ?? again.event.foreign,
      periodPrice: larger(event.periodPrice, again.event.periodPrice),
      purchaseAmount: larger(event.purchaseAmount, again.event.purchaseAmount),
      method: [event.method, again.event.method].filter((method) => method !== undefined).sort()[0],
      periodStart: earlier(event.periodStart, again.event.periodStart),
      ...endOf(event, again.event),
    },
  }
}

/** The copy that knows of a part has its amount. */
function amountOf(known: NormalizedEvent['event'], again: NormalizedEvent['event']): number | undefined {
  const isPartOfAgain = known.purchaseAmount === undefined && again.purchaseAmount !== undefined
  return isPartOfAgain ? again.amount : (known.amount ?? again.amount)
}

/** The end that was stated last, with its time; of two of one time, or of none, the later end. */
function endOf(known: Ended, again: Ended): Ended {
  if (again.periodEnd === undefined || known.periodEnd === undefined) return pickEnd(again.periodEnd === undefined ? known : again)
  const [one, other] = [known.periodStatedAt ?? -1, again.periodStatedAt ?? -1]
  const periodEnd = one === other ? Math.max(known.periodEnd, again.periodEnd) : one > other ? known.periodEnd : again.periodEnd
  return pickEnd({ periodEnd, periodStatedAt: larger(known.periodStatedAt, again.periodStatedAt) })
}

type Ended = Pick<NormalizedEvent['event'], 'periodEnd' | 'periodStatedAt'>

function pickEnd({ periodEnd, periodStatedAt }: Ended): Ended {
  return { periodEnd, ...(periodStatedAt !== undefined && { periodStatedAt }) }
}

/** A subscription knows better than a payment by itself, which may carry a slug that the buyer wrote (docs/decisions/0055). */
function mergePlan(known: NormalizedGatewayEvent, again: NormalizedGatewayEvent): NormalizedEvent['plan'] {
  const isOfSubscription = (normalized: NormalizedGatewayEvent) => normalized.stream.subscriptionId !== undefined
  const [better, other] = isOfSubscription(again) && !isOfSubscription(known) ? [again, known] : [known, again]
  return namesPlan(better) ? better.plan : other.plan
}

function namesPlan({ plan }: NormalizedGatewayEvent): boolean {
  return plan.by !== 'gateway' || plan.slugs.length > 0 || plan.refs.length > 0 || plan.isOffer
}

function earlier(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || (other !== undefined && other < one) ? other : one
}

function larger(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || (other !== undefined && other > one) ? other : one
}
