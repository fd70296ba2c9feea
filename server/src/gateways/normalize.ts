import { believedTime, type NormalizedEvent } from '../payment-history/index.ts'
import type { GatewayEvent } from './gateway-event.ts'

/**
 * A notification's form of a gateway's events. `at`: the time of receipt, in ms. Only here are numbers limited to values that can be
 * stored, calculated with and shown: whatever a gateway sends, no later step can fail because of it.
 */
export function normalize(
  gatewayEvent: GatewayEvent,
  { gateway, productId, at }: { gateway: string; productId: string; at: number },
): NormalizedEvent {
  const { key, kind, subscriptionId, paymentId, paymentAliases, buyer, method, plan } = gatewayEvent
  return {
    stream: { by: 'gateway', productId, subscriptionId, paymentId, paymentAliases: [...paymentAliases] },
    plan: { by: 'gateway', gateway, productId, slugs: [...plan.slugs], refs: [...plan.refs], isOffer: plan.isOffer, ...periodsOf(plan) },
    email: buyer,
    event: {
      key,
      kind,
      ...believedTime(wholeUpTo(Number.MAX_SAFE_INTEGER, gatewayEvent.occurredAt) ?? at, at),
      paymentId,
      amount: wholeUpTo(Number.MAX_SAFE_INTEGER, gatewayEvent.amount),
      ...foreignOf(gatewayEvent),
      periodPrice: wholeUpTo(Number.MAX_SAFE_INTEGER, gatewayEvent.periodPrice),
      purchaseAmount: wholeUpTo(Number.MAX_SAFE_INTEGER, gatewayEvent.purchaseAmount),
      method,
      periodStart: wholeUpTo(LATEST_END, gatewayEvent.periodStart),
      periodEnd: wholeUpTo(LATEST_END, gatewayEvent.periodEnd),
      ...periodStated(gatewayEvent, at),
    },
  }
}

/**
 * As an event's own time, and never later than its receipt: a reconciliation states an end by our clock, and must not come before what a
 * sender whose clock is ahead has stated.
 */
function periodStated({ periodEnd, periodStatedAt }: GatewayEvent, at: number): Pick<NormalizedEvent['event'], 'periodStatedAt'> {
  if (periodStatedAt === undefined || wholeUpTo(LATEST_END, periodEnd) === undefined) return {}
  return { periodStatedAt: Math.min(believedTime(wholeUpTo(Number.MAX_SAFE_INTEGER, periodStatedAt) ?? at, at).at, at) }
}

function foreignOf({ foreign }: GatewayEvent): Pick<NormalizedEvent['event'], 'foreign'> {
  const amount = wholeUpTo(Number.MAX_SAFE_INTEGER, foreign?.amount)
  return foreign && amount !== undefined ? { foreign: { currency: foreign.currency, amount } } : {}
}

function periodsOf({ periods }: GatewayEvent['plan']) {
  const all = periods?.map(({ slugs, refs, periodStart, periodEnd }) => ({
    slugs: [...slugs],
    refs: [...refs],
    periodStart: wholeUpTo(LATEST_END, periodStart),
    periodEnd: wholeUpTo(LATEST_END, periodEnd),
  }))
  return all && { periods: all }
}

/** The end of a year of four digits, with room for days of grace: an end beyond it counts as none, and other events may bring one. */
const LATEST_END = Date.UTC(9_998, 0, 1)

/** A whole number from 0 to `most`, else `undefined`. */
function wholeUpTo(most: number, given: number | undefined): number | undefined {
  return given !== undefined && Number.isSafeInteger(given) && given >= 0 && given <= most ? given : undefined
}
