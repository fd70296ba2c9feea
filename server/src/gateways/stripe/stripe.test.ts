import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, it } from 'node:test'
import fc from 'fast-check'
import Stripe from 'stripe'
import { createGuardedFetch } from '../../guarded-fetch/index.ts'
import { FatalJobFault } from '../../outbox/index.ts'
import { createGatewayApi } from '../fetching/gateway-api.ts'
import type { Delivery, GatewayApi, GatewayCredentials, StoredDelivery } from '../gateway.ts'
import type { GatewayEvent } from '../gateway-event.ts'
import { stripe } from './index.ts'

type Json = Record<string, unknown>
type EventJson = Json & { data: { object: Json } }

const CREATED = 1_763_561_590_000
const SUBSCRIPTION = 'sub_TEST00000000000000000001'
const INVOICE = 'in_TEST00000000000000000001'
const INTENT = 'pi_TEST00000000000000000001'
const CHARGE = 'ch_TEST00000000000000000001'
const PRICE = 'price_TEST0000000000000001'
const GOODS = 'prod_TEST000000001'
const BUYER = 'comprador@example.com'

const samples = [
  'charge.dispute.created',
  'charge.refunded',
  'checkout.session.async_payment_failed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.completed.boleto_unpaid',
  'checkout.session.completed',
  'customer.subscription.created',
  'customer.subscription.deleted',
  'customer.subscription.updated.past_due',
  'invoice.paid',
  'invoice.paid.renewal',
  'invoice.payment_failed',
  'invoice_payment.paid',
  'refund.created',
] as const
type Sample = (typeof samples)[number]

function vector(name: string) {
  return JSON.parse(readFileSync(new URL(`../../../test/vectors/gateways/stripe/${name}.json`, import.meta.url), 'utf8'))
}

/** A sample's event with changed attributes of its object and of itself; `undefined` removes one. */
function event(name: Sample, object: Json = {}, { before, ...envelope }: Json = {}): EventJson {
  const sample = vector(name)
  const { data } = sample
  const body = {
    ...sample,
    ...envelope,
    data: { ...data, object: { ...data.object, ...object }, ...(before !== undefined && { previous_attributes: before }) },
  }
  return JSON.parse(JSON.stringify(body))
}

function stored(body: unknown): StoredDelivery {
  return { body, query: new URLSearchParams(), receivedAt: 1_800_000_000_000 }
}

const normalizeNotification = (body: unknown) => stripe.parse(stored(body))

function normalized(body: unknown): GatewayEvent {
  const events = normalizeNotification(body)
  return typeof events === 'object' ? events : assert.fail(`it is no event: ${events}`)
}

/** Events without their undefined fields. */
function brief(events: GatewayEvent | 'fetch' | 'ignored') {
  if (typeof events === 'string') return events
  const { plan, paymentAliases, ...rest } = events
  const said = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))
  const isPlanNamed = plan.isOffer || plan.slugs.length > 0 || plan.refs.length > 0
  return { ...said, ...(paymentAliases.length > 0 && { paymentAliases }), ...(isPlanNamed && { plan }) }
}

// The samples' `client_reference_id`, pedido-123, is no slug: a buyer may have written it.
const soldByCheckout = { slugs: ['easy-pro'], refs: [], isOffer: false }
const soldBySubscription = { slugs: ['easy-pro'], refs: [PRICE, GOODS], isOffer: false }

const ofSession = {
  paymentId: INTENT,
  paymentAliases: ['cs_test_TEST0002'],
  buyer: BUYER,
  amount: 9900,
  method: 'boleto',
  occurredAt: CREATED,
  plan: soldByCheckout,
}

const ofInvoice = {
  periodStart: 1_763_561_586_000,
  subscriptionId: SUBSCRIPTION,
  paymentId: INVOICE,
  buyer: BUYER,
  amount: 2990,
  plan: { slugs: [], refs: [PRICE, GOODS], isOffer: true },
}

const paidInvoice = { ...ofInvoice, key: `${INVOICE}:paid`, kind: 'paid', occurredAt: 1_763_561_587_000, periodEnd: 1_766_153_586_000 }

const expected: Record<Sample, unknown> = {
  'checkout.session.completed': {
    key: 'cs_test_TEST0001:payment_pending',
    kind: 'payment_pending',
    subscriptionId: SUBSCRIPTION,
    buyer: BUYER,
    amount: 9900,
    method: 'card',
    occurredAt: CREATED,
    plan: soldByCheckout,
  },
  'checkout.session.completed.boleto_unpaid': { ...ofSession, key: `${INTENT}:payment_pending`, kind: 'payment_pending' },
  'checkout.session.async_payment_succeeded': { ...ofSession, key: `${INTENT}:paid`, kind: 'paid' },
  'checkout.session.async_payment_failed': { ...ofSession, key: `${INTENT}:payment_expired`, kind: 'payment_expired' },
  'invoice.paid': 'fetch', // the first of its subscription, and no slug on it
  'invoice.paid.renewal': paidInvoice,
  'invoice.payment_failed': {
    ...ofInvoice,
    key: `${INVOICE}:payment_failed:1`,
    kind: 'payment_failed',
    occurredAt: 1_766_153_590_000,
  },
  'invoice_payment.paid': 'fetch',
  'customer.subscription.created': 'fetch',
  'customer.subscription.updated.past_due': {
    key: `${INVOICE}:past_due`,
    kind: 'payment_failed',
    subscriptionId: SUBSCRIPTION,
    paymentId: INVOICE,
    occurredAt: CREATED,
    plan: soldBySubscription,
  },
  'customer.subscription.deleted': {
    key: `${SUBSCRIPTION}:ended`,
    kind: 'ended',
    subscriptionId: SUBSCRIPTION,
    occurredAt: 1_764_000_000_000,
    plan: soldBySubscription,
  },
  'charge.refunded': {
    key: `${CHARGE}:refunded:9900:${CREATED}`,
    kind: 'refunded',
    mayHaveOtherNames: true,
    paymentId: INTENT,
    paymentAliases: [CHARGE],
    amount: 9900,
    occurredAt: CREATED,
  },
  'refund.created': 'ignored',
  'charge.dispute.created': {
    key: 'dp_1Pgc71B7WZ01zgkWMevJiAUx:disputed',
    kind: 'disputed',
    mayHaveOtherNames: true,
    paymentId: INTENT,
    paymentAliases: [CHARGE],
    amount: 9900,
    occurredAt: CREATED,
  },
}

describe('What Stripe delivers', () => {
  for (const sample of samples)
    it(`is told from its payload: ${sample}`, () => assert.deepEqual(brief(normalizeNotification(event(sample))), expected[sample]))

  const update = (object: Json, before: Json) =>
    event('customer.subscription.updated.past_due', { status: 'active', ...object }, { before })
  const session = (object: Json, type = 'checkout.session.completed') => event('checkout.session.completed.boleto_unpaid', object, { type })
  const intent = (type: string, object: Json = {}) => ({
    ...event('invoice_payment.paid', {}, { type }),
    data: {
      object: { id: INTENT, object: 'payment_intent', amount: 9900, currency: 'brl', metadata: { plan_slug: 'easy-pro' }, ...object },
    },
  })
  const withEmail = { receipt_email: BUYER }
  const dispute = (status: string, type = 'charge.dispute.closed') => event('charge.dispute.created', { status }, { type })
  const line = (over: Json) => ({
    amount: 2990,
    parent: { subscription_item_details: { subscription: SUBSCRIPTION } },
    period: { start: 1_763_561_586, end: 1_766_153_586 },
    pricing: { price_details: { price: PRICE, product: GOODS } },
    ...over,
  })
  const renewal = (object: Json, envelope?: Json) => event('invoice.paid.renewal', object, envelope)
  const lines = (...data: Json[]) => ({ lines: { data } })

  const flows: ReadonlyArray<readonly [string, unknown, Partial<GatewayEvent> | 'fetch' | 'ignored']> = [
    [
      'a one-off checkout that is paid at once',
      session({ payment_status: 'paid' }),
      { kind: 'paid', paymentId: INTENT, periodEnd: undefined },
    ],
    [
      'a one-off checkout with an invoice, known by its id too',
      session({ payment_status: 'paid', invoice: INVOICE }),
      { paymentId: INTENT, paymentAliases: ['cs_test_TEST0002', INVOICE] },
    ],
    [
      'a one-off checkout with nothing to pay',
      session({ payment_status: 'no_payment_required', payment_intent: null, amount_total: 0 }),
      { kind: 'paid', paymentId: 'cs_test_TEST0002', amount: 0 },
    ],
    [
      'a payment link',
      session({ payment_link: 'plink_1', client_reference_id: 'easy-enterprise' }),
      { plan: { slugs: ['easy-pro'], refs: ['plink_1'], isOffer: false } },
    ],
    [
      'a payment link whose maker names no plan',
      session({ payment_link: 'plink_1', metadata: {}, client_reference_id: 'easy-enterprise' }),
      'fetch',
    ],
    [
      'a checkout of a subscription that names no plan',
      session({ mode: 'subscription', subscription: SUBSCRIPTION, metadata: {}, client_reference_id: 'easy-enterprise' }),
      { plan: { slugs: [], refs: [], isOffer: true } },
    ],
    ['a checkout that says nowhere what it sells', session({ metadata: {} }), 'fetch'],
    [
      'a checkout by the address typed in before',
      session({ customer_details: null, customer_email: 'antes@example.com' }),
      { buyer: 'antes@example.com' },
    ],
    ['a checkout without an address', session({ customer_details: null }), 'fetch'],
    [
      'a checkout in dollars',
      session({ currency: 'usd', amount_total: 1_990 }),
      { kind: 'payment_pending', amount: undefined, foreign: { currency: 'USD', amount: 1_990 } },
    ],
    [
      'a checkout in shillings, which have no cents but at Stripe',
      session({ currency: 'ugx', amount_total: 500_000 }),
      { amount: undefined, foreign: { currency: 'UGX', amount: 5_000 } },
    ],
    ['a checkout in a currency that nobody knows', session({ currency: 'qqq' }), { amount: undefined }],
    ['a checkout that offers several methods', session({ payment_method_types: ['card', 'boleto'] }), { method: undefined }],
    ['a checkout that only keeps a card', session({ mode: 'setup' }), 'ignored'],
    ['a status of payment that is new', session({ payment_status: 'half' }), 'ignored'],
    ['a checkout that expired', session({ status: 'expired' }, 'checkout.session.expired'), 'ignored'],
    [
      'a subscription whose boleto was paid, which its invoice reports',
      session({ mode: 'subscription', subscription: SUBSCRIPTION }, 'checkout.session.async_payment_succeeded'),
      'ignored',
    ],
    [
      'a subscription whose boleto was not paid',
      session({ mode: 'subscription', subscription: SUBSCRIPTION, invoice: INVOICE }, 'checkout.session.async_payment_failed'),
      { kind: 'payment_expired', key: `${INVOICE}:payment_expired`, subscriptionId: SUBSCRIPTION, paymentId: INVOICE },
    ],
    [
      'invoice.payment_succeeded, the same event as invoice.paid',
      renewal({}, { type: 'invoice.payment_succeeded' }),
      { key: `${INVOICE}:paid`, kind: 'paid' },
    ],
    ['an invoice of which a part is paid', renewal({ status: 'open' }, { type: 'invoice.payment_succeeded' }), 'ignored'],
    [
      "an invoice with the subscription's metadata, its own and its lines'",
      renewal({
        metadata: { plan_slug: 'b' },
        parent: { subscription_details: { subscription: SUBSCRIPTION, metadata: { plan_slug: 'a' } } },
        ...lines(line({ metadata: { plan_slug: 'c' } })),
      }),
      { plan: { slugs: ['a', 'b', 'c'], refs: [PRICE, GOODS], isOffer: false } },
    ],
    [
      'a first invoice that names its plan',
      event('invoice.paid', { metadata: { plan_slug: 'easy-pro' } }),
      { kind: 'paid', periodEnd: 1_766_153_586_000 },
    ],
    [
      'L1: the earliest end of several lines, with the period of each, without credits and what belongs elsewhere',
      renewal(
        lines(
          line({ amount: -990, period: { start: 1, end: 1_999_999_999 }, pricing: { price_details: { price: 'price_old' } } }),
          line({}),
          line({ period: { start: 1_763_561_586, end: 1_766_240_000 }, pricing: { price_details: { price: 'price_b', product: GOODS } } }),
          line({ parent: { subscription_item_details: { subscription: 'sub_other' } }, period: { start: 1, end: 1_888_888_888 } }),
        ),
      ),
      {
        periodEnd: 1_766_153_586_000,
        plan: {
          slugs: [],
          refs: [PRICE, GOODS, 'price_b'],
          isOffer: true,
          periods: [
            { slugs: [], refs: [PRICE, GOODS], periodStart: 1_763_561_586_000, periodEnd: 1_766_153_586_000 },
            { slugs: [], refs: ['price_b', GOODS], periodStart: 1_763_561_586_000, periodEnd: 1_766_240_000_000 },
          ],
        },
      },
    ],
    [
      'a change of plan billed at once',
      renewal(lines(line({ parent: { invoice_item_details: { subscription: SUBSCRIPTION, proration: true } } }))),
      { periodEnd: 1_766_153_586_000 },
    ],
    ['an extra on the side of a subscription', renewal(lines(line({ period: { start: 1_763_561_586, end: 1_763_561_586 } }))), 'ignored'],
    ['metered prices, whose period has passed', renewal(lines(line({ period: { start: 1_760_000_000, end: 1_763_561_586 } }))), 'fetch'],
    ['a renewal without an address', renewal({ customer_email: null }), 'fetch'],
    [
      'a renewal as an old API version reports it',
      renewal({
        parent: undefined,
        status: undefined,
        paid: true,
        subscription: SUBSCRIPTION,
        subscription_details: { metadata: { plan_slug: 'easy-pro' } },
        payment_intent: INTENT,
        charge: CHARGE,
        ...lines({
          amount: 2990,
          type: 'subscription',
          subscription: SUBSCRIPTION,
          period: { start: 1_763_561_586, end: 1_766_153_586 },
          price: { id: PRICE, product: GOODS },
          plan: { id: 'plan_old', product: GOODS },
        }),
      }),
      {
        ...paidInvoice,
        paymentAliases: [INTENT, CHARGE],
        plan: soldBySubscription,
      } as Partial<GatewayEvent>,
    ],
    [
      'a renewal as it was reported when lines were called like their subscription',
      renewal({
        parent: undefined,
        subscription: SUBSCRIPTION,
        ...lines({ id: SUBSCRIPTION, amount: 2990, period: { start: 1, end: 1_766_153_586 }, plan: { id: 'plan_old', product: GOODS } }),
      }),
      { kind: 'paid', periodEnd: 1_766_153_586_000, plan: { slugs: [], refs: ['plan_old', GOODS], isOffer: true } },
    ],
    [
      'a bill without a subscription, known by its payment intent',
      renewal({ parent: null, payment_intent: INTENT }),
      {
        kind: 'paid',
        paymentId: INTENT,
        paymentAliases: [INVOICE],
        periodEnd: undefined,
        plan: { slugs: [], refs: [PRICE, GOODS], isOffer: false },
      },
    ],
    ['a bill for something of no price list', renewal({ parent: null, lines: { data: [] } }), 'ignored'],
    ['a bill that was not paid', event('invoice.payment_failed', { parent: null }), 'ignored'],
    [
      'a second refusal of the same invoice',
      event('invoice.payment_failed', { attempt_count: 2 }),
      { key: `${INVOICE}:payment_failed:2`, kind: 'payment_failed' },
    ],
    [
      'a renewal that waits for the buyer',
      event('invoice.payment_failed', {}, { type: 'invoice.payment_action_required' }),
      { key: `${INVOICE}:payment_action_required:1`, kind: 'payment_failed' },
    ],
    [
      'a bill of a subscription that is overdue',
      event('invoice.payment_failed', {}, { type: 'invoice.overdue' }),
      { key: `${INVOICE}:overdue:1`, kind: 'payment_failed' },
    ],
    [
      'a subscription that will not be renewed',
      update({ cancel_at_period_end: true }, { cancel_at_period_end: false }),
      { kind: 'canceled', subscriptionId: SUBSCRIPTION },
    ],
    [
      'one whose buyer has thought better of it',
      update({ cancel_at_period_end: false }, { cancel_at_period_end: true }),
      { kind: 'resumed', paymentId: undefined },
    ],
    ['one that ends with the paid period', update({ cancel_at: 1_766_153_586 }, { cancel_at: null }), { kind: 'canceled' }],
    ['one that ends after more renewals', update({ cancel_at: 1_799_999_999 }, { cancel_at: null }), 'ignored'],
    [
      'one that ends with the paid period, as an old API version reports it',
      update({ cancel_at: 1_766_153_586, items: { data: [] }, current_period_end: 1_766_153_586 }, { cancel_at: null }),
      { kind: 'canceled' },
    ],
    [
      'one that nobody pays any more',
      update({ status: 'unpaid' }, { status: 'past_due' }),
      { kind: 'payment_failed', key: `${INVOICE}:unpaid` },
    ],
    [
      'one canceled while it is behind',
      update({ status: 'past_due', cancel_at_period_end: true }, { status: 'active', cancel_at_period_end: false }),
      { kind: 'canceled' },
    ],
    [
      'one whose first payment never came',
      update({ status: 'incomplete_expired' }, { status: 'incomplete' }),
      { kind: 'payment_expired', paymentId: INVOICE },
    ],
    [
      'L3: one that is served again',
      update({}, { status: 'past_due' }),
      { kind: 'payment_waived', key: `${INVOICE}:served`, paymentId: INVOICE, periodEnd: 1_766_153_586_000 },
    ],
    ['one that is behind and changed in something else', update({ status: 'past_due' }, { metadata: {} }), 'ignored'],
    ['one that was renewed, which its invoice reports', update({}, { latest_invoice: 'in_before' }), 'ignored'],
    [
      'one that is renewed while its collection is paused',
      update({ pause_collection: { behavior: 'keep_as_draft', resumes_at: null } }, { latest_invoice: 'in_before' }),
      { kind: 'payment_waived', key: `${INVOICE}:served`, paymentId: INVOICE, periodEnd: 1_766_153_586_000 },
    ],
    [
      'one that falls behind while its collection is paused',
      update({ status: 'past_due', pause_collection: { behavior: 'keep_as_draft' } }, { latest_invoice: 'in_before' }),
      'ignored',
    ],
    [
      'one whose collection is paused after its invoice was made',
      update({ pause_collection: { behavior: 'void' } }, { pause_collection: null }),
      { kind: 'payment_waived', key: `${INVOICE}:served`, paymentId: INVOICE, periodEnd: 1_766_153_586_000 },
    ],
    ['one that is collected again', update({ pause_collection: null }, { pause_collection: { behavior: 'void' } }), 'ignored'],
    ['one that pauses', update({ status: 'paused' }, { status: 'active' }), { kind: 'ended', key: `${SUBSCRIPTION}:paused:${CREATED}` }],
    [
      'one that pauses, reported by the event for it',
      event('customer.subscription.deleted', { status: 'paused' }, { type: 'customer.subscription.paused', created: CREATED / 1000 }),
      { kind: 'ended', key: `${SUBSCRIPTION}:paused:${CREATED}`, occurredAt: CREATED },
    ],
    ['one that goes on', update({}, { status: 'paused' }), { kind: 'resumed', key: `${SUBSCRIPTION}:resumed:${CREATED}` }],
    [
      'one that goes on, reported by the event for it',
      event('customer.subscription.created', {}, { type: 'customer.subscription.resumed' }),
      { kind: 'resumed', key: `${SUBSCRIPTION}:resumed:${CREATED}` },
    ],
    [
      'one that was ended, reported as an update',
      update({ status: 'canceled', ended_at: 1_764_000_000 }, {}),
      { kind: 'ended', key: `${SUBSCRIPTION}:ended`, occurredAt: 1_764_000_000_000 },
    ],
    ['an end without its time', event('customer.subscription.deleted', { ended_at: null }), { occurredAt: 1_764_000_000_000 }],
    [
      'a refund of a part',
      event('charge.refunded', { refunded: false, amount_refunded: 900 }),
      { kind: 'partially_refunded', key: `${CHARGE}:refunded:900:${CREATED}`, amount: 900 },
    ],
    ['a refund of the whole in parts', event('charge.refunded', { refunded: false }), { kind: 'refunded' }],
    ['a refund that is called whole', event('charge.refunded', { amount: undefined }), { kind: 'refunded' }],
    ['a reservation that was given up', event('charge.refunded', { captured: false }), 'ignored'],
    [
      'a refund as an old API version reports it',
      event('charge.refunded', { invoice: INVOICE }),
      { paymentId: INVOICE, paymentAliases: [INTENT, CHARGE], buyer: undefined },
    ],
    [
      'a refund of a charge without an intent',
      event('charge.refunded', { payment_intent: null }),
      { paymentId: CHARGE, paymentAliases: [] },
    ],
    [
      'a refund that failed',
      event('refund.created', { status: 'failed' }, { type: 'refund.failed' }),
      { kind: 'refund_failed', paymentId: INTENT },
    ],
    ['a refund that is changed', event('refund.created', {}, { type: 'charge.refund.updated' }), 'ignored'],
    [
      'L3: an invoice that is asked for no more',
      event('invoice.payment_failed', { status: 'void' }, { type: 'invoice.voided' }),
      { kind: 'payment_waived', key: `${INVOICE}:voided`, periodEnd: undefined },
    ],
    ['L5: a question of the bank', dispute('warning_needs_response', 'charge.dispute.created'), { kind: 'dispute_inquiry' }],
    [
      'L5: a question of the bank that is looked into',
      dispute('warning_under_review', 'charge.dispute.updated'),
      { kind: 'dispute_inquiry' },
    ],
    ['L5: a question of the bank that became a dispute', dispute('needs_response', 'charge.dispute.updated'), { kind: 'disputed' }],
    ['L5: the money of a dispute withdrawn', dispute('under_review', 'charge.dispute.funds_withdrawn'), { kind: 'disputed' }],
    ['an appeal against a dispute that was lost', dispute('appeal_under_review', 'charge.dispute.updated'), 'ignored'],
    ['a dispute that was won', dispute('won'), { kind: 'dispute_won', paymentId: INTENT }],
    ['a question of the bank that was answered', dispute('warning_closed'), { kind: 'dispute_won' }],
    ['a dispute that was lost', dispute('lost'), { kind: 'dispute_lost' }],
    ['a dispute prevented before it began', dispute('prevented', 'charge.dispute.created'), 'ignored'],
    ['a dispute prevented after it began', dispute('prevented'), { kind: 'dispute_won' }],
    ['a dispute closed in a way that is new', dispute('charge_sent_to_the_moon'), 'ignored'],
    ['money that moves back with a dispute', dispute('won', 'charge.dispute.funds_reinstated'), 'ignored'],
    [
      'a payment without Checkout',
      intent('payment_intent.succeeded', withEmail),
      { kind: 'paid', key: `${INTENT}:paid`, plan: { slugs: ['easy-pro'], refs: [], isOffer: false } },
    ],
    ['a payment without Checkout or address', intent('payment_intent.succeeded', { customer: 'cus_1' }), 'fetch'],
    ['a payment that is under way', intent('payment_intent.processing', withEmail), { kind: 'payment_pending' }],
    ['a payment given up', intent('payment_intent.canceled'), { kind: 'payment_expired' }],
    [
      'a boleto not paid in time',
      intent('payment_intent.payment_failed', { last_payment_error: { payment_method: { type: 'boleto' } } }),
      { kind: 'payment_expired' },
    ],
    [
      'a card refused',
      intent('payment_intent.payment_failed', { last_payment_error: { payment_method: { type: 'card' } } }),
      { kind: 'payment_failed' },
    ],
    ['a payment that names no plan', intent('payment_intent.succeeded', { metadata: {} }), 'ignored'],
    ["an old invoice's payment", intent('payment_intent.succeeded', { ...withEmail, invoice: INVOICE }), 'ignored'],
    ['a sale of a connected account', renewal({}, { account: 'acct_2' }), 'ignored'],
    ["an invoice's payment of a connected account", event('invoice_payment.paid', {}, { account: 'acct_2' }), 'ignored'],
    ['a type of event that is new', renewal({}, { type: 'invoice.sent_by_pigeon' }), 'ignored'],
    ['a type that every object has', renewal({}, { type: 'constructor' }), 'ignored'],
    ['a thin event', { id: 'evt_1', object: 'v2.core.event', type: 'v1.billing.meter.error_report_triggered' }, 'ignored'],
  ]
  for (const [what, body, expected] of flows)
    it(`is reported by ${what}`, () => {
      const events = normalizeNotification(body)
      if (typeof expected === 'string' || typeof events === 'string') assert.equal(events, expected)
      else assert.deepEqual({ ...events, ...expected }, events)
    })

  it('says for itself what it is', () => {
    assert.deepEqual(stripe.identify(stored(event('invoice.paid'))), {
      id: 'evt_TEST00000000000000000002',
      event: 'invoice.paid',
      subject: SUBSCRIPTION,
      isTest: false,
    })
    const refund = stripe.identify(stored(event('charge.refunded')))
    assert.deepEqual(refund, { id: 'evt_TEST00000000000000000012', event: 'charge.refunded', subject: INTENT, isTest: true })
    for (const other of [null, [], {}, { ...event('invoice.paid'), object: 'v2.core.event' }, { ...event('invoice.paid'), id: 7 }])
      assert.equal(stripe.identify(stored(other)), undefined)
  })

  it('that waits for its payment is found by a name that the payment is reported by', () => {
    const oldRefund = event('charge.refunded', { invoice: INVOICE })
    const oldPaid = normalized(renewal({ payment_intent: INTENT, charge: CHARGE }))
    assert.ok(oldPaid.paymentAliases.includes(stripe.identify(stored(oldRefund))?.subject ?? ''))
    for (const sample of ['charge.refunded', 'charge.dispute.created'] as const)
      assert.equal(stripe.identify(stored(event(sample)))?.subject, INTENT)
  })

  it('never breaks anything, whatever JSON it is', async () => {
    const anywhere = fc.oneof(
      fc.jsonValue({ maxDepth: 4 }),
      fc.constantFrom(SUBSCRIPTION, 'paid', 'brl', {}, [], null, -1, 1e300, '\0', '__proto__'),
    )
    // About the requested object, whatever else it says.
    const api: GatewayApi = { get: async (path) => ({ ...JSON.parse(answers), id: /[a-z]+_TEST\w+/.exec(path)?.[0] }) }
    let answers = 'null'
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...samples),
        fc.array(fc.tuple(fc.nat(), anywhere), { maxLength: 6 }),
        anywhere,
        async (sample, changes, answer) => {
          const body = changes.reduce<unknown>((made, [n, value]) => mutate(made, n, value), event(sample))
          answers = JSON.stringify(answer) ?? 'null'
          stripe.identify(stored(body))
          stripe.parse(stored(body))
          const events = await stripe.fetch(stored(body), api).catch((fault: Error) => assert.match(fault.message, /about something else/))
          if (typeof events === 'object')
            assert.match(`${events.key}${events.paymentId}${events.subscriptionId}${events.plan.refs}`, /^[\w:.,-]+$/)
        },
      ),
      { numRuns: 2_000 },
    )
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        assert.equal(stripe.identify(stored(body)), undefined)
        assert.equal(normalizeNotification(body), 'ignored')
      }),
    )
  })
})

/** The same JSON with the n-th of its values replaced. */
function mutate(json: unknown, n: number, value: unknown): unknown {
  const text = JSON.stringify(json) ?? 'null'
  let count = 0
  JSON.parse(text, (_, each) => {
    count++
    return each
  })
  let at = 0
  return JSON.parse(text, (_, each) => (at++ === n % count ? value : each))
}

const SECRET = 'whsec_test_secret'

interface SignatureVector {
  secret: string
  timestamp: number
  payload: string
  'stripe-signature': string
}

function verify(header: string | undefined, raw: string | Uint8Array, { now, secret = SECRET }: { now: number; secret?: string }) {
  const delivery: Delivery = {
    raw: Buffer.from(raw),
    query: new URLSearchParams(),
    header: (name) => (name === 'stripe-signature' ? header : undefined),
  }
  const credentials: GatewayCredentials = { webhookSecret: secret, accessToken: 'rk_1', apiUrl: undefined, isTest: false }
  return stripe.verify(delivery, credentials, now)
}

describe("A delivery's Stripe-Signature", () => {
  const { secret, timestamp, payload, 'stripe-signature': signed } = vector('signature') as SignatureVector
  const now = timestamp * 1000
  const [, v1 = ''] = /v1=(\w+)/.exec(signed) ?? []

  it('made elsewhere is verified', () => assert.equal(verify(signed, payload, { now, secret }), 'verified'))

  const headers: ReadonlyArray<readonly [string, string | undefined, string]> = [
    ['with another beside it, as while the secret changes', `t=${timestamp},v1=${'0'.repeat(64)},v1=${v1}`, 'verified'],
    ['with other schemes beside it', `t=${timestamp},v0=whatever,v1=${v1},v2=x`, 'verified'],
    ['in another order', `v1=${v1},t=${timestamp}`, 'verified'],
    ['absent', undefined, 'missing'],
    ['empty', '', 'missing'],
    ['without a time', `v1=${v1}`, 'invalid'],
    ['with two times', `t=${timestamp},t=${timestamp},v1=${v1}`, 'invalid'],
    ['with another time', `t=${timestamp + 1},v1=${v1}`, 'invalid'],
    ['with a time that is only nearly a number', `t=${timestamp}x,v1=${v1}`, 'invalid'],
    ['with zeros before its time', `t=0${timestamp},v1=${v1}`, 'invalid'],
    ['of an old scheme only', `t=${timestamp},v0=${v1}`, 'invalid'],
    ['in upper case', `t=${timestamp},v1=${v1.toUpperCase()}`, 'invalid'],
    ['of 63 digits', `t=${timestamp},v1=${v1.slice(1)}`, 'invalid'],
    ['of 65 digits', `t=${timestamp},v1=${v1}0`, 'invalid'],
    ['of 62 digits', `t=${timestamp},v1=${v1.slice(2)}`, 'invalid'],
    ['beside one that is none', `t=${timestamp},v1=${v1},v1=zz`, 'invalid'],
    ['beside one of 65 digits', `t=${timestamp},v1=${v1},v1=${v1}0`, 'invalid'],
    ['beside one in upper case', `t=${timestamp},v1=${v1},v1=${'A'.repeat(64)}`, 'invalid'],
    ['empty beside its time', `t=${timestamp},v1=`, 'invalid'],
    ['with a third part', `t=${timestamp},v1=${v1}=`, 'invalid'],
    ['with spaces', `t=${timestamp}, v1=${v1}`, 'invalid'],
    ['with something that is no pair', `t=${timestamp},v1=${v1},x`, 'invalid'],
    ['in words', 'hello', 'invalid'],
  ]
  for (const [what, header, expected] of headers)
    it(`${what}: ${expected}`, () => assert.equal(verify(header, payload, { now, secret }), expected))

  for (const [what, at, expected] of [
    ['300 seconds old', now + 300_999, 'verified'],
    ['301 seconds old', now + 301_000, 'invalid'],
    ['300 seconds ahead', now - 300_000, 'verified'],
    ['301 seconds ahead', now - 300_001, 'invalid'],
  ] as const)
    it(`${what}: ${expected}`, () => assert.equal(verify(signed, payload, { now: at, secret }), expected))

  it('is over every byte of the body, and made with the whole secret', () => {
    assert.equal(verify(signed, `${payload} `, { now, secret }), 'invalid')
    assert.equal(verify(signed, payload, { now, secret: secret.slice('whsec_'.length) }), 'invalid')
    const bytes = Buffer.from([0x7b, 0xff, 0x7d])
    const header = Stripe.webhooks.generateTestHeaderString({ payload: bytes.toString(), secret: SECRET, timestamp })
    assert.equal(verify(header, bytes, { now }), 'invalid', 'bytes that are no text are not what they are read as')
  })

  it('is never good with a blank secret', () => {
    for (const blank of ['', ' ', '\n']) {
      const header = signWith(blank)
      assert.equal(verify(header, payload, { now, secret: blank }), 'invalid')
    }
  })
  const signWith = (key: string) => {
    const cryptoProvider = Stripe.createNodeCryptoProvider()
    return `t=${timestamp},v1=${cryptoProvider.computeHMACSignature(`${timestamp}.${payload}`, key)}`
  }

  it("gets from us the verdict of Stripe's own library, except where we are stricter", () => {
    const body = fc.oneof(
      fc.json(),
      fc.constantFrom(...samples).map((sample) => JSON.stringify(event(sample))),
    )
    const damage = fc.constantFrom<(header: string) => string>(
      (header) => header,
      (header) => header.replace(/v1=(.)/, (_, digit) => `v1=${digit === '0' ? '1' : '0'}`),
      (header) => `${header},v1=${'a'.repeat(64)}`,
      (header) => header.replace('v1=', 'v0='),
      (header) => header.slice(0, -1),
      (header) => header.replace(/^t=\d+,/, ''),
      (header) => header.split(',').reverse().join(','),
    )
    const seen = { byBoth: 0, byNone: 0, byStripe: 0, byUs: 0 }
    fc.assert(
      fc.property(body, fc.uuid(), fc.boolean(), damage, fc.integer({ min: -400, max: 400 }), (text, key, isRight, change, age) => {
        const secretUsed = isRight ? `whsec_${key}` : 'whsec_another'
        const header = change(Stripe.webhooks.generateTestHeaderString({ payload: text, secret: secretUsed, timestamp }))
        const receivedAt = (timestamp + age) * 1000
        const isVerified = verify(header, text, { now: receivedAt, secret: `whsec_${key}` }) === 'verified'
        const byStripe = isVerifiedByStripe(text, header, { key: `whsec_${key}`, receivedAt })
        seen[isVerified ? (byStripe ? 'byBoth' : 'byUs') : byStripe ? 'byStripe' : 'byNone']++
        assert.equal(isVerified, byStripe && age >= -300)
      }),
      { numRuns: 500 },
    )
    assert.ok(seen.byBoth > 10 && seen.byNone > 10 && seen.byStripe > 0 && seen.byUs === 0, JSON.stringify(seen))
  })
})

function isVerifiedByStripe(text: string, header: string, { key, receivedAt }: { key: string; receivedAt: number }): boolean {
  try {
    Stripe.webhooks.constructEvent(text, header, key, undefined, undefined, receivedAt)
    return true
  } catch (fault) {
    assert.ok(fault instanceof Stripe.errors.StripeSignatureVerificationError, String(fault))
    return false
  }
}

/** Stripe's API with these answers by path and query; its requests are kept. */
async function startApi(answers: Record<string, unknown>) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const { authorization, 'stripe-version': version } = request.headers
    const url = decodeURIComponent(request.url ?? '')
    asked.push(url)
    if (authorization !== 'Bearer rk_test' || version !== '2026-10-28.endive') return response.writeHead(401).end('{}')
    const answer = Object.hasOwn(answers, url) ? answers[url] : undefined
    return response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(answer ?? {}))
  }).listen(0, 'localhost')
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const apiUrl = `http://localhost:${(server.address() as AddressInfo).port}`
  const guardedFetch = createGuardedFetch({ allowPrivate: [], isDevelopment: true })
  const apiWith = (accessToken: string) =>
    createGatewayApi({ guardedFetch, adapter: stripe, credentials: { accessToken, apiUrl }, now: () => CREATED })
  return { asked, api: apiWith('rk_test'), apiWith }
}

const objectOf = (sample: Sample) => event(sample).data.object
async function gather(events: AsyncIterable<GatewayEvent>): Promise<GatewayEvent[]> {
  const all: GatewayEvent[] = []
  for await (const one of events) all.push(one)
  return all
}

const customer = { id: 'cus_TEST000000000001', object: 'customer', email: BUYER }
const payments = { data: [{ status: 'paid', payment: { type: 'payment_intent', payment_intent: INTENT } }] }

describe("Stripe's API", () => {
  it('names the address of a subscription that begins', async () => {
    const { asked, api } = await startApi({ [`/v1/customers/${customer.id}`]: customer })
    const events = await stripe.fetch(stored(event('customer.subscription.created')), api)
    assert.deepEqual(brief(events), {
      key: `${SUBSCRIPTION}:payment_pending`,
      kind: 'payment_pending',
      subscriptionId: SUBSCRIPTION,
      buyer: BUYER,
      occurredAt: CREATED,
      plan: soldBySubscription,
    })
    assert.deepEqual(asked, [`/v1/customers/${customer.id}`])
  })

  it('that answers about something else than it was asked for is at fault, and gives nothing', async () => {
    const other = { '/v1/customers/cus_TEST000000000001': { ...customer, id: 'cus_other' } }
    const { api } = await startApi(other)
    await assert.rejects(stripe.fetch(stored(event('customer.subscription.created')), api), /about something else/)
    const wrong: GatewayApi = { get: async () => ({ id: 'in_other', data: [{ subscription: 'sub_other' }], email: 'outra@example.com' }) }
    const metered = { lines: { data: [{ amount: 1, subscription: SUBSCRIPTION, period: { start: 1_760_000_000, end: 1_763_561_586 } }] } }
    const intent = { id: INTENT, amount: 9900, currency: 'brl', metadata: { plan_slug: 'easy-pro' }, latest_charge: CHARGE }
    const asking = [
      event('invoice_payment.paid'),
      event('invoice.paid'),
      event('invoice.paid.renewal', metered),
      { ...event('invoice.paid'), type: 'payment_intent.succeeded', data: { object: intent } },
    ]
    for (const body of asking) await assert.rejects(stripe.fetch(stored(body), wrong), /about something else/)
  })

  it('of a customer who was deleted names no address', async () => {
    const { api } = await startApi({ [`/v1/customers/${customer.id}`]: { id: customer.id, deleted: true } })
    const events = await stripe.fetch(stored(event('customer.subscription.created')), api)
    assert.ok(typeof events === 'object' && events.buyer === undefined)
  })

  it('names the payment intent by which an invoice was paid, so that a refund finds it', async () => {
    const invoice = { ...objectOf('invoice.paid.renewal'), payments }
    const { asked, api } = await startApi({ [`/v1/invoices/${INVOICE}?expand[]=payments`]: invoice })
    const events = await stripe.fetch(stored(event('invoice_payment.paid')), api)
    assert.deepEqual(brief(events), { ...paidInvoice, key: `${INVOICE}:paid:${INTENT}`, paymentAliases: [INTENT] })
    assert.equal(asked.length, 1)
    const refund = normalized(event('charge.refunded'))
    assert.ok(typeof events === 'object' && events.paymentAliases.includes(refund.paymentId ?? ''))
  })

  it('is not asked twice for what an invoice without its payments says', async () => {
    const { api } = await startApi({ [`/v1/invoices/${INVOICE}?expand[]=payments`]: objectOf('invoice.paid.renewal') })
    const events = await stripe.fetch(stored(event('invoice_payment.paid')), api)
    assert.ok(typeof events === 'object')
    assert.deepEqual(events.paymentAliases, [INTENT], 'the event itself names it')
  })

  it('reports nothing yet of an invoice that is paid in part', async () => {
    const { api } = await startApi({ [`/v1/invoices/${INVOICE}?expand[]=payments`]: { ...objectOf('invoice.paid'), status: 'open' } })
    assert.equal(await stripe.fetch(stored(event('invoice_payment.paid')), api), 'ignored')
  })

  it("names the plan that only a subscription's checkout session names", async () => {
    const session = { ...objectOf('checkout.session.completed'), payment_link: 'plink_1' }
    const path = `/v1/checkout/sessions?subscription=${SUBSCRIPTION}&limit=1`
    const { asked, api } = await startApi({ [path]: { object: 'list', data: [session] } })
    const events = await stripe.fetch(stored(event('invoice.paid')), api)
    const plan = { slugs: ['easy-pro'], refs: [PRICE, GOODS, 'plink_1'], isOffer: false }
    assert.deepEqual(brief(events), { ...paidInvoice, plan })
    assert.deepEqual(asked, [path])
  })

  it('tells of a subscription that did not begin with a session what its invoice says', async () => {
    const { api } = await startApi({ [`/v1/checkout/sessions?subscription=${SUBSCRIPTION}&limit=1`]: { object: 'list', data: [] } })
    assert.deepEqual(brief(await stripe.fetch(stored(event('invoice.paid')), api)), paidInvoice)
  })

  it('names until when a metered subscription runs', async () => {
    const metered = event('invoice.paid.renewal', {
      lines: { data: [{ amount: 1, subscription: SUBSCRIPTION, period: { start: 1_760_000_000, end: 1_763_561_586 } }] },
    })
    const subscription = objectOf('customer.subscription.created')
    const until = async (read: object) => {
      const { api } = await startApi({ [`/v1/subscriptions/${SUBSCRIPTION}`]: { ...subscription, ...read } })
      const events = await stripe.fetch(stored(metered), api)
      return typeof events === 'object' ? events.periodEnd : assert.fail(events)
    }
    assert.equal(await until({}), 1_766_153_586_000)
    // Read a month late: the month that has begun since is not paid.
    const next = { current_period_start: 1_766_153_586, current_period_end: 1_768_831_986 }
    assert.equal(await until({ items: { data: [next] } }), 1_766_153_586_000)
    assert.equal(await until({ items: undefined, ...next }), 1_766_153_586_000)
  })

  it('names the end of one period of a metered subscription, however late it is read', async () => {
    const subscription = objectOf('customer.subscription.created')
    const seconds = (day: string) => Date.parse(`${day}T12:00:00Z`) / 1000
    /** The day until which a bill of usage up to a day pays, where the subscription is read in the period of two other days. */
    const paidUntil = async (billed: string, [begin, end]: [string, string], read: (period: object) => object) => {
      const line = { amount: 1, subscription: SUBSCRIPTION, period: { start: seconds(billed) - 2_600_000, end: seconds(billed) } }
      const period = { current_period_start: seconds(begin), current_period_end: seconds(end) }
      const { api } = await startApi({ [`/v1/subscriptions/${SUBSCRIPTION}`]: { ...subscription, ...read(period) } })
      const events = await stripe.fetch(stored(event('invoice.paid.renewal', { lines: { data: [line] } })), api)
      return typeof events === 'object' ? new Date(events.periodEnd ?? 0).toISOString().slice(0, 10) : assert.fail(events)
    }
    const monthly = { interval: 'month', interval_count: 1 }
    const by = (recurring: object) => (period: object) => ({
      items: { data: [{ ...period, price: { recurring }, plan: { interval: 'day', interval_count: 7 } }] },
    })
    const late: [string, string] = ['2026-01-19', '2026-02-19']
    assert.equal(await paidUntil('2025-11-19', late, by(monthly)), '2025-12-19')
    assert.equal(await paidUntil('2025-11-19', ['2026-12-19', '2027-01-19'], by(monthly)), '2025-12-19', 'a year late')
    assert.equal(await paidUntil('2025-11-19', late, by({ interval: 'week', interval_count: 2 })), '2025-12-03')
    assert.equal(await paidUntil('2023-11-19', late, by({ interval: 'year', interval_count: 1 })), '2024-11-19')
    assert.equal(await paidUntil('2025-11-19', late, by({ interval: 'month', interval_count: 3 })), late[0], 'not beyond a beginning')
    // Older versions state the period and the price at the top.
    assert.equal(await paidUntil('2025-11-19', late, (period) => ({ items: undefined, ...period, plan: monthly })), '2025-12-19')
    // Without a cycle nobody knows of the periods between.
    for (const unknown of [{}, { interval: 'aeon', interval_count: 1 }, { interval: 'month' }, { interval: 'month', interval_count: 0 }])
      assert.equal(
        await paidUntil('2025-11-19', late, (period) => ({ items: { data: [{ ...period, price: { recurring: unknown } }] } })),
        late[0],
      )
    // Billed on the last days of months.
    const anchored = (period: object) => ({ ...by(monthly)(period), billing_cycle_anchor: seconds('2024-08-31') })
    assert.equal(await paidUntil('2025-02-28', ['2025-05-31', '2025-06-30'], anchored), '2025-03-31')
    assert.equal(await paidUntil('2025-02-20', ['2025-05-31', '2025-06-30'], anchored), '2025-03-20', 'the anchor was set since')
  })

  it('names what a checkout sells that does not say so', async () => {
    const items = { object: 'list', data: [{ id: 'li_1', price: { id: PRICE, product: GOODS } }] }
    const { api } = await startApi({ '/v1/checkout/sessions/cs_test_TEST0002/line_items?limit=20': items })
    const events = await stripe.fetch(stored(event('checkout.session.async_payment_succeeded', { metadata: {} })), api)
    assert.deepEqual(brief(events), {
      ...ofSession,
      key: `${INTENT}:paid`,
      kind: 'paid',
      plan: { slugs: [], refs: [PRICE, GOODS], isOffer: false },
    })
  })

  it('names the address given with a charge where there is no customer', async () => {
    const intent = { id: INTENT, amount: 9900, currency: 'brl', metadata: { plan_slug: 'easy-pro' }, latest_charge: CHARGE }
    const body = { ...event('invoice.paid'), type: 'payment_intent.succeeded', data: { object: intent } }
    const { asked, api } = await startApi({ [`/v1/charges/${CHARGE}`]: objectOf('charge.refunded') })
    const events = await stripe.fetch(stored(body), api)
    assert.ok(typeof events === 'object')
    assert.deepEqual([events.buyer, events.paymentAliases], [BUYER, [CHARGE]])
    assert.deepEqual(asked, [`/v1/charges/${CHARGE}`])
  })

  it('is not asked about what says enough', async () => {
    const { asked, api } = await startApi({})
    assert.deepEqual(await stripe.fetch(stored(event('invoice.paid.renewal')), api), normalized(event('invoice.paid.renewal')))
    assert.equal(await stripe.fetch(stored(event('refund.created')), api), 'ignored')
    assert.equal(await stripe.fetch(stored(event('invoice_payment.paid', {}, { account: 'acct_2' })), api), 'ignored')
    assert.deepEqual(asked, [])
  })

  it('lists every event since a time over several pages, oldest first, with the keys of their deliveries and without those of a sandbox', async () => {
    const live = (sample: Sample, id: string, created: number, object: Json = {}) => event(sample, object, { id, created, livemode: true })
    const newest = [
      live('charge.refunded', 'evt_6', 1_763_561_606),
      event('customer.subscription.deleted', {}, { id: 'evt_5' }),
      live('invoice_payment.paid', 'evt_4', 1_763_561_604),
    ]
    const oldest = [
      live('invoice_payment.paid', 'evt_3', 1_763_561_603, { invoice: 'in_unknown' }),
      live('refund.created', 'evt_2', 1_763_561_602),
      live('invoice.paid.renewal', 'evt_1', 1_763_561_601),
    ]
    const pages = [
      { object: 'list', has_more: true, data: newest },
      { object: 'list', has_more: false, data: oldest },
    ]
    const queries: URLSearchParams[] = []
    const { api: served } = await startApi({
      [`/v1/invoices/${INVOICE}?expand[]=payments`]: { ...objectOf('invoice.paid.renewal'), payments },
    })
    const api: GatewayApi = {
      async get(path) {
        if (!path.startsWith('/v1/events?')) return served.get(path)
        queries.push(new URLSearchParams(path.slice('/v1/events?'.length)))
        return pages[queries.length - 1] ?? (queries.length === 3 ? { object: 'list', data: [] } : assert.fail('asked for a page too many'))
      },
    }
    const events = await gather(stripe.list(1_763_561_600_500, api))
    assert.deepEqual(
      events.map(({ key }) => key),
      [`${INVOICE}:paid`, `${INVOICE}:paid:${INTENT}`, `${CHARGE}:refunded:9900:${1_763_561_606_000}`],
    )
    assert.deepEqual(events[0], normalized(event('invoice.paid.renewal', {}, { created: 1_763_561_601 })))
    assert.deepEqual(
      queries.map((query) => [query.get('starting_after'), query.get('created[gte]'), query.getAll('types[]').length]),
      [
        [null, '1763561600', 20],
        ['evt_4', '1763561600', 20],
        [null, '1763561600', 6],
      ],
    )
    for (const type of ['invoice.paid', 'charge.refunded', 'customer.subscription.deleted', 'invoice_payment.paid'])
      assert.ok(
        [queries[0], queries[2]].some((query) => query?.getAll('types[]').includes(type)),
        type,
      )
  })

  it('that is answered alike whatever types were asked for reports each event once', async () => {
    const body = event('invoice.paid.renewal', {}, { livemode: true })
    const events = await gather(stripe.list(0, { get: async () => ({ has_more: false, data: [body] }) }))
    assert.deepEqual(events, [normalized(body)])
  })

  it('that comes to the same page twice, or to no end, is not listed for ever, and does not pass for one that was read in full', async () => {
    let asked = 0
    const listing = (idOf: (n: number) => string): GatewayApi => ({
      get: async () => ({ has_more: true, data: [event('invoice.paid.renewal', {}, { livemode: true, id: idOf(++asked) })] }),
    })
    for (const [pages, idOf] of [
      [2, () => 'evt_1'],
      [3, (n: number) => `evt_${n % 2}`],
    ] as const) {
      asked = 0
      await assert.rejects(gather(stripe.list(0, listing(idOf))), /comes to the same page twice/)
      assert.equal(asked, pages)
    }
    asked = 0
    await assert.rejects(
      gather(
        stripe.list(
          0,
          listing((n) => `evt_${n}`),
        ),
      ),
      /more than 10000 pages/,
    )
    assert.equal(asked, 10_001)
  })

  it('that fails is not passed over', async () => {
    const failing: GatewayApi = {
      get: async (path) => {
        if (path.startsWith('/v1/events')) return { data: [event('invoice_payment.paid', {}, { livemode: true })] }
        throw new Error('the gateway is asked too often (429)')
      },
    }
    await assert.rejects(gather(stripe.list(0, failing)), /too often/)
  })

  it('is probed for all that a restricted key has to read, and refuses a wrong key', async () => {
    const needed = ['events', 'customers', 'invoices', 'subscriptions', 'checkout/sessions', 'charges', 'invoice_payments'].map(
      (things) => `/v1/${things}?limit=1`,
    )
    const { asked, api, apiWith } = await startApi(Object.fromEntries(needed.map((path) => [path, { object: 'list', data: [] }])))
    await stripe.ping(api)
    assert.deepEqual(asked, needed)
    await assert.rejects(stripe.ping(apiWith('rk_wrong')), /refuses the access token/)
    const { api: another } = await startApi({ [needed[0] ?? '']: {} })
    await assert.rejects(stripe.ping(another), FatalJobFault)
  })
})
