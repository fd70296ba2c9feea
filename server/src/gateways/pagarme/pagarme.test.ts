import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { GatewayApi, StoredDelivery } from '../gateway.ts'
import type { GatewayEvent } from '../gateway-event.ts'
import { pagarme } from './index.ts'

type Json = Record<string, unknown>

function vector(name: string): Json & { data: Json } {
  return JSON.parse(readFileSync(new URL(`../../../test/vectors/gateways/pagarme/${name}.json`, import.meta.url), 'utf8'))
}

const RECEIVED_AT = Date.UTC(2026, 10, 21)
const stored = (body: unknown): StoredDelivery => ({ body, query: new URLSearchParams(), receivedAt: RECEIVED_AT })
/** The hook view of the API, as its webhook delivers it. */
const { event: type, ...view } = vector('api.hook.charge.paid.truncated')
const renewal = { ...view, type }
const delivery = { header: () => undefined }
const asking = (answers: Record<string, unknown>) => {
  const asked: string[] = []
  const get = async (path: string) => {
    asked.push(path)
    return answers[path]
  }
  return { asked, get }
}

describe('The signature of Pagar.me', () => {
  const [key, other, weak] = [2048, 2048, 1024].map((modulusLength) => generateKeyPairSync('rsa', { modulusLength }))
  assert.ok(key && other && weak)
  const account_id = 'acc_TEST000000000001'
  const jwks = {
    keys: [
      { kid: 'weak', ...weak.publicKey.export({ format: 'jwk' }) },
      { kid: 'one', ...key.publicKey.export({ format: 'jwk' }) },
    ],
  }
  const raw = Buffer.from(JSON.stringify(renewal))
  const headerOf = ({ by = key, kid = 'one', alg = 'RS256', over = raw }) =>
    `alg=${alg}; kid=${kid}; signature=${sign('sha256', over, by.privateKey).toString('base64url')}`
  const verify = (header: string | undefined, { body = raw, webhookSecret = JSON.stringify({ account_id, jwks }) } = {}) =>
    pagarme.verify(
      { raw: body, query: new URLSearchParams(), header: (name) => (name === 'x-webhook-asymmetric-signature' ? header : undefined) },
      { webhookSecret, accessToken: 'sk_test_1', apiUrl: undefined, isTest: false },
      RECEIVED_AT,
    )

  it('verifies the raw body, of the merchant’s account', () => {
    assert.equal(verify(headerOf({})), 'verified')
    const [alg, kid, signature] = headerOf({}).split('; ')
    assert.equal(verify(`${signature};${kid};${alg}`), 'verified', 'in any order')
    assert.equal(verify(undefined), 'missing')
    assert.equal(verify(' '), 'missing')
  })

  it('verifies no other body, key or algorithm', () => {
    const forms = [
      headerOf({ by: other }),
      headerOf({ by: other, kid: 'two' }),
      headerOf({ alg: 'none' }),
      headerOf({ alg: 'HS256' }),
      'alg=RS256; kid=one; signature=',
      `${headerOf({})}; kid=one`,
      `kid=two; ${headerOf({})}`,
      headerOf({}).replace('signature=', 'signature=!'),
    ]
    for (const header of [...forms, 'x', headerOf({ by: weak, kid: 'weak' }), headerOf({}).replace('kid=one', 'kid=')])
      assert.equal(verify(header), 'invalid', header)
    assert.equal(verify(headerOf({}), { body: Buffer.concat([raw, Buffer.from(' ')]) }), 'invalid')
  })

  it('of another account, which Pagar.me signs with the same key, proves nothing', () => {
    for (const account of [{ id: 'acc_OTHER' }, undefined, null, {}]) {
      const body = Buffer.from(JSON.stringify({ ...renewal, account }))
      assert.equal(verify(headerOf({ over: body }), { body }), 'invalid')
    }
    const text = Buffer.from('no JSON')
    assert.equal(verify(headerOf({ over: text }), { body: text }), 'invalid')
  })

  it('is never verified by a secret that holds no keys, or no account', () => {
    const nobody = Buffer.from(JSON.stringify({ ...renewal, account: undefined }))
    const header = headerOf({ over: nobody })
    assert.equal(verify(header, { body: nobody, webhookSecret: JSON.stringify({ jwks }) }), 'invalid')
    const broken = { keys: [{ kid: 'one', kty: 'RSA', n: 'x', e: 1 }] }
    for (const secret of [
      '',
      'text',
      '{}',
      { account_id, jwks: { keys: [] } },
      { jwks },
      { account_id: '', jwks },
      { account_id, jwks: broken },
    ])
      assert.equal(verify(headerOf({}), { webhookSecret: typeof secret === 'string' ? secret : JSON.stringify(secret) }), 'invalid')
  })
})

describe('The webhook secret of Pagar.me', () => {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const { publicKey: weak } = generateKeyPairSync('rsa', { modulusLength: 1024 })
  const { publicKey: curve } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const good = { kid: 'one', use: 'sig', alg: 'RS256', x5t: 'x', ...publicKey.export({ format: 'jwk' }) }
  const bent = { ...good, kid: 'two', n: 'AQAB' }
  const useless = [{ kid: 'weak', ...weak.export({ format: 'jwk' }) }, { kid: 'curve', ...curve.export({ format: 'jwk' }) }, bent]
  const account_id = 'acc_TEST000000000001'
  const read = (given: unknown) => pagarme.readSecret?.(given)

  it('is an object or its text; of the set those keys are kept that can prove something', () => {
    const given = { account_id, jwks: { keys: [...useless, good, { ...good, use: 'enc' }, { ...good, alg: 'HS256' }, 7] } }
    const { kty, kid, use, alg, n, e } = good as Record<string, string>
    const stored = { account_id, jwks: { keys: [{ kty, kid, use, alg, n, e }] } }
    for (const one of [given, JSON.stringify(given)]) assert.deepEqual(JSON.parse(String(read(one))), stored)
  })

  it('says what is wrong with it', () => {
    const jwks = { keys: [good] }
    for (const given of ['', 'text', undefined, null, 7, [], '[]', '"x"'])
      assert.deepEqual(read(given), { refusal: 'secret_not_an_object' })
    for (const id of [undefined, '', 'loja', 'acc_', 7, `acc_${'x'.repeat(200)}`])
      assert.deepEqual(read({ account_id: id, jwks }), { refusal: 'account_malformed' })
    for (const set of [undefined, null, {}, [good], { keys: [] }, { keys: good }, 'https://hubapi.pagar.me/.well-known/jwks.json'])
      assert.deepEqual(read({ account_id, jwks: set }), { refusal: 'keys_malformed' })
    assert.deepEqual(read({ account_id, jwks: { keys: useless } }), { refusal: 'keys_unusable' })
  })
})

describe('A charge of Pagar.me', () => {
  const normalized = (event: string, data: Json = {}) =>
    pagarme.parse(stored({ ...renewal, type: event, data: { ...vector('api.hook.charge.paid.truncated').data, ...data } }))

  const paid: GatewayEvent = {
    key: 'ch_TEST000000000001 paid',
    kind: 'paid',
    subscriptionId: 'sub_TEST000000000001',
    paymentId: 'ch_TEST000000000001',
    paymentAliases: [],
    buyer: 'comprador@example.com',
    amount: 150,
    method: 'card',
    occurredAt: Date.parse('2025-01-01T04:15:39Z'),
    periodEnd: Date.parse('2025-01-31T23:59:59Z'),
    plan: { slugs: [], refs: ['sub_TEST000000000001'], isOffer: true },
  }

  it('whose metadata names a plan is for no other of the product', () => {
    const events = normalized('charge.refunded', { invoice: { subscriptionId: 'sub_1' }, metadata: { plan_slug: 'ebook' } })
    assert.deepEqual(typeof events === 'object' && events.plan, { slugs: ['ebook'], refs: ['sub_1'], isOffer: false })
  })

  it('of a subscription is the whole events, but for the period, which its invoice names', async () => {
    assert.equal(pagarme.parse(stored(renewal)), 'fetch')
    const api = asking({ '/invoices/in_TEST000000000001': vector('api.invoice.from-schema') })
    assert.deepEqual(await pagarme.fetch(stored(renewal), api), { ...paid, periodStart: Date.parse('2025-01-01T00:00:00Z') })
    assert.deepEqual(api.asked, ['/invoices/in_TEST000000000001'])
    assert.deepEqual(pagarme.identify(stored(renewal), delivery), {
      id: 'hook_TEST000000000001',
      event: 'charge.paid',
      subject: 'ch_TEST000000000001',
      isTest: false,
    })
  })

  it('of a subscription is paid without an end where its invoice names none, or is of another', async () => {
    const invoice = vector('api.invoice.from-schema')
    const strange = [undefined, null, [], { ...invoice, cycle: null }, { ...invoice, cycle: { end_at: 'soon' } }]
    for (const answer of [...strange, { ...invoice, subscription_id: 'sub_OTHER' }])
      assert.deepEqual(await pagarme.fetch(stored(renewal), asking({ '/invoices/in_TEST000000000001': answer })), {
        ...paid,
        periodEnd: undefined,
      })
  })

  it('that was given back says how much, and a part is other events than the next', () => {
    const { event, ...shown } = vector('api.hook.charge.refunded.truncated')
    const order = { metadata: { plan_slug: 'easy-pro' } }
    const back = pagarme.parse(stored({ ...shown, type: event, data: { ...shown.data, order } }))
    assert.deepEqual(typeof back === 'object' && [back.key, back.kind, back.amount], ['ch_TEST000000000002 refunded', 'refunded', 21_734])
    const parts = [100, 200].map((canceled_amount) => normalized('charge.partial_canceled', { canceled_amount }))
    assert.deepEqual(
      parts.map((events) => typeof events === 'object' && events.key),
      ['ch_TEST000000000001 partially_refunded 100', 'ch_TEST000000000001 partially_refunded 200'],
    )
  })

  it('without a subscription counts with a plan’s slug in its metadata, and else not', () => {
    const cash = vector('charge.paid.cash')
    assert.equal(pagarme.parse(stored(cash)), 'ignored')
    const events = pagarme.parse(stored({ ...cash, data: { ...cash.data, order: { metadata: { plan_slug: 'easy-pro' } } } }))
    assert.deepEqual(typeof events === 'object' && [events.plan.slugs, events.amount, events.occurredAt], [
      ['easy-pro'],
      12_500,
      Date.parse('2023-10-10T20:28:13Z'),
    ])
  })

  it('is reported by its own events alone, each with one meaning', () => {
    const meanings = {
      pending: 'payment_pending',
      paid: 'paid',
      overpaid: 'paid',
      payment_failed: 'payment_failed',
      refunded: 'refunded',
      partial_canceled: 'partially_refunded',
      chargedback: 'disputed',
    }
    for (const [event, kind] of Object.entries(meanings)) {
      const events = normalized(`charge.${event}`, { invoice: undefined, metadata: { plan_slug: 'easy-pro' } })
      assert.equal(typeof events === 'object' && events.kind, kind, event)
    }
    for (const event of ['charge.created', 'charge.underpaid', 'order.paid', 'invoice.paid', 'subscription.created', 'constructor'])
      assert.equal(normalized(event), 'ignored', event)
    assert.equal(pagarme.parse(stored(vector('order.paid'))), 'ignored')
  })

  it('without a zone in its time happened by UTC, wherever the server stands', (context) => {
    const before = process.env.TZ
    context.after(() => {
      if (before === undefined) delete process.env.TZ
      else process.env.TZ = before
    })
    process.env.TZ = 'America/Sao_Paulo'
    const events = normalized('charge.paid', { paid_at: '2017-06-29T20:23:47', invoice: undefined, metadata: { plan_slug: 'easy-pro' } })
    assert.equal(typeof events === 'object' && events.occurredAt, Date.UTC(2017, 5, 29, 20, 23, 47))
  })

  it('is canceled with its subscription: what was paid stays', () => {
    const events = pagarme.parse(stored(vector('subscription.canceled.guessed')))
    assert.deepEqual(typeof events === 'object' && [events.kind, events.subscriptionId, events.occurredAt], [
      'canceled',
      'sub_05jkdIfGYPfN26mI',
      Date.parse('2016-09-01T00:00:00Z'),
    ])
  })
})

it('A reconciliation reads page after page and reports what deliveries report, under the same keys', async () => {
  const { data } = vector('api.hook.charge.paid.truncated')
  // The API writes `subscription_id` where deliveries have `subscriptionId`.
  const invoice = { id: 'in_TEST000000000001', subscription_id: 'sub_TEST000000000001' }
  const updated_at = new Date(RECEIVED_AT).toISOString()
  const all = Array.from({ length: 31 }, (_, i) => ({
    ...data,
    id: `ch_${i}`,
    invoice,
    updated_at,
    status: i === 30 ? 'chargedback' : 'paid',
  }))
  const given = { ...data, id: 'ch_back', invoice, updated_at, status: 'canceled', canceled_amount: 150 }
  const old = { ...given, id: 'ch_old', updated_at: new Date(RECEIVED_AT - 1).toISOString() }
  const over = { ...vector('subscription.canceled.guessed').data, updated_at }
  const asked: string[] = []
  const get = async (path: string) => {
    asked.push(path)
    if (path.startsWith('/invoices')) return vector('api.invoice.from-schema')
    const url = new URL(path, 'http://x')
    const page = Number(url.searchParams.get('page'))
    if (url.pathname === '/subscriptions') return { data: [over, { ...over, status: 'active' }] }
    return { data: url.searchParams.get('status') === 'canceled' ? [given, old] : all.slice((page - 1) * 30, page * 30) }
  }
  const normalized: GatewayEvent[] = []
  for await (const events of pagarme.list(RECEIVED_AT, { get })) normalized.push(events)
  const keys = normalized.map(({ key }) => key)
  assert.deepEqual(keys.slice(28), [
    'ch_28 paid',
    'ch_29 paid',
    'ch_30 paid',
    'ch_30 disputed',
    'ch_back paid',
    'ch_back refunded',
    'sub_05jkdIfGYPfN26mI canceled',
  ])
  assert.deepEqual(normalized[0]?.periodEnd, Date.parse('2025-01-31T23:59:59Z'))
  assert.equal(normalized[0]?.subscriptionId, 'sub_TEST000000000001')
  const lists = asked.filter((path) => path.startsWith('/charges'))
  assert.match(lists[0] ?? '', /created_since=2026-09-22/, 'a boleto may be paid long after it was made')
  assert.equal(lists.length, 5)
})

it('A reconciliation lists of a canceled charge that it was given back if it was paid, which only the one that knows of its payment can', async () => {
  const { data } = vector('api.hook.charge.paid.truncated')
  const canceled = { ...data, id: 'ch_1', invoice: undefined, metadata: { plan_slug: 'easy-pro' }, status: 'canceled' }
  const listed = async (more: object) => {
    const one = { ...canceled, updated_at: new Date(RECEIVED_AT).toISOString(), ...more }
    const normalized: string[] = []
    const get = async (path: string) => ({ data: path.startsWith('/charges') ? [one] : [] })
    for await (const { key, onlyIfPaid } of pagarme.list(RECEIVED_AT, { get })) normalized.push(onlyIfPaid ? `${key}, if paid` : key)
    return normalized
  }
  const [paid_at, paid_amount] = ['2026-11-01T12:00:00Z', 9_900]
  const unknown = ['ch_1 payment_expired', 'ch_1 refunded, if paid']
  assert.deepEqual(await listed({ paid_at: undefined, paid_amount: undefined }), unknown)
  assert.deepEqual(await listed({ paid_at: null, paid_amount: 0 }), unknown)
  assert.deepEqual(await listed({ paid_at: undefined, paid_amount }), ['ch_1 refunded'])
  assert.deepEqual(await listed({ paid_at, paid_amount: undefined }), ['ch_1 paid', 'ch_1 refunded'])
})

it('A reconciliation does not pass for one that read everything where a list comes to the same page twice, or to no end', async () => {
  let asked = 0
  const others = Array.from({ length: 29 }, () => null)
  const listing = (idOf: (page: number) => string) => ({ get: async () => ({ data: [{ id: idOf(++asked) }, ...others] }) })
  const read = async (api: GatewayApi) => {
    asked = 0
    for await (const events of pagarme.list(0, api)) assert.ok(events.key)
  }
  await assert.rejects(read(listing(() => 'ch_1')), /comes to the same page twice/)
  assert.equal(asked, 2)
  await assert.rejects(read(listing((page) => `ch_${page}`)), /more than 10000 pages/)
  assert.equal(asked, 10_001)
})

it('No JSON makes the adapter fail', async () => {
  const body = fc.oneof(
    fc.jsonValue(),
    fc.record({
      id: fc.constant('hook_1'),
      type: fc.constantFrom('charge.paid', 'subscription.canceled'),
      created_at: fc.jsonValue(),
      data: fc.jsonValue(),
    }),
  )
  await fc.assert(
    fc.asyncProperty(body, async (delivered) => {
      pagarme.identify(stored(delivered), delivery)
      pagarme.parse(stored(delivered))
      await pagarme.fetch(stored(delivered), { get: async () => delivered })
      for await (const events of pagarme.list(0, { get: async () => delivered })) assert.ok(events.key)
    }),
    { numRuns: 300 },
  )
})
