import type { PaymentKind } from '../../payment-history/index.ts'
import { addCycles, type Cycle, nextOf } from '../adapter-kit/calendar.ts'
import type { GatewayEvent } from '../gateway-event.ts'
import type { StripeEvent } from './event.ts'
import { hasKey, idAt, isSetAt, listAt, numberAt, partAt, textAt, timeAt } from './object.ts'
import { onlyMethod, planNamed, planSlugAt, refsAt, slugsOf, toGatewayEvent } from './to-event.ts'

/**
 * The events of a subscription: begun, not to be renewed, resumed, past due, ended. Only its invoices report payments. A paused one has
 * neither service nor bills (docs.stripe.com/billing/subscriptions/pause), so it counts as ended until it is resumed. One whose collection
 * is paused is served for nothing (docs.stripe.com/billing/subscriptions/pause-payment): each of its renewals waives a bill.
 */
export function parseSubscription(event: StripeEvent): GatewayEvent | 'ignored' {
  const { object } = event
  const subscriptionId = idAt(object, 'id')
  const normalized = subscriptionId && parseOf(event, subscriptionId)
  if (!normalized) return 'ignored'
  return toGatewayEvent(event, {
    ...normalized,
    subscriptionId,
    method: onlyMethod(listAt(object, 'payment_settings', 'payment_method_types')),
    plan: planNamed({
      slugs: slugsOf(planSlugAt(object), ...listAt(object, 'items').map((item) => planSlugAt(item, 'price'))),
      refs: refsAt(object, 'items'),
      isOffer: true,
    }),
  })
}

type NormalizedEvent = Pick<GatewayEvent, 'key' | 'kind'> & {
  [Field in 'occurredAt' | 'paymentId' | 'periodStart' | 'periodEnd']?: GatewayEvent[Field]
}

function parseOf(event: StripeEvent, id: string): NormalizedEvent | undefined {
  const { type, object } = event
  switch (type) {
    case 'customer.subscription.created':
      return { key: `${id}:payment_pending`, kind: 'payment_pending' }
    case 'customer.subscription.deleted':
      return ended(event, id)
    case 'customer.subscription.paused':
      return changed(event, id, { kind: 'ended', keyPart: 'paused' })
    case 'customer.subscription.resumed':
      return changed(event, id, { kind: 'resumed', keyPart: 'resumed' })
    default:
      return textAt(object, 'status') === 'canceled' ? ended(event, id) : parseUpdate(event, id)
  }
}

function ended({ object, at }: StripeEvent, id: string): NormalizedEvent {
  return { key: `${id}:ended`, kind: 'ended', occurredAt: timeAt(object, 'ended_at') ?? timeAt(object, 'canceled_at') ?? at }
}

/** Only changed attributes are events. Stripe sends an update for every change, each renewal included. */
function parseUpdate(event: StripeEvent, id: string): NormalizedEvent | undefined {
  const { object, before } = event
  const status = hasKey(before, 'status') ? textAt(object, 'status') : undefined
  if (status === 'incomplete_expired') return ofInvoice(event, id, { kind: 'payment_expired', keyPart: status })
  if (status === 'paused') return changed(event, id, { kind: 'ended', keyPart: 'paused' })
  const renewal = hasKey(before, 'cancel_at_period_end') || hasKey(before, 'cancel_at') ? parseRenewal(event, id) : undefined
  if (renewal) return renewal
  if (status === 'past_due' || status === 'unpaid') return ofInvoice(event, id, { kind: 'payment_failed', keyPart: status })
  const isOn = status === 'active' || status === 'trialing'
  if (isOn && FELL_BEHIND.has(textAt(before, 'status'))) return servedAgain(event)
  if (isServedForNothing(event)) return servedAgain(event)
  const isResumed = textAt(before, 'status') === 'paused' && isOn
  return isResumed ? changed(event, id, { kind: 'resumed', keyPart: 'resumed' }) : undefined
}

/**
 * Whether nobody is asked to pay the last invoice: it was made while collection is paused, or collection was paused after it was made. It
 * stays a draft, or is voided, or marked as uncollectible. Where it was paid, its payment counts; where its period was paid by another one,
 * that counts.
 */
function isServedForNothing({ object, before }: StripeEvent): boolean {
  const isNew = hasKey(before, 'latest_invoice') || hasKey(before, 'pause_collection')
  return isNew && isCollectionPaused(object) && textAt(object, 'status') === 'active'
}

export function isCollectionPaused(subscription: unknown): boolean {
  return textAt(subscription, 'pause_collection', 'behavior') !== undefined
}

const FELL_BEHIND: ReadonlySet<string | undefined> = new Set(['past_due', 'unpaid'])

/**
 * A subscription is served, though no payment is reported: its last invoice was paid, which the invoice reports too, or the merchant does
 * not collect it and still serves its period.
 */
function servedAgain(event: StripeEvent): NormalizedEvent | undefined {
  const { object, at } = event
  const paymentId = idAt(object, 'latest_invoice')
  const [periodStart, periodEnd] = [periodStartOf(object), periodEndOf(object, at)]
  if (!paymentId || periodEnd === undefined) return undefined
  return { key: `${paymentId}:served`, kind: 'payment_waived', paymentId, periodStart, periodEnd }
}

/** A subscription set to end long after the paid period is renewed before that; its end is reported when it comes. */
function parseRenewal(event: StripeEvent, id: string): NormalizedEvent | undefined {
  const { object, at } = event
  const endsAt = timeAt(object, 'cancel_at')
  const periodEnd = periodEndOf(object, at)
  if (isSetAt(object, 'cancel_at_period_end')) return changed(event, id, { kind: 'canceled', keyPart: 'canceled' })
  if (endsAt === undefined) return changed(event, id, { kind: 'resumed', keyPart: 'renewed' })
  return periodEnd !== undefined && endsAt <= periodEnd ? changed(event, id, { kind: 'canceled', keyPart: 'canceled' }) : undefined
}

export function periodStartOf(subscription: unknown): number | undefined {
  const starts = listAt(subscription, 'items').flatMap((item) => timeAt(item, 'current_period_start') ?? [])
  return starts.length > 0 ? Math.max(...starts) : timeAt(subscription, 'current_period_start')
}

/**
 * The end of the last billed period: since 2025-03-31 it stands on the items, before that at the top level. `undefined` where it is
 * missing. With several items, as a plan and an addition, the first end after a time (ms): then the next invoice is made. A period that
 * began after that time is a later one, as a subscription may be read late: the end is that of one period since that time.
 */
export function periodEndOf(subscription: unknown, after: number): number | undefined {
  const ends = [...listAt(subscription, 'items'), subscription].map((one) => {
    const start = timeAt(one, 'current_period_start')
    if (start === undefined || start <= after) return timeAt(one, 'current_period_end')
    return Math.min(start, endOfOne(after, one, timeAt(subscription, 'billing_cycle_anchor')) ?? start)
  })
  const ofItems = ends.slice(0, -1).filter((end) => end !== undefined)
  const ahead = ofItems.filter((end) => end > after)
  if (ahead.length > 0) return Math.min(...ahead)
  return ofItems.length > 0 ? Math.max(...ofItems) : ends.at(-1)
}

/** The end of the period that begins at a time: the next day of billing where it begins on one. `undefined`: nobody states its length. */
function endOfOne(begin: number, item: unknown, anchor: number | undefined): number | undefined {
  const cycle = cycleIn(partAt(item, 'price', 'recurring')) ?? cycleIn(partAt(item, 'plan'))
  if (!cycle) return undefined
  const isByAnchor = anchor !== undefined && nextOf(anchor, cycle, begin - 1) === begin
  return isByAnchor ? nextOf(anchor, cycle, begin) : addCycles(begin, cycle)
}

function cycleIn(recurring: unknown): Cycle | undefined {
  const unit = UNITS.get(textAt(recurring, 'interval') ?? '')
  const count = numberAt(recurring, 'interval_count') ?? 0
  return unit && count > 0 && count <= MOST_UNITS ? { ...unit, count: unit.count * count } : undefined
}

const UNITS: ReadonlyMap<string, Cycle> = new Map<string, Cycle>([
  ['day', { count: 1, unit: 'days' }],
  ['week', { count: 7, unit: 'days' }],
  ['month', { count: 1, unit: 'months' }],
  ['year', { count: 12, unit: 'months' }],
])
/** A period is of three years at most. */
const MOST_UNITS = 1_096

/** It can happen many times: the time distinguishes them, and two event types with the same report share it. */
function changed({ at }: StripeEvent, id: string, { kind, keyPart }: { kind: PaymentKind; keyPart: string }): NormalizedEvent {
  return { key: `${id}:${keyPart}:${at}`, kind }
}

/** Once for each invoice. Its id keeps the event from contradicting an invoice paid in the same second. */
function ofInvoice(event: StripeEvent, id: string, { kind, keyPart }: { kind: PaymentKind; keyPart: string }): NormalizedEvent {
  const paymentId = idAt(event.object, 'latest_invoice')
  return paymentId ? { key: `${paymentId}:${keyPart}`, kind, paymentId } : changed(event, id, { kind, keyPart })
}
