import type { GatewayNews } from '../gateway.ts'
import { tellIntent, tellSession } from './checkout.ts'
import type { StripeEvent } from './event.ts'
import { tellInvoice } from './invoice.ts'
import { planSlugAt } from './news.ts'
import { idAt, textAt, timeAt } from './object.ts'
import { tellDispute, tellFailedRefund, tellRefund } from './reversal.ts'
import { tellSubscription } from './subscription.ts'

type Tell = (event: StripeEvent) => GatewayNews | 'ignored'

/** Every type of event that means something here; an owner registers these. */
const tellers: ReadonlyMap<string, Tell> = new Map([
  ['checkout.session.completed', tellSession],
  ['checkout.session.async_payment_succeeded', tellSession],
  ['checkout.session.async_payment_failed', tellSession],
  ['invoice.paid', tellInvoice],
  ['invoice.payment_succeeded', tellInvoice],
  ['invoice.payment_failed', tellInvoice],
  ['invoice.payment_action_required', tellInvoice],
  ['invoice.overdue', tellInvoice],
  ['invoice.voided', tellInvoice],
  ['invoice.marked_uncollectible', tellInvoice],
  ['customer.subscription.created', tellSubscription],
  ['customer.subscription.updated', tellSubscription],
  ['customer.subscription.deleted', tellSubscription],
  ['customer.subscription.paused', tellSubscription],
  ['customer.subscription.resumed', tellSubscription],
  ['charge.refunded', tellRefund],
  ['refund.failed', tellFailedRefund],
  ['charge.refund.updated', tellFailedRefund],
  ['charge.dispute.created', tellDispute],
  ['charge.dispute.updated', tellDispute],
  ['charge.dispute.funds_withdrawn', tellDispute],
  ['charge.dispute.closed', tellDispute],
  ['payment_intent.succeeded', tellIntent],
  ['payment_intent.processing', tellIntent],
  ['payment_intent.payment_failed', tellIntent],
  ['payment_intent.canceled', tellIntent],
])

/** Names an invoice and the payment intent that paid it, and nothing else: since 2025-03-31 no other event tells that the two belong together. */
export const INVOICE_PAYMENT = 'invoice_payment.paid'

/** The types to list; `invoice.payment_succeeded` says what `invoice.paid` says. */
export const LISTED_TYPES: readonly string[] = [...tellers.keys(), INVOICE_PAYMENT].filter((type) => type !== 'invoice.payment_succeeded')

/** Those without which something goes unheard: of a payment intent that is under way or fails, only who sells without Checkout has to hear. */
export const WANTED_TYPES: readonly string[] = LISTED_TYPES.filter(
  (type) => !/^payment_intent\.(?:processing|payment_failed|canceled)$/.test(type),
)

/** What an event says by itself, be it enough or not. */
export function tellEvent(event: StripeEvent): GatewayNews | 'ignored' {
  return event.isOfOtherAccount ? 'ignored' : (tellers.get(event.type)?.(event) ?? 'ignored')
}

/** What the API has to be asked for, before news can stand for itself. */
export interface Lacks {
  buyer: boolean
  /** The lines of an invoice end before it was made, as those of metered prices do. */
  periodEnd: boolean
  /** A subscription's first invoice without a slug: the session may name one. */
  slug: boolean
  /** A one-off session says in its line items alone what it sells. */
  lineItems: boolean
}

export function lacksOf({ type, object }: StripeEvent, { kind, buyer, subscriptionId, periodEnd, plan }: GatewayNews): Lacks {
  const begins = kind === 'paid' || kind === 'payment_pending'
  const isSession = type.startsWith('checkout.session.')
  const isFirst = textAt(object, 'billing_reason') === 'subscription_create'
  return {
    buyer: begins && buyer === undefined,
    periodEnd: periodEnd !== undefined && periodEnd <= (timeAt(object, 'created') ?? 0),
    slug: kind === 'paid' && isFirst && subscriptionId !== undefined && plan.slugs.length === 0,
    lineItems: begins && isSession && subscriptionId === undefined && planSlugAt(object) === undefined && plan.refs.length === 0,
  }
}

/** What an event is about: the subscription, or the name that later news of the same payment has in common with it. */
export function subjectOf({ type, object }: StripeEvent): string | undefined {
  const id = idAt(object, 'id')
  if (type.startsWith('customer.subscription.')) return id
  const subscription = idAt(object, 'parent', 'subscription_details', 'subscription') ?? idAt(object, 'subscription')
  return subscription ?? idAt(object, 'payment_intent') ?? idAt(object, 'charge') ?? idAt(object, 'invoice') ?? id
}
