import { paginationGuard } from '../adapter-kit/pagination-guard.ts'
import type { GatewayApi } from '../gateway.ts'
import type { StripeEvent } from './event.ts'
import { idAt, isSetAt, listAt, numberAt, partAt, textAt, timeAt } from './object.ts'
import { isCollectionPaused, periodStartOf } from './subscription.ts'

/** An invoice or a charge with all that is asked for has up to 20 KB, and an answer at most 1 MiB. */
const PAGE = 40

/** A list of Stripe's API, and the events that one of its objects came to. */
interface ObjectList {
  path: string
  query?: Record<string, string>
  eventsOf(object: unknown): Array<Pick<StripeEvent, 'type' | 'at' | 'before'>>
}

/**
 * Stripe lists events of 30 days alone. Objects have no such limit, and show what became of them: each is read as the events that its state
 * implies, with the keys that deliveries have.
 */
const LISTS: readonly ObjectList[] = [
  {
    path: '/v1/checkout/sessions',
    query: { status: 'complete' },
    eventsOf: (object) => [event('checkout.session.completed', timeAt(object, 'created'))],
  },
  { path: '/v1/invoices', query: { 'expand[]': 'data.payments' }, eventsOf: ofInvoice },
  // With its last invoice one has twice as much.
  { path: '/v1/subscriptions', query: { status: 'all', limit: '20', 'expand[]': 'data.latest_invoice' }, eventsOf: ofSubscription },
  { path: '/v1/charges', query: { 'expand[]': 'data.refunds' }, eventsOf: ofCharge },
  {
    path: '/v1/disputes',
    eventsOf: (object) => [event('charge.dispute.updated', timeAt(object, 'created'))],
  },
]

/** All that an account's objects say has happened, in the order of time. */
export async function listStripeHistory(api: GatewayApi): Promise<StripeEvent[]> {
  const events: StripeEvent[] = []
  for (const list of LISTS) {
    for await (const object of listObjects(list, api)) {
      const common = {
        id: `evt_of_${idAt(object, 'id') ?? ''}`,
        isOfOtherAccount: false,
        isTest: partAt(object, 'livemode') === false,
        object,
      }
      events.push(...list.eventsOf(object).map((one) => ({ ...common, ...one })))
    }
  }
  return events.sort((a, b) => a.at - b.at)
}

async function* listObjects({ path, query }: ObjectList, api: GatewayApi): AsyncGenerator<unknown> {
  const watch = paginationGuard()
  const asked = new URLSearchParams({ limit: String(PAGE), ...query })
  for (;;) {
    const page = await api.get(`${path}?${asked}`)
    const objects = listAt(page)
    yield* objects
    const last = idAt(objects.at(-1), 'id')
    if (!isSetAt(page, 'has_more') || last === undefined) return
    watch(last)
    asked.set('starting_after', last)
  }
}

function ofInvoice(object: unknown) {
  const created = timeAt(object, 'created')
  switch (textAt(object, 'status')) {
    case 'paid':
      return [event('invoice.paid', timeAt(object, 'status_transitions', 'paid_at') ?? created)]
    case 'void':
      return [event('invoice.voided', timeAt(object, 'status_transitions', 'voided_at') ?? created)]
    case 'uncollectible':
      return [event('invoice.marked_uncollectible', timeAt(object, 'status_transitions', 'marked_uncollectible_at') ?? created)]
    default:
      return (numberAt(object, 'attempt_count') ?? 0) > 0 && textAt(object, 'status') === 'open'
        ? [event('invoice.payment_failed', created)]
        : []
  }
}

/** Since when (ms) the last invoice of a subscription is served for nothing; `undefined`: it is paid, or not known. */
function servedSince(subscription: unknown): number | undefined {
  const invoice = partAt(subscription, 'latest_invoice')
  const state = textAt(invoice, 'status')
  if (state === undefined || state === 'paid') return undefined
  return Math.max(periodStartOf(subscription) ?? 0, timeAt(invoice, 'created') ?? 0)
}

/** Its invoices say what was paid, and nothing of what is served for nothing. */
function ofSubscription(object: unknown) {
  const created = timeAt(object, 'created')
  const canceledAt = timeAt(object, 'canceled_at')
  const status = textAt(object, 'status')
  if (status === 'canceled') return [event('customer.subscription.deleted', timeAt(object, 'ended_at') ?? canceledAt ?? created)]
  const isToEnd = isSetAt(object, 'cancel_at_period_end') || timeAt(object, 'cancel_at') !== undefined
  const servedAt = status === 'active' && isCollectionPaused(object) ? servedSince(object) : undefined
  return [
    ...(servedAt === undefined ? [] : [event('customer.subscription.updated', servedAt, { latest_invoice: null })]),
    ...(status === 'paused' ? [event('customer.subscription.paused', timeAt(object, 'trial_end') ?? created)] : []),
    ...(isToEnd ? [event('customer.subscription.updated', canceledAt ?? created, { cancel_at_period_end: false, cancel_at: null })] : []),
  ]
}

/** A charge states the refunded amount of the whole, and the newest refund when. */
function ofCharge(object: unknown) {
  const times = listAt(object, 'refunds').flatMap((refund) => timeAt(refund, 'created') ?? [])
  const at = times.length > 0 ? Math.max(...times) : timeAt(object, 'created')
  return (numberAt(object, 'amount_refunded') ?? 0) > 0 ? [event('charge.refunded', at)] : []
}

function event(type: string, at: number | undefined, before?: unknown): Pick<StripeEvent, 'type' | 'at' | 'before'> {
  return { type, at: at ?? 0, before }
}
