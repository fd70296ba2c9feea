import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { createGuardedFetch } from '../../guarded-fetch/index.ts'
import { DAY_MS } from '../../kit/index.ts'
import { FatalJobFault } from '../../outbox/index.ts'
import { foldEvents } from '../../payment-history/fold/fold.ts'
import { believedTime, type PaymentEvent, type PaymentKind } from '../../payment-history/index.ts'
import { validityOf } from '../../subscriptions/access/entitlement.ts'
import { createGatewayApi } from '../fetching/gateway-api.ts'
import type { Delivery, GatewayApi, StoredDelivery } from '../gateway.ts'
import type { GatewayEvent } from '../gateway-event.ts'
import { endOfBrazilDay, toBrazilDay } from './brazil-time.ts'
import { asaas } from './index.ts'

type Json = Record<string, unknown>

function vector(name: string): Json & { payment: Json & { id: string }; subscription: Json } {
  return JSON.parse(readFileSync(new URL(`../../../test/vectors/gateways/asaas/${name}.json`, import.meta.url), 'utf8'))
}

const received = vector('payment-received')
const boleto = vector('payment-created.boleto')
const subscribed = vector('subscription-created')
const RECEIVED_AT = Date.UTC(2026, 10, 21)
const stored = (body: unknown, receivedAt = RECEIVED_AT): StoredDelivery => ({ body, query: new URLSearchParams(), receivedAt })
const at = (time: string) => Date.parse(`${time}-03:00`)

/** Asaas's API as far as it is used: it knows the objects that a test puts there, and answers 404 to any other path. */
const records = { payments: new Map<string, Json>(), subscriptions: new Map<string, Json>(), customers: new Map<string, Json>() }
const asked: { url: URL; headers: NodeJS.Dict<string | string[]> }[] = []
let api: GatewayApi
let status = 200
/** If set, only this is answered with `status`. */
let failing = ''
/** Called after each page of a list is served. A test changes the records here. */
let onListed = (_query: URLSearchParams) => {}
const server = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://api')
  asked.push({ url, headers: request.headers })
  const [, version, kind = '', id] = url.pathname.split('/')
  const known = kind === 'payments' || kind === 'subscriptions' || kind === 'customers' ? records[kind] : undefined
  const found = id === undefined ? known && listed([...known.values()], url.searchParams) : known?.get(id)
  response
    .writeHead(version !== 'v3' || !found ? 404 : kind.startsWith(failing) ? status : 200, { 'content-type': 'application/json' })
    .end(JSON.stringify(found ?? {}))
  if (id === undefined) onListed(url.searchParams)
})

/** As documented: equal fields, `[ge]` for days, offset and limit. */
function listed(all: Json[], query: URLSearchParams): Json {
  const [offset, limit] = [Number(query.get('offset')), Number(query.get('limit') ?? 10)]
  assert.ok(limit <= 100)
  const filters = [...query].filter(([name]) => name !== 'offset' && name !== 'limit')
  const fits = (one: Json) =>
    filters.every(([name, value]) => (name.endsWith('[ge]') ? String(one[name.slice(0, -4)] ?? '') >= value : one[name] === value))
  const data = all.filter(fits)
  return {
    object: 'list',
    hasMore: data.length > offset + limit,
    totalCount: data.length,
    offset,
    limit,
    data: data.slice(offset, offset + limit),
  }
}

before(async () => {
  await once(server.listen(0, 'localhost'), 'listening')
  const credentials = { accessToken: '$aact_hmlg_token', apiUrl: `http://localhost:${(server.address() as AddressInfo).port}/v3` }
  api = createGatewayApi({
    guardedFetch: createGuardedFetch({ allowPrivate: [], isDevelopment: true }),
    adapter: asaas,
    credentials,
    now: () => RECEIVED_AT,
  })
})
after(() => {
  server.closeAllConnections()
  server.close()
})

function know({ payments = [], subscriptions = [] }: { payments?: Json[]; subscriptions?: Json[] }): void {
  const byId = (all: Json[]): [string, Json][] => all.map((one) => [String(one.id), one])
  records.payments = new Map(byId(payments))
  records.subscriptions = new Map(byId(subscriptions))
  records.customers = new Map(
    byId([
      { ...vector('api.customer'), id: 'cus_G7Dvo4iphUNk' },
      { id: 'cus_000006326297', email: 'ana@example.com' },
    ]),
  )
  asked.length = 0
  status = 200
  failing = ''
  onListed = () => {}
}

describe('A delivery of Asaas', () => {
  const secret = '3f0c1d5e-6a63-4d1c-9c0e-0a64a3a3d0c7'
  const delivery = (token: string | undefined): Delivery => ({
    raw: new Uint8Array(),
    query: new URLSearchParams(),
    header: (name) => (name === 'asaas-access-token' ? token : undefined),
  })
  const verify = (token: string | undefined, webhookSecret = secret) =>
    asaas.verify(delivery(token), { webhookSecret, accessToken: 'a', apiUrl: undefined, isTest: false }, RECEIVED_AT)

  it('is verified by the whole token, and by nothing less or more', () => {
    assert.equal(verify(secret), 'verified')
    for (const other of [secret.slice(1), `${secret}0`, secret.toUpperCase(), ` ${secret}`, 'x', 'é', '\0'.repeat(secret.length)])
      assert.equal(verify(other), 'invalid', other)
  })

  it('without a token, or with an empty one, has none', () => {
    assert.equal(verify(undefined), 'missing')
    assert.equal(verify(''), 'missing')
  })

  it('is never verified where no token was agreed on', () => {
    for (const token of [undefined, '', 'x', secret]) assert.notEqual(verify(token, ''), 'verified')
  })

  it('is distinguished by its event’s id, with the payment or subscription that it is about', () => {
    assert.deepEqual(asaas.identify(stored(received)), {
      id: 'evt_05b708f961d739ea7eba7e4db318f621&368604920',
      event: 'PAYMENT_RECEIVED',
      subject: 'pay_080225913252',
      isTest: false,
    })
    assert.equal(asaas.identify(stored(subscribed))?.subject, 'sub_m5gdy1upm25fbwgx')
    assert.equal(asaas.identify(stored(vector('checkout-created.truncated')))?.subject, undefined)
    for (const body of [{}, [], null, 'text', 1, { id: 'evt_1' }, { event: 'PAYMENT_CREATED' }, { id: 1, event: 'PAYMENT_CREATED' }])
      assert.equal(asaas.identify(stored(body)), undefined, JSON.stringify(body))
  })
})

describe('What Asaas’s own samples report', () => {
  it('a payment received is asked for again, and is events of the day on which it was confirmed', async () => {
    know({
      payments: [received.payment],
      subscriptions: [{ id: 'sub_VXJBYgP2u0eO', nextDueDate: '2021-02-01', externalReference: 'slug:easy-pro', paymentLink: null }],
    })
    assert.equal(asaas.parse(stored(received)), 'fetch')
    assert.deepEqual(await asaas.fetch(stored(received), api), {
      key: 'pay_080225913252 paid',
      kind: 'paid',
      subscriptionId: 'sub_VXJBYgP2u0eO',
      paymentId: 'pay_080225913252',
      paymentAliases: [],
      buyer: 'marcelo.almeida@example.com',
      amount: 10_000,
      method: 'card',
      occurredAt: at('2021-01-01T00:00:00'),
      periodStart: at('2021-01-01T00:00:00'),
      periodEnd: at('2021-02-02T00:00:00'),
      periodStatedAt: at('2024-06-12T16:45:03'),
      plan: { slugs: ['056984', 'easy-pro'], refs: ['123517639363', 'sub_VXJBYgP2u0eO'], isOffer: false }, // the slug itself names it
    } satisfies GatewayEvent)
    assert.ok(asked.every(({ headers }) => headers.access_token === '$aact_hmlg_token' && headers['user-agent']))
  })

  it('a boleto made out for anything else than an offer is nothing to us, even when it is paid', async () => {
    know({ payments: [boleto.payment] })
    assert.equal(asaas.parse(stored(boleto)), 'ignored')
    assert.equal(asaas.parse(stored({ ...boleto, event: 'PAYMENT_RECEIVED' })), 'ignored')
    assert.equal(await asaas.fetch(stored(boleto), api), 'ignored')
    assert.deepEqual(asked, [])
  })

  it('the same boleto with a plan’s slug as its reference is a purchase that waits', async () => {
    const payment = { ...boleto.payment, externalReference: 'easy-standard' }
    know({ payments: [payment] })
    assert.equal(asaas.parse(stored({ ...boleto, payment })), 'fetch')
    assert.deepEqual(await asaas.fetch(stored({ ...boleto, payment }), api), {
      key: 'pay_6egmyz6lpfxazko3-mock payment_pending',
      kind: 'payment_pending',
      subscriptionId: undefined,
      paymentId: 'pay_6egmyz6lpfxazko3-mock',
      paymentAliases: [],
      buyer: 'ana@example.com',
      amount: 4223,
      method: 'boleto',
      occurredAt: at('2024-11-04T13:06:00'),
      periodEnd: undefined,
      plan: { slugs: ['easy-standard'], refs: [], isOffer: false },
    } satisfies GatewayEvent)
  })

  it('a subscription or a checkout that begins reports nothing: their charges will', () => {
    assert.equal(asaas.parse(stored(subscribed)), 'ignored')
    assert.equal(asaas.parse(stored(vector('checkout-created.truncated'))), 'ignored')
  })

  it('a subscription that is removed or paused is canceled: what was paid stays, by the time of the event', () => {
    for (const event of ['SUBSCRIPTION_DELETED', 'SUBSCRIPTION_INACTIVATED'])
      assert.deepEqual(asaas.parse(stored({ ...subscribed, event })), {
        key: 'sub_m5gdy1upm25fbwgx canceled evt_6561b631fa5580caadd00bbe3b858607&9193',
        kind: 'canceled',
        subscriptionId: 'sub_m5gdy1upm25fbwgx',
        paymentId: undefined,
        paymentAliases: [],
        buyer: undefined,
        amount: undefined,
        method: undefined,
        occurredAt: at('2024-10-16T11:11:04'),
        periodEnd: undefined,
        plan: { slugs: [], refs: ['sub_m5gdy1upm25fbwgx'], isOffer: true },
      } satisfies GatewayEvent)
  })
})

describe('Each event of Asaas', () => {
  const normalized = (event: string, payment: Json = {}) =>
    asaas.parse(stored({ ...received, event, payment: { ...received.payment, ...payment } }))
  const kindOf = (gatewayEvent: ReturnType<typeof normalized>) => (typeof gatewayEvent === 'string' ? gatewayEvent : gatewayEvent.kind)

  it('has one meaning', () => {
    const meanings: Record<string, PaymentKind | 'fetch' | 'ignored'> = {
      PAYMENT_RESTORED: 'fetch',
      PAYMENT_CONFIRMED: 'fetch',
      PAYMENT_RECEIVED: 'fetch',
      PAYMENT_DUNNING_RECEIVED: 'fetch',
      PAYMENT_REFUND_DENIED: 'fetch',
      PAYMENT_UPDATED: 'fetch',
      PAYMENT_AWAITING_CHARGEBACK_REVERSAL: 'fetch',
      PAYMENT_OVERDUE: 'payment_failed',
      PAYMENT_REPROVED_BY_RISK_ANALYSIS: 'payment_failed',
      PAYMENT_CREDIT_CARD_CAPTURE_REFUSED: 'payment_failed',
      PAYMENT_DELETED: 'payment_expired',
      PAYMENT_REFUNDED: 'refunded',
      PAYMENT_PARTIALLY_REFUNDED: 'partially_refunded',
      PAYMENT_RECEIVED_IN_CASH_UNDONE: 'payment_undone',
      PAYMENT_CHARGEBACK_REQUESTED: 'disputed',
      PAYMENT_CHARGEBACK_DISPUTE: 'disputed',
    }
    for (const [event, meaning] of Object.entries(meanings)) assert.equal(kindOf(normalized(event)), meaning, event)
    const payments = 'AWAITING_RISK_ANALYSIS APPROVED_BY_RISK_ANALYSIS AUTHORIZED ANTICIPATED REFUND_IN_PROGRESS BANK_SLIP_CANCELLED'
    const more =
      'DUNNING_REQUESTED BANK_SLIP_VIEWED CHECKOUT_VIEWED SPLIT_CANCELLED SPLIT_DIVERGENCE_BLOCK SPLIT_DIVERGENCE_BLOCK_FINISHED OF_TOMORROW'
    for (const event of `${payments} ${more}`.split(' ')) assert.equal(normalized(`PAYMENT_${event}`), 'ignored', event)
    for (const event of ['CHECKOUT_PAID', 'PIX_AUTOMATIC_RECURRING_AUTHORIZATION_CANCELLED', 'constructor', '__proto__'])
      assert.equal(normalized(event), 'ignored', event)
  })

  it('of a refund is one of a lost chargeback, where the charge says so', () => {
    const of = (status: unknown) => kindOf(normalized('PAYMENT_REFUNDED', { chargeback: { status } }))
    for (const status of ['DISPUTE_LOST', 'DONE']) assert.equal(of(status), 'dispute_lost', status)
    for (const status of ['REVERSED', 'REQUESTED', undefined, null]) assert.equal(of(status), 'refunded', String(status))
  })

  it('is understood whatever else is missing, or is there in another form', () => {
    for (const name of Object.keys(received.payment).filter((name) => name !== 'id')) {
      for (const changed of [undefined, null, { of: 'tomorrow' }, ['x'], 7]) {
        const gatewayEvent = normalized('PAYMENT_CHARGEBACK_REQUESTED', { [name]: changed })
        assert.equal(kindOf(gatewayEvent), 'disputed', `${name}: ${JSON.stringify(changed)}`)
      }
    }
    const bare = { id: 'pay_1', subscription: 'sub_1' }
    assert.equal(kindOf(asaas.parse(stored({ ...received, event: 'PAYMENT_OVERDUE', payment: bare }))), 'payment_failed')
    assert.equal(kindOf(normalized('PAYMENT_REFUNDED', { refunds: [{}, 7, null, { status: 'DONE' }] })), 'refunded')
  })

  it('has its amount by the digits', () => {
    for (const [value, amount] of [
      [19.9, 1990],
      ['8.20', 820],
      [1.005, undefined],
      [-1, undefined],
    ] as const) {
      const gatewayEvent = normalized('PAYMENT_REFUNDED', { value })
      assert.equal(typeof gatewayEvent === 'string' ? gatewayEvent : gatewayEvent.amount, amount)
    }
  })

  it('that creates a charge counts where the charge can wait to be paid', () => {
    for (const billingType of ['BOLETO', 'PIX', 'UNDEFINED']) assert.equal(normalized('PAYMENT_CREATED', { billingType }), 'fetch')
    for (const billingType of ['CREDIT_CARD', 'DEBIT_CARD']) assert.equal(normalized('PAYMENT_CREATED', { billingType }), 'ignored')
  })

  it('of a charge that belongs to no subscription or link, and has no slug, buys nothing', () => {
    const none = { subscription: null, paymentLink: null, externalReference: null }
    assert.equal(normalized('PAYMENT_RECEIVED', none), 'ignored')
    for (const externalReference of ['Pedido 12', 'EASY', '-x', 'order:easy-pro', 'a'.repeat(65), 'x\0y', 12, {}])
      assert.equal(normalized('PAYMENT_RECEIVED', { ...none, externalReference }), 'ignored', JSON.stringify(externalReference))
    for (const offer of [
      { subscription: 'sub_1' },
      { paymentLink: '1' },
      { externalReference: 'easy-pro' },
      { externalReference: 'slug:easy-pro' },
    ])
      assert.equal(normalized('PAYMENT_RECEIVED', { ...none, ...offer }), 'fetch')
  })

  it('that takes a payment back is told whatever the charge’s reference is by now, as it means nothing unless the payment is known', () => {
    const now = { subscription: null, paymentLink: null, installment: null, externalReference: 'Pedido 123 / NF 77' }
    const reversals = { REFUNDED: 'refunded', CHARGEBACK_REQUESTED: 'disputed', RECEIVED_IN_CASH_UNDONE: 'payment_undone' }
    for (const [event, kind] of Object.entries(reversals)) assert.equal(kindOf(normalized(`PAYMENT_${event}`, now)), kind)
    assert.equal(normalized('PAYMENT_AWAITING_CHARGEBACK_REVERSAL', now), 'fetch')
  })

  it('that can come again for one payment has a key of its own, and the same delivery the same', () => {
    const keys = (event: string, ...payments: Json[]) =>
      payments.map((payment) => {
        const gatewayEvent = normalized(event, payment)
        return typeof gatewayEvent === 'string' ? assert.fail(gatewayEvent) : gatewayEvent.key
      })
    const refunds = [{ status: 'DONE', value: 10.5, dateCreated: '2024-06-12 10:00:00' }]
    assert.deepEqual(keys('PAYMENT_OVERDUE', {}, { dueDate: '2021-01-05' }), [
      'pay_080225913252 payment_failed 2021-01-01',
      'pay_080225913252 payment_failed 2021-01-05',
    ])
    assert.deepEqual(
      keys('PAYMENT_PARTIALLY_REFUNDED', { refunds }, { refunds: [...refunds, ...refunds, { status: 'PENDING', value: 1 }] }),
      ['pay_080225913252 partially_refunded 1050', 'pay_080225913252 partially_refunded 2100'],
    )
    assert.deepEqual(keys('PAYMENT_CHARGEBACK_REQUESTED', {}), keys('PAYMENT_CHARGEBACK_DISPUTE', {}))
  })

  it('without a time that can be read happened when it was received', () => {
    for (const dateCreated of [undefined, null, '2026-02-31 10:00:00', 1_700_000_000]) {
      const gatewayEvent = asaas.parse(stored({ ...received, event: 'PAYMENT_OVERDUE', dateCreated }))
      assert.equal(typeof gatewayEvent === 'string' ? gatewayEvent : gatewayEvent.occurredAt, RECEIVED_AT)
    }
  })
})

/** The API's answers and events, step by step: the event, the change of the charge, and the resulting subscription. */
type Step = [event: string, time: string, changed: Json, state: string | undefined]

const SUBSCRIPTION = {
  id: 'sub_1',
  customer: 'cus_000006326297',
  status: 'ACTIVE',
  deleted: false,
  nextDueDate: '2026-03-10',
  externalReference: 'easy-pro',
}
const CHARGE = {
  ...boleto.payment,
  id: 'pay_1',
  dateCreated: '2026-01-02',
  subscription: 'sub_1',
  dueDate: '2026-01-10',
  originalDueDate: '2026-01-10',
}
const NEXT_CHARGE = { ...CHARGE, id: 'pay_2', dueDate: '2026-02-10', status: 'PENDING' }
const UNTIL_NEXT = at('2026-02-11T00:00:00')
const paidOn = (day: string, paidStatus = 'CONFIRMED') => ({ status: paidStatus, confirmedDate: day, clientPaymentDate: day })

const flows: { [name: string]: { billingType: string; steps: Step[] } } = {
  'a boleto paid in time': {
    billingType: 'BOLETO',
    steps: [
      ['PAYMENT_CREATED', '2026-01-02 09:00:00', {}, 'pending'],
      ['PAYMENT_CONFIRMED', '2026-01-08 10:00:00', paidOn('2026-01-08'), 'active'],
      ['PAYMENT_RECEIVED', '2026-01-09 10:00:00', { status: 'RECEIVED', paymentDate: '2026-01-09' }, 'active'],
    ],
  },
  'a boleto paid late': {
    billingType: 'BOLETO',
    steps: [
      ['PAYMENT_CREATED', '2026-01-02 09:00:00', {}, 'pending'],
      ['PAYMENT_OVERDUE', '2026-01-11 03:00:00', { status: 'OVERDUE' }, 'pending'],
      ['PAYMENT_CONFIRMED', '2026-01-11 10:00:00', paidOn('2026-01-11'), 'active'],
      ['PAYMENT_RECEIVED', '2026-01-12 10:00:00', { status: 'RECEIVED', paymentDate: '2026-01-12' }, 'active'],
    ],
  },
  'a PIX, which is received without being confirmed': {
    billingType: 'PIX',
    steps: [
      ['PAYMENT_CREATED', '2026-01-02 09:00:00', {}, 'pending'],
      [
        'PAYMENT_RECEIVED',
        '2026-01-02 09:01:00',
        { ...paidOn('2026-01-02', 'RECEIVED'), confirmedDate: null, paymentDate: '2026-01-02' },
        'active',
      ],
    ],
  },
  'a card, received a month after it was confirmed, and the subscription canceled meanwhile': {
    billingType: 'CREDIT_CARD',
    steps: [
      ['PAYMENT_CREATED', '2026-01-10 09:00:00', {}, undefined],
      ['PAYMENT_CONFIRMED', '2026-01-10 09:00:05', paidOn('2026-01-10'), 'active'],
      ['SUBSCRIPTION_DELETED', '2026-01-20 09:00:00', {}, 'canceled'],
      ['PAYMENT_RECEIVED', '2026-02-11 09:00:00', { status: 'RECEIVED', paymentDate: '2026-02-11' }, 'canceled'],
    ],
  },
  'a card that is refused, and then goes through': {
    billingType: 'CREDIT_CARD',
    steps: [
      ['PAYMENT_CREATED', '2026-01-10 09:00:00', {}, undefined],
      ['PAYMENT_CREDIT_CARD_CAPTURE_REFUSED', '2026-01-10 09:00:01', {}, 'pending'],
      ['PAYMENT_CONFIRMED', '2026-01-10 09:10:00', paidOn('2026-01-10'), 'active'],
    ],
  },
  'a charge removed and restored': {
    billingType: 'BOLETO',
    steps: [
      ['PAYMENT_CREATED', '2026-01-02 09:00:00', {}, 'pending'],
      ['PAYMENT_DELETED', '2026-01-03 09:00:00', { deleted: true }, 'expired'],
      ['PAYMENT_RESTORED', '2026-01-04 09:00:00', { deleted: false }, 'pending'],
      ['PAYMENT_DELETED', '2026-01-05 09:00:00', { deleted: true }, 'expired'],
    ],
  },
  'a refund': {
    billingType: 'PIX',
    steps: [
      ['PAYMENT_RECEIVED', '2026-01-10 09:01:00', { ...paidOn('2026-01-10', 'RECEIVED'), paymentDate: '2026-01-10' }, 'active'],
      ['PAYMENT_PARTIALLY_REFUNDED', '2026-01-12 09:01:00', { refunds: [{ status: 'DONE', value: 2 }] }, 'active'],
      ['PAYMENT_REFUND_IN_PROGRESS', '2026-01-13 09:01:00', { status: 'REFUND_IN_PROGRESS' }, 'active'],
      ['PAYMENT_REFUNDED', '2026-01-14 09:01:00', { status: 'REFUNDED' }, 'refunded'],
    ],
  },
  'a chargeback that is lost': {
    billingType: 'CREDIT_CARD',
    steps: [
      ['PAYMENT_CONFIRMED', '2026-01-10 09:00:05', paidOn('2026-01-10'), 'active'],
      [
        'PAYMENT_CHARGEBACK_REQUESTED',
        '2026-01-20 09:00:00',
        { status: 'CHARGEBACK_REQUESTED', chargeback: { status: 'REQUESTED' } },
        'disputed',
      ],
      [
        'PAYMENT_CHARGEBACK_DISPUTE',
        '2026-01-22 09:00:00',
        { status: 'CHARGEBACK_DISPUTE', chargeback: { status: 'IN_DISPUTE' } },
        'disputed',
      ],
      ['PAYMENT_REFUNDED', '2026-02-01 09:00:00', { status: 'REFUNDED', chargeback: { status: 'DISPUTE_LOST' } }, 'refunded'],
    ],
  },
  'a chargeback that is won': {
    billingType: 'CREDIT_CARD',
    steps: [
      ['PAYMENT_CONFIRMED', '2026-01-10 09:00:05', paidOn('2026-01-10'), 'active'],
      [
        'PAYMENT_CHARGEBACK_REQUESTED',
        '2026-01-20 09:00:00',
        { status: 'CHARGEBACK_REQUESTED', chargeback: { status: 'REQUESTED' } },
        'disputed',
      ],
      ['PAYMENT_AWAITING_CHARGEBACK_REVERSAL', '2026-02-01 09:00:00', { status: 'AWAITING_CHARGEBACK_REVERSAL' }, 'active'],
      ['PAYMENT_RECEIVED', '2026-02-20 09:00:00', { status: 'RECEIVED', chargeback: { status: 'REVERSED' } }, 'active'],
    ],
  },
  'a chargeback that is won, of which only the end is reported': {
    billingType: 'CREDIT_CARD',
    steps: [
      ['PAYMENT_CONFIRMED', '2026-01-10 09:00:05', paidOn('2026-01-10'), 'active'],
      [
        'PAYMENT_CHARGEBACK_REQUESTED',
        '2026-01-20 09:00:00',
        { status: 'CHARGEBACK_REQUESTED', chargeback: { status: 'REQUESTED' } },
        'disputed',
      ],
      ['PAYMENT_CONFIRMED', '2026-02-20 09:00:00', { status: 'CONFIRMED', chargeback: { status: 'REVERSED' } }, 'active'],
    ],
  },
  'cash, undone, and the charge paid by PIX after all': {
    billingType: 'BOLETO',
    steps: [
      ['PAYMENT_OVERDUE', '2026-01-11 03:00:00', { status: 'OVERDUE' }, 'pending'],
      [
        'PAYMENT_RECEIVED',
        '2026-01-15 10:00:00',
        { status: 'RECEIVED_IN_CASH', billingType: 'RECEIVED_IN_CASH', paymentDate: '2026-01-05' },
        'active',
      ],
      ['PAYMENT_RECEIVED_IN_CASH_UNDONE', '2026-01-15 10:05:00', { status: 'OVERDUE', billingType: 'PIX', paymentDate: null }, 'refunded'],
      ['PAYMENT_RECEIVED', '2026-01-16 10:00:00', { ...paidOn('2026-01-16', 'RECEIVED'), paymentDate: '2026-01-16' }, 'active'],
    ],
  },
  'a subscription that is paused and taken up again': {
    billingType: 'BOLETO',
    steps: [
      ['PAYMENT_CONFIRMED', '2026-01-08 10:00:00', paidOn('2026-01-08'), 'active'],
      ['SUBSCRIPTION_INACTIVATED', '2026-01-20 10:00:00', {}, 'canceled'],
      ['SUBSCRIPTION_UPDATED', '2026-01-21 10:00:00', {}, 'active'],
    ],
  },
}

const eventTime = (time: string) => at(time.replace(' ', 'T'))

function deliveryOf([event, dateCreated]: Step, charge: Json, number: number): StoredDelivery {
  const about = event.startsWith('SUBSCRIPTION') ? { subscription: SUBSCRIPTION } : { payment: charge }
  return stored({ id: `evt_${number}&1`, event, dateCreated, ...about }, eventTime(dateCreated) + 2_000)
}

async function eventOfDelivery(delivery: StoredDelivery): Promise<GatewayEvent | 'ignored'> {
  const normalized = asaas.parse(delivery)
  return normalized === 'fetch' ? asaas.fetch(delivery, api) : normalized
}

/** The events of a stream as stored: the first of each key. */
function asEvents(all: readonly { gatewayEvent: GatewayEvent; receivedAt: number }[]): PaymentEvent[] {
  const byKey = new Map<string, PaymentEvent>()
  for (const { gatewayEvent, receivedAt } of all) {
    const { key, kind, buyer, paymentId, amount, method, periodStart, periodEnd, plan } = gatewayEvent
    const { at } = believedTime(gatewayEvent.occurredAt, receivedAt)
    if (byKey.has(key)) continue
    byKey.set(key, { key, kind, at, planId: plan.slugs[0], email: buyer, paymentId, amount, method, periodStart, periodEnd })
  }
  return [...byKey.values()]
}

describe('Step by step', () => {
  for (const [name, { billingType, steps }] of Object.entries(flows)) {
    it(`${name} gives and takes access`, async () => {
      let charge: Json = { ...CHARGE, billingType }
      const all: { gatewayEvent: GatewayEvent; receivedAt: number }[] = []
      for (const [number, step] of steps.entries()) {
        charge = { ...charge, ...step[2] }
        know({ payments: [charge, { ...NEXT_CHARGE, billingType }], subscriptions: [SUBSCRIPTION] })
        const delivery = deliveryOf(step, charge, number)
        for (const _ of ['once', 'and again']) {
          const gatewayEvent = await eventOfDelivery(delivery)
          if (gatewayEvent !== 'ignored') all.push({ gatewayEvent, receivedAt: delivery.receivedAt })
        }
        assert.ok(all.every(({ gatewayEvent }) => gatewayEvent.subscriptionId === 'sub_1'))
        const folded = foldEvents(asEvents(all)).at(-1)
        assert.equal(folded?.state, step[3], step[0])
        const { accessUntil } = folded ? validityOf(folded, 5) : { accessUntil: 0 }
        const paid = step[3] === 'active' ? UNTIL_NEXT + 5 * DAY_MS : step[3] === 'canceled' ? UNTIL_NEXT : 0
        assert.equal(accessUntil, paid, `${step[0]}: access until ${new Date(accessUntil).toISOString()}`)
      }
    })
  }

  it('comes to the same in whatever order the deliveries are looked into', async () => {
    const normalized = Object.entries(flows).filter(([name]) => !/won|restored|cash/.test(name))
    const anyOrder = fc.constantFrom(...normalized).chain(([, { billingType, steps }]) =>
      fc.record({
        billingType: fc.constant(billingType),
        steps: fc.constant(steps),
        order: fc.shuffledSubarray([...steps.keys()], { minLength: steps.length }),
      }),
    )
    await fc.assert(
      fc.asyncProperty(anyOrder, async ({ billingType, steps, order }) => {
        const charge: Json = Object.assign({ ...CHARGE, billingType }, ...steps.map(([, , changed]) => changed))
        know({ payments: [charge, NEXT_CHARGE], subscriptions: [SUBSCRIPTION] })
        const all: { gatewayEvent: GatewayEvent; receivedAt: number }[] = []
        for (const number of order) {
          const delivery = deliveryOf(steps[number] ?? assert.fail(), charge, number)
          const gatewayEvent = await eventOfDelivery(delivery)
          if (gatewayEvent !== 'ignored') all.push({ gatewayEvent, receivedAt: delivery.receivedAt })
        }
        assert.equal(foldEvents(asEvents(all)).at(-1)?.state, steps.at(-1)?.[3])
      }),
      { numRuns: 40 },
    )
  })
})

describe('What gives access', () => {
  const confirmed = (payment: Json = CHARGE) =>
    stored({ ...received, event: 'PAYMENT_CONFIRMED', payment: { ...payment, status: 'CONFIRMED' } })
  const kindAsked = async (delivery: StoredDelivery) => {
    const gatewayEvent = await asaas.fetch(delivery, api)
    return gatewayEvent === 'ignored' ? gatewayEvent : gatewayEvent.kind
  }

  it('is what the API says, and no delivery', async () => {
    const said: Record<string, PaymentKind | 'ignored'> = {
      PENDING: 'payment_pending',
      AUTHORIZED: 'payment_pending',
      AWAITING_RISK_ANALYSIS: 'payment_pending',
      OVERDUE: 'payment_failed',
      REFUNDED: 'refunded',
      REFUND_REQUESTED: 'paid',
      REFUND_IN_PROGRESS: 'paid',
      CHARGEBACK_REQUESTED: 'disputed',
      CHARGEBACK_DISPUTE: 'disputed',
      AWAITING_CHARGEBACK_REVERSAL: 'dispute_won',
      DUNNING_REQUESTED: 'payment_failed',
      DUNNING_RECEIVED: 'paid',
      OF_TOMORROW: 'ignored',
      CONFIRMED: 'paid',
      RECEIVED: 'paid',
      RECEIVED_IN_CASH: 'paid',
    }
    for (const [says, kind] of Object.entries(said)) {
      know({ payments: [{ ...CHARGE, status: says }], subscriptions: [SUBSCRIPTION] })
      assert.equal(await kindAsked(confirmed()), kind, says)
    }
    know({ payments: [{ ...CHARGE, status: 'PENDING', deleted: true }] })
    assert.equal(await kindAsked(confirmed()), 'payment_expired')
  })

  it('is not another charge than the one that was asked for, nor one that belongs to no offer', async () => {
    know({})
    records.payments.set('pay_1', { ...CHARGE, id: 'pay_9', status: 'CONFIRMED' })
    await assert.rejects(asaas.fetch(confirmed(), api), /answers about something else/)
    know({ payments: [{ ...CHARGE, status: 'CONFIRMED', subscription: null }] })
    assert.equal(await kindAsked(confirmed()), 'ignored')
  })

  it('is the state and not the event: late events of what was refunded meanwhile is a refund, at the refund’s time', async () => {
    const refunds = [{ status: 'DONE', value: 42.23, dateCreated: '2026-01-14 11:00:00' }]
    know({ payments: [{ ...CHARGE, status: 'REFUNDED', refunds }] })
    const gatewayEvent = await asaas.fetch(confirmed(), api)
    assert.ok(gatewayEvent !== 'ignored')
    assert.deepEqual([gatewayEvent.key, gatewayEvent.occurredAt], ['pay_1 refunded', at('2026-01-14T11:00:00')])
  })

  it('needs a charge that is known, and no customer, subscription or list', async () => {
    know({ payments: [{ ...CHARGE, status: 'CONFIRMED', customer: 'cus_gone' }] })
    const gatewayEvent = await asaas.fetch(confirmed(), api)
    assert.ok(gatewayEvent !== 'ignored')
    assert.deepEqual([gatewayEvent.kind, gatewayEvent.buyer, gatewayEvent.periodEnd], ['paid', undefined, undefined])
    know({})
    await assert.rejects(asaas.fetch(confirmed(), api), FatalJobFault)
  })

  it('waits while the API does not answer, whatever it was asked', async () => {
    for (const kind of ['payments', 'customers', 'subscriptions']) {
      know({ payments: [{ ...CHARGE, status: 'CONFIRMED' }], subscriptions: [SUBSCRIPTION] })
      assert.equal(await kindAsked(confirmed()), 'paid')
      status = 503
      failing = kind
      await assert.rejects(asaas.fetch(confirmed(), api), (fault) => fault instanceof Error && !(fault instanceof FatalJobFault), kind)
    }
  })

  it('does not come back with a subscription that the API knows as removed or paused', async () => {
    const updated = stored({ ...subscribed, event: 'SUBSCRIPTION_UPDATED' })
    const id = 'sub_m5gdy1upm25fbwgx'
    const changes: [Json, string][] = [
      [{ status: 'ACTIVE' }, 'resumed'],
      [{ status: 'ACTIVE', deleted: true }, 'canceled'],
      [{ status: 'INACTIVE' }, 'canceled'],
      [{ status: 'EXPIRED' }, 'canceled'],
      [{ status: 'OF_TOMORROW' }, 'ignored'],
    ]
    for (const [changed, kind] of changes) {
      know({})
      records.subscriptions.set(id, { ...SUBSCRIPTION, id, ...changed })
      assert.equal(await kindAsked(updated), kind, JSON.stringify(changed))
    }
    records.subscriptions.set(id, { ...SUBSCRIPTION, id: 'sub_other', status: 'ACTIVE' })
    await assert.rejects(asaas.fetch(updated, api), /answers about something else/)
  })

  it('asks only for ids that can stand in a path', async () => {
    know({})
    for (const id of ['../customers', 'pay_1/refund', 'pay 1', 'pay_1?x', 'ä', '', 7, null]) {
      assert.equal(await kindAsked(confirmed({ ...CHARGE, id })), 'ignored', String(id))
      know({ payments: [{ ...CHARGE, status: 'CONFIRMED', customer: id, installment: id, paymentLink: '1', subscription: id }] })
      assert.equal(await kindAsked(confirmed()), 'paid')
      assert.deepEqual(
        asked.map(({ url }) => url.pathname),
        ['/v3/payments/pay_1'],
      )
    }
  })
})

describe('A purchase in parts', () => {
  const of = (n: number, more: Json = {}): Json => ({
    ...{ ...CHARGE, subscription: null, externalReference: 'easy-pro', installment: 'ins_1', billingType: 'BOLETO', value: 33.3 },
    ...{ id: `pay_${n}`, status: n === 1 ? 'RECEIVED' : 'PENDING', ...more },
  })
  const paid = async (...payments: Json[]) => {
    know({ payments })
    const event = await asaas.fetch(stored({ ...received, event: 'PAYMENT_RECEIVED', payment: payments[0] }), api)
    return event === 'ignored' ? event : [event.paymentId, event.paymentAliases, event.amount, event.purchaseAmount]
  }

  it('by boleto or PIX is paid part by part, and each part states the whole beside its own amount', async () => {
    for (const billingType of ['BOLETO', 'PIX', 'UNDEFINED'])
      assert.deepEqual(await paid(of(1, { billingType }), of(2), of(3)), ['ins_1', ['pay_1'], 3_330, 9_990], billingType)
  })

  it('by card is paid at once', async () => {
    const card = { billingType: 'CREDIT_CARD' }
    assert.deepEqual(await paid(of(1, card), of(2, card), of(3, card)), ['ins_1', ['pay_1'], 9_990, undefined])
    assert.deepEqual(await paid(of(1, card), of(2), of(3)), ['ins_1', ['pay_1'], 3_330, 9_990], 'the card paid one part alone')
  })

  it('whose whole nobody states has no amount', async () => {
    assert.deepEqual(await paid(of(1), of(2, { value: null })), ['ins_1', ['pay_1'], undefined, undefined])
  })
})

describe('A paid period', () => {
  const periodOf = async (payments: Json[], subscription: Json = SUBSCRIPTION) => {
    know({ payments, subscriptions: [subscription] })
    const gatewayEvent = await asaas.fetch(stored({ ...received, event: 'PAYMENT_CONFIRMED', payment: payments[0] }), api)
    return gatewayEvent === 'ignored' || gatewayEvent.periodEnd === undefined
      ? gatewayEvent
      : new Date(gatewayEvent.periodEnd).toISOString()
  }
  const due = (day: string, says: string, number = day): Json => ({ ...CHARGE, id: `pay_${number}`, dueDate: day, status: says })

  it('ends with the day on which the next charge is due, and not with that of the one still to be generated', async () => {
    assert.equal(await periodOf([due('2026-01-10', 'CONFIRMED'), due('2026-02-10', 'PENDING')]), '2026-02-11T03:00:00.000Z')
  })

  it('ends with the day of the charge to be generated where there is no other', async () => {
    assert.equal(await periodOf([due('2026-01-10', 'CONFIRMED')]), '2026-03-11T03:00:00.000Z')
  })

  it('H2: is its own, also when an older charge is paid after the one that followed it', async () => {
    const charges = [due('2026-01-10', 'CONFIRMED'), due('2026-02-10', 'RECEIVED'), due('2026-03-10', 'PENDING')]
    assert.equal(await periodOf(charges), '2026-02-11T03:00:00.000Z')
  })

  it('M3: is as long as the cycle of the subscription where no later charge is known, as of one that has expired', async () => {
    const none = { ...SUBSCRIPTION, nextDueDate: '2026-01-10', status: 'EXPIRED' }
    const ends = { WEEKLY: '01-18', BIWEEKLY: '01-25', MONTHLY: '02-11', BIMONTHLY: '03-11', QUARTERLY: '04-11', SEMIANNUALLY: '07-11' }
    for (const [cycle, day] of Object.entries(ends))
      assert.equal(await periodOf([due('2026-01-10', 'CONFIRMED')], { ...none, cycle }), `2026-${day}T03:00:00.000Z`)
    assert.equal(await periodOf([due('2026-01-10', 'CONFIRMED')], { ...none, cycle: 'YEARLY' }), '2027-01-11T03:00:00.000Z')
  })

  it('M3: is no longer than its cycle where the next charge was deleted with its subscription, and the one after it is the next to be generated', async () => {
    const ended = { ...SUBSCRIPTION, cycle: 'MONTHLY', deleted: true, nextDueDate: '2026-03-10' }
    assert.equal(await periodOf([due('2026-01-10', 'CONFIRMED')], ended), '2026-02-11T03:00:00.000Z')
    const moved = [due('2026-01-10', 'CONFIRMED'), due('2026-02-20', 'PENDING')]
    assert.equal(await periodOf(moved, { ...ended, deleted: false }), '2026-02-21T03:00:00.000Z')
  })

  it('has no end where Asaas states none after the payment, nor a cycle', async () => {
    const gatewayEvent = await periodOf([due('2026-01-10', 'CONFIRMED')], {
      ...SUBSCRIPTION,
      cycle: 'OF_TOMORROW',
      nextDueDate: '2026-01-10',
    })
    assert.equal(typeof gatewayEvent === 'string' ? gatewayEvent : gatewayEvent.kind, 'paid')
    const single = await periodOf([{ ...due('2026-01-10', 'CONFIRMED'), subscription: null, paymentLink: '123' }])
    assert.equal(typeof single === 'string' ? single : single.kind, 'paid')
  })

  it('is found among hundreds of charges', async () => {
    const days = Array.from({ length: 250 }, (_, i) => toBrazilDay(at('2026-01-10T12:00:00') + 7 * i * DAY_MS))
    const charges = days
      .map((day, i) => due(day, i < 240 ? 'RECEIVED' : 'PENDING'))
      .toSpliced(0, 0, due(days[239] ?? '', 'RECEIVED', 'pay_239'))
    const end = endOfBrazilDay(days[240]) ?? assert.fail()
    assert.equal(await periodOf(charges, { ...SUBSCRIPTION, nextDueDate: '2040-01-01' }), new Date(end).toISOString())
  })
})

it('The parts of one purchase by card are one line: each is paid once, and what is unpaid makes it past due', () => {
  const part = (id: string, event: string) =>
    asaas.parse(stored({ ...received, event, payment: { ...received.payment, subscription: null, id } }))
  const lines = [part('pay_1', 'PAYMENT_OVERDUE'), part('pay_2', 'PAYMENT_REFUNDED')].map(
    (gatewayEvent) => typeof gatewayEvent === 'object' && gatewayEvent.subscriptionId,
  )
  assert.deepEqual(lines, ['2765d086-c7c5-5cca-898a-4262d212587c', '2765d086-c7c5-5cca-898a-4262d212587c'])
})

describe('A reconciliation', () => {
  const listAll = async (since: number) => {
    const all: GatewayEvent[] = []
    for await (const gatewayEvent of asaas.list(since, api)) all.push(gatewayEvent)
    return all
  }
  const keysSince = async (since: number) => (await listAll(since)).map(({ key }) => key).sort()

  it('finds each charge that changed, once, with the keys that deliveries have, and no payment without a date that was taken back', async () => {
    const old = { dateCreated: '2025-01-01', dueDate: '2025-01-10' }
    know({
      subscriptions: [SUBSCRIPTION],
      payments: [
        { ...CHARGE, id: 'pay_new', dueDate: '2026-02-10' },
        { ...CHARGE, ...old, ...paidOn('2026-01-05', 'RECEIVED'), id: 'pay_received', paymentDate: '2026-01-06' },
        { ...CHARGE, ...old, id: 'pay_due', dueDate: '2026-01-09', status: 'OVERDUE' },
        { ...CHARGE, ...old, ...paidOn('2026-01-05'), id: 'pay_card' },
        { ...CHARGE, ...old, id: 'pay_refunded', status: 'REFUNDED' },
        { ...CHARGE, ...old, id: 'pay_won', status: 'AWAITING_CHARGEBACK_REVERSAL' },
        { ...CHARGE, ...old, id: 'pay_disputed', status: 'CHARGEBACK_DISPUTE' },
        { ...CHARGE, ...old, id: 'pay_in_part', ...paidOn('2026-01-05'), refunds: [{ status: 'DONE', value: 1.1 }] },
        { ...CHARGE, ...old, id: 'pay_cash', status: 'RECEIVED_IN_CASH', paymentDate: '2025-06-01' },
        { ...CHARGE, ...old, id: 'pay_old', status: 'RECEIVED', paymentDate: '2025-01-10' },
        { ...CHARGE, id: 'pay_odd', subscription: null },
      ],
    })
    assert.deepEqual(await keysSince(at('2026-01-02T10:00:00')), [
      'pay_card paid',
      'pay_cash:cash paid 2025-06-01',
      'pay_disputed disputed',
      'pay_due payment_failed 2026-01-09',
      'pay_in_part paid',
      'pay_new payment_pending',
      ...['pay_old paid', 'pay_old paid'], // until the overdue one was due, and the new one
      'pay_received paid',
      'pay_refunded refunded',
      'pay_won dispute_won',
    ])
    assert.equal(asked.filter(({ url }) => url.pathname.startsWith('/v3/customers')).length, 1)
  })

  it('reports what was taken back before the payment, which so gives no access for a moment', async () => {
    for (const says of ['REFUNDED', 'CHARGEBACK_REQUESTED', 'CHARGEBACK_DISPUTE']) {
      know({ payments: [{ ...CHARGE, status: says, confirmedDate: '2026-01-05' }], subscriptions: [SUBSCRIPTION] })
      const kinds = (await listAll(at('2026-01-01T00:00:00'))).map(({ kind }) => kind)
      assert.deepEqual(kinds, [says === 'REFUNDED' ? 'refunded' : 'disputed', 'paid'])
    }
  })

  it('finds what was taken back of a charge that has another reference by now, and nothing else of it', async () => {
    const other = { ...CHARGE, subscription: null, externalReference: 'Pedido 123 / NF 77', confirmedDate: '2026-01-05' }
    for (const [status, keys] of Object.entries({ REFUNDED: ['pay_1 refunded'], CONFIRMED: [], PENDING: [] })) {
      know({ payments: [{ ...other, status }] })
      assert.deepEqual(await keysSince(at('2026-01-01T00:00:00')), keys, status)
    }
  })

  it('counts days as Brasília does', async () => {
    know({ payments: [{ ...CHARGE, subscription: null, paymentLink: '1', dateCreated: '2026-01-31', dueDate: '2026-01-31' }] })
    assert.deepEqual(await keysSince(at('2026-01-31T23:00:00')), ['pay_1 payment_pending'])
    assert.deepEqual(await keysSince(at('2026-02-01T00:00:00')), [])
  })

  it('of a list that comes to no end is given up, and does not pass for one that was read in full', async () => {
    let turn = 0
    const listing = (idsOf: () => number[]): GatewayApi => ({
      get: async () => ({ data: idsOf().map((n) => ({ ...CHARGE, id: `pay_${n}`, subscription: null })), hasMore: true }),
    })
    const read = async (endless: GatewayApi) => {
      for await (const _ of asaas.list(0, endless)) assert.fail('nothing of this is ours')
    }
    await assert.rejects(read(listing(() => [turn++ % 2])), /comes to the same page twice/)
    await assert.rejects(read(listing(() => [turn++, turn])), /more than 10000 pages/)
    await assert.rejects(read(listing(() => [turn++])), /changes while it is read: try again later/)
  })

  it('reads page after page, each with the end of the one before', async () => {
    const many = Array.from({ length: 205 }, (_, i) => ({ ...CHARGE, id: `pay_${i}`, subscription: null, externalReference: 'easy-pro' }))
    know({ payments: many })
    assert.equal((await listAll(at('2026-01-01T00:00:00'))).length, 205)
    const created = asked.filter(({ url }) => url.searchParams.has('dateCreated[ge]'))
    assert.deepEqual(
      created.map(({ url }) => [url.searchParams.get('offset'), url.searchParams.get('limit')]),
      [
        ['0', '100'],
        ['90', '100'],
        ['180', '100'],
      ],
    )
  })

  it('misses no charge of a list that gets shorter while it is read, by few or by many', async () => {
    const old = { dateCreated: '2025-01-01', dueDate: '2025-01-10', subscription: null, externalReference: 'easy-pro' }
    for (const goes of [[3], [99], [95, 96, 97, 98, 99], Array.from({ length: 60 }, (_, n) => n + 40)]) {
      const ids = Array.from({ length: 205 }, (_, n) => `pay_${n}`)
      know({ payments: ids.map((id) => ({ ...CHARGE, ...old, ...paidOn('2026-01-05'), id })) })
      onListed = (query) => {
        if (query.get('status') !== 'CONFIRMED' || query.get('offset') !== '0') return
        for (const n of goes) records.payments.set(`pay_${n}`, { ...records.payments.get(`pay_${n}`), status: 'RECEIVED' })
      }
      const keys = await keysSince(at('2026-01-02T00:00:00'))
      assert.deepEqual(keys, ids.map((id) => `${id} paid`).sort(), `${goes}`)
    }
  })

  it('asks nothing about a charge that says by itself that it was over long before', async () => {
    const old = { dateCreated: '2023-01-01', dueDate: '2023-01-10' }
    const refunded = (dateCreated: string) => ({ ...old, status: 'REFUNDED', refunds: [{ status: 'DONE', value: 1, dateCreated }] })
    const paid = { ...old, ...paidOn('2025-12-20') }
    const [longAgo, lately] = ['2024-01-01 10:00:00', '2025-12-01 10:00:00']
    const charges: { [id: string]: [Json, isFound: boolean] } = {
      pay_long_refunded: [refunded(longAgo), false],
      pay_lately_refunded: [refunded(lately), true],
      pay_twice_refunded: [{ ...refunded(longAgo), refunds: [longAgo, lately].map((dateCreated) => ({ dateCreated })) }, true],
      pay_refunded_without_a_day: [refunded(''), true],
      pay_refunded_without_refunds: [{ ...old, status: 'REFUNDED' }, true],
      pay_lost: [{ ...refunded(longAgo), chargeback: { status: 'DONE' } }, true],
      pay_paid: [paid, false],
      pay_paid_the_day_before: [{ ...old, ...paidOn('2026-01-01') }, true],
      pay_paid_without_a_day: [{ ...paid, confirmedDate: null }, true],
      pay_given_back_in_part: [{ ...paid, refunds: [{ status: 'DONE', value: 1, dateCreated: lately }] }, true],
      pay_won: [{ ...paid, chargeback: { status: 'REVERSED' } }, true],
    }
    for (const [id, [charge, isFound]] of Object.entries(charges)) {
      know({ payments: [{ ...CHARGE, ...charge, id }], subscriptions: [SUBSCRIPTION] })
      const found = await listAll(at('2026-01-02T10:00:00'))
      const others = asked.filter(({ url }) => !url.pathname.endsWith('/payments'))
      assert.deepEqual([found.length > 0, others.length > 0], [isFound, isFound], id)
    }
  })
})

it('A ping asks one cheap question, and fails with a refused token', async () => {
  know({})
  await asaas.ping(api)
  assert.deepEqual(
    asked.map(({ url }) => `${url.pathname}${url.search}`),
    ['/v3/customers?limit=1'],
  )
  status = 401
  await assert.rejects(asaas.ping(api), /refuses the access token/)
})

it('No JSON makes the adapter fail, neither as a delivery nor as an answer', async () => {
  const events = [
    'PAYMENT_CREATED',
    'PAYMENT_RECEIVED',
    'PAYMENT_REFUNDED',
    'PAYMENT_OVERDUE',
    'SUBSCRIPTION_UPDATED',
    'SUBSCRIPTION_DELETED',
  ]
  const charge = fc.record(
    {
      id: fc.constantFrom('pay_1', 1),
      subscription: fc.constantFrom('sub_1', {}),
      status: fc.constantFrom('RECEIVED', 'REFUNDED', 3),
      refunds: fc.jsonValue(),
      dueDate: fc.constantFrom('2026-01-10', '31/02/2026', ''),
      value: fc.jsonValue(),
      chargeback: fc.jsonValue(),
      confirmedDate: fc.jsonValue(),
    },
    { requiredKeys: [] },
  )
  const json = fc.oneof(fc.jsonValue(), charge, fc.record({ data: fc.array(fc.oneof(charge, fc.jsonValue())), hasMore: fc.jsonValue() }))
  const body = fc.oneof(
    fc.jsonValue(),
    fc.record({
      id: fc.constant('evt_1'),
      event: fc.constantFrom(...events),
      dateCreated: fc.jsonValue(),
      payment: json,
      subscription: json,
    }),
  )
  await fc.assert(
    fc.asyncProperty(body, fc.array(json, { minLength: 1, maxLength: 5 }), async (delivered, answers) => {
      let turn = 0
      const next = () => (turn < 20 ? answers[turn++ % answers.length] : {})
      // About the requested object, whatever else it says.
      const any: GatewayApi = { get: async (path) => (path.includes('?') ? next() : { ...Object(next()), id: path.split('/').at(-1) }) }
      const clear = (fault: Error) => assert.match(fault.message, /same page twice|changes while it is read/)
      asaas.identify(stored(delivered))
      asaas.parse(stored(delivered))
      const isSound = ({ key, occurredAt }: GatewayEvent) => key !== '' && Number.isSafeInteger(occurredAt)
      const gatewayEvent = await asaas.fetch(stored(delivered), any).catch(clear)
      assert.ok(gatewayEvent === undefined || gatewayEvent === 'ignored' || isSound(gatewayEvent))
      const listAll = async () => {
        for await (const one of asaas.list(0, any)) assert.ok(isSound(one))
      }
      await listAll().catch(clear)
    }),
    { numRuns: 500 },
  )
})
