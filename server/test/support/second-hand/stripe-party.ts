import { invoicePaid, sale, stripeEvent } from '../gateways/made-events.ts'
import type { Bill, Part, Party } from './bill.ts'
import type { Fact } from './facts.ts'
import type { Making, Said } from './making.ts'

interface StripeOptions {
  currencies?: readonly string[]
  methods?: ReadonlyArray<Fact['method']>
  isSale?: boolean
}

/** Reports what happens as Stripe does. */
export function stripeParty(making: Making, { currencies = ['brl'], methods = [undefined], isSale = false }: StripeOptions = {}): Party {
  const { name, email, chance } = making
  const [currency, method] = [chance.pick(currencies), chance.pick(methods)]
  const subscription = `sub_${name}`
  const paidWith = method && { payment_settings: { payment_method_types: [method] } }
  const paymentOf = ({ number }: Bill) => (isSale ? `pi_${name}` : invoiceOf(making, number))
  const send = (type: string, at: number, object: object, fact: Said, previous_attributes?: object) =>
    making.send('gateway', at, { ...stripeEvent(type, object, { at }), data: { object, previous_attributes } }, fact)
  const sendAbout = (bill: Bill, { charge, amount }: Part, at: number, type: string, kind: Fact['kind'], more: object) => {
    const about = { charge: `ch_${charge.id}`, amount, currency, [isSale ? 'payment_intent' : 'invoice']: paymentOf(bill) }
    send(type, at, { ...about, ...more }, { kind, payment: paymentOf(bill), charge: charge.id, amount })
  }
  return {
    fates: isSale ? ['parts', 'dispute', 'operator', 'failed_refund'] : ['parts', 'whole', 'dispute', 'operator'],
    // The fold knows no amounts of other currencies: it takes the refund of one charge for that of the bill.
    maxCharges: isSale ? 1 : 2,
    mayBeSilent: false,
    paid: (bill) => {
      const { number, at, from, until, amount = 0, plan } = bill
      const metadata = { plan_slug: plan }
      const period = { start: Math.floor(from / 1000), end: Math.floor((until ?? 0) / 1000) }
      const { price, ...billed } = isSale ? { price: undefined } : billWithCredit(making, amount, { period, subscription })
      const parent = { subscription_details: { subscription, metadata } }
      const invoice = { invoice: paymentOf(bill), amount_paid: amount, parent, ...billed, ...paidWith }
      const body = isSale
        ? sale(paymentOf(bill), email, { at, amount_total: amount, currency, metadata })
        : invoicePaid(subscription, email, { at, currency, ...invoice })
      const paidIn = currency === 'brl' ? undefined : currency.toUpperCase()
      const about = { payment: paymentOf(bill), amount, price, currency: paidIn, plan, method, from: until && from, until }
      const fact = { id: `paid ${number}`, kind: 'paid', ...about } as const
      making.send('gateway', at, body, fact)
      if (!isSale && chance.likely(0.2)) making.send('gateway', at, { ...body, id: `${body.id}s`, type: 'invoice.payment_succeeded' }, fact)
    },
    gaveBack: (bill, at, { charge, isRest }) => {
      const soFar = charge.amount - charge.left
      const object = { id: `ch_${charge.id}`, object: 'charge', amount: charge.amount, amount_refunded: soFar, refunded: charge.left === 0 }
      sendAbout(bill, { charge, amount: soFar, isRest }, at, 'charge.refunded', 'given_back', object)
    },
    refundFailed: (bill, at, part) =>
      sendAbout(bill, part, at, 'refund.failed', 'refund_failed', { id: `re_${at}`, object: 'refund', status: 'failed' }),
    disputed: (bill, at, part, outcome) => {
      const isOpen = outcome === 'disputed'
      const object = { id: `dp_${part.charge.id}`, object: 'dispute', status: isOpen ? 'needs_response' : outcome }
      sendAbout(bill, part, at, `charge.dispute.${isOpen ? 'created' : 'closed'}`, outcome, object)
    },
    changed: (kind, at, number) => {
      const object = { id: subscription, object: 'subscription', status: 'active', metadata: {}, cancel_at_period_end: kind === 'canceled' }
      const bill = { id: invoiceOf(making, number), object: 'invoice', status: 'open', amount_due: 4_900, currency, ...paidWith }
      const failed = { ...bill, customer_email: email, parent: { subscription_details: { subscription } }, lines: { data: [] } }
      if (kind === 'failed') send('invoice.payment_failed', at, failed, { kind, payment: bill.id })
      else if (kind === 'ended') send('customer.subscription.deleted', at, { ...object, status: 'canceled', ended_at: at / 1000 }, { kind })
      else send('customer.subscription.updated', at, object, { kind }, { cancel_at_period_end: kind !== 'canceled' })
    },
  }
}

/**
 * Total and lines of an invoice of which `amount` was paid in money. Credit paid the rest of some: the customer's balance, or the time of
 * an old plan. A few bill the rest of the period before as well.
 */
function billWithCredit({ chance }: Making, amount: number, about: { period: object; subscription: string }) {
  const line = (part: number, proration: boolean) => ({
    amount: part,
    period: about.period,
    parent: { subscription_item_details: { subscription: about.subscription, proration } },
  })
  const way = chance.likely(0.8) ? 'money' : chance.pick(['balance', 'old_plan', 'rest_of_before'])
  const credit = way === 'money' ? 0 : chance.pick([700, 4_900])
  const before = way === 'rest_of_before' ? 300 : 0
  const price = way === 'money' ? undefined : amount + credit - before
  const credits = way === 'balance' || way === 'money' ? [] : [line(-credit, true)]
  const rest = before === 0 ? [] : [line(before, true)]
  return {
    price,
    total: way === 'balance' ? amount + credit : amount,
    lines: { data: [line(amount + credit - before, false), ...rest, ...credits] },
  }
}

/** How Stripe calls what pays a bill of a subscription. */
export function invoiceOf({ name }: Making, number: number): string {
  return `in_${name}_${number}`
}
