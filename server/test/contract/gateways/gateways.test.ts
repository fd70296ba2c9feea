import assert from 'node:assert/strict'
import { it } from 'node:test'
import { gatewayHealthStore } from '../../../src/gateways/deliveries/health-store.ts'
import { setPlan } from '../../../src/subscriptions/index.ts'
import { eachDatabase } from '../../support/databases.ts'
import { type FakeApi, startFakeApi } from '../../support/gateways/fake-api.ts'
import { askAccess, type Connected, connect, deliver, notificationsOf, openSchool, signDelivery } from '../../support/gateways/gateways.ts'
import { pagarmeCharge, pagarmeEvent } from '../../support/gateways/pagarme.ts'
import { startForSuite, type TestService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const payment = (id: string, more: object = {}) => ({
  id,
  customer: 'cus_1',
  value: 99.9,
  netValue: 97,
  billingType: 'PIX',
  status: 'RECEIVED',
  dueDate: '2026-11-20',
  paymentDate: '2026-11-20',
  externalReference: 'curso',
  ...more,
})

eachDatabase('POST /api/webhooks/<gateway>/<key>', (database) => {
  const service = startForSuite(database)

  /** A product with one plan, whose payments Asaas takes. */
  const school = async (): Promise<{ connected: Connected; api: FakeApi; at: TestService }> => {
    const at = service()
    const api = await startFakeApi()
    const connected = await connect(at, 'asaas', { apiUrl: api.url })
    const plan = { slug: 'curso', name: 'Curso', price: 9_990, productSlug: connected.product.product.slug }
    assert.ok('id' in (await setPlan(plan, { ...at.context, actor: 'operator:test' })))
    return { connected, api, at }
  }
  const access = async ({ product }: Connected, query: string) => {
    const headers = { authorization: `Bearer ${product.apiKey}` }
    return (await (await fetch(`${service().url}/api/saas/check-access?${query}`, { headers })).json()) as Record<string, unknown>
  }
  const event = (name: string, body: object) => ({ id: `evt_${name}&1`, event: name, dateCreated: '2026-11-20 10:00:00', payment: body })

  it('refuses in the order of the contract: gateway, key, credentials, size, signature, JSON', async () => {
    const { connected } = await school()
    const { address } = connected
    const bare = await service().product({ slug: `sem-${Date.now()}`, audience: 'external', checkout: 'external' })
    const send = (to: string, body: unknown, headers?: Record<string, string>) =>
      deliver({ address: to, gateway: 'asaas' }, body, headers ? { headers } : {})
    const large = `"${'x'.repeat(262_144)}"`
    const refused = (status: number, error: string) => ({ status, body: { error } })
    assert.deepEqual(await send(address.replace('asaas', 'paypal'), {}), refused(404, 'Gateway desconhecido'))
    assert.deepEqual(await send(`${address}x`, {}), refused(401, 'invalid_api_key'))
    assert.deepEqual(await send(address.replace(/wk_.*/, connected.product.apiKey), {}), refused(401, 'invalid_api_key'))
    assert.deepEqual(await send(`${address}x`, large), refused(401, 'invalid_api_key'))
    const unready = `${service().url}/api/webhooks/asaas/${bare.webhookKey}`
    assert.deepEqual(await send(unready, {}), refused(500, 'Configuracao incompleta do servidor'))
    assert.deepEqual(await send(address, large, {}), refused(400, 'Payload invalido'))
    assert.deepEqual(await send(address, 'no JSON', {}), refused(401, 'Assinatura ausente'))
    assert.deepEqual(await send(address, 'no JSON', { 'asaas-access-token': 'another' }), refused(401, 'Assinatura invalida'))
    assert.deepEqual(await send(address, 'no JSON'), refused(400, 'Payload invalido'))
    assert.deepEqual(await send(address, ''), refused(400, 'Payload invalido'))
    assert.deepEqual(await send(address, {}), { status: 200, body: { received: true } })
  })

  it('stores, answers, and only then asks the gateway; the payment gives access', async () => {
    const { connected, api } = await school()
    api.answers.set('/payments/pay_1', payment('pay_1'))
    api.answers.set('/customers/cus_1', { id: 'cus_1', email: 'Bia@Example.com' })
    api.mood = 'hang'
    const begun = Date.now()
    assert.equal((await deliver(connected, event('PAYMENT_RECEIVED', payment('pay_1')))).status, 200)
    // The service gives up on a gateway that hangs after ten seconds.
    assert.ok(Date.now() - begun < 9_000, 'the answer waits for nobody')
    assert.equal((await access(connected, 'email=bia@example.com')).active, false)
    api.mood = 'well'
    await service().context.storage.db.updateTable('outbox').set({ leased_until: null, run_at: 0 }).execute()
    await until(async () => (await access(connected, 'email=bia@example.com')).active === true)
    assert.equal((await access(connected, 'email=bia@example.com')).plan_slug, 'curso')
  })

  it('the same delivery again changes nothing', async () => {
    const { connected, api } = await school()
    api.answers.set('/payments/pay_2', payment('pay_2'))
    api.answers.set('/customers/cus_1', { id: 'cus_1', email: 'caio@example.com' })
    const body = event('PAYMENT_RECEIVED', payment('pay_2'))
    for (let n = 0; n < 3; n++) assert.equal((await deliver(connected, body)).status, 200)
    await until(async () => (await access(connected, 'email=caio@example.com')).active === true)
    const { id } = connected.product.product
    const rows = await service().context.storage.db.selectFrom('notifications').select('status').where('product_id', '=', id).execute()
    assert.deepEqual(
      rows.map(({ status }) => status),
      ['processed'],
    )
  })

  it('a refund that names only the payment ends the access it gave', async () => {
    const { connected, api } = await school()
    api.answers.set('/payments/pay_3', payment('pay_3'))
    api.answers.set('/customers/cus_1', { id: 'cus_1', email: 'davi@example.com' })
    await deliver(connected, event('PAYMENT_RECEIVED', payment('pay_3')))
    await until(async () => (await access(connected, 'email=davi@example.com')).active === true)
    api.answers.set('/payments/pay_3', payment('pay_3', { status: 'REFUNDED' }))
    await deliver(connected, event('PAYMENT_REFUNDED', payment('pay_3', { status: 'REFUNDED', value: 99.9 })))
    await until(async () => (await access(connected, 'email=davi@example.com')).reason === 'refunded')
  })
})

const UNKNOWN = { status: 404, body: { error: 'Gateway desconhecido' } }

eachDatabase('A gateway that is an experiment', (database) => {
  const off = startForSuite(database)
  const on = startForSuite(database, { environment: { PORTARIA_EXPERIMENTS: 'pagarme' } })
  const paid = (email: string) => pagarmeEvent('charge.paid', pagarmeCharge('ch_1', email))

  it('is unknown while it is off, whatever the key, the signature and the body are, and leaves nothing behind', async () => {
    const school = await openSchool(off(), 'pagarme')
    const send = (address: string, body: unknown, headers?: Record<string, string>) =>
      deliver({ ...school, address }, body, headers ? { headers } : {})
    assert.deepEqual(await send(school.address, paid('ana@example.com')), UNKNOWN)
    assert.deepEqual(await send(`${school.address}x`, paid('ana@example.com')), UNKNOWN)
    assert.deepEqual(await send(school.address, paid('ana@example.com'), {}), UNKNOWN)
    assert.deepEqual(await send(school.address, `"${'x'.repeat(262_144)}"`), UNKNOWN)
    assert.deepEqual(await notificationsOf(off(), school), [])
    assert.equal((await askAccess(off(), school, 'ana@example.com')).active, false)
    const metrics = await (await fetch(`${off().url}/metrics`)).text()
    assert.ok(!metrics.includes('pagarme'), 'no metric names it')
    assert.match(metrics, /source="unknown",result="gateway_unknown"} 4/)
  })

  it('refuses in the same order as any other while it is on, and what it reports gives access', async () => {
    const school = await openSchool(on(), 'pagarme')
    const body = paid('bia@example.com')
    const bare = await on().product({ slug: `sem-${Date.now()}`, audience: 'external', checkout: 'external' })
    const send = (address: string, what: unknown, headers?: Record<string, string>) =>
      deliver({ ...school, address }, what, headers ? { headers } : {})
    const refused = (status: number, error: string) => ({ status, body: { error } })
    const { address } = school
    assert.deepEqual(await send(address.replace('pagarme', 'pagarmes'), body), UNKNOWN)
    assert.deepEqual(await send(`${address}x`, body), refused(401, 'invalid_api_key'))
    assert.deepEqual(
      await send(`${on().url}/api/webhooks/pagarme/${bare.webhookKey}`, body),
      refused(500, 'Configuracao incompleta do servidor'),
    )
    assert.deepEqual(await send(address, `"${'x'.repeat(262_144)}"`, {}), refused(400, 'Payload invalido'))
    assert.deepEqual(await send(address, 'no JSON', {}), refused(401, 'Assinatura ausente'))
    assert.deepEqual(await send(address, body, signDelivery('pagarme', '{}')), refused(401, 'Assinatura invalida'))
    assert.deepEqual(await send(address, {}), refused(401, 'Assinatura invalida'), 'signed, and of no account')
    assert.deepEqual(await notificationsOf(on(), school), [])
    for (let n = 0; n < 2; n++) assert.deepEqual(await send(address, body), { status: 200, body: { received: true } })
    assert.equal((await askAccess(on(), school, 'bia@example.com')).plan_slug, 'curso')
    assert.deepEqual(
      (await notificationsOf(on(), school)).map(({ source, event, status, subject }) => [source, event, status, subject]),
      [['pagarme', 'charge.paid', 'processed', 'ch_1']],
    )
    const { slug } = school.product.product
    const counted = `portaria_gateway_verification_failures_total{product="${slug}",gateway="pagarme"} 3`
    const readMetrics = async () => (await fetch(`${on().url}/metrics`)).text()
    await until(async () => (await readMetrics()).includes(counted))
    const metrics = await readMetrics()
    assert.match(metrics, /portaria_notifications_unresolved{source="pagarme"} 0/)
  })

  it('ends a spell of failed verifications with the first verified delivery, also right after another one', async () => {
    const school = await openSchool(on(), 'pagarme')
    const { id } = school.product.product
    const failingSince = async () =>
      (await gatewayHealthStore(on().context.storage.db).list()).find(({ productId }) => productId === id)?.failingSince
    const body = paid('bia@example.com')
    for (let n = 0; n < 3; n++) await deliver(school, body)
    await deliver(school, body, { headers: signDelivery('pagarme', '{}') })
    assert.notEqual(await failingSince(), undefined)
    await deliver(school, body)
    assert.equal(await failingSince(), undefined)
  })

  it('changes nothing of the others while it is on', async () => {
    const school = await openSchool(on(), 'asaas')
    assert.deepEqual(await deliver(school, {}), { status: 200, body: { received: true } })
    assert.deepEqual(await deliver({ ...school, address: school.address.replace('asaas', 'paypal') }, {}), UNKNOWN)
  })
})
