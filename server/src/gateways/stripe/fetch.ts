import { FatalJobFault } from '../../outbox/index.ts'
import { expectId, fetchById } from '../adapter-kit/fetch-by-id.ts'
import type { GatewayApi } from '../gateway.ts'
import type { GatewayEvent } from '../gateway-event.ts'
import { isCapture } from './checkout.ts'
import type { StripeEvent } from './event.ts'
import { idAt, listAt, textAt, timeAt } from './object.ts'
import { INVOICE_PAYMENT, lacksOf, parseStripeEvent } from './parse.ts'
import { periodEndOf } from './subscription.ts'
import { aliases, planNamed, planSlugAt, refsAt, slugsOf } from './to-event.ts'

/** The events of an event, with missing data fetched. */
export async function fetchFromStripe(event: StripeEvent, api: GatewayApi): Promise<GatewayEvent | 'ignored'> {
  if (event.type === INVOICE_PAYMENT) return event.isOfOtherAccount ? 'ignored' : fetchInvoice(event, api)
  if (isCapture(event)) return fetchSale(event, api)
  const gatewayEvent = parseStripeEvent(event)
  if (gatewayEvent === 'ignored') return 'ignored'
  return gatewayEvent.mayHaveOtherNames ? fetchOtherNames(event, gatewayEvent, api) : complete(event, gatewayEvent, api)
}

/** The session of a captured payment intent. An intent without one usually belongs to an invoice, which has events of its own. */
async function fetchSale(event: StripeEvent, api: GatewayApi): Promise<GatewayEvent | 'ignored'> {
  const intent = idAt(event.object, 'id')
  if (!intent || event.isOfOtherAccount) return 'ignored'
  const [object] = listAt(await api.get(`/v1/checkout/sessions?payment_intent=${intent}&limit=1`))
  if (object === undefined) return 'ignored'
  expectId(idAt(object, 'payment_intent'), intent)
  const paid = { ...event, type: SESSION_PAID, object }
  const gatewayEvent = parseStripeEvent(paid)
  return gatewayEvent === 'ignored' ? 'ignored' : complete(paid, gatewayEvent, api)
}

/** A session in any state. */
const SESSION_PAID = 'checkout.session.async_payment_succeeded'

/** The invoices that the payment intent of a refund or dispute has paid; without an invoice, nothing more. */
async function fetchOtherNames({ object }: StripeEvent, gatewayEvent: GatewayEvent, api: GatewayApi): Promise<GatewayEvent> {
  const intent = idAt(object, 'payment_intent') ?? (await fetchIntent(object, api))
  if (!intent) return gatewayEvent
  const query = new URLSearchParams({ 'payment[type]': 'payment_intent', 'payment[payment_intent]': intent })
  const payments = listAt(await unlessUnknown(api.get(`/v1/invoice_payments?${query}`)))
  for (const payment of payments) expectId(idAt(payment, 'payment', 'payment_intent'), intent)
  const invoices = payments.map((payment) => idAt(payment, 'invoice'))
  return { ...gatewayEvent, paymentAliases: aliases(gatewayEvent.paymentId, [...gatewayEvent.paymentAliases, intent, ...invoices]) }
}

async function fetchIntent(object: unknown, api: GatewayApi): Promise<string | undefined> {
  const charge = idAt(object, 'charge') ?? idAt(object, 'id')
  return charge && idAt(await unlessUnknown(fetchById(api, `/v1/charges/${charge}`, charge)), 'payment_intent')
}

async function unlessUnknown(answer: Promise<unknown>): Promise<unknown> {
  return answer.catch((fault: unknown) => {
    if (fault instanceof FatalJobFault) return undefined
    throw fault
  })
}

/**
 * The whole event of the invoice, so that its payment is also known by the payment intent, which is all that a refund names. It has a key
 * of its own, since the invoice's is taken; the payment's id shows that it is one payment.
 */
async function fetchInvoice(event: StripeEvent, api: GatewayApi): Promise<GatewayEvent | 'ignored'> {
  const id = idAt(event.object, 'invoice')
  const intent = idAt(event.object, 'payment', 'payment_intent') ?? idAt(event.object, 'payment', 'charge')
  if (!id || !intent) return 'ignored'
  const object = await fetchById(api, `/v1/invoices/${id}?expand%5B%5D=payments`, id)
  const paid = { ...event, type: 'invoice.paid', object }
  const gatewayEvent = parseStripeEvent(paid)
  if (gatewayEvent === 'ignored') return 'ignored'
  const whole = await complete(paid, gatewayEvent, api)
  return {
    ...whole,
    key: `${gatewayEvent.key}:${intent}`,
    paymentAliases: aliases(gatewayEvent.paymentId, [...gatewayEvent.paymentAliases, intent]),
  }
}

async function complete(event: StripeEvent, gatewayEvent: GatewayEvent, api: GatewayApi): Promise<GatewayEvent> {
  const { object } = event
  const lacks = lacksOf(event, gatewayEvent)
  const buyer = lacks.buyer ? await fetchBuyer(object, api) : gatewayEvent.buyer
  const periodEnd = lacks.periodEnd ? await fetchPeriodEnd(gatewayEvent, api) : gatewayEvent.periodEnd
  const session = lacks.slug ? await fetchSession(gatewayEvent, api) : undefined
  const refs = lacks.lineItems ? await fetchLineItems(object, api) : []
  const { slugs, isOffer } = gatewayEvent.plan
  return {
    ...gatewayEvent,
    buyer: buyer ?? textAt(session, 'customer_details', 'email'),
    periodEnd,
    plan: planNamed({
      slugs: slugsOf(...slugs, planSlugAt(session)),
      refs: [...gatewayEvent.plan.refs, ...[idAt(session, 'payment_link')].flatMap((ref) => ref ?? []), ...refs],
      isOffer,
    }),
  }
}

/** The customer's address, or the one given with the charge. A deleted customer has none. */
async function fetchBuyer(object: unknown, api: GatewayApi): Promise<string | undefined> {
  const customer = idAt(object, 'customer')
  const known = customer && textAt(await fetchById(api, `/v1/customers/${customer}`, customer), 'email')
  const charge = idAt(object, 'latest_charge')
  if (known || !charge) return known
  const made = await fetchById(api, `/v1/charges/${charge}`, charge)
  return textAt(made, 'billing_details', 'email') ?? textAt(made, 'receipt_email')
}

/**
 * Usage is billed when its period is over: the payment is for the period after that. Not beyond the end of the subscription, since later
 * usage is billed afterwards.
 */
async function fetchPeriodEnd({ subscriptionId, periodEnd, occurredAt }: GatewayEvent, api: GatewayApi): Promise<number | undefined> {
  if (!subscriptionId) return periodEnd
  const subscription = await fetchById(api, `/v1/subscriptions/${subscriptionId}`, subscriptionId)
  const end = periodEndOf(subscription, periodEnd ?? occurredAt) ?? periodEnd
  const endedAt = timeAt(subscription, 'ended_at')
  return end !== undefined && endedAt !== undefined ? Math.min(end, endedAt) : end
}

/** The checkout session that began a subscription; `undefined` where none did. */
async function fetchSession({ subscriptionId }: GatewayEvent, api: GatewayApi): Promise<unknown> {
  if (!subscriptionId) return undefined
  const [session] = listAt(await api.get(`/v1/checkout/sessions?subscription=${subscriptionId}&limit=1`))
  if (session !== undefined) expectId(idAt(session, 'subscription'), subscriptionId)
  return session
}

async function fetchLineItems(object: unknown, api: GatewayApi): Promise<string[]> {
  const session = idAt(object, 'id')
  return session ? refsAt(await api.get(`/v1/checkout/sessions/${session}/line_items?limit=20`)) : []
}
