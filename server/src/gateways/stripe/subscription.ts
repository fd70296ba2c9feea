import type { PaymentKind } from '../../subscriptions/index.ts'
import type { GatewayEvent } from '../gateway.ts'
import type { StripeEvent } from './event.ts'
import { hasKey, idAt, isSetAt, listAt, textAt, timeAt } from './object.ts'
import { onlyMethod, planNamed, planSlugAt, refsAt, slugsOf, toGatewayEvent } from './to-event.ts'

/**
 * What a subscription tells of itself: that it began, will not be renewed, goes on, fell behind or ended. That it is paid, only its
 * invoices tell. A paused one is served nothing and billed nothing (docs.stripe.com/billing/subscriptions/pause), so it has ended until it
 * is resumed; merely pausing collection leaves its status as it is, and its time runs out by itself.
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
      return changed(event, id, { kind: 'ended', word: 'paused' })
    case 'customer.subscription.resumed':
      return changed(event, id, { kind: 'resumed', word: 'resumed' })
    default:
      return textAt(object, 'status') === 'canceled' ? ended(event, id) : parseUpdate(event, id)
  }
}

function ended({ object, at }: StripeEvent, id: string): NormalizedEvent {
  return { key: `${id}:ended`, kind: 'ended', occurredAt: timeAt(object, 'ended_at') ?? timeAt(object, 'canceled_at') ?? at }
}

/** Only what an update has changed is events. Stripe tells one of every change, each renewal among them. */
function parseUpdate(event: StripeEvent, id: string): NormalizedEvent | undefined {
  const { object, before } = event
  const status = hasKey(before, 'status') ? textAt(object, 'status') : undefined
  if (status === 'incomplete_expired') return ofInvoice(event, id, { kind: 'payment_expired', word: status })
  if (status === 'paused') return changed(event, id, { kind: 'ended', word: 'paused' })
  const renewal = hasKey(before, 'cancel_at_period_end') || hasKey(before, 'cancel_at') ? parseRenewal(event, id) : undefined
  if (renewal) return renewal
  if (status === 'past_due' || status === 'unpaid') return ofInvoice(event, id, { kind: 'payment_failed', word: status })
  const isOn = status === 'active' || status === 'trialing'
  if (isOn && FELL_BEHIND.has(textAt(before, 'status'))) return servedAgain(event)
  const isResumed = textAt(before, 'status') === 'paused' && isOn
  return isResumed ? changed(event, id, { kind: 'resumed', word: 'resumed' }) : undefined
}

const FELL_BEHIND: ReadonlySet<string | undefined> = new Set(['past_due', 'unpaid'])

/**
 * It fell behind and goes on: its last invoice was paid, which that tells too, or the merchant asks for it no more, and its time is served
 * all the same.
 */
function servedAgain(event: StripeEvent): NormalizedEvent | undefined {
  const { object, at } = event
  const paymentId = idAt(object, 'latest_invoice')
  const [periodStart, periodEnd] = [periodStartOf(object), periodEndOf(object, at)]
  if (!paymentId || periodEnd === undefined) return undefined
  return { key: `${paymentId}:served`, kind: 'payment_waived', paymentId, periodStart, periodEnd }
}

/** One that is to end long after the period that is paid for will be renewed before; its end is told when it comes. */
function parseRenewal(event: StripeEvent, id: string): NormalizedEvent | undefined {
  const { object, at } = event
  const endsAt = timeAt(object, 'cancel_at')
  const periodEnd = periodEndOf(object, at)
  if (isSetAt(object, 'cancel_at_period_end')) return changed(event, id, { kind: 'canceled', word: 'canceled' })
  if (endsAt === undefined) return changed(event, id, { kind: 'resumed', word: 'renewed' })
  return periodEnd !== undefined && endsAt <= periodEnd ? changed(event, id, { kind: 'canceled', word: 'canceled' }) : undefined
}

function periodStartOf(subscription: unknown): number | undefined {
  const starts = listAt(subscription, 'items').flatMap((item) => timeAt(item, 'current_period_start') ?? [])
  return starts.length > 0 ? Math.max(...starts) : timeAt(subscription, 'current_period_start')
}

/**
 * When the period ends that was last billed: since 2025-03-31 it stands on the items, before that at the top. `undefined` where it isn't
 * told. Of several, as of a plan and an addition, the first to come after a time (ms): then the next invoice is made.
 */
export function periodEndOf(subscription: unknown, after: number): number | undefined {
  const ends = listAt(subscription, 'items').flatMap((item) => timeAt(item, 'current_period_end') ?? [])
  const ahead = ends.filter((end) => end > after)
  if (ahead.length > 0) return Math.min(...ahead)
  return ends.length > 0 ? Math.max(...ends) : timeAt(subscription, 'current_period_end')
}

/** Can happen again and again: the time tells one from another, and two event types that tell of the same have it in common. */
function changed({ at }: StripeEvent, id: string, { kind, word }: { kind: PaymentKind; word: string }): NormalizedEvent {
  return { key: `${id}:${word}:${at}`, kind }
}

/** Once for each invoice. Its id keeps the event from speaking against an invoice that was paid in the same second. */
function ofInvoice(event: StripeEvent, id: string, { kind, word }: { kind: PaymentKind; word: string }): NormalizedEvent {
  const paymentId = idAt(event.object, 'latest_invoice')
  return paymentId ? { key: `${paymentId}:${word}`, kind, paymentId } : changed(event, id, { kind, word })
}
