import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { GatewayNews, Kept } from './gateway.ts'
import { pagarme } from './pagarme.ts'

type Json = Record<string, unknown>

function vector(name: string): Json & { data: Json } {
  return JSON.parse(readFileSync(new URL(`../../test/vectors/gateways/pagarme/${name}.json`, import.meta.url), 'utf8'))
}

const RECEIVED_AT = Date.UTC(2026, 10, 21)
const kept = (body: unknown): Kept => ({ body, query: new URLSearchParams(), receivedAt: RECEIVED_AT })
/** The hook view of the API, as its webhook delivers it. */
const { event: type, ...view } = vector('api.hook.charge.paid.truncated')
const renewal = { ...view, type }

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
  const prove = (header: string | undefined, { body = raw, webhookSecret = JSON.stringify({ account_id, jwks }) } = {}) =>
    pagarme.prove(
      { raw: body, query: new URLSearchParams(), header: (name) => (name === 'x-webhook-asymmetric-signature' ? header : undefined) },
      { webhookSecret, accessToken: 'sk_test_1', apiUrl: undefined, isTest: false },
      RECEIVED_AT,
    )

  it('proves the raw body, of the owner’s account', () => {
    assert.equal(prove(headerOf({})), 'proven')
    assert.equal(prove(undefined), 'missing')
    assert.equal(prove(' '), 'missing')
  })

  it('proves no other body, key or algorithm', () => {
    const forms = [
      headerOf({ by: other }),
      headerOf({ by: other, kid: 'two' }),
      headerOf({ alg: 'none' }),
      headerOf({ alg: 'HS256' }),
      'alg=RS256; kid=one; signature=',
    ]
    for (const header of [...forms, 'x', headerOf({ by: weak, kid: 'weak' }), headerOf({}).replace('kid=one', 'kid=')])
      assert.equal(prove(header), 'invalid', header)
    assert.equal(prove(headerOf({}), { body: Buffer.concat([raw, Buffer.from(' ')]) }), 'invalid')
  })

  it('of another account, which Pagar.me signs with the same key, proves nothing', () => {
    for (const account of [{ id: 'acc_OTHER' }, undefined, null, {}]) {
      const body = Buffer.from(JSON.stringify({ ...renewal, account }))
      assert.equal(prove(headerOf({ over: body }), { body }), 'invalid')
    }
    const text = Buffer.from('no JSON')
    assert.equal(prove(headerOf({ over: text }), { body: text }), 'invalid')
  })

  it('is never proven by a secret that holds no keys, or no account', () => {
    const nobody = Buffer.from(JSON.stringify({ ...renewal, account: undefined }))
    const header = headerOf({ over: nobody })
    assert.equal(prove(header, { body: nobody, webhookSecret: JSON.stringify({ jwks }) }), 'invalid')
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
      assert.equal(prove(headerOf({}), { webhookSecret: typeof secret === 'string' ? secret : JSON.stringify(secret) }), 'invalid')
  })
})

describe('A charge of Pagar.me', () => {
  const told = (event: string, data: Json = {}) =>
    pagarme.tell(kept({ ...renewal, type: event, data: { ...vector('api.hook.charge.paid.truncated').data, ...data } }))

  it('of a subscription is the whole news', () => {
    assert.deepEqual(pagarme.tell(kept(renewal)), {
      key: 'ch_TEST000000000001 paid',
      kind: 'paid',
      subscriptionId: 'sub_TEST000000000001',
      paymentId: 'ch_TEST000000000001',
      paymentAliases: [],
      buyer: 'comprador@example.com',
      amount: 150,
      method: 'card',
      occurredAt: Date.parse('2025-01-01T04:15:39Z'),
      periodEnd: undefined,
      plan: { slugs: [], refs: ['sub_TEST000000000001'], isOffer: true },
    } satisfies GatewayNews)
    assert.deepEqual(pagarme.read(kept(renewal)), {
      id: 'hook_TEST000000000001',
      event: 'charge.paid',
      subject: 'ch_TEST000000000001',
      isTest: false,
    })
  })

  it('without a subscription counts with a plan’s slug in its metadata, and else not', () => {
    const cash = vector('charge.paid.cash')
    assert.equal(pagarme.tell(kept(cash)), 'ignored')
    const news = pagarme.tell(kept({ ...cash, data: { ...cash.data, order: { metadata: { plan_slug: 'easy-pro' } } } }))
    assert.deepEqual(typeof news === 'object' && [news.plan.slugs, news.amount, news.occurredAt], [
      ['easy-pro'],
      12_500,
      Date.parse('2023-10-10T20:28:13Z'),
    ])
  })

  it('is told of by its own events alone, each with one meaning', () => {
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
      const news = told(`charge.${event}`)
      assert.equal(typeof news === 'object' && news.kind, kind, event)
    }
    for (const event of ['charge.created', 'charge.underpaid', 'order.paid', 'invoice.paid', 'subscription.created', 'constructor'])
      assert.equal(told(event), 'ignored', event)
    assert.equal(pagarme.tell(kept(vector('order.paid'))), 'ignored')
  })

  it('without a zone in its time happened by UTC, wherever the server stands', (context) => {
    const before = process.env.TZ
    context.after(() => {
      if (before === undefined) delete process.env.TZ
      else process.env.TZ = before
    })
    process.env.TZ = 'America/Sao_Paulo'
    const news = told('charge.paid', { paid_at: '2017-06-29T20:23:47' })
    assert.equal(typeof news === 'object' && news.occurredAt, Date.UTC(2017, 5, 29, 20, 23, 47))
  })

  it('is canceled with its subscription: what was paid stays', () => {
    const news = pagarme.tell(kept(vector('subscription.canceled.guessed')))
    assert.deepEqual(typeof news === 'object' && [news.kind, news.subscriptionId, news.occurredAt], [
      'canceled',
      'sub_05jkdIfGYPfN26mI',
      Date.parse('2016-09-01T00:00:00Z'),
    ])
  })
})

it('A reconciliation reads page after page and tells what deliveries tell, under the same keys', async () => {
  const { data } = vector('api.hook.charge.paid.truncated')
  const all = Array.from({ length: 31 }, (_, i) => ({ ...data, id: `ch_${i}`, status: i === 30 ? 'chargedback' : 'paid' }))
  const paths: string[] = []
  const vendor = {
    get: async (path: string) => {
      paths.push(path)
      const page = Number(new URL(path, 'http://x').searchParams.get('page'))
      return { data: all.slice((page - 1) * 30, page * 30) }
    },
  }
  const keys: string[] = []
  for await (const { key } of pagarme.list(RECEIVED_AT, vendor)) keys.push(key)
  assert.deepEqual([keys[0], keys[30], keys.length, paths.length], ['ch_0 paid', 'ch_30 disputed', 31, 2])
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
      pagarme.read(kept(delivered))
      pagarme.tell(kept(delivered))
      for await (const news of pagarme.list(0, { get: async () => delivered })) assert.ok(news.key)
    }),
    { numRuns: 300 },
  )
})
