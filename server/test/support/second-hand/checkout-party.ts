import { randomUUID } from 'node:crypto'
import { activated, completed, later } from '../gateways/purchases.ts'
import type { Bill, Party } from './bill.ts'
import type { Making, Said } from './making.ts'
import { invoiceOf, stripeParty } from './stripe-party.ts'

/** Reports what happens as an own checkout does, over Stripe or not. Without a product it sells plans of the operator. */
export function checkoutParty(making: Making, form: 'A' | 'B' | 'B_over_stripe', productId?: string): Party {
  const { chance, email, name } = making
  const id = randomUUID()
  const product_id = productId ?? randomUUID()
  const isOverStripe = form === 'B_over_stripe'
  const namesPayments = isOverStripe || chance.likely(0.6)
  if (!isOverStripe) making.unit = chance.pick([1, 1_000])
  if (form === 'B') making.opensWith = 'paid 1'
  let firstPlan = ''
  /** Bills with a part given back of an amount that is not stated. */
  const unstated = new Set<Bill>()
  const naming = () => (form === 'A' ? { user_email: email, product_id, plan_slug: firstPlan } : { subscription_id: id })
  const namesOf = ({ number }: Bill) => ({
    ...(namesPayments && { payment_id: `order-${name}-${number}` }),
    ...(isOverStripe && { product_id, gateway: 'stripe', gateway_payment_id: invoiceOf(making, number) }),
  })
  const paymentOf = ({ number }: Bill) => (isOverStripe ? invoiceOf(making, number) : `order ${number}`)
  const send = (event: Parameters<typeof later>[0], at: number, data: object, fact: Said) =>
    making.send('checkout', at, later(event, { at: iso(at), ...naming(), ...data }), fact)
  const sendAbout = (event: 'payment.refunded' | 'payment.disputed', bill: Bill, at: number, data: object, fact: Said) =>
    send(event, at, { ...namesOf(bill), ...data }, { ...(namesPayments && { payment: paymentOf(bill) }), ...fact })
  return {
    // Without names a dispute and its outcome may be of two payments.
    fates: ['parts', 'whole', ...(namesPayments ? (['dispute', 'operator'] as const) : [])],
    maxCharges: 1,
    mayBeSilent: !isOverStripe,
    paid: (bill) => {
      const { number, at, from, until, plan } = bill
      if (number === 1) firstPlan = plan
      // The second form has always an amount.
      const amount = number === 1 && form !== 'A' ? (bill.amount ?? 5_900) : bill.amount
      const period = until !== undefined && { period_start: iso(from), period_end: iso(until) }
      const paid = { ...period, ...namesOf(bill), ...(amount !== undefined && { amount }) }
      const named = (form === 'A' || number === 1 || bill.isChange || isOverStripe) && { product_id, plan_slug: plan }
      // The second form names the plan by its name, in any case.
      const first =
        form === 'A'
          ? completed({ email, plan, productId: product_id, at: iso(at), data: paid })
          : activated({ email, id, name: plan.replaceAll('-', ' '), at: iso(at), ...(productId && { product_id }), ...paid })
      const renewed = { at: iso(at), ...paid, ...naming(), ...named, ...(isOverStripe && { user_email: email }) }
      const body = number === 1 ? first : later('subscription.renewed', renewed)
      const about = { payment: paymentOf(bill), amount, plan: named ? plan : undefined, from: until && from, until }
      making.send('checkout', at, body, { id: `paid ${number}`, kind: 'paid', ...about })
    },
    gaveBack: (bill, at, { charge, amount, isRest }) => {
      // The rest states its amount only where each part did: it would be a part itself.
      const isKnown = namesPayments && (amount === charge.amount || (!isOverStripe && !unstated.has(bill)))
      const mayState = bill.amount !== undefined && (!isRest || isKnown)
      const stated = mayState && (isOverStripe || chance.likely(0.6)) && { amount }
      if (!stated) unstated.add(bill)
      const part = !isRest && { is_partial: true }
      sendAbout('payment.refunded', bill, at, { ...part, ...stated }, { kind: 'given_back', isPartial: !isRest, ...stated })
    },
    disputed: (bill, at, _part, kind) =>
      sendAbout('payment.disputed', bill, at, { ...(kind !== 'disputed' && { outcome: kind }) }, { kind }),
    changed: (kind, at, number) => {
      if (kind === 'failed') send('payment.failed', at, { payment_id: `failing-${number}` }, { kind, payment: `failing-${number}` })
      else if (kind !== 'resumed') send(`subscription.${kind}`, at, {}, { kind })
    },
  }
}

/** Stripe and the checkout over it: both report what is paid, and one of them or both what is given back or disputed. */
export function bothParties(making: Making, checkout: Party): Party {
  const stripe = stripeParty(making)
  const { chance } = making
  const speakers = () => chance.pick([[stripe], [checkout], [stripe, checkout], [stripe, checkout], [checkout, stripe]])
  return {
    ...stripe,
    maxCharges: 1,
    paid: (bill) => [stripe, checkout].forEach((party) => void party.paid(bill)),
    gaveBack: (bill, at, part) => speakers().forEach((party, index) => void party.gaveBack(bill, at + index * 20_000, part)),
    disputed: (bill, at, part, outcome) => {
      stripe.disputed(bill, at, part, outcome)
      if (part.amount === bill.amount && chance.likely(0.5)) checkout.disputed(bill, at + 20_000, part, outcome)
    },
  }
}

function iso(at: number): string {
  return new Date(at).toISOString()
}
