import type { PaymentKind } from '../../payment-history/index.ts'
import type { GatewayEvent } from '../gateway-event.ts'
import type { StripeEvent } from './event.ts'
import { idAt, listAt, textAt } from './object.ts'
import { aliases, amountAt, NO_PLAN, onlyMethod, planNamed, planSlugAt, slugsOf, toGatewayEvent } from './to-event.ts'

/**
 * The events of a checkout session. It pays a one-off payment. A subscription is paid by its invoice, and the session only shows early who
 * chose which plan: plan slugs are often written on the session alone. An expired session was never completed, so nothing ends.
 */
export function parseSession(event: StripeEvent): GatewayEvent | 'ignored' {
  const { object } = event
  switch (textAt(object, 'mode')) {
    case 'payment':
      return parsePayment(event)
    case 'subscription':
      return parseSubscription(event)
    default:
      return 'ignored'
  }
}

function parsePayment(event: StripeEvent): GatewayEvent | 'ignored' {
  const { object } = event
  const kind = kindOf(event)
  const session = idAt(object, 'id')
  const paymentId = idAt(object, 'payment_intent') ?? session // without anything to pay there is no payment intent
  if (!kind || !paymentId) return 'ignored'
  return toGatewayEvent(event, {
    key: `${paymentId}:${kind}`,
    kind,
    paymentId,
    paymentAliases: aliases(paymentId, [session, idAt(object, 'invoice')]),
    ...factsOf(object),
  })
}

function kindOf({ type, object }: StripeEvent): PaymentKind | undefined {
  if (type === 'checkout.session.async_payment_succeeded') return 'paid'
  if (type === 'checkout.session.async_payment_failed') return 'payment_expired'
  const status = textAt(object, 'payment_status')
  if (status === 'paid' || status === 'no_payment_required') return 'paid'
  return status === 'unpaid' ? 'payment_pending' : undefined
}

function parseSubscription(event: StripeEvent): GatewayEvent | 'ignored' {
  const { type, object } = event
  const subscriptionId = idAt(object, 'subscription')
  if (!subscriptionId || type === 'checkout.session.async_payment_succeeded') return 'ignored'
  const facts = { subscriptionId, ...factsOf(object) }
  if (type === 'checkout.session.completed') {
    return toGatewayEvent(event, { key: `${idAt(object, 'id') ?? subscriptionId}:payment_pending`, kind: 'payment_pending', ...facts })
  }
  const paymentId = idAt(object, 'invoice')
  const key = `${paymentId ?? subscriptionId}:payment_expired`
  return toGatewayEvent(event, { key, kind: 'payment_expired', ...(paymentId && { paymentId }), ...facts })
}

function factsOf(object: unknown): Pick<GatewayEvent, 'buyer' | 'amount' | 'foreign' | 'method' | 'plan'> {
  const link = idAt(object, 'payment_link')
  return {
    buyer: textAt(object, 'customer_details', 'email') ?? textAt(object, 'customer_email'),
    ...amountAt(object, 'amount_total'),
    method: onlyMethod(listAt(object, 'payment_method_types')),
    // `client_reference_id` names no plan: on a payment link the buyer can write anything there
    // (docs.stripe.com/payment-links/url-parameters).
    plan: planNamed({
      slugs: slugsOf(planSlugAt(object)),
      refs: link ? [link] : [],
      isOffer: link !== undefined || textAt(object, 'mode') === 'subscription',
    }),
  }
}

/**
 * A sale whose money was only authorized at the checkout is paid when the merchant captures it: the intent reports that, and only its
 * session names what was sold.
 */
export function isCapture({ type, object }: StripeEvent): boolean {
  return type === 'payment_intent.succeeded' && textAt(object, 'capture_method') === 'manual' && planSlugAt(object) === undefined
}

/**
 * The events of a payment intent, for merchants without Checkout. Most intents belong to a session or an invoice with events of their own.
 * An intent that names its plan is a sale of its own, or the same sale again, which its id shows. A canceled authorization ends a sale that
 * is known by then.
 */
export function parseIntent(event: StripeEvent): GatewayEvent | 'ignored' {
  const { object } = event
  const paymentId = idAt(object, 'id')
  const slug = planSlugAt(object)
  const kind = kindOfIntent(event)
  const isReleased = kind === 'payment_expired' && textAt(object, 'capture_method') === 'manual'
  if (!paymentId || !kind || (!slug && !isReleased) || idAt(object, 'invoice')) return 'ignored'
  return toGatewayEvent(event, {
    key: kind === 'payment_failed' ? `${event.id}:${kind}` : `${paymentId}:${kind}`,
    kind,
    paymentId,
    paymentAliases: aliases(paymentId, [idAt(object, 'latest_charge')]),
    buyer: textAt(object, 'receipt_email'),
    ...amountAt(object, 'amount'),
    method: onlyMethod(listAt(object, 'payment_method_types')),
    plan: { ...NO_PLAN, slugs: slugsOf(slug) },
  })
}

/** After a refused card the buyer is still at the checkout; a boleto or PIX not paid in time is final. */
function kindOfIntent({ type, object }: StripeEvent): PaymentKind | undefined {
  switch (type) {
    case 'payment_intent.succeeded':
      return 'paid'
    case 'payment_intent.processing':
      return 'payment_pending'
    case 'payment_intent.canceled':
      return 'payment_expired'
    case 'payment_intent.payment_failed':
      return WAITS_FOR_BUYER.has(textAt(object, 'last_payment_error', 'payment_method', 'type')) ? 'payment_expired' : 'payment_failed'
    default:
      return undefined
  }
}

const WAITS_FOR_BUYER: ReadonlySet<string | undefined> = new Set(['boleto', 'pix'])
