import assert from 'node:assert/strict'
import { createHmac, randomUUID as uuid } from 'node:crypto'
import { it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import fc from 'fast-check'
import { normalize } from '../../../src/gateways/normalize.ts'
import { stripe } from '../../../src/gateways/stripe/index.ts'
import { notificationStore, process } from '../../../src/notifications/index.ts'
import { removeGatewayCredentials, revokeApiKey, rotateWebhookKey } from '../../../src/products/index.ts'
import { commandLine } from '../../support/command-line.ts'
import { eachDatabase, type TestDatabase } from '../../support/databases.ts'
import { startFakeApi } from '../../support/gateways/fake-api.ts'
import {
  ACCESS_TOKEN,
  askAccess,
  type Connected,
  connect,
  deliver,
  GATEWAY_SECRET,
  type Gateway,
  notificationsOf,
  openSchool,
  signDelivery,
} from '../../support/gateways/gateways.ts'
import {
  asaasEvent,
  charge,
  invoicePaid,
  mercadopagoEvent,
  mercadopagoPayment,
  refundOf,
  sale,
  stripeEvent,
} from '../../support/gateways/made-events.ts'
import { dumpDatabase, request, sendRaw } from '../../support/routes/raw-requests.ts'
import { environmentBeside } from '../../support/server-process.ts'
import { PASSWORD, startForSuite, startService, type TestService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const RECEIVED = { status: 200, body: { received: true } }
const INVALID = { status: 401, body: { error: 'Assinatura invalida' } }
const MISSING = { status: 401, body: { error: 'Assinatura ausente' } }
const NO_KEY = { status: 401, body: { error: 'invalid_api_key' } }
const MALFORMED = { status: 400, body: { error: 'Payload invalido' } }
const GATEWAYS = ['stripe', 'mercadopago', 'asaas'] as const satisfies readonly Gateway[]
const DAY_MS = 86_400_000
const SECOND_MS = 1_000

let users = 0
const someone = () => `aluna${++users}@exemplo.com.br`
let payments = 1_000
const newId = () => String(++payments)

eachDatabase('Forged, bent and repeated deliveries of payment gateways', (database: TestDatabase) => {
  const service = startForSuite(database)
  const access = (school: Connected, email: string) => askAccess(service(), school, email)
  const isActive = async (school: Connected, email: string) => (await access(school, email)).active === true
  const statuses = async (school: Connected) => (await notificationsOf(service(), school)).map(({ status, why }) => [status, why])
  const as = () => ({ ...service().context, actor: 'operator:test' })

  it('Stripe: nothing but the HMAC of this very body, of this time, with this secret, proves a delivery', async () => {
    const school = await openSchool(service(), 'stripe')
    const email = someone()
    const raw = JSON.stringify(sale('pi_forged', email))
    const now = Date.now()
    const seconds = Math.floor(now / 1000)
    const hmac = (text: string, secret = GATEWAY_SECRET) => createHmac('sha256', secret).update(text).digest('hex')
    const right = hmac(`${seconds}.${raw}`)
    const old = (by: number) => signDelivery('stripe', raw, { at: now + by })['stripe-signature'] ?? ''
    const forged: Record<string, string> = {
      'another body': signDelivery('stripe', raw.replace(email, 'ladrao@exemplo.com.br'))['stripe-signature'] ?? '',
      'another secret': signDelivery('stripe', raw, { secret: 'whsec_of_another_product_altogether' })['stripe-signature'] ?? '',
      'an empty secret': `t=${seconds},v1=${hmac(`${seconds}.${raw}`, '')}`,
      'ten minutes old': old(-600_000),
      'a day old': old(-DAY_MS),
      'of the future': old(600_000),
      'an old time on a fresh signature': `t=${seconds - 1},v1=${right}`,
      'two times': `t=${seconds - 600},t=${seconds},v1=${right}`,
      truncated: `t=${seconds},v1=${right.slice(0, 63)}`,
      lengthened: `t=${seconds},v1=${right}0`,
      'one digit off': `t=${seconds},v1=${right.slice(0, 63)}${right.endsWith('0') ? '1' : '0'}`,
      'without time': `v1=${right}`,
      'without signature': `t=${seconds}`,
      'the test scheme': `t=${seconds},v0=${right}`,
      'the body alone signed': `t=${seconds},v1=${hmac(raw)}`,
      'no number for a time': `t=NaN,v1=${hmac(`NaN.${raw}`)}`,
      'a time that moves the dot': `t=${seconds}.${raw.slice(0, 1)},v1=${right}`,
      nonsense: 'x',
    }
    for (const [what, signature] of Object.entries(forged))
      assert.deepEqual(await deliver(school, raw, { headers: { 'stripe-signature': signature } }), INVALID, what)
    assert.deepEqual(await deliver(school, raw, { headers: {} }), MISSING)
    assert.deepEqual(await deliver(school, raw, { headers: { 'stripe-signature': '' } }), MISSING)
    assert.deepEqual(await notificationsOf(service(), school), [])
    const two = `t=${seconds},v1=${'0'.repeat(64)},v1=${right}`
    assert.deepEqual(await deliver(school, raw, { headers: { 'stripe-signature': two } }), RECEIVED, 'while the owner changes the secret')
    assert.equal(await isActive(school, email), true)
  })

  it('Mercado Pago: the signature is of one id, one request and one time, and no other id gets in beside it', async () => {
    const api = await startFakeApi()
    const school = await openSchool(service(), 'mercadopago', { apiUrl: api.url })
    const [id, other] = [newId(), newId()]
    const { body, query } = mercadopagoEvent(id)
    const right = signDelivery('mercadopago', '', { query })
    const { 'x-request-id': requestId = '', 'x-signature': signature = '' } = right
    const send = (headers: Record<string, string>, to = query, what: object = body) => deliver(school, what, { headers, query: to })
    assert.deepEqual(await send(right, `?data.id=${other}&type=payment`), INVALID, 'another id')
    assert.deepEqual(await send(right, `?data.id=${id}&data.id=${other}&type=payment`), INVALID, 'two ids')
    assert.deepEqual(await send(right, `?data.id=${id};&type=payment`), INVALID, 'a separator in the id')
    assert.deepEqual(await send(right, '?type=payment', { ...body, data: { id: other } }), INVALID, 'another id in the body alone')
    assert.deepEqual(await send({ ...right, 'x-request-id': 'another' }), INVALID, 'another request')
    assert.deepEqual(await send({ 'x-signature': signature }), INVALID, 'without the request')
    assert.deepEqual(await send({ ...right, 'x-signature': signature.replace(/ts=\d/, 'ts=9') }), INVALID, 'another time')
    assert.deepEqual(await send({ ...right, 'x-signature': signature.slice(0, -1) }), INVALID, 'truncated')
    assert.deepEqual(await send({ ...right, 'x-signature': `${signature}, ${signature}` }), INVALID, 'the header twice')
    assert.deepEqual(await send({ ...right, 'x-request-id': `${requestId};ts:1` }), INVALID, 'a separator in the request')
    assert.deepEqual(
      await send(signDelivery('mercadopago', '', { query, secret: 'the secret of another product' })),
      INVALID,
      'another secret',
    )
    assert.deepEqual(await send({ 'x-request-id': requestId }), MISSING)
    assert.deepEqual(await notificationsOf(service(), school), [])
    api.answers.set(`/v1/payments/${id}`, mercadopagoPayment(id, someone()))
    const lies = { ...body, data: { id: other }, status: 'approved', payer: { email: 'ladrao@exemplo.com.br' } }
    assert.deepEqual(await send(right, query, lies), RECEIVED, 'the body is not signed')
    await until(async () => (await statuses(school))[0]?.[0] === 'processed')
    assert.deepEqual(api.asked, [`/v1/payments/${id}`], 'what is signed is asked for, and nothing else')
    assert.equal(await isActive(school, 'ladrao@exemplo.com.br'), false)
  })

  it('Mercado Pago: a captured delivery that is sent again, however its body is bent, is the same delivery and asks nothing', async () => {
    const api = await startFakeApi()
    const school = await openSchool(service(), 'mercadopago', { apiUrl: api.url })
    const email = someone()
    const id = `ORD${newId()}ABC`
    const order = {
      id,
      status: 'processed',
      status_detail: 'accredited',
      external_reference: 'curso',
      payer: { email },
      total_amount: '99.90',
    }
    api.answers.set(`/v1/orders/${id}`, order)
    const { body, query } = mercadopagoEvent(id, { type: 'order' })
    const captured = signDelivery('mercadopago', '', { query: query.toLowerCase() })
    assert.deepEqual(await deliver(school, body, { headers: captured, query }), RECEIVED)
    await until(async () => (await statuses(school))[0]?.[0] === 'processed')
    const bent = (n: number) => ({ ...body, id: `${n}`, action: `order.${n}`, date_created: new Date(n).toISOString(), user_id: n })
    for (let n = 0; n < 20; n++) {
      const cased = n % 2 === 0 ? query.toLowerCase().replace(/=ord/, '=oRd') : `${query}&n=${n}`
      assert.deepEqual(await deliver(school, bent(n), { headers: captured, query: cased }), RECEIVED)
    }
    assert.deepEqual([await statuses(school), api.asked], [[['processed', null]], [`/v1/orders/${id}`]])
    for (let n = 0; n < 20; n++) await deliver(school, { ...bent(n), type: `topic-${n}` }, { headers: captured, query })
    for (const type of ['payment', 'payment', 'chargebacks', 'chargebacks'])
      await deliver(school, { ...body, type }, { headers: captured, query })
    const normalized = await notificationsOf(service(), school)
    assert.equal(normalized.length, 4, 'another topic asks another question, once each; all of no interest are one')
  })

  it('Mercado Pago: what names nothing is signed without an id, and does nothing; an id that only the body has must be signed as well', async () => {
    const api = await startFakeApi()
    const school = await openSchool(service(), 'mercadopago', { apiUrl: api.url })
    const nameless = { type: 'payment', action: 'Created', date_created: new Date().toISOString() }
    assert.deepEqual(await deliver(school, nameless), RECEIVED)
    assert.deepEqual(await deliver(school, { ...nameless, data: { id: newId() } }), INVALID)
    const id = newId()
    assert.deepEqual(
      await deliver(school, { ...nameless, data: { id } }, { headers: signDelivery('mercadopago', '', { query: `?data.id=${id}` }) }),
      RECEIVED,
    )
    await until(async () => api.asked.length > 0)
    assert.deepEqual(api.asked, [`/v1/payments/${id}`])
    assert.deepEqual((await statuses(school))[0], ['ignored', null])
  })

  it('Mercado Pago: the attempts of days are received, whether they keep their time or have one of their own', async () => {
    const api = await startFakeApi()
    const school = await openSchool(service(), 'mercadopago', { apiUrl: api.url })
    const [id, email] = [newId(), someone()]
    api.answers.set(`/v1/payments/${id}`, mercadopagoPayment(id, email))
    const { body, query } = mercadopagoEvent(id)
    const old = signDelivery('mercadopago', '', { query, at: Date.now() - 5 * DAY_MS })
    for (const headers of [
      old,
      old,
      signDelivery('mercadopago', '', { query, at: Date.now() - DAY_MS }),
      signDelivery('mercadopago', '', { query }),
    ])
      assert.deepEqual(await deliver(school, body, { headers, query }), RECEIVED)
    await until(async () => (await statuses(school)).every(([status]) => status === 'processed'))
    assert.equal((await statuses(school)).length, 3)
    assert.equal(await isActive(school, email), true)
    const rows = await service().context.storage.db.selectFrom('subscription_events').select('key').where('email', '=', email).execute()
    assert.equal(rows.length, 1, 'however often it is asked for, it is one payment')
  })

  it('Asaas: nothing but the token itself proves a delivery, and even then the payment is asked for', async () => {
    const api = await startFakeApi()
    const school = await openSchool(service(), 'asaas', { apiUrl: api.url })
    const email = someone()
    const body = asaasEvent('PAYMENT_RECEIVED', charge('pay_forged'))
    const token = (text: string) => ({ 'asaas-access-token': text })
    const cased = GATEWAY_SECRET.toUpperCase()
    for (const forged of [GATEWAY_SECRET.slice(0, -1), `${GATEWAY_SECRET}x`, cased, `${GATEWAY_SECRET}, ${GATEWAY_SECRET}`, 'x', 'null'])
      assert.deepEqual(await deliver(school, body, { headers: token(forged) }), INVALID, forged)
    assert.deepEqual(await deliver(school, body, { headers: token('') }), MISSING)
    assert.deepEqual(await deliver(school, body, { headers: { access_token: GATEWAY_SECRET } }), MISSING)
    api.answers.set('/payments/pay_forged', charge('pay_forged', { status: 'PENDING' }))
    api.answers.set('/customers/cus_pay_forged', { id: 'cus_pay_forged', email })
    assert.deepEqual(await deliver(school, body), RECEIVED)
    await until(async () => (await statuses(school))[0]?.[0] === 'processed')
    assert.deepEqual((await access(school, email)).reason, 'payment_pending', 'whoever knows the token still grants nothing')
  })

  it('a header that stands there twice, as no client library would send it, proves nothing that once would not', async () => {
    for (const gateway of GATEWAYS) {
      const school = await openSchool(service(), gateway)
      const path = `${new URL(school.address).pathname}?data.id=1&type=payment`
      const right = Object.entries(signDelivery(gateway, '{}', { query: '?data.id=1' }))
      const wrong = Object.entries(signDelivery(gateway, '{}', { query: '?data.id=1', secret: 'the secret of another product' }))
      const [[name = '', value = ''] = []] = right.filter(([header]) => header !== 'x-request-id')
      const forged = wrong.find(([header]) => header === name)?.[1] ?? ''
      const rest = right.flatMap(([header, text]) => (header === name ? [] : `${header}: ${text}\r\n`)).join('')
      const send = (lines: string) => {
        const head = `POST ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: 2\r\n`
        return sendRaw(service(), `${head}${rest}${lines}\r\n{}`)
      }
      const twice = await send(`${name}: ${forged}\r\n${name}: ${forged}\r\n`)
      assert.equal(twice.status, 401, `${gateway}: ${twice.body}`)
      assert.equal((await send(`${name}: ${value}\r\n`)).status, 200, gateway)
    }
  })

  it("another gateway's signature, and the signature of another product, open nothing", async () => {
    for (const gateway of GATEWAYS) {
      const school = await connect(service(), gateway)
      const other = await connect(service(), gateway, { secret: 'the secret of the other product' })
      const query = '?data.id=1&type=payment'
      for (const wrong of GATEWAYS.filter((one) => one !== gateway))
        assert.deepEqual(
          await deliver(school, {}, { headers: signDelivery(wrong, '{}', { query }), query }),
          MISSING,
          `${wrong} at ${gateway}`,
        )
      assert.deepEqual(await deliver({ ...school, address: other.address }, {}, { query }), INVALID, gateway)
      assert.deepEqual(await deliver(school, {}, { query, secret: 'the secret of the other product' }), INVALID, gateway)
      const elsewhere = school.address.replace(gateway, GATEWAYS.find((one) => one !== gateway) ?? '')
      const unready = { status: 500, body: { error: 'Configuracao incompleta do servidor' } }
      assert.deepEqual(
        await deliver({ ...school, address: elsewhere }, {}, { query }),
        unready,
        'a key is of a product, credentials of a gateway',
      )
      assert.deepEqual(await deliver(school, {}, { query }), RECEIVED)
    }
  })

  it('of rotated webhook keys two are good, and the third last is none any more', async () => {
    const school = await openSchool(service(), 'asaas')
    const { product, webhookKey } = school.product
    const at = (key: string) => deliver({ ...school, address: school.address.replace(webhookKey, key) }, {})
    assert.deepEqual(await at(webhookKey), RECEIVED)
    const second = await rotateWebhookKey(product, as())
    assert.deepEqual([await at(webhookKey), await at(second)], [RECEIVED, RECEIVED])
    const third = await rotateWebhookKey(product, as())
    assert.deepEqual([await at(webhookKey), await at(second), await at(third)], [NO_KEY, RECEIVED, RECEIVED])
    await removeGatewayCredentials(product, 'asaas', as())
    assert.equal((await at(third)).status, 500)
  })

  it('keys of other kinds, with a typo, half, or with a tail are no keys; the secret one is named in the audit log, to be rotated', async () => {
    const school = await openSchool(service(), 'asaas')
    const { product, webhookKey, apiKey, apiKeyId } = { apiKeyId: '', ...school.product }
    const at = (key: string) => deliver({ ...school, address: school.address.replace(webhookKey, key) }, {})
    for (const key of [
      product.publishableKey,
      apiKey,
      'wk_',
      'x',
      webhookKey.slice(0, -1),
      `${webhookKey}%00`,
      `${webhookKey}%20`,
      `wk_${'0'.repeat(49)}`,
    ])
      assert.deepEqual(await at(key), NO_KEY, key)
    const swapped = webhookKey.replace(/.{2}$/, (two) => [...two].reverse().join(''))
    if (swapped !== webhookKey) assert.deepEqual(await at(swapped), NO_KEY)
    const large = `"${'x'.repeat(262_144)}"`
    assert.deepEqual(
      await deliver({ ...school, address: school.address.replace(webhookKey, apiKey) }, large),
      NO_KEY,
      'with a body over the limit',
    )
    const { storage } = service().context
    const leaks = () =>
      storage.db.selectFrom('audit').selectAll().where('action', '=', 'product.key_leaked').where('target', '=', product.id).execute()
    const entries = await leaks()
    assert.equal(entries.length, 1, 'once a day says it')
    assert.deepEqual([entries[0]?.actor, entries[0]?.reason], ['system', 'in the address of a webhook: rotate it'])
    assert.ok(!JSON.stringify(entries).includes(apiKey))
    const today = service().clock.now
    await Promise.all(Array.from({ length: 20 }, () => at(apiKey)))
    assert.equal((await leaks()).length, 1)
    service().clock.now = today + DAY_MS
    await Promise.all(Array.from({ length: 20 }, () => at(apiKey)))
    assert.equal((await leaks()).length, 2)
    service().clock.now = today
    const [key] = await storage.db.selectFrom('api_keys').select('id').where('product_id', '=', product.id).execute()
    assert.equal(await revokeApiKey(product, key?.id ?? apiKeyId, as()), 'revoked')
    assert.deepEqual(await at(apiKey), NO_KEY)
    assert.equal((await leaks()).length, 2, 'one that is dead already leaks nothing')
  })

  it('bodies that are no JSON, too large or too deep are refused; all others are received, in whatever dress', async () => {
    for (const gateway of GATEWAYS) {
      const school = await openSchool(service(), gateway)
      const query = '?data.id=1&type=payment'
      const send = (body: string | Uint8Array, type?: string) => deliver(school, body, { query, ...(type !== undefined && { type }) })
      const { length } = '{"x":""}'
      for (const body of ['', ' ', 'no JSON', '{', "{'a':1}", 'undefined', '{"a":1}}', 'a=1&b=2', '\0', '{"a":"\0"}', '\ufeff{}', 'NaN'])
        assert.deepEqual(await send(body), MALFORMED, `${gateway}: ${JSON.stringify(body)}`)
      for (const depth of [200, 5_000, 100_000]) {
        assert.deepEqual(await send('['.repeat(depth) + ']'.repeat(depth)), MALFORMED, `${gateway}: ${depth} deep`)
        assert.deepEqual(await send('{"a":'.repeat(40_000).slice(0, depth * 5)), MALFORMED)
      }
      assert.deepEqual(await send(`{"x":"${'x'.repeat(262_144 - length)}"}`), RECEIVED, `${gateway}: the limit itself`)
      assert.deepEqual(await send(`{"x":"${'x'.repeat(262_145 - length)}"}`), MALFORMED, `${gateway}: one more`)
      for (const body of [
        '{}',
        '[]',
        '[[]]',
        'null',
        'true',
        '0',
        '-1e999',
        '"x"',
        '[{"id":1}]',
        '{"__proto__":{"event":"x","id":"y"}}',
        '{"id":"\\u0000","event":"\\u0000","type":"\\ud800"}',
        '{"constructor":1,"toString":2,"toJSON":3}',
      ])
        assert.deepEqual(await send(body), RECEIVED, `${gateway}: ${body}`)
      for (const bytes of [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xc0, 0xaf]])
        assert.deepEqual(await send(Buffer.concat([Buffer.from('{"x":"'), Buffer.from(bytes), Buffer.from('"}')])), RECEIVED, gateway)
      for (const type of [
        'application/x-www-form-urlencoded',
        'text/plain',
        'multipart/form-data; boundary=x',
        'application/json; charset=utf-16',
      ])
        assert.deepEqual(await send(`{"dress":"${type}"}`, type), RECEIVED, `${gateway}: ${type}`)
      assert.ok(
        (await notificationsOf(service(), school)).every(({ status }) => status === 'ignored' || status === 'unresolved'),
        gateway,
      )
    }
    assert.equal(Object.hasOwn(Object.prototype, 'event'), false)
    assert.ok(!service().log().includes('"msg":"fault"'), 'no fault was logged')
  })

  for (const gateway of GATEWAYS) {
    it(`${gateway}: whatever a verified delivery says, it is received: what it means is never a reason to refuse it`, async () => {
      const api = await startFakeApi()
      const school = await openSchool(service(), gateway, { apiUrl: api.url })
      const junk = fc.oneof(
        { depthSize: 'small' },
        fc.jsonValue(),
        fc.constantFrom(null, 0, -1, 1.5, '', '\u0000', '\ud800', '9'.repeat(400), [], {}, true),
      )
      const types = {
        stripe: [
          'checkout.session.completed',
          'invoice.paid',
          'customer.subscription.updated',
          'charge.refunded',
          'charge.dispute.created',
          'payment_intent.succeeded',
        ],
        mercadopago: ['payment', 'order', 'subscription_preapproval', 'topic_chargebacks_wh', 'topic_claims_integration_wh'],
        asaas: [
          'PAYMENT_RECEIVED',
          'PAYMENT_REFUNDED',
          'PAYMENT_OVERDUE',
          'SUBSCRIPTION_DELETED',
          'SUBSCRIPTION_UPDATED',
          'PAYMENT_CREATED',
        ],
      }[gateway]
      const whole = {
        stripe: sale('pi_x', 'x@exemplo.com.br'),
        mercadopago: mercadopagoEvent('1').body,
        asaas: asaasEvent('PAYMENT_RECEIVED', charge('pay_x')),
      }[gateway]
      const bent = fc.tuple(fc.constantFrom(...types), junk, fc.nat(30)).map(([type, value, at]) => {
        let left = at
        const bend = (one: unknown): unknown => {
          if (left-- === 0) return value
          if (typeof one !== 'object' || one === null) return one
          return Object.fromEntries(Object.entries(one).map(([key, inner]) => [key, bend(inner)]))
        }
        const named = gateway === 'asaas' ? { ...whole, event: type } : { ...whole, type }
        return Object.assign({}, bend(named))
      })
      await fc.assert(
        fc.asyncProperty(bent, fc.webQueryParameters(), async (body, more) => {
          const query = `?data.id=${newId()}&type=${types[0]}&${more}`
          const isDoubled = new URLSearchParams(query).getAll('data.id').length > 1
          assert.deepEqual(await deliver(school, body, { query }), isDoubled && gateway === 'mercadopago' ? INVALID : RECEIVED)
        }),
        { numRuns: 80 },
      )
      assert.ok(!service().log().includes('"msg":"fault"'), 'no fault was logged')
    })
  }

  it("Mercado Pago's old notifications are received without a signature, and without any effect", async () => {
    const api = await startFakeApi()
    const school = await openSchool(service(), 'mercadopago', { apiUrl: api.url })
    const id = newId()
    api.answers.set(`/v1/payments/${id}`, mercadopagoPayment(id, someone()))
    for (const topic of ['payment', 'merchant_order', 'chargebacks']) {
      assert.deepEqual(await deliver(school, '', { headers: {}, query: `?topic=${topic}&id=${id}` }), RECEIVED)
      assert.deepEqual(await deliver(school, { topic, resource: id }, { headers: {} }), RECEIVED)
      assert.deepEqual(
        await deliver(school, {}, { headers: {}, query: `?topic=${topic}&id=${id}&data.id=${id}` }),
        MISSING,
        'a new one in disguise',
      )
      assert.deepEqual(await deliver(school, {}, { headers: {}, query: `?topic=${topic}&id=${id}&type=payment` }), MISSING)
    }
    assert.deepEqual([await notificationsOf(service(), school), api.asked], [[], []])
  })

  it("a product's deliveries touch its own subscriptions alone, though another's payments have the same ids", async () => {
    const [one, other] = [
      await openSchool(service(), 'stripe'),
      await openSchool(service(), 'stripe', { secret: 'the secret of the other' }),
    ]
    const [ana, bia] = [someone(), someone()]
    const secret = 'the secret of the other'
    await deliver(one, sale('pi_same', ana))
    await deliver(one, invoicePaid('sub_same', bia))
    assert.deepEqual([await isActive(one, ana), await isActive(one, bia)], [true, true])
    const deleted = stripeEvent('customer.subscription.deleted', { id: 'sub_same', ended_at: Math.floor(Date.now() / 1000) })
    const dispute = stripeEvent('charge.dispute.created', {
      id: 'du_1',
      charge: 'ch_pi_same',
      payment_intent: 'pi_same',
      status: 'needs_response',
    })
    for (const body of [refundOf('pi_same'), deleted, dispute]) assert.deepEqual(await deliver(other, body, { secret }), RECEIVED)
    assert.deepEqual([await isActive(one, ana), await isActive(one, bia)], [true, true])
    const pending = await statuses(other)
    assert.deepEqual(
      pending,
      Array.from({ length: 3 }, () => ['ignored', 'unknown_payment']),
    )
    await deliver(other, sale('pi_same', ana), { secret })
    assert.deepEqual([(await access(other, ana)).reason, await isActive(one, ana)], ['refunded', true])
    const stolen = { ...sale('pi_stolen', ana), id: 'evt_same' }
    await deliver(one, stolen)
    await deliver(other, { ...sale('pi_stolen', bia), id: 'evt_same' }, { secret })
    assert.equal(await isActive(other, bia), true, 'an id of a delivery is of one product')
  })

  it("a delivery that names another product's plan buys nothing of it", async () => {
    const [one, other] = [await openSchool(service(), 'stripe'), await connect(service(), 'stripe')]
    const email = someone()
    await deliver(other, sale('pi_foreign', email))
    assert.deepEqual(await statuses(other), [['unresolved', 'unknown_plan']])
    assert.deepEqual([await isActive(one, email), await isActive(other, email)], [false, false])
  })

  it('50 copies of one delivery at once are one notification and one subscription', async () => {
    const school = await openSchool(service(), 'stripe')
    const [email, body] = [someone(), {}]
    Object.assign(body, sale('pi_50', email))
    const answers = await Promise.all(Array.from({ length: 50 }, () => deliver(school, body)))
    assert.ok(answers.every(({ status }) => status === 200))
    assert.deepEqual(await statuses(school), [['processed', null]])
    const rows = await service().context.storage.db.selectFrom('subscriptions').select('id').where('email', '=', email).execute()
    assert.equal(rows.length, 1)
  })

  it('a history in any order, with repetitions, comes to the same', async () => {
    const now = Date.now()
    const history = (subscription: string, email: string) => [
      invoicePaid(subscription, email, { at: now - 40 * DAY_MS, invoice: `in_1_${subscription}` }),
      invoicePaid(subscription, email, { at: now - 10 * DAY_MS, invoice: `in_2_${subscription}` }),
      canceled(subscription, { at: now - 5 * DAY_MS }),
      stripeEvent('customer.subscription.deleted', { id: subscription, ended_at: Math.floor((now - DAY_MS) / 1000) }, { at: now - DAY_MS }),
    ]
    const expected = { school: await openSchool(service(), 'stripe'), email: someone() }
    for (const body of history('sub_order', expected.email)) await deliver(expected.school, body)
    const truth = await access(expected.school, expected.email)
    assert.deepEqual([truth.active, truth.status], [false, 'canceled'])
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray([0, 1, 2, 3, 0, 1, 2, 3], { minLength: 8 }), async (order) => {
        const [school, email] = [await openSchool(service(), 'stripe'), someone()]
        const events = history('sub_order', email)
        for (const i of order) assert.deepEqual(await deliver(school, events[i]), RECEIVED)
        assert.deepEqual(await access(school, email), truth, order.join(' '))
        assert.deepEqual([...new Set((await statuses(school)).map(([status]) => status))], ['processed'], order.join(' '))
      }),
      { numRuns: 15 },
    )
  })

  it('a refund that arrives before its payment waits, and ends the access that the payment would have given', async () => {
    const school = await openSchool(service(), 'stripe')
    const email = someone()
    await deliver(school, refundOf('pi_early'))
    assert.deepEqual(await statuses(school), [['ignored', 'unknown_payment']])
    await deliver(school, sale('pi_early', email))
    assert.equal((await access(school, email)).reason, 'refunded')
    assert.deepEqual(await statuses(school), [
      ['processed', null],
      ['processed', null],
    ])
  })

  it('a refund of a subscription, too, and the end of one, wait for what they are about, though the gateway names no buyer', async () => {
    const api = await startFakeApi()
    const asaas = await openSchool(service(), 'asaas', { apiUrl: api.url })
    const email = someone()
    const paid = charge('pay_early', { subscription: 'sub_early', externalReference: 'curso' })
    api.answers.set('/payments/pay_early', paid)
    api.answers.set('/customers/cus_pay_early', { id: 'cus_pay_early', email })
    await deliver(asaas, asaasEvent('PAYMENT_REFUNDED', { ...paid, status: 'REFUNDED' }))
    assert.deepEqual(await statuses(asaas), [['ignored', 'unknown_payment']])
    await deliver(asaas, asaasEvent('PAYMENT_RECEIVED', paid))
    await until(async () => (await access(asaas, email)).reason === 'refunded')
    assert.ok((await statuses(asaas)).every(([status]) => status === 'processed'))
    const stripe = await openSchool(service(), 'stripe')
    const at = Date.now() - DAY_MS
    await deliver(
      stripe,
      stripeEvent('customer.subscription.deleted', { id: 'sub_early', ended_at: Math.floor(Date.now() / 1000) - 3_600 }),
    )
    assert.deepEqual(await statuses(stripe), [['ignored', 'unknown_payment']])
    await deliver(stripe, invoicePaid('sub_early', email, { at }))
    assert.deepEqual(
      [(await access(stripe, email)).active, (await statuses(stripe)).flat()],
      [false, ['processed', null, 'processed', null]],
    )
  })

  it('a dispute that names its payment only when it is asked about waits for it under that name', async () => {
    const api = await startFakeApi()
    const school = await openSchool(service(), 'mercadopago', { apiUrl: api.url })
    const [id, email] = [newId(), someone()]
    const at = new Date(Date.now() + 1_000).toISOString()
    // Without the time of its approval. With it, the payment would be reported along with the dispute.
    const lost = { status: 'charged_back', status_detail: 'settled', date_last_updated: at, date_approved: null }
    api.answers.set(`/v1/chargebacks/900${id}`, { id: `900${id}`, payments: [Number(id)] })
    api.answers.set(`/v1/payments/${id}`, mercadopagoPayment(id, email, lost))
    const chargeback = mercadopagoEvent(`900${id}`, { type: 'topic_chargebacks_wh' })
    await deliver(school, chargeback.body, chargeback)
    await until(async () => (await statuses(school))[0]?.[1] === 'unknown_payment')
    api.answers.set(`/v1/payments/${id}`, mercadopagoPayment(id, email))
    const payment = mercadopagoEvent(id)
    await deliver(school, payment.body, payment)
    await until(async () => (await statuses(school)).every(([status]) => status === 'processed'))
    assert.equal(await isActive(school, email), false)
  })

  it('a payment and its refund that arrive in the same moment always find each other', async () => {
    const school = await openSchool(service(), 'stripe')
    const emails = Array.from({ length: 40 }, someone)
    for (const [i, email] of emails.entries())
      await Promise.all([deliver(school, sale(`pi_at_once_${i}`, email)), deliver(school, refundOf(`pi_at_once_${i}`))])
    for (const email of emails) assert.equal((await access(school, email)).reason, 'refunded')
    assert.ok((await statuses(school)).every(([status]) => status === 'processed'))
  })

  if (database.name === 'postgres')
    it('a refund that is taken in while its payment is about to be committed waits for that, and finds it', async () => {
      const school = await openSchool(service(), 'stripe')
      const email = someone()
      const { changes, storage, sealer } = service().context
      const isAlmostDone = Promise.withResolvers<void>()
      const goOn = Promise.withResolvers<void>()
      const deliverBody = (body: object, beforeCommit?: () => Promise<void>) =>
        changes.transaction(async (tx, announce) => {
          const at = Date.now()
          const id = uuid()
          const stored = { body: JSON.parse(JSON.stringify(body)), query: new URLSearchParams(), receivedAt: at }
          const events = stripe.parse(stored)
          if (typeof events === 'string') throw new Error(events)
          const about = {
            source: 'stripe',
            productId: school.product.product.id,
            event: 'x',
            subject: undefined,
            payload: '{}',
            receivedAt: at,
          }
          await notificationStore(tx).add({ ...about, id, digest: id, status: 'ignored', why: undefined })
          const normalized = normalize(events, { gateway: 'stripe', productId: school.product.product.id, at })
          await process(tx, { id, source: 'stripe', normalized }, { announce, storage, sealer, at })
          await beforeCommit?.()
        })
      const paying = deliverBody(sale('pi_race', email), async () => {
        isAlmostDone.resolve()
        await goOn.promise
      })
      await isAlmostDone.promise
      const refunding = deliverBody(refundOf('pi_race'))
      await setTimeout(200)
      goOn.resolve()
      await Promise.all([paying, refunding])
      assert.equal((await access(school, email)).reason, 'refunded')
    })

  it('events of the future counts as of now, and can outlast nothing that comes after it', async () => {
    const school = await openSchool(service(), 'stripe')
    const email = someone()
    const later = Date.now() + 3_650 * DAY_MS
    await deliver(school, invoicePaid('sub_future', email, { at: later }))
    assert.equal(await isActive(school, email), true)
    service().clock.now = Date.now() + 2 * SECOND_MS
    const seconds = Math.floor(service().clock.now / SECOND_MS)
    await deliver(school, stripeEvent('customer.subscription.deleted', { id: 'sub_future', ended_at: seconds }))
    assert.equal(await isActive(school, email), false)
  })

  for (const [what, amount, centavos] of [
    ['centavos', 9_990, 9_990],
    ['a text', '9990', null],
    ['a fraction', 99.9, null],
    ['negative', -1, null],
    ['beyond all counting', 1e300, null],
    ['a list', [9_990], null],
  ] as const)
    it(`Stripe: an amount that is ${what} is ${centavos === null ? 'no amount' : 'one'}, and what was paid for is given all the same`, async () => {
      const school = await openSchool(service(), 'stripe')
      const email = someone()
      await deliver(school, sale('pi_amount', email, { amount_total: amount }))
      assert.equal(await isActive(school, email), true)
      assert.deepEqual(await amountsOf(service(), email), [centavos])
    })

  for (const [amount, centavos] of [
    [99.9, 9_990],
    ['99.90', 9_990],
    [19.99, 1_999],
    [100, 10_000],
    ['99,90', null],
    [99.999, null],
    [-99.9, null],
    ['1e3', null],
    [null, null],
  ] as const)
    it(`Asaas: ${JSON.stringify(amount)} reais are ${centavos ?? 'no'} centavos`, async () => {
      const api = await startFakeApi()
      const school = await openSchool(service(), 'asaas', { apiUrl: api.url })
      const email = someone()
      api.answers.set('/payments/pay_a', charge('pay_a', { value: amount }))
      api.answers.set('/customers/cus_pay_a', { id: 'cus_pay_a', email })
      await deliver(school, asaasEvent('PAYMENT_RECEIVED', charge('pay_a', { value: 1 })))
      await until(() => isActive(school, email))
      assert.deepEqual(await amountsOf(service(), email), [centavos])
    })

  it('a buyer without an address waits, and is resolved with the one that the operator knows', async () => {
    const api = await startFakeApi()
    const school = await openSchool(service(), 'asaas', { apiUrl: api.url })
    const [email, portaria] = [someone(), commandLine({ url: environmentBeside(service(), { port: 0 }).DATABASE_URL ?? '' })]
    for (const [id, address] of [
      ['pay_none', undefined],
      ['pay_bent', 'no address'],
    ] as const) {
      api.answers.set(`/payments/${id}`, charge(id))
      api.answers.set(`/customers/cus_${id}`, { id: `cus_${id}`, email: address })
      await deliver(school, asaasEvent('PAYMENT_RECEIVED', charge(id)))
      const normalized = async () => (await notificationsOf(service(), school)).find(({ subject }) => subject === id)
      await until(async () => (await normalized())?.why === 'unusable_address')
      const { id: pending = '' } = (await normalized()) ?? {}
      // Here both are one process, in which the command line's wait for SQLite's lock would keep the service from giving it back.
      await setTimeout(100)
      assert.equal((await portaria(['webhook', 'resolve', pending, '--email', 'no address'])).code, 1)
      const resolved = await portaria(['webhook', 'resolve', pending, '--email', email, '--json'])
      assert.equal(resolved.code, 0, resolved.err)
      assert.equal((await normalized())?.status, 'processed')
    }
    assert.equal(await isActive(school, email), true)
    const refunded = charge('pay_none', { status: 'REFUNDED' })
    await deliver(school, asaasEvent('PAYMENT_REFUNDED', refunded))
    await deliver(school, asaasEvent('PAYMENT_REFUNDED', { ...refunded, ...charge('pay_bent', { status: 'REFUNDED' }) }))
    assert.equal((await access(school, email)).reason, 'refunded')
  })

  it("whoever pays with another's address gives that user a purchase, and can take back nothing but that", async () => {
    const school = await openSchool(service(), 'stripe')
    const { email } = await service().user(`vitima${newId()}@exemplo.com.br`)
    await deliver(school, sale('pi_own', email))
    await deliver(school, sale('pi_gift', email))
    await deliver(school, refundOf('pi_gift'))
    assert.equal(await isActive(school, email), true, 'her own purchase stands')
    const thief = someone()
    const subscription = `sub_${newId()}`
    await deliver(school, invoicePaid(subscription, email, { invoice: 'in_a', at: Date.now() - DAY_MS }))
    await deliver(school, invoicePaid(subscription, thief, { invoice: 'in_b' }))
    const { id } = await service().context.storage.db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()
    const rows = await service()
      .context.storage.db.selectFrom('subscriptions')
      .select(['user_id', 'email'])
      .where('product_id', '=', school.product.product.id)
      .execute()
    assert.ok(
      rows.every(({ user_id }) => user_id === id),
      'what is linked to an account stays with it',
    )
  })
})

eachDatabase('Secrets of payment gateways', (database) => {
  it('stand in no log line, notification, audit entry, page or answer of the command line; in the database only sealed', async () => {
    const fresh = await database.fresh()
    const service = await startService(fresh, { environment: { PORTARIA_LOG_LEVEL: 'debug' } })
    const [secret, accessToken] = ['whsec_theSecretThatNobodyMaySee', 'rk_live_theTokenThatNobodyMaySee']
    const api = await startFakeApi()
    const school = await openSchool(service, 'asaas', { apiUrl: api.url, secret, accessToken })
    const bodies = ['PAYMENT_RECEIVED', 'PAYMENT_REFUNDED'].map((event) => asaasEvent(event, charge('pay_s')))
    for (const mood of ['refuses', 'rubbish', 'unknown', 'down', 'too_many'] as const) {
      api.mood = mood
      const body = asaasEvent('PAYMENT_RECEIVED', charge(`pay_${mood}`))
      assert.deepEqual(await deliver(school, body, { secret }), RECEIVED)
      await until(async () => api.asked.some((path) => path.includes(mood)))
    }
    for (const body of bodies) await deliver(school, body, { headers: { 'asaas-access-token': `${secret}x` } })
    await deliver({ ...school, address: school.address.replace(school.product.webhookKey, school.product.apiKey) }, {}, { secret })
    await request(service, 'POST', `${new URL(school.address).pathname}/more`, { body: '{}' })
    await request(service, 'GET', new URL(school.address).pathname)
    await until(async () => (await dumpDatabase(service)).includes('refuses the access token'))
    const stored = await dumpDatabase(service)
    await service.stop()
    const portaria = commandLine(fresh)
    let shown = ''
    for (const line of ['webhook list', 'outbox list', 'audit list --json', `product show ${school.product.product.slug}`]) {
      const { out, err } = await portaria(line)
      shown += `${out}${err}`
    }
    assert.ok(shown.includes('refuses the access token'))
    for (const [what, text] of [
      ['the webhook secret', secret],
      ['the access token', accessToken],
      ['the API key', school.product.apiKey],
      ['the webhook key', school.product.webhookKey],
      ['a password', PASSWORD],
    ] as const) {
      assert.ok(!service.log().includes(text), `${what} in the log`)
      assert.ok(!stored.includes(text), `${what} in the database`)
      if (what !== 'the webhook key') assert.ok(!shown.includes(text), `${what} on the screen`)
    }
    assert.ok(
      api.headers.every((headers) => headers.access_token === accessToken),
      'it was really used',
    )
    assert.ok(![secret, ACCESS_TOKEN].some((text) => JSON.stringify(api.headers).includes(text)))
  })
})

function canceled(subscription: string, { at }: { at: number }) {
  const object = { id: subscription, cancel_at_period_end: true }
  return {
    ...stripeEvent('customer.subscription.updated', object, { at }),
    data: { object, previous_attributes: { cancel_at_period_end: false } },
  }
}

async function amountsOf({ context }: TestService, email: string): Promise<Array<number | null>> {
  const rows = await context.storage.db.selectFrom('subscription_events').select('amount').where('email', '=', email).execute()
  return rows.map(({ amount }) => (amount === null ? null : Number(amount)))
}
