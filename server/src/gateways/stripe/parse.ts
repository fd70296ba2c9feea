import type { GatewayEvent } from '../gateway-event.ts'
import { parseIntent, parseSession } from './checkout.ts'
import type { StripeEvent } from './event.ts'
import { parseInvoice } from './invoice.ts'
import { idAt, textAt, timeAt } from './object.ts'
import { parseDispute, parseFailedRefund, parseRefund } from './reversal.ts'
import { parseSubscription } from './subscription.ts'
import { planSlugAt } from './to-event.ts'

type Parse = (event: StripeEvent) => GatewayEvent | 'ignored'

/** Every handled type of event; a merchant registers these. */
const parsers: ReadonlyMap<string, Parse> = new Map([
  ['checkout.session.completed', parseSession],
  ['checkout.session.async_payment_succeeded', parseSession],
  ['checkout.session.async_payment_failed', parseSession],
  ['invoice.paid', parseInvoice],
  ['invoice.payment_succeeded', parseInvoice],
  ['invoice.payment_failed', parseInvoice],
  ['invoice.payment_action_required', parseInvoice],
  ['invoice.overdue', parseInvoice],
  ['invoice.voided', parseInvoice],
  ['invoice.marked_uncollectible', parseInvoice],
  ['customer.subscription.created', parseSubscription],
  ['customer.subscription.updated', parseSubscription],
  ['customer.subscription.deleted', parseSubscription],
  ['customer.subscription.paused', parseSubscription],
  ['customer.subscription.resumed', parseSubscription],
  ['charge.refunded', parseRefund],
  ['refund.failed', parseFailedRefund],
  ['charge.refund.updated', parseFailedRefund],
  ['charge.dispute.created', parseDispute],
  ['charge.dispute.updated', parseDispute],
  ['charge.dispute.funds_withdrawn', parseDispute],
  ['charge.dispute.closed', parseDispute],
  ['payment_intent.succeeded', parseIntent],
  ['payment_intent.processing', parseIntent],
  ['payment_intent.payment_failed', parseIntent],
  ['payment_intent.canceled', parseIntent],
])

/** It only links an invoice to the payment intent that paid it: since 2025-03-31 no other event does. */
export const INVOICE_PAYMENT = 'invoice_payment.paid'

/** The types to list; `invoice.payment_succeeded` repeats `invoice.paid`. */
export const LISTED_TYPES: readonly string[] = [...parsers.keys(), INVOICE_PAYMENT].filter((type) => type !== 'invoice.payment_succeeded')

/** The types that must be registered. Payment intents under way or failed matter only to merchants without Checkout. */
export const WANTED_TYPES: readonly string[] = LISTED_TYPES.filter(
  (type) => !/^payment_intent\.(?:processing|payment_failed|canceled)$/.test(type),
)

/** The events that a delivery implies by itself, complete or not. */
export function parseStripeEvent(event: StripeEvent): GatewayEvent | 'ignored' {
  return event.isOfOtherAccount ? 'ignored' : (parsers.get(event.type)?.(event) ?? 'ignored')
}

/** The data that must be fetched from the API before the event is complete. */
export interface Lacks {
  buyer: boolean
  /** The lines of an invoice end before it was made, as those of metered prices do. */
  periodEnd: boolean
  /** A subscription's first invoice without a slug: the session may name one. */
  slug: boolean
  /** Only the line items of a one-off session name what it sells, that of a payment link included. */
  lineItems: boolean
}

export function lacksOf({ type, object }: StripeEvent, { kind, buyer, subscriptionId, periodEnd, plan }: GatewayEvent): Lacks {
  const begins = kind === 'paid' || kind === 'payment_pending'
  const isSession = type.startsWith('checkout.session.')
  const isFirst = textAt(object, 'billing_reason') === 'subscription_create'
  return {
    buyer: begins && buyer === undefined,
    periodEnd: periodEnd !== undefined && periodEnd <= (timeAt(object, 'created') ?? 0),
    slug: kind === 'paid' && isFirst && subscriptionId !== undefined && plan.slugs.length === 0,
    lineItems: begins && isSession && subscriptionId === undefined && planSlugAt(object) === undefined,
  }
}

/** The subject of an event: the subscription, or the id that later events of the same payment share. */
export function subjectOf({ type, object }: StripeEvent): string | undefined {
  const id = idAt(object, 'id')
  if (type.startsWith('customer.subscription.')) return id
  const subscription = idAt(object, 'parent', 'subscription_details', 'subscription') ?? idAt(object, 'subscription')
  return subscription ?? idAt(object, 'payment_intent') ?? idAt(object, 'charge') ?? idAt(object, 'invoice') ?? id
}
