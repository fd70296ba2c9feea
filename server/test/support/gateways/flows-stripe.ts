import {
  BEHIND,
  BUYER,
  CANCELED,
  type Delivered,
  DISPUTED,
  edit,
  LEAVING,
  type Moment,
  PAID,
  PENDING,
  partOf,
  type Step,
  unique,
  vector,
} from './flows.ts'
import { stripeEvent } from './made-events.ts'

// Stripe's deliveries and answers, from samples of them, as if they were of now.

export const plan = { metadata: { plan_slug: 'curso' } }

export const SECOND_INVOICE = 'in_TEST00000000000000000002'
export const THIRD_INVOICE = 'in_TEST00000000000000000003'
export const stripeApi = ({ at }: Moment) => ({
  '/v1/customers/cus_TEST000000000001': { id: 'cus_TEST000000000001', object: 'customer', email: BUYER },
  '/v1/checkout/sessions': { object: 'list', data: [edit(objectOf('checkout.session.completed', at), plan)] },
  '/v1/invoices/in_TEST00000000000000000001': objectOf('invoice.paid', at),
})

/** A sample of Stripe's as if it had happened now: its times are moved, `changes` are made to its object. */
export function stripe(
  sample: string,
  changes: object | ((moment: Moment) => object) = {},
  { type, before }: { type?: string; before?: object } = {},
) {
  return (moment: Moment): Delivered => {
    const moved = eventOf(sample, moment.at)
    const object = typeof changes === 'function' ? changes(moment) : changes
    const data = { object, ...(before && { previous_attributes: before }) }
    return { body: edit(moved, { id: `evt_${unique()}`, livemode: true, ...(type && { type }), data }) }
  }
}

/** A single sale at the checkout. */
export const sold = (changes: object = {}) => {
  const single = { mode: 'payment', subscription: null, invoice: null, payment_intent: 'pi_TEST00000000000000000001' }
  return stripe('checkout.session.completed', { ...plan, ...single, ...changes })
}
export const voucher = (sample: string) => stripe(`checkout.session.${sample}`, plan)
export const begun = [stripe('customer.subscription.created', plan), stripe('checkout.session.completed', plan)]
export const firstInvoice = (method: string) => stripe('invoice.paid', { payment_settings: { payment_method_types: [method] } })
export const cardInvoice = firstInvoice('card')
export const linked = stripe('invoice_payment.paid')

/** The month that begins now, paid. */
export const renewed = (id: string) =>
  stripe('invoice.paid.renewal', ({ at }) => {
    const start = Math.floor(at / 1000)
    const lines = { data: { 0: { period: { start, end: start + 30 * 86_400 } } } }
    return { id, created: start, lines, status_transitions: { paid_at: start } }
  })
export const unpaid = (id: string) => [
  stripe('invoice.payment_failed', { id }),
  stripe('customer.subscription.updated.past_due', { latest_invoice: id }, { before: { status: 'active' } }),
]
export const updated = (object: object, before: object) =>
  stripe('customer.subscription.created', { ...plan, status: 'active', ...object }, { type: 'customer.subscription.updated', before })
export const notRenewed = updated({ cancel_at_period_end: true }, { cancel_at_period_end: false })
export const deleted = stripe('customer.subscription.deleted', plan)
export const givenBack = stripe('charge.refunded')
/** The API's answer about the invoice that a payment intent has paid. */
export const invoicePayments = (invoice = 'in_TEST00000000000000000001') => ({
  '/v1/invoice_payments?payment%5Btype%5D=payment_intent&payment%5Bpayment_intent%5D=pi_TEST00000000000000000001': {
    object: 'list',
    data: [{ invoice, status: 'paid', payment: { type: 'payment_intent', payment_intent: 'pi_TEST00000000000000000001' } }],
  },
})
export const partlyGivenBack = stripe('charge.refunded', { amount_refunded: 3_000, refunded: false })
export const contested = stripe('charge.dispute.created')
export const closed = (status: string) => stripe('charge.dispute.created', { status }, { type: 'charge.dispute.closed' })
/** A sale without Checkout: the payment intent itself names the plan. */
export const intent =
  (type: string, changes: object = {}) =>
  ({ at }: Moment): Delivered => ({
    body: stripeEvent(
      `payment_intent.${type}`,
      {
        id: 'pi_1',
        object: 'payment_intent',
        amount: 9_990,
        currency: 'brl',
        receipt_email: BUYER,
        payment_method_types: ['pix'],
        ...plan,
        ...changes,
      },
      { at },
    ),
  })
export const oldInvoice = stripe('invoice.paid', {
  parent: undefined,
  paid: true,
  subscription: 'sub_TEST00000000000000000001',
  payment_intent: 'pi_TEST00000000000000000001',
  charge: 'ch_TEST00000000000000000001',
  lines: { data: { 0: { parent: undefined, pricing: undefined, subscription: 'sub_TEST00000000000000000001', price: { id: 'price_1' } } } },
})
export const oldNotRenewed = updated(
  { cancel_at_period_end: true, current_period_end: 1_766_153_586, items: { data: { 0: { current_period_end: undefined } } } },
  { cancel_at_period_end: false },
)

/** Two months, a failed payment between them, one given back in part, a dispute that was won, and the end. */
export const longAtStripe: Step[] = [
  { day: 0, says: stripeApi, delivers: begun, is: PENDING },
  { day: 0, says: stripeApi, delivers: [firstInvoice('boleto'), linked], is: PAID },
  { day: 3, delivers: [partlyGivenBack], is: PAID },
  { day: 4, delivers: [contested], is: DISPUTED },
  { day: 9, delivers: [closed('won')], is: PAID },
  { day: 30, delivers: unpaid(SECOND_INVOICE), is: BEHIND },
  { day: 31, delivers: [renewed(SECOND_INVOICE)], is: PAID },
  { day: 40, delivers: [notRenewed], is: LEAVING },
  { day: 41, delivers: [updated({ cancel_at_period_end: false }, { cancel_at_period_end: true })], is: PAID },
  { day: 45, delivers: [deleted], is: CANCELED },
]

/** A sample of Stripe's, its times moved to now. */
function eventOf(sample: string, at: number): unknown {
  const event = vector(`stripe/${sample}`)
  return moveSeconds(event, Math.floor(at / 1000) - Number(partOf(event, 'created')))
}

function objectOf(sample: string, at: number): unknown {
  return partOf(partOf(eventOf(sample, at), 'data'), 'object')
}

/** The samples' own times, which are of these weeks; what a fixture fills in stays. */
function moveSeconds(value: unknown, by: number): unknown {
  if (typeof value === 'number') return value > 1_763_000_000 && value < 1_767_000_000 ? value + by : value
  if (Array.isArray(value)) return value.map((each) => moveSeconds(each, by))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, moveSeconds(inner, by)]))
}
