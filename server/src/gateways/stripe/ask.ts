import type { GatewayNews, Vendor } from '../gateway.ts'
import { expectId, getThing } from '../get-thing.ts'
import type { StripeEvent } from './event.ts'
import { aliases, planNamed, planSlugAt, refsAt, slugsOf } from './news.ts'
import { idAt, listAt, textAt } from './object.ts'
import { periodEndOf } from './subscription.ts'
import { INVOICE_PAYMENT, lacksOf, tellEvent } from './tell.ts'

/** What an event tells, with what it lacks fetched. */
export async function askStripe(event: StripeEvent, vendor: Vendor): Promise<GatewayNews | 'ignored'> {
  if (event.type === INVOICE_PAYMENT) return event.isOfOtherAccount ? 'ignored' : askInvoice(event, vendor)
  const news = tellEvent(event)
  return news === 'ignored' ? 'ignored' : complete(event, news, vendor)
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

async function askPeriodEnd({ subscriptionId, periodEnd }: GatewayNews, vendor: Vendor): Promise<number | undefined> {
  if (!subscriptionId) return periodEnd
  return periodEndOf(await getThing(vendor, `/v1/subscriptions/${subscriptionId}`, subscriptionId)) ?? periodEnd
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
