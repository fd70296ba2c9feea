import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { eachDatabase } from '../databases.ts'
import { askAccess, type Connected, deliver, type Gateway, openSchool, startVendorApi, stripeEvent, toldOf } from '../gateways.ts'
import { startForSuite, type TestService } from '../service.ts'

const DAY = 86_400_000
const MINUTE = 60_000
const BUYER = 'comprador@example.com'

/** What check-access says of the buyer, in short. */
type Standing = readonly [active: boolean, status: string, reason: string]

const NOTHING: Standing = [false, 'none', 'no_subscription']
const PENDING: Standing = [false, 'pending', 'payment_pending']
const PAID: Standing = [true, 'active', 'paid']
const RUN_OUT: Standing = [true, 'active', 'in_grace']
const EXPIRED: Standing = [false, 'expired', 'expired']
const BEHIND: Standing = [true, 'past_due', 'in_grace']
const LOST: Standing = [false, 'past_due', 'past_due']
const LEAVING: Standing = [true, 'canceled', 'paid_until_period_end']
const CANCELED: Standing = [false, 'canceled', 'canceled']
const REFUNDED: Standing = [false, 'refunded', 'refunded']
const DISPUTED: Standing = [false, 'disputed', 'disputed']

/** The moment of a step and that at which its flow began, both in ms. */
type Moment = { at: number; start: number }
type Delivered = { body: unknown; query?: string }
type Answers = Record<string, unknown>

interface Step {
  /** Days since the flow began. */
  day: number
  /** What the vendor's API says by now, by path; what it said before stays otherwise. */
  says?: (moment: Moment) => Answers
  /** What the vendor delivers now. */
  told?: ReadonlyArray<(moment: Moment) => Delivered>
  is: Standing
}

/** One step of a flow, as it really comes. */
interface Happening {
  at: number
  answers: Answers
  deliveries: Delivered[]
  is: Standing
}

const plan = { metadata: { plan_slug: 'curso' } }

// Stripe

const SECOND_INVOICE = 'in_TEST00000000000000000002'
const THIRD_INVOICE = 'in_TEST00000000000000000003'
const stripeApi = ({ at }: Moment) => ({
  '/v1/customers/cus_TEST000000000001': { id: 'cus_TEST000000000001', object: 'customer', email: BUYER },
  '/v1/checkout/sessions': { object: 'list', data: [edit(objectOf('checkout.session.completed', at), plan)] },
  '/v1/invoices/in_TEST00000000000000000001': objectOf('invoice.paid', at),
})

/** A sample of Stripe's as if it had happened now: its times are moved, `changes` are made to its object. */
function stripe(
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

const sold = stripe('checkout.session.completed', {
  ...plan,
  mode: 'payment',
  subscription: null,
  invoice: null,
  payment_intent: 'pi_TEST00000000000000000001',
})
const voucher = (sample: string) => stripe(`checkout.session.${sample}`, plan)
const begun = [stripe('customer.subscription.created', plan), stripe('checkout.session.completed', plan)]
const firstInvoice = (method: string) => stripe('invoice.paid', { payment_settings: { payment_method_types: [method] } })
const cardInvoice = firstInvoice('card')
const linked = stripe('invoice_payment.paid')

/** The month that begins now, paid. */
const renewed = (id: string) =>
  stripe('invoice.paid.renewal', ({ at }) => {
    const start = Math.floor(at / 1000)
    const lines = { data: { 0: { period: { start, end: start + 30 * 86_400 } } } }
    return { id, created: start, lines, status_transitions: { paid_at: start } }
  })
const unpaid = (id: string) => [
  stripe('invoice.payment_failed', { id }),
  stripe('customer.subscription.updated.past_due', { latest_invoice: id }, { before: { status: 'active' } }),
]
const updated = (object: object, before: object) =>
  stripe('customer.subscription.created', { ...plan, status: 'active', ...object }, { type: 'customer.subscription.updated', before })
const notRenewed = updated({ cancel_at_period_end: true }, { cancel_at_period_end: false })
const deleted = stripe('customer.subscription.deleted', plan)
const givenBack = stripe('charge.refunded')
const partlyGivenBack = stripe('charge.refunded', { amount_refunded: 3_000, refunded: false })
const contested = stripe('charge.dispute.created')
const closed = (status: string) => stripe('charge.dispute.created', { status }, { type: 'charge.dispute.closed' })
/** A sale without Checkout: the payment intent itself names the plan. */
const intent =
  (type: string) =>
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
      },
      { at },
    ),
  })
const oldInvoice = stripe('invoice.paid', {
  parent: undefined,
  paid: true,
  subscription: 'sub_TEST00000000000000000001',
  payment_intent: 'pi_TEST00000000000000000001',
  charge: 'ch_TEST00000000000000000001',
  lines: { data: { 0: { parent: undefined, pricing: undefined, subscription: 'sub_TEST00000000000000000001', price: { id: 'price_1' } } } },
})
const oldNotRenewed = updated(
  { cancel_at_period_end: true, current_period_end: 1_766_153_586, items: { data: { 0: { current_period_end: undefined } } } },
  { cancel_at_period_end: false },
)

/** Two months, a failed payment between them, one given back in part, a dispute that was won, and the end. */
const longAtStripe: Step[] = [
  { day: 0, says: stripeApi, told: begun, is: PENDING },
  { day: 0, says: stripeApi, told: [firstInvoice('boleto'), linked], is: PAID },
  { day: 3, told: [partlyGivenBack], is: PAID },
  { day: 4, told: [contested], is: DISPUTED },
  { day: 9, told: [closed('won')], is: PAID },
  { day: 30, told: unpaid(SECOND_INVOICE), is: BEHIND },
  { day: 31, told: [renewed(SECOND_INVOICE)], is: PAID },
  { day: 40, told: [notRenewed], is: LEAVING },
  { day: 41, told: [updated({ cancel_at_period_end: false }, { cancel_at_period_end: true })], is: PAID },
  { day: 45, told: [deleted], is: CANCELED },
]

// Mercado Pago

const PREAPPROVAL = '2c938084814f6e6e018152a8c4350001'
const iso = (at: number) => new Date(at).toISOString()

/** A delivery of Mercado Pago's about a thing; it says nothing else. */
function mercadopago(sample: string, id: string) {
  return (): Delivered => {
    const body = edit(vector(`mercadopago/${sample}`), { id: unique(), data: { id } })
    return { body, query: `?data.id=${id}&type=${partOf(body, 'type')}` }
  }
}

/** A payment in a state, and its notification. */
function payment(status: string, changes: object | ((moment: Moment) => object) = {}, { id = 1234567890, sample = 'card_approved' } = {}) {
  const says = (moment: Moment) => {
    const { at, start } = moment
    const dates = { date_created: iso(start), date_approved: status === 'approved' ? iso(at) : null, date_last_updated: iso(at) }
    const detail = { status, status_detail: null, external_reference: 'curso', payer: { email: BUYER } }
    const own = typeof changes === 'function' ? changes(moment) : changes
    return { [`/v1/payments/${id}`]: edit(vector(`mercadopago/api.get_v1_payments_id.${sample}`), { id, ...dates, ...detail, ...own }) }
  }
  return { says, told: [mercadopago('payment.updated', String(id))] }
}

const pix = (status: string) => payment(status, {}, { sample: 'pix_pending' })
const boleto = (status: string, changes: object | ((moment: Moment) => object) = {}) =>
  payment(status, (moment) => ({
    payment_type_id: 'ticket',
    payment_method_id: 'bolbradesco',
    ...(typeof changes === 'function' ? changes(moment) : changes),
  }))
const onceApproved = ({ start }: Moment) => ({ date_approved: iso(start) })
const later = (status: string, changes: object = {}) => payment(status, (moment) => ({ ...onceApproved(moment), ...changes }))
const chargedBack = (detail: string) => later('charged_back', { status_detail: detail })

/** The subscription, with its next payment in so many days since the flow began. */
const preapproval = (status: string, next: number) => ({
  says: ({ at, start }: Moment) => ({
    [`/preapproval/${PREAPPROVAL}`]: edit(vector('mercadopago/api.get_preapproval_id'), {
      id: PREAPPROVAL,
      status,
      payer_email: BUYER,
      external_reference: 'curso',
      date_created: iso(start),
      last_modified: iso(at),
      next_payment_date: iso(start + next * DAY),
    }),
  }),
  told: [mercadopago('subscription_preapproval.GUESSED', PREAPPROVAL)],
})
const ofSubscription = { point_of_interaction: { transaction_data: { subscription_id: PREAPPROVAL } }, external_reference: null }

/** A month of the subscription, taken from the card: its next payment is known by then. */
const month = (id: number, next: number, status = 'approved') =>
  both(preapproval('authorized', next), payment(status, ofSubscription, { id }))

const longAtMercadoPago: Step[] = [
  { day: 0, ...preapproval('pending', 0), is: PENDING },
  { day: 0, ...month(1, 30), is: PAID },
  { day: 10, ...payment('in_mediation', (moment) => ({ ...ofSubscription, ...onceApproved(moment) }), { id: 1 }), is: DISPUTED },
  {
    day: 14,
    says: (moment) => ({
      ...payment('approved', (m) => ({ ...ofSubscription, ...onceApproved(m) }), { id: 1 }).says(moment),
      '/post-purchase/v1/claims/55': { id: 55, resource: 'payment', resource_id: 1, status: 'closed', last_updated: iso(moment.at) },
    }),
    told: [claim('55')],
    is: PAID,
  },
  { day: 30, ...month(2, 30, 'rejected'), is: BEHIND },
  { day: 31, ...month(3, 60), is: PAID },
  { day: 40, ...preapproval('paused', 60), is: LEAVING },
  { day: 42, ...preapproval('authorized', 60), is: PAID },
  { day: 50, ...preapproval('cancelled', 60), is: LEAVING },
]

/** An order in a state, and its notification. */
const order = (status: string, changes: object = {}) => {
  const id = 'ORD01JYH1Z1YJN4HZ8J3Q0RB3YP6D'
  const says = ({ at, start }: Moment) => {
    const dates = { date_created: iso(start), date_last_updated: iso(at) }
    const now = { id, status, status_detail: null, external_reference: 'curso', payer: { email: BUYER }, ...dates, ...changes }
    return { [`/v1/orders/${id}`]: edit(vector('mercadopago/api.get_v1_orders_id'), now) }
  }
  return { says, told: [mercadopago('order.processed', id)] }
}
/** The charge of a month as the subscription's own topic tells it; the payment that was made for it is named there. */
const invoiceOf = (paymentId: number) => ({
  says: () => ({
    '/authorized_payments/7012345678': edit(vector('mercadopago/api.get_authorized_payments_id.FROM_SCHEMA'), {
      payment: { id: paymentId },
    }),
  }),
  told: [mercadopago('subscription_authorized_payment.GUESSED', '7012345678')],
})

const warning = (): Delivered => ({
  body: vector('mercadopago/stop_delivery_op_wh'),
  query: '?data.id=58980959081&type=stop_delivery_op_wh',
})
const legacy = (): Delivered => ({ body: { resource: '1234567890', topic: 'payment' }, query: '?topic=payment&id=1234567890' })

function claim(id: string) {
  return (): Delivered => {
    const body = edit(vector('mercadopago/payment.updated'), {
      id: unique(),
      type: 'topic_claims_integration_wh',
      action: 'updated',
      data: { id },
    })
    return { body, query: `?data.id=${id}&type=topic_claims_integration_wh` }
  }
}

// Asaas

const CUSTOMER = 'cus_kOV4UNfRBTui'
const brazil = (at: number) => iso(at - 3 * 3_600_000).slice(0, 19)
const day = (at: number) => brazil(at).slice(0, 10)
const onDay = (n: number) => (moment: Moment) => day(moment.start + n * DAY)

/** A charge, made on the first day: what it is like by now. Its sample shows fields together that exclude each other; those are left out. */
type ChargeNow = (moment: Moment) => object

const charge =
  (billingType: string, status: string, more: ChargeNow = () => ({})): ChargeNow =>
  (moment) => {
    const alone = { subscription: null, installment: null, paymentLink: null, chargeback: null, externalReference: 'curso' }
    const unpaid = { confirmedDate: null, paymentDate: null, clientPaymentDate: null, creditDate: null, status, billingType }
    const made = { id: 'pay_1', customer: CUSTOMER, dateCreated: day(moment.start), dueDate: onDay(3)(moment) }
    return Object(edit(partOf(vector('asaas/payment-received'), 'payment'), { ...alone, ...unpaid, ...made, ...more(moment) }))
  }
const paidNow: ChargeNow = ({ at }) => ({ paymentDate: day(at), clientPaymentDate: day(at) })
const confirmedNow: ChargeNow = ({ at }) => ({ confirmedDate: day(at), clientPaymentDate: day(at) })
const confirmedAtOnce: ChargeNow = ({ start }) => ({ confirmedDate: day(start), clientPaymentDate: day(start) })

/** An event about a charge, which the API shows in the same state. */
const asaas = (event: string, now: ChargeNow) => ({
  says: (moment: Moment) => {
    const shown = now(moment)
    return { [`/payments/${partOf(shown, 'id')}`]: shown, [`/customers/${CUSTOMER}`]: edit(vector('asaas/api.customer'), { email: BUYER }) }
  },
  told: [
    (moment: Moment): Delivered => ({
      body: { id: `evt_${unique()}&1`, event, dateCreated: brazil(moment.at).replace('T', ' '), payment: now(moment) },
    }),
  ],
})

const card = (event: string, status: string, more: ChargeNow = confirmedAtOnce) => asaas(event, charge('CREDIT_CARD', status, more))

/** A charge of the subscription, due so many days after the flow began, beside all that it has by then: `[id, due, status]`. */
const ofAsaas = (event: string, charges: ReadonlyArray<readonly [id: string, due: number, status: string]>, told: string) => {
  const now =
    ([id, due, status]: readonly [string, number, string]): ChargeNow =>
    (moment) => ({
      ...charge('BOLETO', status)(moment),
      ...(status === 'RECEIVED' && paidNow(moment)),
      id,
      dueDate: onDay(due)(moment),
      subscription: 'sub_1',
      externalReference: null,
    })
  const about = charges.find(([id]) => id === told)
  assert.ok(about)
  const subscription = ({ start }: Moment) => ({
    ...Object(partOf(vector('asaas/subscription-created'), 'subscription')),
    id: 'sub_1',
    customer: CUSTOMER,
    nextDueDate: day(start + 90 * DAY),
  })
  return both(asaas(event, now(about)), {
    says: (moment: Moment) => ({
      '/payments': { data: charges.map((each) => now(each)(moment)), hasMore: false },
      '/subscriptions/sub_1': subscription(moment),
    }),
    told: [],
  })
}

const asaasSubscription = (event: string) => ({
  told: [
    ({ at, start }: Moment): Delivered => {
      const subscription = { id: 'sub_1', customer: CUSTOMER, nextDueDate: day(start + 90 * DAY) }
      return {
        body: edit(vector('asaas/subscription-created'), {
          id: `evt_${unique()}&1`,
          event,
          dateCreated: brazil(at).replace('T', ' '),
          subscription,
        }),
      }
    },
  ],
})

const firstPaid = [
  ['pay_1', 2, 'RECEIVED'],
  ['pay_2', 32, 'PENDING'],
] as const

const longAtAsaas: Step[] = [
  { day: 0, ...ofAsaas('PAYMENT_CREATED', [['pay_1', 2, 'PENDING']], 'pay_1'), is: PENDING },
  {
    day: 1,
    ...ofAsaas(
      'PAYMENT_RECEIVED',
      [
        ['pay_1', 2, 'RECEIVED'],
        ['pay_2', 32, 'PENDING'],
      ],
      'pay_1',
    ),
    is: PAID,
  },
  {
    day: 34,
    ...ofAsaas(
      'PAYMENT_OVERDUE',
      [
        ['pay_1', 2, 'RECEIVED'],
        ['pay_2', 32, 'OVERDUE'],
      ],
      'pay_2',
    ),
    is: BEHIND,
  },
  {
    day: 35,
    ...ofAsaas(
      'PAYMENT_RECEIVED',
      [
        ['pay_1', 2, 'RECEIVED'],
        ['pay_2', 32, 'RECEIVED'],
        ['pay_3', 62, 'PENDING'],
      ],
      'pay_2',
    ),
    is: PAID,
  },
  { day: 36, ...ofAsaas('PAYMENT_CHARGEBACK_REQUESTED', [['pay_2', 32, 'CHARGEBACK_REQUESTED']], 'pay_2'), is: DISPUTED },
  { day: 40, ...ofAsaas('PAYMENT_AWAITING_CHARGEBACK_REVERSAL', [['pay_2', 32, 'AWAITING_CHARGEBACK_REVERSAL']], 'pay_2'), is: PAID },
  { day: 50, ...asaasSubscription('SUBSCRIPTION_DELETED'), is: LEAVING },
]

// The flows

eachDatabase('every flow that a gateway documents, from the delivery to check-access', (database) => {
  const service = startForSuite(database)
  const flow = (gateway: Gateway, steps: readonly Step[]) => inOrder(service(), gateway, steps)

  describe('Stripe', () => {
    const run = (...steps: Step[]) => flow('stripe', steps)

    it('a card at the checkout pays at once, and a refund in full takes it back', () =>
      run({ day: 0, told: [sold], is: PAID }, { day: 2, told: [givenBack], is: REFUNDED }))
    it('a boleto waits for its payment, which comes days later', () =>
      run(
        { day: 0, told: [voucher('completed.boleto_unpaid')], is: PENDING },
        { day: 3, told: [voucher('async_payment_succeeded')], is: PAID },
      ))
    it('a boleto that nobody pays expires', () =>
      run(
        { day: 0, told: [voucher('completed.boleto_unpaid')], is: PENDING },
        { day: 4, told: [voucher('async_payment_failed')], is: EXPIRED },
      ))
    it('a subscription by card is paid by its first invoice and renewed by the next', () =>
      run(
        { day: 0, says: stripeApi, told: [...begun, cardInvoice], is: PAID },
        { day: 29, is: PAID },
        { day: 30, told: [renewed(SECOND_INVOICE)], is: PAID },
        { day: 59, is: PAID },
      ))
    it('a subscription by boleto waits for its first invoice, and has five days of grace', () =>
      run(
        { day: 0, says: stripeApi, told: begun, is: PENDING },
        { day: 2, told: [firstInvoice('boleto')], is: PAID },
        { day: 36, is: RUN_OUT },
        { day: 38, is: EXPIRED },
      ))
    it('a renewal that is not heard of: three days of grace, then expired, until it is', () =>
      run(
        { day: 0, says: stripeApi, told: [cardInvoice], is: PAID },
        { day: 32, is: RUN_OUT },
        { day: 34, is: EXPIRED },
        { day: 35, told: [renewed(SECOND_INVOICE)], is: PAID },
      ))
    it('a renewal that fails: past due in grace, past due, and paid again', () =>
      run(
        { day: 0, says: stripeApi, told: [cardInvoice], is: PAID },
        { day: 30, told: unpaid(SECOND_INVOICE), is: BEHIND },
        { day: 32, is: BEHIND },
        { day: 34, is: LOST },
        { day: 35, told: [renewed(SECOND_INVOICE)], is: PAID },
      ))
    it('canceled at the period end: paid until then, canceled from there', () =>
      run(
        { day: 0, says: stripeApi, told: [cardInvoice], is: PAID },
        { day: 10, told: [notRenewed], is: LEAVING },
        { day: 29, is: LEAVING },
        { day: 31, is: CANCELED },
        { day: 31, told: [deleted], is: CANCELED },
      ))
    it('a cancellation that is taken back changes nothing', () =>
      run(
        { day: 0, says: stripeApi, told: [cardInvoice], is: PAID },
        { day: 10, told: [notRenewed], is: LEAVING },
        { day: 11, told: [updated({ cancel_at_period_end: false }, { cancel_at_period_end: true })], is: PAID },
      ))
    it('a deleted subscription ends at once', () =>
      run({ day: 0, says: stripeApi, told: [cardInvoice], is: PAID }, { day: 10, told: [deleted], is: CANCELED }))
    it('a refund that names only the payment intent finds the invoice, in part and then in full', () =>
      run(
        { day: 0, says: stripeApi, told: [cardInvoice, linked], is: PAID },
        { day: 2, told: [partlyGivenBack], is: PAID },
        { day: 3, told: [givenBack], is: REFUNDED },
      ))
    it('a refund that comes before its payment intent is known waits for it', () =>
      run(
        { day: 0, says: stripeApi, told: [cardInvoice], is: PAID },
        { day: 2, told: [givenBack], is: PAID },
        { day: 2, told: [linked], is: REFUNDED },
      ))
    it('the refund of a month that is past leaves the current one', () =>
      run(
        { day: 0, says: stripeApi, told: [cardInvoice, linked], is: PAID },
        { day: 30, told: [renewed(SECOND_INVOICE)], is: PAID },
        { day: 31, told: [givenBack], is: PAID },
      ))
    it('a dispute that is won gives back the access it took', () =>
      run({ day: 0, told: [sold], is: PAID }, { day: 5, told: [contested], is: DISPUTED }, { day: 20, told: [closed('won')], is: PAID }))
    it('a dispute that is lost is a refund', () =>
      run(
        { day: 0, says: stripeApi, told: [cardInvoice, linked], is: PAID },
        { day: 5, told: [contested], is: DISPUTED },
        { day: 20, told: [closed('lost')], is: REFUNDED },
      ))
    it('a dispute that names only the charge is that of the payment whose refund named it', () =>
      run(
        { day: 0, told: [sold], is: PAID },
        { day: 1, told: [partlyGivenBack], is: PAID },
        { day: 2, told: [stripe('charge.dispute.created', { payment_intent: null })], is: DISPUTED },
      ))
    it('an endpoint of an old API version tells the same', () =>
      run(
        { day: 0, says: stripeApi, told: [oldInvoice], is: PAID },
        { day: 5, told: [oldNotRenewed], is: LEAVING },
        { day: 6, told: [stripe('charge.refunded', { invoice: 'in_TEST00000000000000000001' })], is: REFUNDED },
      ))
    it('a purchase after a refund counts, and the refund told again takes nothing back', () =>
      run(
        { day: 0, says: stripeApi, told: [cardInvoice, linked], is: PAID },
        { day: 3, told: [givenBack], is: REFUNDED },
        { day: 30, told: [renewed(THIRD_INVOICE)], is: PAID },
        { day: 31, told: [givenBack], is: PAID },
      ))
    it('a PIX without Checkout waits and is paid', () =>
      run({ day: 0, told: [intent('processing')], is: PENDING }, { day: 0, told: [intent('succeeded')], is: PAID }))
    it('a PIX without Checkout that is not paid in time expires', () =>
      run({ day: 0, told: [intent('processing')], is: PENDING }, { day: 1, told: [intent('canceled')], is: EXPIRED }))
    it('a subscription whose first invoice is never paid expires', () =>
      run(
        { day: 0, says: stripeApi, told: begun, is: PENDING },
        { day: 1, told: [updated({ status: 'incomplete_expired' }, { status: 'incomplete' })], is: EXPIRED },
      ))
    it('a subscription that is paused is served nothing until it is resumed', () =>
      run(
        { day: 0, says: stripeApi, told: [cardInvoice], is: PAID },
        { day: 5, told: [updated({ status: 'paused' }, { status: 'active' })], is: CANCELED },
        { day: 6, told: [updated({}, { status: 'paused' })], is: PAID },
      ))
    it('what is told in two families of events counts once', () =>
      run(
        {
          day: 0,
          says: stripeApi,
          told: [cardInvoice, stripe('invoice.paid', {}, { type: 'invoice.payment_succeeded' }), linked],
          is: PAID,
        },
        { day: 3, told: [stripe('refund.created'), givenBack], is: REFUNDED },
      ))
    it('a long flow of Stripe, reversed and doubled, comes to the same', async () => {
      await anyhow(service(), 'stripe', longAtStripe)
    })
  })

  describe('Mercado Pago', () => {
    const run = (...steps: Step[]) => flow('mercadopago', steps)

    it('a PIX waits and is approved', () => run({ day: 0, ...pix('pending'), is: PENDING }, { day: 0, ...pix('approved'), is: PAID }))
    it('a boleto waits and is approved days later', () =>
      run({ day: 0, ...boleto('pending'), is: PENDING }, { day: 4, ...boleto('approved'), is: PAID }))
    it('what nobody pays is cancelled, and has expired', () =>
      run({ day: 0, ...boleto('pending'), is: PENDING }, { day: 5, ...boleto('cancelled'), is: EXPIRED }))
    it('a card is approved at once, and refunded in part and then in full', () =>
      run(
        { day: 0, ...payment('approved'), is: PAID },
        { day: 2, ...later('approved', { status_detail: 'partially_refunded', transaction_amount_refunded: 20 }), is: PAID },
        { day: 3, ...later('refunded', { transaction_amount_refunded: 100.5 }), is: REFUNDED },
      ))
    it('a card that is rejected gives nothing, and the next attempt does', () =>
      run({ day: 0, ...payment('rejected'), is: PENDING }, { day: 0, ...payment('approved', {}, { id: 1234567891 }), is: PAID }))
    it('a mediation that is lost is a refund', () =>
      run(
        { day: 0, ...payment('approved'), is: PAID },
        { day: 5, ...later('in_mediation'), is: DISPUTED },
        { day: 9, ...later('refunded'), is: REFUNDED },
      ))
    it('a mediation that is won, which the claim alone tells, gives back the access', () =>
      run(
        { day: 0, ...payment('approved'), is: PAID },
        { day: 5, ...later('in_mediation'), is: DISPUTED },
        {
          day: 9,
          says: (moment) => ({
            ...later('approved').says(moment),
            '/post-purchase/v1/claims/55': {
              id: 55,
              resource: 'payment',
              resource_id: 1234567890,
              status: 'closed',
              last_updated: iso(moment.at),
            },
          }),
          told: [claim('55')],
          is: PAID,
        },
      ))
    it('a chargeback that is lost, told by its own topic, is a refund', () =>
      run(
        { day: 0, ...payment('approved'), is: PAID },
        {
          day: 20,
          says: (moment) => ({
            ...chargedBack('in_process').says(moment),
            '/v1/chargebacks/chb_abc123': edit(vector('mercadopago/api.get_v1_chargebacks_id'), { payments: [1234567890] }),
          }),
          told: [mercadopago('topic_chargebacks_wh.GUESSED', 'chb_abc123')],
          is: DISPUTED,
        },
        { day: 60, ...chargedBack('settled'), is: REFUNDED },
      ))
    it('a chargeback that is won gives back the access', () =>
      run(
        { day: 0, ...payment('approved'), is: PAID },
        { day: 20, ...chargedBack('in_process'), is: DISPUTED },
        { day: 60, ...chargedBack('reimbursed'), is: PAID },
      ))
    it('a payment that is first asked for after part of it was given back is paid all the same', () =>
      run({ day: 2, ...later('approved', { status_detail: 'partially_refunded', transaction_amount_refunded: 20 }), is: PAID }))
    it('a payment that is first asked for after its chargeback was won is paid, and after a refund refunded', () =>
      run({ day: 60, ...chargedBack('reimbursed'), is: PAID }, { day: 61, ...later('refunded'), is: REFUNDED }))
    it('a payment that is first asked for after it was refunded is refunded', () => run({ day: 3, ...later('refunded'), is: REFUNDED }))
    it('a subscription is paid by its payments, renewed by the next, and paid until the end when it is cancelled', () =>
      run(
        { day: 0, ...preapproval('pending', 0), is: PENDING },
        { day: 0, ...month(1, 30), is: PAID },
        { day: 30, ...month(2, 60), is: PAID },
        { day: 40, ...preapproval('cancelled', 60), is: LEAVING },
        { day: 61, is: CANCELED },
      ))
    it('a renewal that is rejected: past due in grace, past due, and paid again', () =>
      run(
        { day: 0, ...month(1, 30), is: PAID },
        { day: 30, ...month(2, 30, 'rejected'), is: BEHIND },
        { day: 34, is: LOST },
        { day: 35, ...month(3, 60), is: PAID },
      ))
    it('notifications that come late and at once all see the payment as it is by then', () =>
      run({ day: 0, says: payment('approved').says, told: Array.from({ length: 3 }, () => payment('approved').told).flat(), is: PAID }))
    it('a month that is told by its payment and by its charge is paid once', () =>
      run(
        { day: 0, ...both(month(1, 30), invoiceOf(1)), is: PAID },
        { day: 3, ...payment('refunded', (moment) => ({ ...ofSubscription, ...onceApproved(moment) }), { id: 1 }), is: REFUNDED },
      ))
    it('an order waits, is processed, and is refunded in part and in full', () =>
      run(
        { day: 0, ...order('action_required'), is: PENDING },
        { day: 0, ...order('processed', { status_detail: 'accredited' }), is: PAID },
        { day: 2, ...order('processed', { status_detail: 'partially_refunded', transactions: { refunds: [{ id: 'REF1' }] } }), is: PAID },
        { day: 3, ...order('refunded', { transactions: { refunds: [{ id: 'REF1' }, { id: 'REF2' }] } }), is: REFUNDED },
      ))
    it('an order that nobody pays expires', () =>
      run({ day: 0, ...order('action_required'), is: PENDING }, { day: 1, ...order('expired'), is: EXPIRED }))
    it('a warning of fraud and a notification of the old form are received and do nothing', () =>
      run({ day: 0, ...payment('approved'), is: PAID }, { day: 1, told: [warning, legacy], is: PAID }))
    it('a long flow of Mercado Pago, reversed and doubled, comes to the same', async () => {
      await anyhow(service(), 'mercadopago', longAtMercadoPago)
    })
  })

  describe('Asaas', () => {
    const run = (...steps: Step[]) => flow('asaas', steps)
    const slip = (event: string, status: string, more: ChargeNow = () => ({})) => asaas(event, charge('BOLETO', status, more))

    it('a boleto is overdue, confirmed and received: paid once', () =>
      run(
        { day: 0, ...slip('PAYMENT_CREATED', 'PENDING'), is: PENDING },
        { day: 4, ...slip('PAYMENT_OVERDUE', 'OVERDUE'), is: PENDING },
        { day: 5, ...slip('PAYMENT_CONFIRMED', 'CONFIRMED', confirmedNow), is: PAID },
        { day: 6, ...slip('PAYMENT_RECEIVED', 'RECEIVED', paidNow), is: PAID },
      ))
    it('a PIX waits and is received', () =>
      run(
        { day: 0, ...asaas('PAYMENT_CREATED', charge('PIX', 'PENDING')), is: PENDING },
        { day: 0, ...asaas('PAYMENT_RECEIVED', charge('PIX', 'RECEIVED', paidNow)), is: PAID },
      ))
    it('a card gives access when it is confirmed; its money, 32 days later, is not a second purchase', () =>
      run(
        { day: 0, ...card('PAYMENT_CREATED', 'PENDING'), is: NOTHING },
        { day: 0, ...card('PAYMENT_CONFIRMED', 'CONFIRMED'), is: PAID },
        { day: 32, ...card('PAYMENT_RECEIVED', 'RECEIVED'), is: PAID },
        { day: 33, ...card('PAYMENT_REFUNDED', 'REFUNDED'), is: REFUNDED },
      ))
    it('the money of a card that comes after its refund grants nothing', () =>
      run(
        { day: 0, ...card('PAYMENT_CONFIRMED', 'CONFIRMED'), is: PAID },
        { day: 3, ...card('PAYMENT_REFUNDED', 'REFUNDED'), is: REFUNDED },
        { day: 32, ...card('PAYMENT_RECEIVED', 'RECEIVED'), is: REFUNDED },
      ))
    it('cash counts until it is undone, and the charge can be paid otherwise then', () =>
      run(
        { day: 0, ...slip('PAYMENT_CREATED', 'PENDING'), is: PENDING },
        { day: 1, ...asaas('PAYMENT_RECEIVED', charge('RECEIVED_IN_CASH', 'RECEIVED_IN_CASH', paidNow)), is: PAID },
        { day: 2, ...slip('PAYMENT_RECEIVED_IN_CASH_UNDONE', 'PENDING'), is: REFUNDED },
        { day: 3, ...slip('PAYMENT_RECEIVED', 'RECEIVED', paidNow), is: PAID },
      ))
    it('a refund in part leaves the access, one in full ends it', () =>
      run(
        { day: 0, ...card('PAYMENT_CONFIRMED', 'CONFIRMED'), is: PAID },
        { day: 1, ...card('PAYMENT_PARTIALLY_REFUNDED', 'CONFIRMED'), is: PAID },
        { day: 2, ...card('PAYMENT_REFUNDED', 'REFUNDED'), is: REFUNDED },
      ))
    it('a chargeback that is contested and lost ends in a refund', () =>
      run(
        { day: 0, ...card('PAYMENT_CONFIRMED', 'CONFIRMED'), is: PAID },
        { day: 5, ...card('PAYMENT_CHARGEBACK_REQUESTED', 'CHARGEBACK_REQUESTED'), is: DISPUTED },
        { day: 6, ...card('PAYMENT_CHARGEBACK_DISPUTE', 'CHARGEBACK_DISPUTE'), is: DISPUTED },
        { day: 30, ...card('PAYMENT_REFUNDED', 'REFUNDED'), is: REFUNDED },
      ))
    it('a chargeback that is contested and won gives back the access', () =>
      run(
        { day: 0, ...card('PAYMENT_CONFIRMED', 'CONFIRMED'), is: PAID },
        { day: 5, ...card('PAYMENT_CHARGEBACK_REQUESTED', 'CHARGEBACK_REQUESTED'), is: DISPUTED },
        { day: 6, ...card('PAYMENT_CHARGEBACK_DISPUTE', 'CHARGEBACK_DISPUTE'), is: DISPUTED },
        { day: 30, ...card('PAYMENT_AWAITING_CHARGEBACK_REVERSAL', 'AWAITING_CHARGEBACK_REVERSAL'), is: PAID },
        { day: 33, ...card('PAYMENT_CONFIRMED', 'CONFIRMED'), is: PAID },
      ))
    it('a charge that is first asked for after its chargeback was won is paid', () =>
      run({ day: 30, ...card('PAYMENT_AWAITING_CHARGEBACK_REVERSAL', 'AWAITING_CHARGEBACK_REVERSAL'), is: PAID }))
    it('a subscription that is deleted is paid until its next charge would have been due', () =>
      run(
        { day: 0, ...ofAsaas('PAYMENT_CREATED', [['pay_1', 2, 'PENDING']], 'pay_1'), is: PENDING },
        {
          day: 1,
          ...ofAsaas(
            'PAYMENT_RECEIVED',
            [
              ['pay_1', 2, 'RECEIVED'],
              ['pay_2', 32, 'PENDING'],
            ],
            'pay_1',
          ),
          is: PAID,
        },
        { day: 10, ...asaasSubscription('SUBSCRIPTION_DELETED'), is: LEAVING },
        { day: 31, is: LEAVING },
        { day: 34, is: CANCELED },
      ))
    it('a subscription whose charge is overdue has five days of grace', () =>
      run(
        {
          day: 1,
          ...ofAsaas(
            'PAYMENT_RECEIVED',
            [
              ['pay_1', 2, 'RECEIVED'],
              ['pay_2', 32, 'PENDING'],
            ],
            'pay_1',
          ),
          is: PAID,
        },
        {
          day: 34,
          ...ofAsaas(
            'PAYMENT_OVERDUE',
            [
              ['pay_1', 2, 'RECEIVED'],
              ['pay_2', 32, 'OVERDUE'],
            ],
            'pay_2',
          ),
          is: BEHIND,
        },
        { day: 36, is: BEHIND },
        { day: 39, is: LOST },
        {
          day: 40,
          ...ofAsaas(
            'PAYMENT_RECEIVED',
            [
              ['pay_1', 2, 'RECEIVED'],
              ['pay_2', 32, 'RECEIVED'],
              ['pay_3', 62, 'PENDING'],
            ],
            'pay_2',
          ),
          is: PAID,
        },
      ))
    it('a subscription that is inactivated stays paid like one that is deleted', () =>
      run(
        { day: 1, ...ofAsaas('PAYMENT_RECEIVED', firstPaid, 'pay_1'), is: PAID },
        { day: 10, ...asaasSubscription('SUBSCRIPTION_INACTIVATED'), is: LEAVING },
        { day: 34, is: CANCELED },
      ))
    it('a PIX that is overdue can still be received', () =>
      run(
        { day: 0, ...asaas('PAYMENT_CREATED', charge('PIX', 'PENDING')), is: PENDING },
        { day: 4, ...asaas('PAYMENT_OVERDUE', charge('PIX', 'OVERDUE')), is: PENDING },
        { day: 5, ...asaas('PAYMENT_RECEIVED', charge('PIX', 'RECEIVED', paidNow)), is: PAID },
      ))
    it('a charge that is removed expires, and waits again when it is restored', () =>
      run(
        { day: 0, ...slip('PAYMENT_CREATED', 'PENDING'), is: PENDING },
        { day: 1, ...slip('PAYMENT_DELETED', 'PENDING', () => ({ deleted: true })), is: EXPIRED },
        { day: 2, ...slip('PAYMENT_RESTORED', 'PENDING'), is: PENDING },
        { day: 3, ...slip('PAYMENT_RECEIVED', 'RECEIVED', paidNow), is: PAID },
      ))
    it('a debit card gives access when it is confirmed, three days before its money', () =>
      run(
        { day: 0, ...asaas('PAYMENT_CONFIRMED', charge('DEBIT_CARD', 'CONFIRMED', confirmedAtOnce)), is: PAID },
        { day: 3, ...asaas('PAYMENT_RECEIVED', charge('DEBIT_CARD', 'RECEIVED', confirmedAtOnce)), is: PAID },
      ))
    it('what only tells of progress, or of a checkout, gives nothing', () =>
      run(
        { day: 0, ...card('PAYMENT_AWAITING_RISK_ANALYSIS', 'AWAITING_RISK_ANALYSIS', () => ({})), is: NOTHING },
        { day: 0, told: [() => ({ body: vector('asaas/checkout-created.truncated') })], is: NOTHING },
        { day: 1, ...card('PAYMENT_CONFIRMED', 'CONFIRMED', confirmedNow), is: PAID },
      ))
    it('a transfer into the account is a charge too, and buys nothing', () =>
      run({
        day: 0,
        ...asaas(
          'PAYMENT_RECEIVED',
          charge('PIX', 'RECEIVED', (moment) => ({ ...paidNow(moment), externalReference: null })),
        ),
        is: NOTHING,
      }))
    it('a long flow of Asaas, reversed and doubled, comes to the same', async () => {
      await anyhow(service(), 'asaas', longAtAsaas)
    })
  })
})

// How they are run

interface Shop {
  service: TestService
  school: Connected
  answers: Map<string, unknown>
}

async function openShop(service: TestService, gateway: Gateway): Promise<Shop> {
  const { url, answers } = await startVendorApi()
  return { service, answers, school: await openSchool(service, gateway, { apiUrl: url }) }
}

/** As it is documented: after each step check-access says what it should. */
async function inOrder(service: TestService, gateway: Gateway, steps: readonly Step[]): Promise<void> {
  await followed(service, gateway, happen(service.clock.now, steps))
}

async function followed(service: TestService, gateway: Gateway, happenings: readonly Happening[]): Promise<Shop> {
  const shop = await openShop(service, gateway)
  for (const [n, happening] of happenings.entries()) {
    service.clock.now = happening.at
    await take(shop, happening)
    assert.deepEqual(await standing(shop), happening.is, `step ${n + 1}`)
  }
  await expectNothingLeft(shop)
  return shop
}

/** In order, then reversed, each twice, and reversed with each twice, all of it late, when the flow is over: the same subscriptions to the last date. */
async function anyhow(service: TestService, gateway: Gateway, steps: readonly Step[]): Promise<void> {
  const happenings = happen(service.clock.now, steps)
  const expected = await subscriptionsOf(await followed(service, gateway, happenings))
  const reversed = happenings.map((one) => ({ ...one, deliveries: one.deliveries.toReversed() })).reverse()
  const doubled = (order: Happening[]) => order.flatMap((one) => [one, one])
  for (const [name, order] of Object.entries({ reversed, doubled: doubled(happenings), 'reversed and doubled': doubled(reversed) })) {
    const shop = await openShop(service, gateway)
    for (const happening of order) await take(shop, happening)
    assert.deepEqual(await standing(shop), happenings.at(-1)?.is, name)
    assert.deepEqual(await subscriptionsOf(shop), expected, name)
    await expectNothingLeft(shop)
  }
}

function subscriptionsOf({ service, school }: Shop) {
  return service.house.storage.db
    .selectFrom('subscriptions')
    .select(['number', 'email', 'state', 'method', 'period_end', 'access_until', 'changed_at'])
    .where('product_id', '=', school.product.product.id)
    .orderBy('number')
    .execute()
}

/** Steps of one day are a minute apart. */
function happen(start: number, steps: readonly Step[]): Happening[] {
  return steps.map(({ day: days, says, told = [], is }, n) => {
    const at = start + days * DAY + n * MINUTE
    return { at, answers: says?.({ at, start }) ?? {}, deliveries: told.map((tell) => tell({ at, start })), is }
  })
}

/** Delivers what a step brings, and waits until everything that has to be asked was asked. */
async function take({ service, school, answers }: Shop, happening: Happening): Promise<void> {
  for (const [path, answer] of Object.entries(happening.answers)) answers.set(path, answer)
  for (const { body, query = '' } of happening.deliveries) {
    assert.deepEqual(await deliver(school, body, { query, at: service.clock.now }), { status: 200, body: { received: true } })
  }
  const deadline = Date.now() + 10_000
  while ((await toldOf(service, school)).some(({ why }) => why === 'being_asked')) {
    assert.ok(Date.now() < deadline, 'not asked within 10 s')
    await setTimeout(5)
  }
}

async function standing({ service, school }: Shop): Promise<Standing> {
  const { active, status, reason } = await askAccess(service, school, BUYER)
  return [active === true, String(status), String(reason)]
}

/** Nothing waits for the operator, and nothing was given up. */
async function expectNothingLeft({ service, school }: Shop): Promise<void> {
  const left = (await toldOf(service, school)).filter(({ status }) => status !== 'processed' && status !== 'ignored')
  assert.deepEqual(
    left.map(({ event, status, why }) => ({ event, status, why })),
    [],
  )
}

/** Two things that happen at once. */
function both(one: Required<Pick<Step, 'says' | 'told'>>, other: Required<Pick<Step, 'says' | 'told'>>) {
  return { says: (moment: Moment) => ({ ...one.says(moment), ...other.says(moment) }), told: [...one.told, ...other.told] }
}

function unique(): string {
  return randomUUID().replaceAll('-', '')
}

function vector(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../vectors/gateways/${name}.json`, import.meta.url), 'utf8'))
}

/** A sample of Stripe's, its times moved to now. */
function eventOf(sample: string, at: number): unknown {
  const event = vector(`stripe/${sample}`)
  return moveSeconds(event, Math.floor(at / 1000) - Number(partOf(event, 'created')))
}

function objectOf(sample: string, at: number): unknown {
  return partOf(partOf(eventOf(sample, at), 'data'), 'object')
}

function partOf(value: unknown, key: string): unknown {
  return Object(value)[key]
}

/** A copy with changes: objects are merged, members of an array by their place, and `undefined` takes away. */
function edit(value: unknown, changes: unknown): unknown {
  const isMerged = typeof value === 'object' && value !== null && typeof changes === 'object' && changes !== null && !Array.isArray(changes)
  if (!isMerged) return changes
  const copy = Array.isArray(value) ? [...value] : { ...value }
  for (const [key, change] of Object.entries(changes)) {
    if (change === undefined) Reflect.deleteProperty(copy, key)
    else Reflect.set(copy, key, edit(Reflect.get(copy, key), change))
  }
  return copy
}

/** The samples' own times, which are of these weeks; what a fixture fills in stays. */
function moveSeconds(value: unknown, by: number): unknown {
  if (typeof value === 'number') return value > 1_763_000_000 && value < 1_767_000_000 ? value + by : value
  if (Array.isArray(value)) return value.map((each) => moveSeconds(each, by))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, moveSeconds(inner, by)]))
}
