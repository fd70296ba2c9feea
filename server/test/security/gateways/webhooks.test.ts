import assert from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import { it } from 'node:test'
import fc from 'fast-check'
import { disableUser, findUser } from '../../../src/admin/index.ts'
import { refundSubscription } from '../../../src/payment-history/index.ts'
import { eachDatabase, type TestDatabase } from '../../support/databases.ts'
import {
  activated,
  altered,
  bring,
  completed,
  deliver,
  notify,
  received,
  signed,
  subscriptionsOf,
  WEBHOOK_SECRET,
  WEBHOOKS,
} from '../../support/gateways/purchases.ts'
import { PASSWORD, startForSuite, type TestService } from '../../support/service.ts'

const TAKEN = { status: 200, body: { received: true } }
const MALFORMED = { status: 400, body: { error: 'Payload invalido' } }
const MISSIGNED = { status: 401, body: { error: 'Assinatura invalida' } }

const hmac = (text: string, secret = WEBHOOK_SECRET) => createHmac('sha256', secret).update(text).digest('hex')
/** A body with a signature put where the sender left room for one; the room is not part of what is signed. */
const ROOM = '"signature":"?"'
const fill = (raw: string, signedText: string) => raw.replace(ROOM, `"signature":"${hmac(signedText)}"`)

let buyers = 0
const someone = () => `comprador${++buyers}@exemplo.com.br`

eachDatabase('Forged, bent and repeated purchase notifications', (database: TestDatabase) => {
  const service = startForSuite(database, { environment: WEBHOOKS })
  const send = (body: object | string) => notify(service().url, body)
  const stored = async (signedText: string) => {
    const hash = createHash('sha256').update(signedText).digest('base64url')
    const { db } = service().context.storage
    return db.selectFrom('notifications').selectAll().where('digest', 'like', `%${hash}`).executeTakeFirst()
  }

  it('signature compare (33): nothing but the right 64 digits opens, however near it comes', async () => {
    const body = completed({ email: someone() })
    const text = JSON.stringify(body)
    const right = hmac(text)
    const before = (await received(service())).length
    const near = fc.oneof(
      fc.tuple(fc.nat(63), fc.constantFrom(...'0123456789abcdef')).map(([at, digit]) => right.slice(0, at) + digit + right.slice(at + 1)),
      fc.nat(63).map((length) => right.slice(0, length)),
      fc.string({ maxLength: 4, minLength: 1 }).map((more) => right + more),
      fc.string({ maxLength: 4, minLength: 1 }).map((more) => more + right),
      fc.nat(63).map((at) => `${right.slice(0, at)}\u0000${right.slice(at + 1)}`),
      fc.nat(63).map((at) => `${right.slice(0, at)}\uff10${right.slice(at + 1)}`),
      fc.stringMatching(/^[0-9a-f]{64}$/),
      fc.constantFrom(hmac(text, ''), hmac(text, 'null'), hmac(text, 'undefined'), hmac(`${text}\n`), hmac(`{${text}}`), hmac('')),
      fc.constantFrom([right], [[right]], { toString: right }, { length: 64 }, 64, -1, true, false),
    )
    await fc.assert(
      fc.asyncProperty(near, async (signature) => {
        fc.pre(signature !== right && signature !== '')
        assert.deepEqual(await send(JSON.stringify({ ...body, signature })), MISSIGNED)
      }),
      { numRuns: 150 },
    )
    assert.equal((await received(service())).length, before)
    assert.deepEqual(await send(body), TAKEN)
  })

  it('signature compare (33): a signature is of one body, and a change of any field of it undoes it', async () => {
    const body = activated({ email: someone(), product_id: '0199c0de-0000-7000-8000-000000000001' })
    const signature = hmac(JSON.stringify(body))
    for (const [path, value] of [
      ['data.amount', 1],
      ['data.user_email', 'ladrao@exemplo.com.br'],
      ['data.is_test', true],
      ['data.is_test', undefined],
      ['data.subscription_id', '0199c0de-0000-7000-8000-000000000002'],
      ['data.product_name', 'Easy Enterprise'],
      ['data.extra', 1],
      ['timestamp', '2030-01-01T00:00:00Z'],
      ['event', 'purchase.completed'],
      ['extra', null],
    ] as const)
      assert.deepEqual(await send(JSON.stringify({ ...altered(body, path, value), signature })), MISSIGNED, path)
    const { data, ...rest } = body
    assert.deepEqual(await send(JSON.stringify({ data, ...rest, signature })), MISSIGNED, 'keys in another order')
  })

  it('re-serialisation (34): of doubled signatures the last counts, before and after the body alike', async () => {
    const body = completed({ email: someone() })
    const text = JSON.stringify(body)
    const rest = text.slice(1)
    const right = hmac(text)
    const wrong = 'f'.repeat(64)
    assert.deepEqual(await send(`{"signature":"${right}","signature":"${wrong}",${rest}`), MISSIGNED)
    assert.deepEqual(await send(`{"signature":"${right}",${rest.slice(0, -1)},"signature":"${wrong}"}`), MISSIGNED)
    assert.deepEqual(await send(`{"signature":"${right}",${rest.slice(0, -1)},"signature":null}`), {
      status: 401,
      body: { error: 'Assinatura ausente' },
    })
    assert.deepEqual(await send(`{"signature":"${wrong}",${rest.slice(0, -1)},"sign\\u0061ture":"${right}"}`), TAKEN)
  })

  it('re-serialisation (34): of doubled keys the one that was verified is the one that counts', async () => {
    const [victim, thief] = [someone(), someone()]
    const text = JSON.stringify(completed({ email: thief }))
    const raw = text.replace('"customer":', `"customer":{"email":"${victim}"},"customer":`).replace(/}$/, `,${ROOM}}`)
    assert.deepEqual(await send(fill(raw, text)), TAKEN)
    assert.deepEqual([(await subscriptionsOf(service(), victim)).length, (await subscriptionsOf(service(), thief)).length], [0, 1])
    const inner = text.replace(`{"email":"${thief}"}`, `{"email":"${victim}","em\\u0061il":"${thief}"}`).replace(/}$/, `,${ROOM}}`)
    const other = fill(inner, text.replace(thief, victim))
    assert.deepEqual(await send(other), MISSIGNED, 'signed as if the first had counted')
    assert.deepEqual([(await subscriptionsOf(service(), victim)).length, (await subscriptionsOf(service(), thief)).length], [0, 1])
  })

  for (const [what, written, value] of [
    ['1.0 is 1', '1.0', '1'],
    ['1e2 is 100', '1e2', '100'],
    ['-0 is 0', '-0', '0'],
    ['an integer beyond 2^53 is the nearest number', '9007199254740993', '9007199254740992'],
    ['more digits than a number has', '0.1000000000000000055511151231257827', '0.1'],
    ['a number without end is null', '1e999', 'null'],
    ['é may be an escape', '"\\u00e9"', '"é"'],
    ['a solidus may be escaped', '"\\/"', '"/"'],
    ['é in two characters stays so', '"e\\u0301"', '"e\u0301"'],
    ['half a pair stays an escape', '"\\uD83D"', '"\\ud83d"'],
    ['a whole pair is a character', '"\\ud83d\\ude00"', '"😀"'],
    ['a null byte stays an escape', '"\\u0000"', '"\\u0000"'],
    ['keys that are numbers come first', '{"b":1,"2":2,"1":3}', '{"1":3,"2":2,"b":1}'],
    ['toJSON is a key like others', '{"toJSON":"x","constructor":{"name":"y"},"toString":null}', undefined],
  ] as const) {
    it(`re-serialisation (34): ${what}, and what is verified is what is stored`, async () => {
      const text = JSON.stringify(completed({ email: someone() })).replace(/}$/, `,"more":${value ?? written}}`)
      const raw = text.replace(/"more":.*}$/, () => `"more":${written},${ROOM}}`)
      assert.deepEqual(await send(fill(raw, text)), TAKEN)
      assert.equal((await stored(text))?.payload, text)
      if (value !== undefined && value !== written)
        assert.deepEqual(await send(fill(raw, raw.replace(`,${ROOM}`, ''))), MISSIGNED, 'signed as it was written')
    })
  }

  it('re-serialisation (34): the HMAC of what is stored is the signature that was sent, whatever else the body holds and however it is written', async () => {
    const space = fc.constantFrom('', ' ', '\n', '\r\n\t')
    const spelling = fc.constantFrom(
      (text: string) => text,
      (text: string) => text.replaceAll(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
    )
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), space, spelling, fc.boolean(), async (more, gap, written, isLast) => {
        fc.pre(!JSON.stringify(more).includes('__proto__'))
        const { signature: _, ...extra } = more
        const email = someone()
        const made = completed({ email })
        const body = JSON.parse(JSON.stringify(isLast ? { ...made, ...extra, ...made } : { ...extra, ...made }))
        const text = JSON.stringify(body)
        const signature = hmac(text)
        const raw = `${gap}${written(JSON.stringify({ signature, ...body }, undefined, gap))}${gap}`
        assert.deepEqual(await send(raw), TAKEN)
        const row = await stored(text)
        assert.equal(row && hmac(row.payload), signature)
        assert.equal(row?.subject, email)
        assert.equal(JSON.parse(row?.payload ?? '').customer.email, email)
      }),
      { numRuns: 60 },
    )
  })

  it('re-serialisation (34): an amount that is no exact number of centavos is refused', async () => {
    for (const amount of ['9007199254740992', '9007199254740993', '1e300', '0.5', '-1', '99.000000000001']) {
      const text = JSON.stringify(activated({ email: someone() })).replace('"amount":9900', `"amount":${amount}`)
      const raw = text.replace(/}$/, `,${ROOM}}`)
      assert.deepEqual(await send(fill(raw, JSON.stringify(JSON.parse(text)))), MALFORMED, amount)
    }
  })

  it('re-serialisation (34): a __proto__ key at any depth is refused, so that nothing inherits what nobody signed', async () => {
    for (const text of [
      '{"__proto__":{"event":"purchase.completed"}}',
      '{"customer":{"__proto__":{"email":"x@exemplo.com.br"}}}',
      '{"a":[1,[{"b":{"__proto__":null}}]]}',
      '{"\\u005f\\u005fproto\\u005f\\u005f":1}',
    ]) {
      const whole = `${JSON.stringify(completed({ email: someone() })).slice(0, -1)},${text.slice(1)}`
      for (const raw of [text, whole, whole.replace(/}$/, `,"signature":"${hmac(whole)}"}`)])
        assert.deepEqual(await send(raw), MALFORMED, raw)
    }
    assert.equal(Object.hasOwn(Object.prototype, 'event'), false)
  })

  it('re-serialisation (34): nests of any depth, crowds of keys and bytes that are no text neither crash nor pass', async () => {
    const { url } = service()
    const deep = (depth: number) => {
      const text = JSON.stringify(completed({ email: someone() })).replace(/}$/, `,"more":${'['.repeat(depth)}${']'.repeat(depth)}}`)
      return text.replace(/}$/, `,"signature":"${hmac(text)}"}`)
    }
    assert.deepEqual(await send(deep(20)), TAKEN)
    for (const depth of [1_000, 100_000]) assert.deepEqual(await send(deep(depth)), MALFORMED, String(depth))
    assert.deepEqual(await send('{"a":'.repeat(40_000)), MALFORMED)
    const withKeys = (n: number) => ({
      ...completed({ email: someone() }),
      ...Object.fromEntries(Array.from({ length: n }, (_, i) => [`key ${i}`, i])),
    })
    assert.deepEqual(await send(withKeys(3_900)), TAKEN)
    assert.deepEqual(await send(withKeys(4_100)), MALFORMED, 'what takes long to read is refused before')
    const raw = signed({ ...completed({ email: someone() }), more: 'X' })
    for (const bytes of [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xf0, 0x9f], [0xc0, 0xaf]]) {
      const [head = '', tail = ''] = raw.split('X')
      const body = Buffer.concat([Buffer.from(head), Buffer.from(bytes), Buffer.from(tail)])
      const answer = await deliver(url, new Uint8Array(body))
      assert.deepEqual({ status: answer.status, body: answer.body }, MISSIGNED, bytes.join(' '))
    }
    assert.deepEqual(await send(completed({ email: someone() })), TAKEN, 'the service goes on')
  })

  it('re-serialisation (34): a null byte, half a pair or an overlong text in any field is no fault of the service', async () => {
    const product = '0199c0de-0000-7000-8000-000000000001'
    const A = { ...completed({ email: 'x' }), customer: { email: 'x', name: 'x', phone: 'x' }, company: { name: 'x', cnpj: 'x' } }
    const B = altered(altered(activated({ email: 'x', product_id: product }), 'data.user_name', 'x'), 'data.frequency', 'x')
    const texts = {
      A: [
        'customer.email',
        'customer.name',
        'customer.phone',
        'product.id',
        'product.plan_slug',
        'company.name',
        'company.cnpj',
        'event',
        'timestamp',
      ],
      B: [
        'data.subscription_id',
        'data.product_id',
        'data.product_name',
        'data.user_email',
        'data.user_name',
        'data.frequency',
        'data.started_at',
      ],
    }
    for (const [base, paths] of [
      [A, texts.A],
      [B, texts.B],
    ] as const)
      for (const path of [...paths, 'more'])
        for (const text of [
          '\u0000',
          'ana\u0000@exemplo.com.br',
          '\ud800@exemplo.com.br',
          `${'x'.repeat(900)}@exemplo.com.br`,
          'x'.repeat(60_000),
        ]) {
          const own = base === A ? 'customer.email' : 'data.user_email'
          const { status } = await send(altered(path === own ? base : altered(base, own, someone()), path, text))
          assert.ok(status === 200 || status === 400, `${path}: ${status}`)
        }
    const [a, b] = ['ana\u0000x@exemplo.com.br', 'ana\ud800x@exemplo.com.br']
    for (const email of [a, b]) {
      const body = completed({ email })
      assert.deepEqual(await send(body), TAKEN)
      const row = await stored(JSON.stringify(body))
      assert.deepEqual([row?.status, row?.subject, row?.payload], ['unresolved', 'ana\ufffdx@exemplo.com.br', JSON.stringify(body)])
    }
    assert.ok(!service().log().includes('"fault"'), 'no fault was logged')
  })

  it('out of order / duplicate (35): 50 copies of one notification at once leave one row, and all senders hear 200', async () => {
    for (const body of [completed({ email: someone() }), activated({ email: someone() })]) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => send(body)))
      assert.deepEqual(
        answers,
        Array.from({ length: 50 }, () => TAKEN),
      )
      const text = JSON.stringify(body)
      assert.equal((await received(service())).filter(({ payload }) => payload === text).length, 1)
      const email = 'customer' in body ? body.customer.email : body.data.user_email
      assert.equal((await subscriptionsOf(service(), email)).length, 1)
    }
  })

  it('out of order / duplicate (35): a history in any order, with repetitions, comes to the same', async () => {
    const start = service().clock.now - 40 * 86_400_000
    const gatewayEvent = fc.record({
      kind: fc.constantFrom('paid', 'payment_failed', 'canceled', 'ended', 'refunded', 'disputed', 'dispute_won', 'dispute_lost'),
      at: fc.nat(20).map((day) => start + day * 86_400_000),
      paymentId: fc.constantFrom('p1', 'p2', 'p3', undefined),
    } as const)
    const history = fc.uniqueArray(gatewayEvent, { minLength: 2, maxLength: 7, selector: (one) => JSON.stringify(one) })
    const orders = history.chain((events) =>
      fc.tuple(
        fc.constant(events),
        fc.shuffledSubarray([...events, ...events], { minLength: events.length, maxLength: 2 * events.length }),
      ),
    )
    await fc.assert(
      fc.asyncProperty(orders, async ([events, shuffled]) => {
        const [one, other] = [someone(), someone()]
        const deliverAll = async (email: string, list: typeof events) => {
          for (const event of list) await bring(service(), { ref: email, email, key: JSON.stringify(event), ...event })
          return (await subscriptionsOf(service(), email))
            .map(({ id, stream_id, email: _, created_at, ...facts }) => facts)
            .sort((a, b) => a.number - b.number)
        }
        assert.deepEqual(await deliverAll(other, [...shuffled, ...events]), await deliverAll(one, events))
      }),
      { numRuns: 15 },
    )
  })

  it('out of order / duplicate (35): a buyer reported in any order has one subscription of the newest time', async () => {
    const email = someone()
    const at = (day: number) => new Date(service().clock.now - day * 86_400_000).toISOString()
    const productId = '0199c0de-0000-7000-8000-000000000009'
    const sent = [3, 1, 2, 5, 4].map((day) => completed({ email, productId, at: at(day) }))
    await Promise.all([...sent, ...sent].map(async (body) => assert.deepEqual(await send(body), TAKEN)))
    const rows = await subscriptionsOf(service(), email)
    assert.deepEqual(
      rows.map(({ state, changed_at }) => [state, changed_at]),
      [['active', Date.parse(at(1))]],
    )
  })

  it('re-grant by replay (36): what was refunded stays so when its purchase is sent again, or an older one arrives late', async () => {
    const { url, product } = service()
    const { product: shop, apiKey } = await product({ slug: 'reenvio', audience: 'external', checkout: 'external' })
    const email = someone()
    const at = service().clock.now
    const body = completed({ email, productId: shop.id, at: new Date(at - 60_000).toISOString() })
    const access = async () => {
      const headers = { authorization: `Bearer ${apiKey}` }
      const answer = await fetch(`${url}/api/saas/check-access?user_id=u&email=${email}`, { headers })
      const { active, reason } = (await answer.json()) as Record<string, unknown>
      return [active, reason]
    }
    assert.deepEqual(await send(body), TAKEN)
    assert.deepEqual(await access(), [true, 'paid'])
    await refund(service(), email)
    assert.deepEqual(await access(), [false, 'refunded'])
    for (const raw of [signed(body), JSON.stringify(JSON.parse(signed(body)), undefined, 1), signed(body)])
      assert.deepEqual(await send(raw), TAKEN)
    assert.deepEqual(await access(), [false, 'refunded'])
    const older = completed({ email, productId: shop.id, at: new Date(at - 120_000).toISOString() })
    assert.deepEqual(await send(older), TAKEN)
    assert.deepEqual(await access(), [false, 'refunded'])
    service().clock.now += 60_000
    const anew = completed({ email, productId: shop.id, at: new Date(service().clock.now).toISOString() })
    assert.deepEqual(await send(anew), TAKEN)
    assert.deepEqual(await access(), [true, 'paid'], 'a new purchase is one')
  })

  it('re-grant by replay (36): a purchase dated far ahead counts as received when it came, and gives no start over a later refund', async () => {
    const email = someone()
    const body = completed({ email, at: '2999-01-01T00:00:00Z' })
    assert.deepEqual(await send(body), TAKEN)
    service().clock.now += 1_000
    await refund(service(), email)
    assert.deepEqual(
      (await subscriptionsOf(service(), email)).map(({ state }) => state),
      ['refunded'],
    )
  })

  it('forged invitation/claim (39): a purchase is never linked to who has not verified its address, or is signed in as someone else', async () => {
    const email = someone()
    const squatter = await service().user(email)
    const { db } = service().context.storage
    await db.updateTable('users').set({ email_verified_at: null }).where('id', '=', squatter.id).execute()
    assert.deepEqual(await send(completed({ email })), TAKEN)
    for (const who of [email, (await service().user(someone())).email]) {
      const browser = service().browser()
      assert.equal((await browser.signIn('/login', { email: who, password: PASSWORD })).status, 302)
      await browser.get('/account')
    }
    assert.deepEqual(
      (await subscriptionsOf(service(), email)).map(({ user_id }) => user_id),
      [null],
    )
  })

  it('forged invitation/claim (39): a product neither sees nor links what was bought for another, nor for an account that is closed', async () => {
    const { url, product } = service()
    const own = await product({ slug: 'alheio-um', audience: 'external', checkout: 'external' })
    const other = await product({ slug: 'alheio-dois', audience: 'external', checkout: 'external' })
    const { id, email } = await service().user(someone())
    assert.deepEqual(await send(completed({ email, productId: own.product.id })), TAKEN)
    const ask = async (apiKey: string, query: Record<string, string>) => {
      const answer = await fetch(`${url}/api/saas/check-access?${new URLSearchParams(query)}`, {
        headers: { authorization: `Bearer ${apiKey}` },
      })
      return ((await answer.json()) as { reason: string }).reason
    }
    for (const query of [{ user_id: id }, { email }, { user_id: 'thief', email }])
      assert.equal(await ask(other.apiKey, query), 'no_subscription')
    assert.deepEqual(
      (await subscriptionsOf(service(), email)).map(({ product_user }) => product_user),
      [null],
    )
    assert.equal(await ask(own.apiKey, { user_id: id }), 'paid')
    const user = (await findUser(service().context.storage.db, id)) ?? assert.fail()
    await disableUser(user, 'test', { ...service().context, actor: 'operator:test' })
    for (const query of [{ user_id: id }, { user_id: id, email }]) assert.equal(await ask(own.apiKey, query), 'no_subscription')
  })
})

/** As the operator does it. */
async function refund(service: TestService, email: string): Promise<void> {
  const [bought, ...others] = await subscriptionsOf(service, email)
  assert.ok(bought && others.length === 0)
  const refunded = await refundSubscription(bought.id, 'test', { ...service.context, actor: 'operator:test' })
  assert.ok('state' in refunded && refunded.state === 'refunded')
}
