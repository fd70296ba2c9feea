import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { after, before, beforeEach, describe, it } from 'node:test'
import fc from 'fast-check'
import { DAY_MS } from '../../kit/index.ts'
import { FatalJobFault } from '../../outbox/index.ts'
import { foldEvents } from '../../payment-history/fold/fold.ts'
import type { Delivery, GatewayApi, StoredDelivery } from '../gateway.ts'
import type { GatewayEvent } from '../gateway-event.ts'
import { isObject } from './fields.ts'
import { mercadopago } from './index.ts'

type Json = Record<string, unknown>

const RECEIVED_AT = Date.UTC(2026, 10, 21)

function sample(name: string): Json {
  const json: unknown = JSON.parse(
    readFileSync(new URL(`../../../test/vectors/gateways/mercadopago/${name}.json`, import.meta.url), 'utf8'),
  )
  return isObject(json) ? json : assert.fail(`${name} is no object`)
}

const CARD = sample('api.get_v1_payments_id.card_approved')
const PIX = sample('api.get_v1_payments_id.pix_pending')
const SUBSCRIPTION = sample('api.get_preapproval_id')
const INVOICE = sample('api.get_authorized_payments_id.FROM_SCHEMA')
const ORDER = sample('api.get_v1_orders_id')
const CHARGEBACK = sample('api.get_v1_chargebacks_id')

/** Mercado Pago's API, as far as a test fills it: its answers by path, and the requests that it got. */
const answers = new Map<string, (query: URLSearchParams) => unknown>()
const asked: string[] = []
const records = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://api')
  asked.push(request.url ?? '')
  const answer = answers.get(pathname)
  response.statusCode = answer ? 200 : 404
  const json = answer?.(searchParams)
  if (json === 'away') response.statusCode = 503
  response.end(JSON.stringify(json ?? null))
})
let origin = ''

const api: GatewayApi = {
  async get(path) {
    const response = await fetch(origin + path)
    if (response.status === 404) throw new FatalJobFault(`${path} answered 404`)
    if (!response.ok) throw new Error(`${path} answered ${response.status}`)
    return response.json()
  },
}

before(async () => {
  await new Promise<void>((resolve) => records.listen(0, '127.0.0.1', resolve))
  const address = records.address()
  origin = typeof address === 'object' && address ? `http://127.0.0.1:${address.port}` : ''
})
beforeEach(() => {
  answers.clear()
  asked.length = 0
})
after(() => records.close())

function has(path: string, answer: unknown): void {
  answers.set(path, () => answer)
}

function stored(topic: string, id: string, more: Json = {}): StoredDelivery {
  const body = { id: 1, type: topic, action: `${topic}.updated`, data: { id }, ...more }
  return { body, query: new URLSearchParams({ 'data.id': id, type: topic }), receivedAt: RECEIVED_AT }
}

/** A sample as it arrives: with its id and type in the address, if it has them. */
function storedSample(name: string): StoredDelivery {
  const body = sample(name)
  const id = isObject(body.data) ? body.data.id : undefined
  const query = new URLSearchParams({ ...(typeof id === 'string' ? { 'data.id': id } : {}), type: String(body.type) })
  return { body, query, receivedAt: RECEIVED_AT }
}

async function ask(topic: string, id: string): Promise<GatewayEvent> {
  const events = await mercadopago.fetch(stored(topic, id), api)
  return events === 'ignored' ? assert.fail('ignored') : events
}

/** The events of a payment's notification while the API gives this answer. */
async function payment(...edits: Json[]): Promise<GatewayEvent> {
  const normalized = Object.assign({}, CARD, ...edits)
  has(`/v1/payments/${normalized.id}`, normalized)
  return ask('payment', String(normalized.id))
}

async function orderIn(edits: Json): Promise<GatewayEvent> {
  has('/v1/orders/ORD1', { ...ORDER, id: 'ORD1', ...edits })
  return ask('order', 'ORD1')
}

/** The states that result from events, as the product sees them. */
function states(...events: GatewayEvent[]): string[] {
  return foldEvents(events.map((one) => ({ periodStart: undefined, ...one, at: one.occurredAt, planId: undefined, email: one.buyer }))).map(
    ({ state }) => state,
  )
}

async function collect(normalized: AsyncIterable<GatewayEvent>): Promise<GatewayEvent[]> {
  const all: GatewayEvent[] = []
  for await (const events of normalized) all.push(events)
  return all
}

const at = (iso: string) => ({ date_last_updated: iso })

/** The headers of a delivery, without a valid signature, which other tests cover. */
const headers = (requestId: string, ts: string): Pick<Delivery, 'header'> => ({
  header: (name) => ({ 'x-request-id': requestId, 'x-signature': `ts=${ts},v1=${'0'.repeat(64)}` })[name],
})

describe('what a delivery of Mercado Pago says itself', () => {
  const summaries: Record<string, { topic: string; event: string; subject: string | undefined; normalized: 'fetch' | 'ignored' }> = {
    'payment.created': { topic: 'payment', event: 'payment.created', subject: '999999999', normalized: 'fetch' },
    'payment.updated': { topic: 'payment', event: 'payment.updated', subject: '1234567890', normalized: 'fetch' },
    'order.processed': { topic: 'order', event: 'order.processed', subject: 'ORD01JYH1Z1YJN4HZ8J3Q0RB3YP6D', normalized: 'fetch' },
    stop_delivery_op_wh: { topic: '', event: 'Created', subject: undefined, normalized: 'ignored' },
    'subscription_preapproval.GUESSED': {
      topic: 'subscription_preapproval',
      event: 'updated',
      subject: '2c938084814f6e6e018152a8c4350001',
      normalized: 'fetch',
    },
    'subscription_authorized_payment.GUESSED': {
      topic: 'subscription_authorized_payment',
      event: 'created',
      subject: '7012345678',
      normalized: 'fetch',
    },
    'topic_chargebacks_wh.GUESSED': { topic: 'topic_chargebacks_wh', event: 'created', subject: 'chb_abc123', normalized: 'fetch' },
  }
  for (const [name, { normalized, topic, event, subject }] of Object.entries(summaries))
    it(`is read from ${name}`, () => {
      const signed = `${subject === undefined ? '' : `id:${subject.toLowerCase()};`}request-id:r-1;ts:1742505638683;`
      assert.deepEqual(mercadopago.identify(storedSample(name), headers('r-1', '1742505638683')), {
        id: `${signed} ${topic}`,
        event,
        subject,
        isTest: false,
      })
      assert.equal(mercadopago.parse(storedSample(name)), normalized)
    })

  it('is never more than an id: a body that claims to be paid is asked about all the same', () => {
    const claim = { ...CARD, type: 'payment', data: { ...CARD } }
    assert.equal(mercadopago.parse({ body: claim, query: new URLSearchParams('data.id=1&type=payment'), receivedAt: 1 }), 'fetch')
  })

  it('has its kind in the address where its body has none', () => {
    assert.equal(mercadopago.parse({ ...stored('payment', '1'), body: { data: { id: '1' } } }), 'fetch')
    assert.equal(mercadopago.parse({ body: { type: 'payment', data: { id: '1' } }, query: new URLSearchParams(), receivedAt: 1 }), 'fetch')
  })

  it('is about the id of the address, which is signed, whatever the body says', async () => {
    has('/v1/payments/1234567890', CARD)
    const { query } = stored('payment', '1234567890')
    const normalized = await mercadopago.fetch({ body: { type: 'payment', data: { id: '999' } }, query, receivedAt: 1 }, api)
    assert.equal(normalized !== 'ignored' && normalized.paymentId, '1234567890')
    assert.deepEqual(asked, ['/v1/payments/1234567890'])
  })

  it('is the same whatever its body says, and in whatever case its id comes, as nothing else is signed', () => {
    const idOf = (body: Json, id = 'ORD7') => mercadopago.identify({ ...stored('order', id), body }, headers('r-1', '1'))?.id
    const once = idOf({ id: 12, type: 'order', action: 'order.processed' })
    assert.equal(idOf({ id: 13, type: 'order', action: 'order.refunded', date_created: '2026-11-20T10:00:00Z', more: 1 }), once)
    assert.equal(idOf({ id: 12, type: 'order' }, 'ord7'), once)
  })

  it('differs by each part that is signed, and by the question that is asked', () => {
    const idOf = (id: string, given: Pick<Delivery, 'header'>, type = 'payment') =>
      mercadopago.identify({ ...stored(type, id), body: { type } }, given)?.id
    const ids = [
      idOf('7', headers('r-1', '1')),
      idOf('8', headers('r-1', '1')),
      idOf('7', headers('r-2', '1')),
      idOf('7', headers('r-1', '2')),
      idOf('7', headers('', '1')),
      idOf('7', headers('r-1', '1'), 'order'),
      idOf('7', headers('r-1', '1'), 'something new'),
    ]
    assert.equal(new Set(ids).size, ids.length)
    assert.equal(idOf('7', headers('r-1', '1'), 'something else'), ids.at(-1), 'what is not asked about is all one')
  })

  it('is nothing to us where it is of another kind, of the old form, or about nothing', () => {
    const ignored: StoredDelivery[] = [
      stored('topic_merchant_order_wh', '1'),
      stored('merchant_order', '1'),
      stored('subscription_preapproval_plan', '1'),
      stored('stop_delivery_op_wh', '1'),
      stored('something_new', '1'),
      stored('constructor', '1'),
      { body: { resource: '1', topic: 'payment' }, query: new URLSearchParams('topic=payment&id=1'), receivedAt: 1 },
      { body: { type: 'payment' }, query: new URLSearchParams(), receivedAt: 1 },
      { body: [], query: new URLSearchParams(), receivedAt: 1 },
    ]
    for (const one of ignored) assert.equal(mercadopago.parse(one), 'ignored')
  })

  it('is none of Mercado Pago’s where it is no object', () => {
    for (const body of [null, 1, 'x', [], true])
      assert.equal(mercadopago.identify({ body, query: new URLSearchParams(), receivedAt: 1 }), undefined)
  })
})

describe('what the API of Mercado Pago says', () => {
  it('of an approved card payment is an event of a payment', async () => {
    assert.deepEqual(await payment(), {
      key: 'payment 1234567890 approved paid',
      kind: 'paid',
      subscriptionId: undefined,
      paymentId: '1234567890',
      paymentAliases: [],
      buyer: 'test@example.com',
      amount: 10_050,
      method: 'card',
      occurredAt: Date.parse('2024-01-15T13:30:02Z'),
      periodEnd: undefined,
      plan: { slugs: ['ORDER-2024-001234'], refs: [], isOffer: false },
    })
  })

  it('of a pending PIX payment is an event of a payment that is waited for', async () => {
    assert.deepEqual(await payment(PIX), {
      key: 'payment 2345678901 pending payment_pending',
      kind: 'payment_pending',
      subscriptionId: undefined,
      paymentId: '2345678901',
      paymentAliases: [],
      buyer: 'test@example.com',
      amount: 10_050,
      method: 'pix',
      occurredAt: Date.parse('2024-01-15T14:00:00Z'),
      periodEnd: undefined,
      plan: { slugs: ['ORDER-2024-001235'], refs: [], isOffer: false },
    })
  })

  it('of an authorised subscription grants nothing by itself', async () => {
    has('/preapproval/sub_abcdef1234567890', SUBSCRIPTION)
    const events = await ask('subscription_preapproval', 'sub_abcdef1234567890')
    assert.deepEqual(events, {
      key: `preapproval sub_abcdef1234567890 authorized ${Date.parse('2024-01-10T17:00:00Z')}`,
      kind: 'resumed',
      subscriptionId: 'sub_abcdef1234567890',
      paymentId: undefined,
      paymentAliases: [],
      buyer: 'customer@example.com',
      amount: undefined,
      method: undefined,
      occurredAt: Date.parse('2024-01-10T17:00:00Z'),
      periodEnd: undefined,
      plan: { slugs: [], refs: ['2c9380847e9c5058017ea64ea8260b60'], isOffer: true },
    })
    assert.deepEqual(states(events), ['pending'])
  })

  it('of an order is events of what was ordered, known by its payments too', async () => {
    has('/v1/orders/01JG28GRB9NYTG6VVS3R5N58YT', ORDER)
    assert.deepEqual(await ask('order', '01JG28GRB9NYTG6VVS3R5N58YT'), {
      key: 'order 01JG28GRB9NYTG6VVS3R5N58YT closed paid',
      kind: 'paid',
      subscriptionId: undefined,
      paymentId: '01JG28GRB9NYTG6VVS3R5N58YT',
      paymentAliases: ['pay_123456'],
      buyer: 'test@example.com',
      amount: 10_000,
      method: 'card',
      occurredAt: Date.parse('2024-01-15T13:30:05Z'),
      periodEnd: undefined,
      plan: { slugs: ['ORDER-2024-001'], refs: [], isOffer: false },
    })
  })

  it('of an order in each of its states is parsed as what it is', async () => {
    const kinds: Record<string, string> = {
      'created/created': 'payment_pending',
      'processing/in_process': 'payment_pending',
      'action_required/waiting_transfer': 'payment_pending',
      'at_terminal/at_terminal': 'payment_pending',
      'processed/accredited': 'paid',
      'processed/partially_refunded': 'partially_refunded',
      'failed/failed': 'payment_expired',
      'processed/refunded': 'refunded',
      'canceled/canceled': 'payment_expired',
      'cancelled/cancelled': 'payment_expired',
      'expired/expired': 'payment_expired',
      'refunded/refunded': 'refunded',
      'charged_back/in_process': 'disputed',
      'charged_back/settled': 'dispute_lost',
      'charged_back/reimbursed': 'dispute_won',
    }
    for (const [name, kind] of Object.entries(kinds)) {
      const [status, status_detail] = name.split('/')
      has('/v1/orders/ORD1', { ...ORDER, id: 'ORD1', status, status_detail })
      assert.equal((await ask('order', 'ORD1')).kind, kind, name)
    }
    has('/v1/orders/ORD1', { ...ORDER, id: 'ORD1', status: 'something_new' })
    assert.equal(await mercadopago.fetch(stored('order', 'ORD1'), api), 'ignored')
  })

  it('of an order as it is delivered names the payment’s other id, so that events of it finds the order', async () => {
    const { data } = sample('order.processed')
    has('/v1/orders/ORD01JYH1Z1YJN4HZ8J3Q0RB3YP6D', data) // the delivered data instead of the API's: it has what the fixture lacks
    const { paymentAliases } = await ask('order', 'ORD01JYH1Z1YJN4HZ8J3Q0RB3YP6D')
    assert.deepEqual(paymentAliases, ['PAY01K22Y503EJ8JHGF64KGY1PZ2B', '123456789980'])
  })

  it('of amounts is taken by its digits, whatever form they have', async () => {
    const amounts: [unknown, number | undefined][] = [
      [19.9, 1_990],
      ['19.9', 1_990],
      ['120', 12_000],
      [1.99e1, 1_990],
      [1e2, 10_000],
      ['1e2', undefined],
      [19.999, undefined],
      [-1, undefined],
      [null, undefined],
      [{}, undefined],
    ]
    for (const [transaction_amount, amount] of amounts)
      assert.equal((await payment({ transaction_amount })).amount, amount, JSON.stringify(transaction_amount))
    const inPesos = async (currency_id: string, transaction_amount: unknown) => {
      const { amount, foreign } = await payment({ currency_id, transaction_amount })
      assert.equal(amount, undefined)
      return foreign
    }
    assert.deepEqual(await inPesos('ARS', 19.9), { currency: 'ARS', amount: 1_990 })
    assert.deepEqual(await inPesos('CLP', 9_990), { currency: 'CLP', amount: 9_990 })
    for (const [currency, amount] of [
      ['CLP', 99.9],
      ['ARS', 1.999],
      ['QQQ', 10],
      ['no code', 10],
    ] as const)
      assert.equal(await inPesos(currency, amount), undefined, currency)
    has('/v1/orders/1', { ...ORDER, id: 1, total_amount: '19.9' })
    assert.equal((await ask('order', '1')).amount, 1_990)
  })

  it('of methods is translated to ours', async () => {
    const methods: [string, string, string | undefined][] = [
      ['bank_transfer', 'pix', 'pix'],
      ['ticket', 'bolbradesco', 'boleto'],
      ['ticket', 'pec', 'boleto'],
      ['credit_card', 'visa', 'card'],
      ['debit_card', 'debelo', 'card'],
      ['prepaid_card', 'master', 'card'],
      ['account_money', 'account_money', undefined],
    ]
    for (const [payment_type_id, payment_method_id, method] of methods)
      assert.equal((await payment({ payment_type_id, payment_method_id })).method, method, payment_method_id)
  })

  it('of the buyer is the payment’s address, else the subscription’s, else the one the product sent along', async () => {
    const metadata = { email: 'metadata@example.com', preapproval_id: 'sub1' }
    has('/preapproval/sub1', { ...SUBSCRIPTION, id: 'sub1', payer_email: 'subscription@example.com' })
    assert.equal((await payment({ metadata })).buyer, 'test@example.com')
    for (const payer of [null, {}, { email: null }, { email: '' }, { email: 'XXXXXXXXXXX' }])
      assert.equal((await payment({ metadata, payer })).buyer, 'subscription@example.com')
    has('/preapproval/sub1', { ...SUBSCRIPTION, id: 'sub1', payer_email: '' })
    assert.equal((await payment({ metadata, payer: null })).buyer, 'metadata@example.com')
    assert.equal((await payment({ payer: null })).buyer, undefined)
  })

  it('of the plan is a slug or a reference that the merchant gave it', async () => {
    const additional_info = { items: [{ id: 'curso-1' }, { id: 7 }, { title: 'no id' }] }
    const { plan } = await payment({ metadata: { plan_slug: 'pro' }, external_reference: 'order-1', additional_info })
    assert.deepEqual(plan, { slugs: ['pro', 'order-1'], refs: ['curso-1', '7'], isOffer: false })
    const ofLink = { point_of_interaction: { business_info: { sub_unit: 'payment_link' } } }
    assert.equal((await payment(ofLink, { external_reference: 'order-1' })).plan.isOffer, true)
    assert.equal((await payment(ofLink, { metadata: { plan_slug: 'pro' } })).plan.isOffer, false, 'it names its plan')
    const point_of_interaction = { type: 'CHECKOUT', business_info: { unit: 'online_payments', sub_unit: 'payment_link' } }
    assert.equal((await payment({ point_of_interaction })).plan.isOffer, true)
  })

  it('of a time without an offset is no time: the receipt’s stands in for it', async () => {
    const times = { date_approved: '2024-01-15T10:30:02', date_last_updated: 'yesterday', date_created: null }
    assert.equal((await payment(times)).occurredAt, RECEIVED_AT)
    assert.equal((await payment({ date_approved: null })).occurredAt, Date.parse('2024-01-15T13:30:02Z'))
  })

  it('of something new is ignored', async () => {
    for (const answer of [{ ...CARD, id: 1, status: 'teleported' }, { ...CARD, id: '1', status: null }, { id: 1 }]) {
      has('/v1/payments/1', answer)
      assert.equal(await mercadopago.fetch(stored('payment', '1'), api), 'ignored', JSON.stringify(answer))
    }
    assert.equal(await mercadopago.fetch(stored('stop_delivery_op_wh', '1'), api), 'ignored')
  })

  it('is a fault, and not events, when it is about something else than what was asked for', async () => {
    for (const answer of [CARD, { ...CARD, id: undefined }, [], 'x', null]) {
      has('/v1/payments/1', answer)
      await assert.rejects(mercadopago.fetch(stored('payment', '1'), api), /answers about something else/, JSON.stringify(answer))
    }
    const paths = ['/v1/orders/1', '/preapproval/1', '/authorized_payments/1', '/v1/chargebacks/1', '/post-purchase/v1/claims/1']
    for (const path of paths) has(path, { ...CARD, resource: 'payment', resource_id: 1234567890, payments: [1234567890], status: 'closed' })
    has('/v1/payments/1234567890', { ...CARD, metadata: { preapproval_id: '1' } })
    const topics = [
      'order',
      'subscription_preapproval',
      'subscription_authorized_payment',
      'topic_chargebacks_wh',
      'topic_claims_integration_wh',
    ]
    for (const topic of topics) await assert.rejects(mercadopago.fetch(stored(topic, '1'), api), /answers about something else/, topic)
    await assert.rejects(mercadopago.fetch(stored('payment', '1234567890'), api), /answers about something else/, 'its subscription')
  })

  it('of an order that was given back in part says also that it was paid, and how much', async () => {
    const { alsoHappened, ...paid } = { ...(await orderIn({ status: 'closed', status_detail: 'paid' })) }
    assert.equal(alsoHappened, undefined)
    for (const [status, status_detail] of [
      ['processed', 'partially_refunded'],
      ['refunded', 'refunded'],
      ['charged_back', 'reimbursed'],
    ]) {
      const [made, ...others] = (await orderIn({ status, status_detail })).alsoHappened ?? []
      assert.deepEqual(others, [])
      const { amount, paymentId, paymentAliases } = paid
      const created = { kind: 'paid', occurredAt: Date.parse('2024-01-15T13:30:00Z'), key: `order ${paymentId} processed paid` }
      assert.deepEqual(made, { ...made, ...created, amount, paymentId, paymentAliases }, status)
    }
  })

  it('of an order that was given back in parts says how much that was, where each part does', async () => {
    const partially = async (...refunds: object[]) => {
      const transactions = { payments: [], refunds }
      return (await orderIn({ status: 'processed', status_detail: 'partially_refunded', transactions })).amount
    }
    assert.deepEqual([await partially({ amount: '10.00' }), await partially({ amount: '10.00' }, { amount: '2.50' })], [1_000, 1_250])
    assert.deepEqual([await partially(), await partially({ amount: '10.00' }, { id: 'R2' })], [undefined, undefined])
  })

  it('about an order is known by its id in either case', async () => {
    has('/v1/orders/ord1', { ...ORDER, id: 'ORD1' })
    assert.equal((await ask('order', 'ord1')).paymentId, 'ORD1')
  })

  it('is a fault, and not silence, when it fails', async () => {
    await assert.rejects(mercadopago.fetch(stored('payment', '404'), api), /answered 404/)
  })
})

describe('a payment through Mercado Pago', () => {
  it('by PIX is waited for, then made', async () => {
    const pending = await payment(PIX)
    const approved = { status: 'approved', status_detail: 'accredited', date_approved: '2024-01-15T11:01:00.000-03:00' }
    const paid = await payment(PIX, approved, at('2024-01-15T11:01:01.000-03:00'))
    assert.deepEqual(states(pending), ['pending'])
    assert.deepEqual(states(pending, paid), ['active'])
    assert.equal(paid.occurredAt, Date.parse('2024-01-15T14:01:00Z'))
  })

  const BOLETO = {
    payment_type_id: 'ticket',
    payment_method_id: 'bolbradesco',
    status: 'pending',
    status_detail: 'pending_waiting_payment',
    date_approved: null,
  }

  it('by boleto is made days later, or expires', async () => {
    const pending = await payment(BOLETO)
    const paid = await payment(BOLETO, { status: 'approved', date_approved: '2024-01-18T09:00:00.000-03:00' })
    const expired = await payment(BOLETO, { status: 'cancelled', status_detail: 'expired' }, at('2024-01-20T00:00:00.000-03:00'))
    assert.equal(paid.method, 'boleto')
    assert.deepEqual(states(pending, paid), ['active'])
    assert.deepEqual(states(pending, expired), ['expired'])
  })

  it('by card is made, or rejected', async () => {
    assert.deepEqual(states(await payment()), ['active'])
    const rejected = await payment({ status: 'rejected', status_detail: 'cc_rejected_insufficient_amount', date_approved: null })
    assert.equal(rejected.kind, 'payment_expired', 'it is tried again by another payment only')
    assert.deepEqual(states(rejected), ['expired'])
    for (const status of ['in_process', 'authorized']) assert.equal((await payment({ status })).kind, 'payment_pending')
  })

  it('is given back in full, or in part as often as the merchant likes', async () => {
    const paid = await payment()
    const partially = (transaction_amount_refunded: unknown) =>
      payment({ status_detail: 'partially_refunded', transaction_amount_refunded }, at('2024-01-16T09:00:00.000-03:00'))
    const first = await partially(50)
    const second = await partially(60)
    const refunded = await payment({ status: 'refunded', status_detail: 'refunded' }, at('2024-01-17T09:00:00.000-03:00'))
    assert.equal(first.kind, 'partially_refunded')
    assert.equal(refunded.occurredAt, Date.parse('2024-01-17T12:00:00Z'))
    assert.equal(first.key, (await partially('50.00')).key)
    assert.notEqual(first.key, second.key)
    assert.deepEqual([first.amount, second.amount], [5_000, 6_000], 'what was given back so far')
    assert.deepEqual(states(paid, first, second), ['active'])
    assert.deepEqual(states(paid, refunded), ['refunded'])
  })

  const disputed = () => payment({ status: 'in_mediation', status_detail: 'pending' }, at('2024-01-20T09:00:00.000-03:00'))

  it('in mediation is disputed until the claim is closed, and given back if the buyer is right', async () => {
    const paid = await payment()
    const lost = await payment({ status: 'refunded', status_detail: 'bpp_refunded' }, at('2024-01-25T09:00:00.000-03:00'))
    has('/v1/payments/1234567890', { ...CARD, status: 'refunded', status_detail: 'bpp_refunded', ...at('2024-01-25T09:00:00.000-03:00') })
    has('/post-purchase/v1/claims/777', { id: 777, resource: 'payment', resource_id: 1234567890, status: 'closed' })
    assert.deepEqual(await ask('topic_claims_integration_wh', '777'), lost)
    assert.deepEqual(states(paid, await disputed()), ['disputed'])
    assert.deepEqual(states(paid, await disputed(), lost), ['refunded'])
  })

  it('in mediation is as good as before once the merchant is right: the claim says so, as the payment does not', async () => {
    const claim = { id: 777, resource: 'payment', resource_id: 1234567890, status: 'opened', last_updated: '2024-01-26T09:00:00.000-03:00' }
    has('/post-purchase/v1/claims/777', claim)
    const paid = await payment()
    const mediation = await disputed()
    assert.deepEqual(await ask('topic_claims_integration_wh', '777'), mediation)
    has('/v1/payments/1234567890', CARD)
    assert.deepEqual(await ask('topic_claims_integration_wh', '777'), paid)
    has('/post-purchase/v1/claims/777', { ...claim, status: 'closed' })
    const won = await ask('topic_claims_integration_wh', '777')
    assert.equal(won.kind, 'dispute_won')
    assert.equal(won.key, `payment ${won.paymentId} claim 777 dispute_won ${won.occurredAt}`)
    assert.deepEqual(states(paid, mediation, paid), ['disputed'])
    assert.deepEqual(states(paid, mediation, won), ['active'])
    assert.deepEqual(states(won), ['pending'])
  })

  it('can go into mediation again: each is events, and the same one delivered twice is not', async () => {
    const [paid, first] = [await payment(), await disputed()]
    assert.equal((await disputed()).key, first.key)
    has('/v1/payments/1234567890', CARD)
    const closed = { id: 777, resource: 'payment', resource_id: 1234567890, status: 'closed' }
    has('/post-purchase/v1/claims/777', { ...closed, last_updated: '2024-01-26T09:00:00.000-03:00' })
    const won = await ask('topic_claims_integration_wh', '777')
    const second = await payment({ status: 'in_mediation', status_detail: 'pending' }, at('2024-02-20T09:00:00.000-03:00'))
    assert.notEqual(second.key, first.key)
    has('/v1/payments/1234567890', CARD)
    has('/post-purchase/v1/claims/777', { ...closed, last_updated: '2024-02-26T09:00:00.000-03:00' })
    const wonAgain = await ask('topic_claims_integration_wh', '777')
    assert.notEqual(wonAgain.key, won.key)
    assert.deepEqual(states(paid, first, won, second), ['disputed'])
    assert.deepEqual(states(paid, first, won, second, wonAgain), ['active'])
  })

  it('charged back is disputed, then won or lost, as its own and the chargeback’s notification say alike', async () => {
    has('/v1/chargebacks/chb_abc123', { ...CHARGEBACK, payments: [1234567890] }) // the fixture lacks `payments`, which is documented
    const paid = await payment()
    const chargedBack = (status_detail: string, day: string) =>
      payment({ status: 'charged_back', status_detail }, at(`2024-02-${day}T09:00:00.000-03:00`))
    const open = await chargedBack('in_process', '01')
    assert.deepEqual(await ask('topic_chargebacks_wh', 'chb_abc123'), open)
    const lost = await chargedBack('settled', '20')
    assert.deepEqual(await ask('topic_chargebacks_wh', 'chb_abc123'), lost)
    const won = await chargedBack('reimbursed', '20')
    assert.deepEqual(await ask('chargebacks', 'chb_abc123'), won)
    assert.deepEqual(states(paid, open), ['disputed'])
    assert.deepEqual(states(paid, open, lost), ['refunded'])
    assert.deepEqual(states(paid, open, won), ['active'])
    assert.notEqual(open.key, (await disputed()).key)
  })

  it('whose chargeback does not name it is no event', async () => {
    has('/v1/chargebacks/chb_abc123', CHARGEBACK)
    assert.equal(await mercadopago.fetch(stored('topic_chargebacks_wh', 'chb_abc123'), api), 'ignored')
  })
})

describe('a subscription through Mercado Pago', () => {
  const ID = '2c938084814f6e6e018152a8c4350001'
  const OWN = {
    point_of_interaction: { type: 'SUBSCRIPTIONS', transaction_data: { subscription_id: ID } },
    operation_type: 'recurring_payment',
  }
  const FEBRUARY = { date_approved: '2024-02-10T14:00:05.000-03:00', ...at('2024-02-10T14:00:05.000-03:00'), ...OWN }
  const subscription = (more: Json = {}) => has(`/preapproval/${ID}`, { ...SUBSCRIPTION, id: ID, ...more })
  const invoice = (more: Json = {}) => has('/authorized_payments/7012345678', { ...INVOICE, ...more })
  const fetchInvoice = () => ask('subscription_authorized_payment', '7012345678')
  const fetchSubscription = () => ask('subscription_preapproval', ID)

  it('is paid until its next charge, whichever of its two notifications is read', async () => {
    subscription({ next_payment_date: '2024-03-10T14:00:00.000-03:00' })
    invoice()
    const paid = await payment(FEBRUARY)
    assert.deepEqual(await fetchInvoice(), paid)
    assert.equal(paid.subscriptionId, ID)
    assert.equal(paid.periodEnd, Date.parse('2024-03-10T17:00:00Z'))
    // Made by the plan's link, where the buyer can write the reference.
    assert.deepEqual(paid.plan, { slugs: [], refs: ['2c9380847e9c5058017ea64ea8260b60'], isOffer: true })
  })

  it('without a plan of theirs is made by the seller alone, whose reference counts; of one that is unknown it does not', async () => {
    subscription({ preapproval_plan_id: null })
    const { plan } = await payment(FEBRUARY)
    assert.deepEqual(plan, { slugs: ['ORDER-2024-001234', 'CUSTOMER-ID-12345'], refs: [], isOffer: true })
    assert.deepEqual((await fetchSubscription()).plan.slugs, ['CUSTOMER-ID-12345'])
    answers.delete(`/preapproval/${ID}`)
    assert.deepEqual((await payment(FEBRUARY)).plan.slugs, [])
  })

  it('is named by its charge where the payment does not name it', async () => {
    subscription()
    invoice()
    await payment({ point_of_interaction: null })
    assert.equal((await fetchInvoice()).subscriptionId, ID)
    assert.equal((await payment({ metadata: { preapproval_id: ID } })).subscriptionId, ID)
  })

  it('that can not be found does not withhold its payment, and one that can not be asked for now does', async () => {
    const paid = await payment(FEBRUARY)
    assert.equal(paid.subscriptionId, ID)
    assert.equal(paid.periodEnd, undefined)
    has(`/preapproval/${ID}`, 'away')
    await assert.rejects(payment(FEBRUARY), /answered 503/)
    await assert.rejects(ask('subscription_preapproval', 'none'), /answered 404/)
  })

  it('M3: ends with the period of this payment, whatever the subscription states by then', async () => {
    const ends: [Json, string | undefined][] = [
      [{ next_payment_date: '2024-02-10T14:00:00.000-03:00' }, '2024-03-10T17:00:00Z'], // not moved on yet
      [{ next_payment_date: '2024-02-09T14:00:00.000-03:00' }, '2024-03-09T17:00:00Z'], // nor when it was tried again
      [{ next_payment_date: '2024-04-10T14:00:00.000-03:00' }, '2024-03-10T17:00:00Z'], // of a later payment
      [{ next_payment_date: '2024-12-10T14:00:00.000-03:00' }, '2024-03-10T17:00:00Z'],
      [{ next_payment_date: null }, '2024-03-10T17:00:05Z'],
      [{ next_payment_date: '2024-03-10' }, '2024-03-10T17:00:05Z'],
      [{ next_payment_date: null, auto_recurring: { frequency: 0, frequency_type: 'months' } }, undefined],
      [{ next_payment_date: '2024-02-20T14:00:00.000-03:00' }, '2024-02-20T17:00:00Z'], // a first month that is billed in proportion
      [{ next_payment_date: '2024-03-10T14:00:00.000-03:00', auto_recurring: null }, undefined],
      [{ next_payment_date: '2024-03-01T14:00:00.000-03:00' }, '2024-03-01T17:00:00Z'], // charged late
      [
        { next_payment_date: '2025-02-10T14:00:00.000-03:00', auto_recurring: { frequency: 12, frequency_type: 'months' } },
        '2025-02-10T17:00:00Z',
      ],
      [
        { next_payment_date: '2024-02-17T14:00:00.000-03:00', auto_recurring: { frequency: 7, frequency_type: 'days' } },
        '2024-02-17T17:00:00Z',
      ],
    ]
    for (const [more, end] of ends) {
      subscription(more)
      const { periodEnd } = await payment(FEBRUARY)
      assert.equal(periodEnd, end === undefined ? undefined : Date.parse(end), JSON.stringify(more))
    }
    subscription({ next_payment_date: '2024-03-10T14:00:00.000-03:00' })
    assert.equal((await payment(FEBRUARY, { status: 'refunded' })).periodEnd, undefined)
  })

  it('H2: that was paid late pays its own month, by the day of its bill, whatever was billed since', async () => {
    const billedOn = (billing_date: string, more: Json = {}) => ({
      point_of_interaction: { type: 'SUBSCRIPTIONS', transaction_data: { subscription_id: ID, billing_date, ...more } },
    })
    const searched = (debit_date: string) => ({
      results: [
        { ...INVOICE, payment: { id: 1 } },
        { ...INVOICE, debit_date, payment: { id: 1234567890 } },
      ],
    })
    const normalized: [string, { next: string; edits?: Json; search?: unknown }, string | undefined, string][] = [
      ['the payment says it', { next: '2024-03-20', edits: billedOn('2024-01-20') }, '2024-01-20', '2024-02-20'],
      ['its charge does', { next: '2024-03-20', search: searched('2024-01-20T14:00:00.000-03:00') }, '2024-01-20', '2024-02-20'],
      ['nobody does', { next: '2024-03-20' }, '2024-01-20', '2024-02-20'],
      [
        'it says the day of the attempt',
        { next: '2024-03-20', edits: billedOn('2024-02-10'), search: searched('2024-01-20T14:00:00.000-03:00') },
        '2024-01-20',
        '2024-02-20',
      ],
      ['later than a cycle', { next: '2024-03-05', edits: billedOn('2024-01-05') }, '2024-01-05', '2024-02-05'],
      ['in time, and the day was moved', { next: '2024-03-22', edits: billedOn('2024-02-10') }, undefined, '2024-03-22'],
      [
        'a first one, written long before',
        { next: '2024-04-10', edits: billedOn('2024-02-01', { first_time_use: true }) },
        '2024-02-10',
        '2024-03-10',
      ],
      ['a bill of the day after', { next: '2024-03-10', edits: billedOn('2024-02-11') }, '2024-02-10', '2024-03-10'],
      ['no day at all', { next: '2024-03-20', edits: billedOn('20 January') }, '2024-01-20', '2024-02-20'],
    ]
    for (const [name, { next, edits = {}, search }, start, end] of normalized) {
      answers.delete('/authorized_payments/search')
      if (search !== undefined) has('/authorized_payments/search', search)
      subscription({ next_payment_date: `${next}T14:00:00.000-03:00` })
      const { periodStart, periodEnd } = await payment(FEBRUARY, edits)
      const dayOf = (at = Number.NaN) => new Date(at).toISOString().slice(0, 10)
      assert.equal(dayOf(periodEnd), end, name)
      if (start !== undefined) assert.equal(dayOf(periodStart), start, name)
    }
  })

  it('asks for the charge of a payment only where the payment itself names no day of billing', async () => {
    const search = '/authorized_payments/search?payment_id=1234567890'
    const normalized = (billing_date: string) => ({ point_of_interaction: { transaction_data: { subscription_id: ID, billing_date } } })
    const isAsked = () => asked.splice(0).includes(search)
    subscription({ next_payment_date: '2024-03-10T14:00:00.000-03:00' })
    await payment(FEBRUARY, { status: 'rejected', date_approved: null })
    await payment(FEBRUARY, normalized('2024-02-10'))
    assert.equal(isAsked(), false)
    invoice({ debit_date: '2024-01-10T14:00:00.000-03:00', payment: { id: 1234567890 } })
    await payment(FEBRUARY)
    asked.length = 0
    assert.equal((await fetchInvoice()).periodEnd, Date.parse('2024-02-10T17:00:00Z'), 'a whole cycle late')
    assert.equal(isAsked(), false, 'it is known already')
    await payment(FEBRUARY)
    assert.equal(isAsked(), true)
    await payment(FEBRUARY, normalized('2024-02-20'))
    assert.equal(isAsked(), false, 'in the future is today')
    await payment(FEBRUARY, normalized('2024-02-01'))
    assert.equal(isAsked(), true)
  })

  it('waits for the charge while the search is away, and does without it where there is none', async () => {
    subscription({ next_payment_date: '2024-03-10T14:00:00.000-03:00' })
    has('/authorized_payments/search', 'away')
    await assert.rejects(payment(FEBRUARY), /503/)
    answers.delete('/authorized_payments/search')
    assert.equal((await payment(FEBRUARY)).periodEnd, Date.parse('2024-03-10T17:00:00Z'))
  })

  it('is renewed by the next payment, falls behind when one fails, and catches up', async () => {
    subscription()
    const first = await payment(FEBRUARY)
    const failed = await payment({ ...FEBRUARY, id: 2, status: 'rejected' }, at('2024-03-10T14:00:00.000-03:00'))
    const second = await payment({ ...FEBRUARY, id: 3, date_approved: '2024-03-12T14:00:00.000-03:00' })
    assert.deepEqual(states(first, failed), ['past_due'])
    assert.deepEqual(states(first, failed, second), ['active'])
  })

  it('falls behind when a charge is being repeated before there is a payment, and when it is given up', async () => {
    subscription()
    for (const [status, kind] of [
      ['recycling', 'payment_failed'],
      ['cancelled', 'payment_expired'],
    ] as const) {
      invoice({ status, payment: null })
      const events = await fetchInvoice()
      assert.equal(events.kind, kind)
      assert.equal(events.buyer, 'customer@example.com')
      assert.equal(events.subscriptionId, ID)
      assert.equal(events.paymentId, undefined)
      assert.deepEqual(states(await payment({ ...FEBRUARY, date_approved: '2024-01-10T14:00:00.000-03:00' }), events), ['past_due'])
    }
    invoice({ status: 'scheduled', payment: null })
    assert.equal(await mercadopago.fetch(stored('subscription_authorized_payment', '7012345678'), api), 'ignored')
  })

  it('waits, is paused, goes on and is canceled, each an event of its own, and the same one once', async () => {
    const normalized = async (status: string, last_modified: string) => {
      subscription({ status, last_modified })
      return fetchSubscription()
    }
    const paid = await payment({ ...FEBRUARY, point_of_interaction: null })
    const paused = await normalized('paused', '2024-02-15T14:00:00.000-03:00')
    const resumed = await normalized('authorized', '2024-02-16T14:00:00.000-03:00')
    const pausedAgain = await normalized('paused', '2024-02-17T14:00:00.000-03:00')
    const canceled = await normalized('cancelled', '2024-02-18T14:00:00.000-03:00')
    assert.equal((await normalized('pending', '2024-02-01T14:00:00.000-03:00')).kind, 'payment_pending')
    assert.deepEqual(await normalized('paused', '2024-02-15T14:00:00.000-03:00'), paused)
    assert.notEqual(paused.key, pausedAgain.key)
    assert.deepEqual(states(paid, paused), ['canceled'])
    assert.deepEqual(states(paid, paused, resumed), ['active'])
    assert.deepEqual(states(paid, paused, resumed, pausedAgain), ['canceled'])
    assert.deepEqual(states(paid, canceled), ['canceled'])
    assert.deepEqual(states(canceled, resumed), ['canceled'])
    subscription({ status: 'finished' })
    assert.equal(await mercadopago.fetch(stored('subscription_preapproval', ID), api), 'ignored')
  })
})

describe('a reconciliation with Mercado Pago', () => {
  const SINCE = Date.parse('2024-01-15T13:30:00Z')
  const list = async (): Promise<GatewayEvent[]> => collect(mercadopago.list(SINCE, api))
  const changed = (id: number, ms: number) => ({
    ...CARD,
    id,
    date_approved: new Date(ms).toISOString(),
    date_last_updated: new Date(ms).toISOString(),
  })
  const noSubscriptions = () => has('/preapproval/search', { paging: { total: 0 }, results: [] })

  /**
   * Answers as their search does: changes since `begin_date`, by time, from `offset`, at most `most` on a page. `onPage` can change the
   * payments meanwhile.
   */
  function search(payments: Json[], { most = 50, onPage = () => {} }: { most?: number; onPage?: () => void } = {}) {
    answers.set('/v1/payments/search', (query) => {
      const begin = Date.parse(query.get('begin_date') ?? '')
      const time = (one: Json) => Date.parse(String(one.date_last_updated))
      const found = payments.filter((one) => time(one) >= begin).sort((a, b) => time(a) - time(b))
      const offset = Number(query.get('offset'))
      const results = found.slice(offset, offset + Math.min(most, Number(query.get('limit'))))
      onPage()
      return { paging: { total: found.length, offset, limit: results.length }, results }
    })
  }

  it('asks for what changed since, in the words of its search', async () => {
    search([])
    noSubscriptions()
    assert.deepEqual(await list(), [])
    assert.deepEqual(asked, [
      '/v1/payments/search?sort=date_last_updated&criteria=asc&range=date_last_updated&end_date=NOW&begin_date=2024-01-15T13%3A30%3A00.000Z&limit=50&offset=0',
      '/preapproval/search?limit=50&offset=0',
    ])
  })

  for (const most of [50, 30, 1])
    it(`brings every payment once, oldest first, with ${most} on a page`, async () => {
      // Every third has the same time as the one before it, so that pages end between two equal times.
      const payments = Array.from({ length: 120 }, (_, n) => changed(n, SINCE + Math.floor((n * 2) / 3) * 1_000))
      search(payments, { most })
      noSubscriptions()
      assert.deepEqual(
        (await list()).map(({ paymentId }) => Number(paymentId)),
        payments.map(({ id }) => id),
      )
    })

  it('steps over no payment when others change meanwhile', async () => {
    const payments = Array.from({ length: 120 }, (_, n) => changed(n, SINCE + n * 1_000))
    let pages = 0
    const onPage = () => {
      if (pages++ > 0) return
      for (const one of payments.slice(0, 40)) one.date_last_updated = new Date(SINCE + DAY_MS).toISOString()
    }
    search(payments, { onPage })
    noSubscriptions()
    assert.equal(new Set((await list()).map(({ paymentId }) => paymentId)).size, 120)
  })

  const certain = (events: readonly GatewayEvent[]) => events.filter(({ onlyIfDisputed }) => !onlyIfDisputed)

  it('tells the same as the notifications, and that a payment was made before it was given back or disputed', async () => {
    noSubscriptions()
    const paid = await payment()
    for (const edits of [
      { status: 'refunded' },
      { status: 'charged_back', status_detail: 'reimbursed' },
      { status_detail: 'partially_refunded' },
    ]) {
      const answer = await payment(edits, at('2024-01-17T09:00:00.000-03:00'))
      const { alsoHappened = [], ...then } = answer
      assert.deepEqual(certain(alsoHappened), [paid])
      search([{ ...CARD, ...edits, ...at('2024-01-17T09:00:00.000-03:00') }])
      assert.deepEqual(certain(await list()), [paid, then])
    }
    search([{ ...CARD, ...at('2024-01-17T09:00:00.000-03:00') }])
    assert.deepEqual(
      (await list()).map(({ kind, onlyIfDisputed }) => [kind, onlyIfDisputed]),
      [
        ['dispute_won', true],
        ['paid', undefined],
      ],
    )
    search([CARD, { ...PIX, date_last_updated: '2024-01-18T09:00:00.000-03:00' }])
    assert.deepEqual(
      (await list()).map(({ kind }) => kind),
      ['paid', 'payment_pending'],
    )
  })

  it('asks for a subscription once, however many payments it has', async () => {
    const metadata = { preapproval_id: 'sub1' }
    search([0, 1, 2].map((n) => ({ ...changed(n, SINCE + n), metadata })))
    noSubscriptions()
    has('/preapproval/sub1', { ...SUBSCRIPTION, id: 'sub1' })
    assert.deepEqual(
      (await list()).map(({ subscriptionId }) => subscriptionId),
      ['sub1', 'sub1', 'sub1'],
    )
    assert.equal(asked.filter((path) => path === '/preapproval/sub1').length, 1)
  })

  it('brings the subscriptions that changed since, page by page', async () => {
    search([])
    const subscriptions = Array.from({ length: 70 }, (_, n) => ({
      ...SUBSCRIPTION,
      id: `sub${n}`,
      last_modified: new Date(SINCE + n - 10).toISOString(),
    }))
    answers.set('/preapproval/search', (query) => {
      const offset = Number(query.get('offset'))
      return { paging: { total: 70 }, results: subscriptions.slice(offset, offset + 20) }
    })
    assert.deepEqual(
      (await list()).map(({ subscriptionId }) => subscriptionId),
      subscriptions.slice(10).map(({ id }) => id),
    )
  })

  it('is given up when its search comes to no end, and does not pass for one that was read in full', async () => {
    let page = 0
    const endless = (path: string, thing: Json, idOf: () => string) =>
      answers.set(path, () => ({ paging: { total: 1e9 }, results: [{ ...thing, id: idOf() }] }))
    for (const idOf of [() => '1', () => String(++page % 2)]) {
      endless('/v1/payments/search', CARD, idOf)
      await assert.rejects(list(), /comes to the same page twice/)
      search([])
      endless('/preapproval/search', SUBSCRIPTION, idOf)
      await assert.rejects(list(), /comes to the same page twice/)
    }
    const counted: GatewayApi = { get: async () => ({ results: [{ id: ++page }] }) }
    page = 0
    await assert.rejects(collect(mercadopago.list(SINCE, counted)), /more than 10000 pages/)
    assert.equal(page, 10_001)
  })
})

describe('the credentials for Mercado Pago', () => {
  it('travel in a header, and are tried with one question', async () => {
    assert.deepEqual(mercadopago.api.headers('APP_USR-1'), { authorization: 'Bearer APP_USR-1' })
    assert.equal(mercadopago.api.url, 'https://api.mercadopago.com')
    await assert.rejects(mercadopago.ping(api), /answered 404/)
    has('/v1/payment_methods', [])
    await mercadopago.ping(api)
    assert.deepEqual(asked, ['/v1/payment_methods', '/v1/payment_methods'])
  })
})

describe('whatever is sent or answered in the name of Mercado Pago', () => {
  const TOPICS = [
    'payment',
    'order',
    'subscription_preapproval',
    'subscription_authorized_payment',
    'chargebacks',
    'topic_claims_integration_wh',
  ]
  const ids = ['../users/me', '1/../2', '1?a=b', '1#', '1%2f2', '.', '..', '//evil.example', '1 2', '１', '1\n2', '', 'a'.repeat(65)]
  /** JSON that has the names we read, and anything behind them. */
  const names = [
    'id',
    'type',
    'data',
    'status',
    'status_detail',
    'payment',
    'payments',
    'payer',
    'email',
    'metadata',
    'preapproval_id',
    'results',
    'paging',
    'total',
  ]
  const times = ['date_last_updated', 'date_approved', 'last_modified', 'next_payment_date']
  const values = [
    'approved',
    'authorized',
    'recycling',
    'refunded',
    '2024-01-15T10:30:00.000-03:00',
    '+275760-09-01T00:00:00Z',
    '1',
    ...ids,
  ]
  const { json } = fc.letrec((tie) => ({
    json: fc.oneof(
      { maxDepth: 4 },
      fc.jsonValue(),
      fc.constantFrom(...values),
      fc.array(tie('json'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...names, ...times, '__proto__', 'resource', 'resource_id', 'topic', 'action'), tie('json'), {
        maxKeys: 6,
      }),
    ),
  }))

  it('is understood or ignored, and a fault only where it is about something else, or comes to no end', async () => {
    await fc.assert(
      fc.asyncProperty(json, json, fc.constantFrom(...TOPICS), fc.boolean(), async (body, answer, topic, isInQuery) => {
        const query = new URLSearchParams(isInQuery ? { 'data.id': '1', type: topic } : {})
        const delivery: StoredDelivery = { body, query, receivedAt: RECEIVED_AT }
        mercadopago.identify(delivery)
        mercadopago.parse(delivery)
        const calm: GatewayApi = { get: async (path) => (path.includes('?') ? answer : { ...Object(answer), id: path.split('/').at(-1) }) }
        await mercadopago.fetch(delivery, calm)
        await collect(mercadopago.list(RECEIVED_AT, { get: async () => answer })).catch((fault: Error) =>
          assert.match(fault.message, /about something else|same page twice/),
        )
      }),
      { numRuns: 500 },
    )
  })

  it('puts nothing but an id into the path of a question', async () => {
    const paths: string[] = []
    const spy = (answer: unknown): GatewayApi => ({
      get: async (path) => {
        paths.push(path)
        return { ...Object(answer), id: path.split('/').at(-1) }
      },
    })
    for (const id of ids)
      for (const topic of TOPICS) {
        await mercadopago.fetch(stored(topic, id), spy({}))
        await mercadopago.fetch({ ...stored(topic, '1'), body: { type: topic, data: { id } } }, spy(undefined))
        await mercadopago.fetch(
          stored(topic, '1'),
          spy({ payment: { id }, payments: [id], preapproval_id: id, resource: 'payment', resource_id: id }),
        )
        await mercadopago.fetch(stored(topic, '1'), spy({ metadata: { preapproval_id: id }, payments: [{ id }] }))
      }
    assert.ok(paths.length > 100)
    for (const path of paths)
      assert.match(path, /^\/(v1\/(payments|orders|chargebacks)|preapproval|authorized_payments|post-purchase\/v1\/claims)\/1$/)
  })
})
