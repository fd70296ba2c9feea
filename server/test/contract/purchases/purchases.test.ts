import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { setPlan } from '../../../src/subscriptions/index.ts'
import { eachDatabase } from '../../support/databases.ts'
import {
  activated,
  altered,
  completed,
  deliver,
  notify,
  received,
  signed,
  subscriptionsOf,
  WEBHOOK_SECRET,
} from '../../support/gateways/purchases.ts'
import { describeApi } from '../../support/routes/describe-api.ts'
import { request } from '../../support/routes/raw-requests.ts'
import { startForSuite, type TestService } from '../../support/service.ts'
import { purchaseVectors, VECTOR_SECRET } from '../../vectors/purchase-signatures.ts'

const TAKEN = { status: 200, body: { received: true } }
const MALFORMED = { status: 400, body: { error: 'Payload invalido' } }
const UNSIGNED = { status: 401, body: { error: 'Assinatura ausente' } }
const MISSIGNED = { status: 401, body: { error: 'Assinatura invalida' } }
const UNCONFIGURED = { status: 500, body: { error: 'Configuracao incompleta do servidor' } }
const LIMIT_BYTES = 262_144

/** Every field of the contract's two tables: what it may be, what it may not, and whether it may be left out. */
const NO_TEXT = [7, true, {}, []]
const NO_OBJECT = ['x', 7, true, []]
const FIELDS = [
  { of: 'A', path: 'event', wrong: [...NO_TEXT, '', 'purchase.canceled', 'Purchase.Completed', 'toString', null] },
  { of: 'A', path: 'customer', wrong: [...NO_OBJECT, null, {}] },
  { of: 'A', path: 'customer.email', wrong: [...NO_TEXT, '', null, 'ana', '@exemplo.com.br', 'ana@', ' @ '] },
  { of: 'A', path: 'customer.name', wrong: NO_TEXT, optional: true },
  { of: 'A', path: 'customer.phone', wrong: NO_TEXT, optional: true },
  { of: 'A', path: 'product', wrong: [...NO_OBJECT, null, {}] },
  {
    of: 'A',
    path: 'product.id',
    wrong: [...NO_TEXT, '', null, 'x', '0199c0de000070008000000000000001', '0199c0de-0000-7000-8000-00000000000g'],
  },
  { of: 'A', path: 'product.plan_slug', wrong: [...NO_TEXT, '', null, 'x'.repeat(201)] },
  { of: 'A', path: 'company', wrong: NO_OBJECT, optional: true },
  { of: 'A', path: 'company.name', wrong: NO_TEXT, optional: true },
  { of: 'A', path: 'company.cnpj', wrong: NO_TEXT, optional: true },
  { of: 'A', path: 'is_test', wrong: ['true', 1, {}, []], optional: true },
  { of: 'A', path: 'data', wrong: NO_OBJECT, optional: true },
  { of: 'A', path: 'data.is_test', wrong: ['true', 0, {}, []], optional: true },
  { of: 'A', path: 'timestamp', wrong: [...NO_TEXT, '', null, 1_700_000_000_000] },
  { of: 'B', path: 'event', wrong: [...NO_TEXT, '', 'subscription.cancelled', 'constructor', null] },
  { of: 'B', path: 'data', wrong: [...NO_OBJECT, null, {}] },
  { of: 'B', path: 'data.subscription_id', wrong: [...NO_TEXT, '', null, 'sub_1'] },
  { of: 'B', path: 'data.product_id', wrong: [...NO_TEXT, '', 'x'], optional: true },
  { of: 'B', path: 'data.product_name', wrong: [...NO_TEXT, '', null, 'x'.repeat(201)] },
  { of: 'B', path: 'data.user_email', wrong: [...NO_TEXT, '', null, 'ana', '@', 'ana@'] },
  { of: 'B', path: 'data.user_name', wrong: NO_TEXT, optional: true },
  { of: 'B', path: 'data.amount', wrong: ['9900', true, {}, [], null, 99.5, -1, 2 ** 53, 1e300] },
  { of: 'B', path: 'data.frequency', wrong: NO_TEXT, optional: true },
  { of: 'B', path: 'data.started_at', wrong: [...NO_TEXT, '', 'today'], optional: true },
  { of: 'B', path: 'data.is_test', wrong: ['false', 0, {}, [], null] },
  { of: 'B', path: 'timestamp', wrong: [...NO_TEXT, '', null, 'yesterday'] },
] as const satisfies ReadonlyArray<{ of: 'A' | 'B'; path: string; wrong: readonly unknown[]; optional?: true }>

const TIMES = [
  '2026-11-20T12:00:00Z',
  '2026-11-20T12:00:00.5Z',
  '2026-11-20T12:00:00.123456789Z',
  '2026-11-20T12:00Z',
  '2026-11-20T12:00:00',
  '2026-11-20T12:00:00-03:00',
  '2026-11-20T12:00:00-0300',
  '2026-11-20T12:00-03',
  '2026-11-20T23:59:59.999+14:00',
  '2024-02-29T00:00:00Z',
  '2000-02-29T00:00:00Z',
]
const NO_TIMES = [
  '2026-02-30T12:00:00Z',
  '2026-02-29T12:00:00Z',
  '1900-02-29T12:00:00Z',
  '2026-04-31T12:00:00Z',
  '2026-13-01T12:00:00Z',
  '2026-00-10T12:00:00Z',
  '2026-11-20T24:01:00Z',
  '2026-11-20T12:60:00Z',
  '2026-11-20T12:00:61Z',
  '2026-11-20T12:00:00+25:00',
  '2026-11-20T12:00:00+030',
  '2026-11-20T12',
  '2026-11',
  '2026-11-20',
  '12:00:00Z',
  '20/11/2026 12:00',
  'Fri, 20 Nov 2026 12:00:00 GMT',
  '1700000000',
]

/** A whole notification, marked as a test, so that it buys nothing. */
const fullA = () => ({
  ...completed({ email: 'ana@exemplo.com.br' }),
  customer: { email: 'ana@exemplo.com.br', name: 'Ana Flávia', phone: '+55 11 98765-4321' },
  company: { name: 'Açaí & Cia', cnpj: '12.ABC.345/01DE-35' },
  data: { is_test: true },
  is_test: true,
})
const fullB = () => {
  const { data, ...rest } = activated({ email: 'ana@exemplo.com.br', isTest: true })
  return {
    ...rest,
    data: { ...data, product_id: randomUUID(), user_name: 'Ana', frequency: 'MONTHLY', started_at: '2026-11-20T12:00:00-03:00' },
  }
}
const full = { A: fullA, B: fullB }

eachDatabase('POST /api/webhook/payment', (database) => {
  const service = startForSuite(database, { environment: { PORTARIA_WEBHOOK_SECRET: `${WEBHOOK_SECRET},${VECTOR_SECRET}` } })
  const answered = async (body: object | string) => notify(service().url, body)
  const delivered = async (body: string | Uint8Array<ArrayBuffer>, headers?: Record<string, string>) => {
    const { headers: _, ...answer } = await deliver(service().url, body, headers)
    return answer
  }

  it('answers {received: true} to both variants, and keeps exactly what was signed', async () => {
    for (const make of [fullA, fullB]) {
      const body = make()
      const answer = await deliver(service().url, signed(body))
      assert.deepEqual([answer.status, answer.body], [200, { received: true }])
      assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
      assert.equal(answer.headers.get('cache-control'), 'no-store')
      assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
      assert.match(answer.headers.get('x-request-id') ?? '', /./)
      assert.equal((await received(service())).at(-1)?.payload, JSON.stringify(body))
    }
  })

  it('checks every field of both variants: present unless it is optional, and never another type', async (t) => {
    for (const { of, path, wrong, ...field } of FIELDS) {
      const isOptional = 'optional' in field
      await t.test(`variant ${of}: ${path}`, async () => {
        for (const value of wrong) assert.deepEqual(await answered(altered(full[of](), path, value)), MALFORMED, JSON.stringify(value))
        assert.deepEqual(await answered(altered(full[of](), path, undefined)), isOptional ? TAKEN : MALFORMED)
        assert.deepEqual(await answered(altered(full[of](), path, null)), isOptional ? TAKEN : MALFORMED)
      })
    }
  })

  it('allows fields that the contract does not know', async () => {
    assert.deepEqual(await answered({ ...fullA(), version: 2, customer: { email: 'a@exemplo.com.br', tags: [{}] } }), TAKEN)
    assert.deepEqual(await answered(altered(fullB(), 'data.coupon', { code: 'X' })), TAKEN)
  })

  it('takes times in ISO 8601 with any offset, and no day or hour that does not exist', async () => {
    for (const time of TIMES) {
      assert.deepEqual(await answered({ ...fullA(), timestamp: time }), TAKEN, time)
      assert.deepEqual(await answered(altered(fullB(), 'data.started_at', time)), TAKEN, time)
    }
    for (const time of NO_TIMES) {
      assert.deepEqual(await answered({ ...fullA(), timestamp: time }), MALFORMED, time)
      assert.deepEqual(await answered(altered(fullB(), 'data.started_at', time)), MALFORMED, time)
    }
  })

  it('L17: a time without a zone is UTC, in every field, and the API description allows what is taken and says so', async () => {
    const { timestamp, data } = { ...activated({ email: 'utc@exemplo.com.br' }), timestamp: '2026-11-20T12:00:00' }
    const body = {
      event: 'subscription.activated',
      data: { ...data, period_end: '2026-12-20T12:00', started_at: '2026-11-20T12:00:00' },
      timestamp,
    }
    assert.deepEqual(await answered(body), TAKEN)
    const [row] = await subscriptionsOf(service(), 'utc@exemplo.com.br')
    assert.deepEqual([row?.changed_at, row?.period_end], [Date.UTC(2026, 10, 20, 12), Date.UTC(2026, 11, 20, 12)])
    const { paths } = JSON.parse(await describeApi())
    const times = timesIn(paths['/api/webhook/payment'].post.requestBody)
    assert.deepEqual([...new Set(times.map(({ name }) => name))].sort(), ['period_end', 'period_start', 'started_at', 'timestamp'])
    for (const { name, type, format, pattern, description } of times) {
      assert.deepEqual({ type, format, pattern }, { type: 'string', format: undefined, pattern: undefined }, name)
      assert.match(description ?? '', /ISO 8601.+without a zone it is UTC/, name)
    }
  })

  it('takes an amount of centavos however it is written, and ids in either case', async () => {
    for (const amount of ['0', '9900', '9900.0', '99e2', '9007199254740991']) {
      const body = altered(fullB(), 'data.amount', Number(amount))
      const raw = signed(body).replace(/"amount":\d+/, `"amount":${amount}`)
      assert.ok(raw.includes(`"amount":${amount},`))
      assert.deepEqual(await answered(raw), TAKEN, amount)
    }
    const upper = randomUUID().toUpperCase()
    assert.deepEqual(await answered(altered(fullA(), 'product.id', upper)), TAKEN)
    assert.deepEqual(await answered(altered(fullB(), 'data.subscription_id', upper)), TAKEN)
  })

  it('answers 400 Payload invalido to what is no JSON object, whatever its signature', async () => {
    const bodies = [
      '',
      ' ',
      '{',
      'x',
      '[]',
      `[${signed(fullA())}]`,
      'null',
      '7',
      '"x"',
      'true',
      '\ufeff{}',
      `${signed(fullA())}x`,
      "{'event':1}",
    ]
    for (const body of bodies) assert.deepEqual(await delivered(body), MALFORMED, body.slice(0, 40))
    for (const text of ['{"__proto__":{}}', '{"customer":{"__proto__":1}}', '{"a":[[{"\\u005f_proto__":null}]]}'])
      assert.deepEqual(await delivered(text), MALFORMED, text)
    const nested = signed({ ...fullA(), customer: JSON.parse('{"email":"a@exemplo.com.br","__proto__":{"x":1}}') })
    assert.deepEqual(await answered(nested), MALFORMED)
  })

  it('answers 400 Payload invalido to any other content type, and to none', async () => {
    for (const type of ['application/json', 'application/json; charset=utf-8', 'Application/JSON', 'application/json;charset="utf-8"'])
      assert.deepEqual(await delivered(signed(fullA()), { 'content-type': type }), TAKEN, type)
    const others = [
      'text/plain',
      'text/json',
      'application/x-www-form-urlencoded',
      'application/jsonp',
      'application/vnd.api+json',
      'json',
      'application/',
    ]
    for (const type of others) assert.deepEqual(await delivered(signed(fullA()), { 'content-type': type }), MALFORMED, type)
    assert.deepEqual(await delivered(signed(fullA()), {}), MALFORMED)
    const bare = await request(service(), 'POST', '/api/webhook/payment')
    assert.deepEqual([bare.status, JSON.parse(bare.body)], [400, MALFORMED.body])
  })

  it('takes 256 KiB and answers 400 Payload invalido, not 413, to one byte more', async () => {
    const sized = (bytes: number) => {
      const body = { ...fullA(), padding: '' }
      const text = (padding: string) => signed({ ...body, padding })
      return text(`é${'x'.repeat(bytes - Buffer.byteLength(text('é')))}`)
    }
    for (const [bytes, answer] of [
      [LIMIT_BYTES, TAKEN],
      [LIMIT_BYTES + 1, MALFORMED],
      [4 * LIMIT_BYTES, MALFORMED],
    ] as const) {
      const body = sized(bytes)
      assert.equal(Buffer.byteLength(body), bytes)
      assert.deepEqual(await delivered(body), answer, String(bytes))
    }
    for (const [bytes, answer] of [
      [LIMIT_BYTES, TAKEN],
      [LIMIT_BYTES + 1, MALFORMED],
    ] as const) {
      const stream = new Blob([sized(bytes)]).stream()
      const headers = { 'content-type': 'application/json' }
      const sent = await fetch(`${service().url}/api/webhook/payment`, { method: 'POST', headers, body: stream, duplex: 'half' })
      assert.deepEqual({ status: sent.status, body: await sent.json() }, answer, `${bytes} without a stated length`)
    }
  })

  it('answers 401 Assinatura ausente where there is no signature, or it is null or empty', async () => {
    for (const signature of [undefined, null, ''])
      assert.deepEqual(await answered(JSON.stringify({ ...fullA(), signature })), UNSIGNED, String(signature))
    const { signature, ...rest } = JSON.parse(signed(fullA()))
    assert.deepEqual(await answered(JSON.stringify({ ...rest, data: { ...rest.data, signature } })), UNSIGNED)
    assert.deepEqual(await delivered(JSON.stringify(rest), { 'content-type': 'application/json', 'x-signature': signature }), UNSIGNED)
  })

  it('answers 401 Assinatura invalida to anything but the 64 right hex digits, in either case', async () => {
    const body = fullB()
    const right: string = JSON.parse(signed(body)).signature
    const flipped = (right.startsWith('0') ? '1' : '0') + right.slice(1)
    const wrong = [
      [right],
      { 0: right },
      7,
      0,
      true,
      false,
      right.slice(0, 63),
      right.slice(0, 62),
      right.slice(0, 32),
      `${right}0`,
      right + right,
      `sha256=${right}`,
      `0x${right.slice(2)}`,
      ` ${right}`,
      `${right}\n`,
      flipped,
      'x'.repeat(64),
      `${right.slice(0, 63)}g`,
      Buffer.from(right, 'hex').toString('base64'),
      createHmac('sha256', 'another secret').update(JSON.stringify(body)).digest('hex'),
      createHmac('sha512', WEBHOOK_SECRET).update(JSON.stringify(body)).digest('hex').slice(0, 64),
      createHmac('sha256', '').update(JSON.stringify(body)).digest('hex'),
    ]
    const before = (await received(service())).length
    for (const signature of wrong)
      assert.deepEqual(await answered(JSON.stringify({ ...body, signature })), MISSIGNED, JSON.stringify(signature))
    assert.equal((await received(service())).length, before)
    assert.deepEqual(await answered(JSON.stringify({ ...body, signature: right.toUpperCase() })), TAKEN)
  })

  it('takes either of two secrets while one follows the other', async () => {
    assert.deepEqual(await answered(signed(fullA(), WEBHOOK_SECRET)), TAKEN)
    assert.deepEqual(await answered(signed(fullA(), VECTOR_SECRET)), TAKEN)
    assert.deepEqual(await answered(signed(fullA(), `${WEBHOOK_SECRET},${VECTOR_SECRET}`)), MISSIGNED)
    const body = fullA()
    assert.deepEqual(await answered(signed(body, WEBHOOK_SECRET)), TAKEN)
    const before = (await received(service())).length
    assert.deepEqual(await answered(signed(body, VECTOR_SECRET)), TAKEN)
    assert.equal((await received(service())).length, before, 'the same text by the other secret is the same notification')
  })

  it('checks in the order payload, signature, event and fields', async () => {
    const unknown = { ...fullA(), event: 'purchase.canceled' }
    const lacking = altered(fullA(), 'customer.email', undefined)
    const wrong = 'a'.repeat(64)
    for (const [what, body, answer] of [
      ['too long and unsigned', JSON.stringify({ ...fullA(), padding: 'x'.repeat(LIMIT_BYTES) }), MALFORMED],
      ['a __proto__ key and unsigned', '{"__proto__":{}}', MALFORMED],
      ['a __proto__ key and a wrong signature', `{"__proto__":{},"signature":"${wrong}"}`, MALFORMED],
      ['an empty object', '{}', UNSIGNED],
      ['an unknown event, unsigned', JSON.stringify(unknown), UNSIGNED],
      ['an unknown event, wrongly signed', JSON.stringify({ ...unknown, signature: wrong }), MISSIGNED],
      ['an unknown event, signed', signed(unknown), MALFORMED],
      ['a missing field, unsigned', JSON.stringify(lacking), UNSIGNED],
      ['a missing field, wrongly signed', JSON.stringify({ ...lacking, signature: wrong }), MISSIGNED],
      ['a missing field, signed', signed(lacking), MALFORMED],
      ['nothing, signed', signed({}), MALFORMED],
    ] as const)
      assert.deepEqual(await answered(body), answer, what)
  })

  it('answers notifications that were signed elsewhere as their signature deserves', async (t) => {
    for (const { name, rawBody, expect } of purchaseVectors)
      await t.test(`${name}: ${expect}`, async () => {
        assert.deepEqual(await answered(rawBody), expect === 'valid' ? TAKEN : { status: 401, body: { error: expect } })
      })
  })

  it('answers other methods with 405 and {error}, whatever they bring', async () => {
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'HEAD']) {
      const answer = await fetch(`${service().url}/api/webhook/payment`, { method, headers: { accept: 'text/html' } })
      assert.equal(answer.status, 405, method)
      assert.equal(answer.headers.get('allow'), 'POST')
      if (method !== 'HEAD') assert.deepEqual(await answer.json(), { error: 'Metodo nao permitido' })
    }
  })

  it('the same signed text again is answered the same and changes nothing', async () => {
    const body = completed({ email: 'denovo@exemplo.com.br' })
    assert.deepEqual(await answered(body), TAKEN)
    const before = [await received(service()), await subscriptionsOf(service(), 'denovo@exemplo.com.br')]
    service().clock.now += 60_000
    assert.deepEqual(await answered(body), TAKEN)
    assert.deepEqual(await answered(JSON.stringify(JSON.parse(signed(body)), undefined, 2)), TAKEN)
    assert.deepEqual([await received(service()), await subscriptionsOf(service(), 'denovo@exemplo.com.br')], before)

    const early = completed({ email: 'cedo@exemplo.com.br', plan: 'cedo-demais' })
    assert.deepEqual(await answered(early), TAKEN)
    const plan = { slug: 'cedo-demais', name: 'Cedo demais', price: 100 }
    assert.ok('id' in (await setPlan(plan, { ...service().context, actor: 'operator:test' })))
    assert.deepEqual(await answered(early), TAKEN)
    assert.deepEqual(await subscriptionsOf(service(), 'cedo@exemplo.com.br'), [], 'what is pending is the operator’s to resolve')
  })

  it('a test is recorded and grants nothing, in both variants and wherever is_test stands', async () => {
    const email = 'teste@exemplo.com.br'
    for (const body of [
      activated({ email, isTest: true }),
      completed({ email, is_test: true }),
      { ...completed({ email }), data: { is_test: true } },
      { ...completed({ email }), is_test: false, data: { is_test: true } },
    ]) {
      assert.deepEqual(await answered(body), TAKEN)
      const row = (await received(service())).at(-1)
      assert.deepEqual([row?.status, row?.subject, row?.payload], ['test', email, JSON.stringify(body)])
    }
    assert.deepEqual(await subscriptionsOf(service(), email), [])
    assert.deepEqual(await answered({ ...completed({ email }), is_test: false, data: { is_test: false } }), TAKEN)
    assert.equal((await subscriptionsOf(service(), email)).length, 1)
  })

  it('what names no known plan, or nobody, waits as unresolved, and its sender hears 200', async () => {
    for (const [body, why] of [
      [completed({ email: 'espera@exemplo.com.br', plan: 'no-such-plan' }), 'unknown_plan'],
      [activated({ email: 'espera@exemplo.com.br', name: 'Nenhum Plano' }), 'unknown_plan'],
      [completed({ email: 'ana maria@exemplo' }), 'unusable_address'],
      [activated({ email: 'ana@exemplo' }), 'unusable_address'],
    ] as const) {
      assert.deepEqual(await answered(body), TAKEN)
      const row = (await received(service())).at(-1)
      assert.deepEqual([row?.status, row?.why, row?.subscription_id], ['unresolved', why, null])
    }
    assert.deepEqual(await subscriptionsOf(service(), 'espera@exemplo.com.br'), [])
  })

  describe('finds what was bought', () => {
    const boughtBy = async (email: string) => {
      const { db } = service().context.storage
      const rows = await db
        .selectFrom('subscriptions')
        .innerJoin('plans', 'plans.id', 'subscriptions.plan_id')
        .select(['slug', 'scope', 'product_id'])
        .where('email', '=', email)
        .execute()
      return rows.map((row) => ({ ...row }))
    }

    it("a plan of the operator's by its slug alone, a product's plan only with its own product", async () => {
      const { product } = await ownPlan(service(), 'acha', { slug: 'acha-anual', name: 'Acha Anual' })
      assert.deepEqual(await answered(completed({ email: 'um@exemplo.com.br', plan: 'easy-pro' })), TAKEN)
      assert.deepEqual(await boughtBy('um@exemplo.com.br'), [{ slug: 'easy-pro', scope: 'operator', product_id: null }])
      assert.deepEqual(
        await answered(completed({ email: 'dois@exemplo.com.br', plan: 'acha-anual', productId: product.id.toUpperCase() })),
        TAKEN,
      )
      assert.deepEqual(await boughtBy('dois@exemplo.com.br'), [{ slug: 'acha-anual', scope: product.id, product_id: product.id }])
      assert.deepEqual(await answered(completed({ email: 'tres@exemplo.com.br', plan: 'acha-anual' })), TAKEN)
      assert.deepEqual(await boughtBy('tres@exemplo.com.br'), [])
    })

    it('variant B by product_id, then by a name of any case and accents', async () => {
      const { product } = await ownPlan(service(), 'busca', { slug: 'busca-mensal', name: 'Busca Ação' })
      assert.deepEqual(await answered(activated({ email: 'qa@exemplo.com.br', product_id: product.id, name: 'qualquer nome' })), TAKEN)
      assert.deepEqual(await boughtBy('qa@exemplo.com.br'), [{ slug: 'busca-mensal', scope: product.id, product_id: product.id }])
      assert.deepEqual(await answered(activated({ email: 'qb@exemplo.com.br', name: ' BUSCA  ACAO ' })), TAKEN)
      assert.deepEqual(await boughtBy('qb@exemplo.com.br'), [{ slug: 'busca-mensal', scope: product.id, product_id: product.id }])
      assert.deepEqual(await answered(activated({ email: 'qc@exemplo.com.br', name: 'easy pro' })), TAKEN)
      assert.deepEqual(await boughtBy('qc@exemplo.com.br'), [{ slug: 'easy-pro', scope: 'operator', product_id: null }])
    })
  })
})

eachDatabase('POST /api/webhook/payment without a signing secret', (database) => {
  const service = startForSuite(database)

  it('answers 500 Configuracao incompleta do servidor before anything is looked at, and takes nothing', async () => {
    const { url } = service()
    const json = { 'content-type': 'application/json' }
    for (const [what, body, headers] of [
      ['right', signed(fullA()), json],
      ['signed with no secret', signed(fullA(), ''), json],
      ['unsigned', JSON.stringify(fullA()), json],
      ['no JSON', '{', json],
      ['nothing', '', json],
      ['too long', 'x'.repeat(LIMIT_BYTES + 1), json],
      ['another type', signed(fullA()), { 'content-type': 'text/plain' }],
      ['a type that is none', signed(fullA()), { 'content-type': 'json' }],
      ['no type', signed(fullA()), {}],
    ] as const) {
      const answer = await deliver(url, body, headers)
      assert.deepEqual({ status: answer.status, body: answer.body }, UNCONFIGURED, what)
    }
    const warned = service()
      .log()
      .match(/"level":"warn".*PORTARIA_WEBHOOK_SECRET is not set/g)
    assert.equal(warned?.length, 9, 'the operator reads why, each time')
    assert.deepEqual(await received(service()), [])
  })
})

async function ownPlan(service: TestService, productSlug: string, plan: { slug: string; name: string }) {
  const made = await service.product({ slug: productSlug, audience: 'external', checkout: 'external' })
  const set = await setPlan({ ...plan, price: 1_000, productSlug }, { ...service.context, actor: 'operator:test' })
  assert.ok('id' in set)
  return made
}

interface Described {
  name: string
  type?: string
  format?: string
  pattern?: string
  description?: string
}

/** Every property of a schema, however deep, that is a time by its name. */
function timesIn(schema: unknown): Described[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([name, inner]) =>
    /^(timestamp|started_at|period_(start|end))$/.test(name) ? [{ name, ...inner }] : timesIn(inner),
  )
}
