import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createMerchantAccounts, reconcile } from '../../../src/gateways/index.ts'
import { setGatewayCredentials } from '../../../src/products/index.ts'
import { setPlan } from '../../../src/subscriptions/index.ts'
import { eachDatabase, type TestDatabase } from '../../support/databases.ts'
import { startFakeApi } from '../../support/gateways/fake-api.ts'
import {
  ACCESS_TOKEN,
  askAccess,
  type Connected,
  connect,
  deliver,
  GATEWAY_SECRET,
  notificationsOf,
  openSchool,
} from '../../support/gateways/gateways.ts'
import { asaasEvent, charge } from '../../support/gateways/made-events.ts'
import { startForSuite } from '../../support/service.ts'
import { until } from '../../support/until.ts'

eachDatabase('Credentials of a sandbox', (database: TestDatabase) => {
  const service = startForSuite(database)
  const as = () => ({ ...service().context, actor: 'operator:test' })
  const statuses = async (school: Connected) => (await notificationsOf(service(), school)).map(({ event, status }) => [event, status])
  const turn = ({ product, gateway }: Connected, apiUrl: string, kind: 'live' | 'test') => {
    const credentials = { webhookSecret: GATEWAY_SECRET, accessToken: ACCESS_TOKEN, apiUrl, isTest: kind === 'test' }
    return setGatewayCredentials(product.product, { gateway, credentials }, as())
  }
  const run = async ({ product, gateway }: Connected) => {
    const account = (await createMerchantAccounts(service().context).findOf(gateway, product.product.id)) ?? assert.fail()
    const { listed, known, applied, recorded } = await reconcile(account, Date.now() - 86_400_000, {
      ...service().context,
      guardedFetch: fetch as never,
    })
    return { listed, known, applied, recorded }
  }

  it('give nothing, though what they answer was asked for by a delivery from when they were live', async () => {
    const api = await startFakeApi()
    const school = await openSchool(service(), 'asaas', { apiUrl: api.url })
    const email = 'areia@exemplo.com.br'
    const paid = charge('pay_sand')
    api.mood = 'down'
    await deliver(school, asaasEvent('PAYMENT_RECEIVED', paid))
    const lastErrors = () => service().context.storage.db.selectFrom('outbox').select('last_error').execute()
    // Put back, and not only asked: it would otherwise wait from the time to which the clock is set below.
    await until(async () => (await lastErrors()).some(({ last_error }) => last_error !== null))
    await turn(school, api.url, 'test')
    api.answers.set('/payments/pay_sand', paid)
    api.answers.set('/customers/cus_pay_sand', { id: 'cus_pay_sand', email })
    api.mood = 'well'
    service().clock.now += 60_000
    await until(async () => (await statuses(school)).every(([, status]) => status !== 'unresolved'))
    assert.deepEqual(await statuses(school), [['PAYMENT_RECEIVED', 'test']])
    assert.equal((await askAccess(service(), school, email)).reason, 'no_subscription')
    await turn(school, api.url, 'live')
    api.answers.set('/payments', { data: [paid], hasMore: false })
    assert.deepEqual(await run(school), { listed: 1, known: 0, applied: 1, recorded: 0 })
    assert.equal((await askAccess(service(), school, email)).active, true)
  })

  it('given by mistake hide nothing: what was recorded as a test is applied once they are live', async () => {
    const api = await startFakeApi()
    const school = await connect(service(), 'asaas', { apiUrl: api.url, isTest: true })
    await setPlan({ slug: 'curso', name: 'Curso', price: 9_990, productSlug: school.product.product.slug }, as())
    const email = 'engano@exemplo.com.br'
    const paid = charge('pay_mistake')
    api.answers.set('/payments', { data: [paid], hasMore: false })
    api.answers.set('/payments/pay_mistake', paid)
    api.answers.set('/customers/cus_pay_mistake', { id: 'cus_pay_mistake', email })
    assert.deepEqual(await run(school), { listed: 1, known: 0, applied: 0, recorded: 1 })
    assert.deepEqual(await run(school), { listed: 1, known: 1, applied: 0, recorded: 0 })
    assert.equal((await askAccess(service(), school, email)).active, false)
    await turn(school, api.url, 'live')
    assert.deepEqual(await run(school), { listed: 1, known: 0, applied: 1, recorded: 0 })
    assert.equal((await askAccess(service(), school, email)).active, true)
    assert.deepEqual(await run(school), { listed: 1, known: 1, applied: 0, recorded: 0 })
  })
})
