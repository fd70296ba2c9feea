import { FatalJobFault } from '../../outbox/index.ts'
import type { GatewayNews, Vendor } from '../gateway.ts'
import { expectId, getThing } from '../get-thing.ts'
import { isCapture } from './checkout.ts'
import type { StripeEvent } from './event.ts'
import { aliases, planNamed, planSlugAt, refsAt, slugsOf } from './news.ts'
import { idAt, listAt, textAt, timeAt } from './object.ts'
import { periodEndOf } from './subscription.ts'
import { INVOICE_PAYMENT, lacksOf, tellEvent } from './tell.ts'

/** What an event tells, with what it lacks fetched. */
export async function askStripe(event: StripeEvent, vendor: Vendor): Promise<GatewayNews | 'ignored'> {
  if (event.type === INVOICE_PAYMENT) return event.isOfOtherAccount ? 'ignored' : askInvoice(event, vendor)
  if (isCapture(event)) return askSale(event, vendor)
  const news = tellEvent(event)
  if (news === 'ignored') return 'ignored'
  return news.mayHaveOtherNames ? askOtherNames(event, news, vendor) : complete(event, news, vendor)
}

/** The session of a payment intent that was captured; of one without, an invoice's as a rule, other events tell. */
async function askSale(event: StripeEvent, vendor: Vendor): Promise<GatewayNews | 'ignored'> {
  const intent = idAt(event.object, 'id')
  if (!intent || event.isOfOtherAccount) return 'ignored'
  const [object] = listAt(await vendor.get(`/v1/checkout/sessions?payment_intent=${intent}&limit=1`))
  if (object === undefined) return 'ignored'
  expectId(idAt(object, 'payment_intent'), intent)
  const paid = { ...event, type: SESSION_PAID, object }
  const news = tellEvent(paid)
  return news === 'ignored' ? 'ignored' : complete(paid, news, vendor)
}

/** Whatever the session says of its state. */
const SESSION_PAID = 'checkout.session.async_payment_succeeded'

/** The invoices that the payment intent of a refund or dispute has paid; of what is no invoice's, nothing more. */
async function askOtherNames({ object }: StripeEvent, news: GatewayNews, vendor: Vendor): Promise<GatewayNews> {
  const intent = idAt(object, 'payment_intent') ?? (await askIntent(object, vendor))
  if (!intent) return news
  const query = new URLSearchParams({ 'payment[type]': 'payment_intent', 'payment[payment_intent]': intent })
  const payments = listAt(await unlessUnknown(vendor.get(`/v1/invoice_payments?${query}`)))
  for (const payment of payments) expectId(idAt(payment, 'payment', 'payment_intent'), intent)
  const invoices = payments.map((payment) => idAt(payment, 'invoice'))
  return { ...news, paymentAliases: aliases(news.paymentId, [...news.paymentAliases, intent, ...invoices]) }
}

async function askIntent(object: unknown, vendor: Vendor): Promise<string | undefined> {
  const charge = idAt(object, 'charge') ?? idAt(object, 'id')
  return charge && idAt(await unlessUnknown(getThing(vendor, `/v1/charges/${charge}`, charge)), 'payment_intent')
}

async function unlessUnknown(answer: Promise<unknown>): Promise<unknown> {
  return answer.catch((fault: unknown) => {
    if (fault instanceof FatalJobFault) return undefined
    throw fault
  })
}

/**
 * The whole news of the invoice, so that its payment is known by the payment intent too, which is all that a refund names. It has a key of its own, since that of
 * the invoice is taken; the payment's id shows that it is paid once.
 */
async function askInvoice(event: StripeEvent, vendor: Vendor): Promise<GatewayNews | 'ignored'> {
  const id = idAt(event.object, 'invoice')
  const intent = idAt(event.object, 'payment', 'payment_intent') ?? idAt(event.object, 'payment', 'charge')
  if (!id || !intent) return 'ignored'
  const object = await getThing(vendor, `/v1/invoices/${id}?expand%5B%5D=payments`, id)
  const paid = { ...event, type: 'invoice.paid', object }
  const news = tellEvent(paid)
  if (news === 'ignored') return 'ignored'
  const whole = await complete(paid, news, vendor)
  return { ...whole, key: `${news.key}:${intent}`, paymentAliases: aliases(news.paymentId, [...news.paymentAliases, intent]) }
}

async function complete(event: StripeEvent, news: GatewayNews, vendor: Vendor): Promise<GatewayNews> {
  const { object } = event
  const lacks = lacksOf(event, news)
  const buyer = lacks.buyer ? await askBuyer(object, vendor) : news.buyer
  const periodEnd = lacks.periodEnd ? await askPeriodEnd(news, vendor) : news.periodEnd
  const session = lacks.slug ? await askSession(news, vendor) : undefined
  const refs = lacks.lineItems ? await askLineItems(object, vendor) : []
  const { slugs, isOffer } = news.plan
  return {
    ...news,
    buyer: buyer ?? textAt(session, 'customer_details', 'email'),
    periodEnd,
    plan: planNamed({
      slugs: slugsOf(...slugs, planSlugAt(session)),
      refs: [...news.plan.refs, ...[idAt(session, 'payment_link')].flatMap((ref) => ref ?? []), ...refs],
      isOffer,
    }),
  }
}

/** The customer's address, or the one given with the charge. A customer who was deleted has none. */
async function askBuyer(object: unknown, vendor: Vendor): Promise<string | undefined> {
  const customer = idAt(object, 'customer')
  const known = customer && textAt(await getThing(vendor, `/v1/customers/${customer}`, customer), 'email')
  const charge = idAt(object, 'latest_charge')
  if (known || !charge) return known
  const made = await getThing(vendor, `/v1/charges/${charge}`, charge)
  return textAt(made, 'billing_details', 'email') ?? textAt(made, 'receipt_email')
}

/** No further than to where the subscription has ended: what it used until then is billed afterwards. */
async function askPeriodEnd({ subscriptionId, periodEnd, occurredAt }: GatewayNews, vendor: Vendor): Promise<number | undefined> {
  if (!subscriptionId) return periodEnd
  const subscription = await getThing(vendor, `/v1/subscriptions/${subscriptionId}`, subscriptionId)
  const end = periodEndOf(subscription, occurredAt) ?? periodEnd
  const endedAt = timeAt(subscription, 'ended_at')
  return end !== undefined && endedAt !== undefined ? Math.min(end, endedAt) : end
}

/** The checkout session that a subscription began with; `undefined` where it began otherwise. */
async function askSession({ subscriptionId }: GatewayNews, vendor: Vendor): Promise<unknown> {
  if (!subscriptionId) return undefined
  const [session] = listAt(await vendor.get(`/v1/checkout/sessions?subscription=${subscriptionId}&limit=1`))
  if (session !== undefined) expectId(idAt(session, 'subscription'), subscriptionId)
  return session
}

async function askLineItems(object: unknown, vendor: Vendor): Promise<string[]> {
  const session = idAt(object, 'id')
  return session ? refsAt(await vendor.get(`/v1/checkout/sessions/${session}/line_items?limit=20`)) : []
}
