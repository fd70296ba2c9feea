import assert from 'node:assert/strict'
import { it } from 'node:test'
import { tidy } from '../../../src/housekeeping/tidy.ts'
import { DAY_MS } from '../../../src/kit/index.ts'
import { reprocessNotification, resolveNotification } from '../../../src/notifications/index.ts'
import { setGatewayCredentials } from '../../../src/products/index.ts'
import { eachDatabase } from '../../support/databases.ts'
import { startFakeApi } from '../../support/gateways/fake-api.ts'
import { ACCESS_TOKEN, askAccess, deliver, GATEWAY_SECRET, openSchool } from '../../support/gateways/gateways.ts'
import { asaasEvent, charge, refundOf, sale, stripeEvent } from '../../support/gateways/made-events.ts'
import { completed, notify, WEBHOOKS } from '../../support/gateways/purchases.ts'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const BUYER = 'ana@example.com'

eachDatabase('A notification from which nothing follows', (database) => {
  it('is removed after a year, with all that it is found by; one that was processed, waits, or that the operator has ignored is not', async () => {
    const service = await startService(await database.fresh(), { environment: WEBHOOKS })
    const { db } = service.context.storage
    const receivedAt = service.clock.now
    const school = await openSchool(service, 'stripe')
    const send = async (body: object) => assert.equal((await deliver(school, body)).status, 200)
    const foreign = refundOf('pi_of_another_shop')
    const waiting = { id: 'pi_waits', amount: 9_990, currency: 'brl', receipt_email: BUYER, metadata: { plan_slug: 'other' } }
    await send(stripeEvent('customer.created', { email: BUYER, phone: '+5511987654321', name: 'Ana Flávia' }))
    await send(foreign)
    await send(refundOf('pi_to_be_ignored'))
    await send(sale('pi_paid', BUYER))
    await send(stripeEvent('payment_intent.succeeded', waiting))
    await send(stripeEvent('payment_intent.succeeded', waiting))
    await notify(service.url, completed({ email: BUYER, is_test: true }))
    const kept = async () => db.selectFrom('notifications').select(['id', 'status', 'why', 'subject']).orderBy('id').execute()
    const received = await kept()
    assert.deepEqual(
      received.map(({ status, why }) => [status, why]),
      [
        ['ignored', null],
        ['ignored', 'unknown_payment'],
        ['ignored', 'unknown_payment'],
        ['processed', null],
        ['unresolved', 'unknown_plan'],
        ['ignored', 'duplicate'],
        ['test', null],
      ],
    )
    const idOf = (nth: number) => received[nth]?.id ?? assert.fail()
    const [byOperator, paid, waits] = [idOf(2), idOf(3), idOf(4)]
    const ignored = await resolveNotification(
      byOperator,
      { ignore: true, reason: 'duplicate' },
      { ...service.context, actor: 'operator:test' },
    )
    assert.deepEqual(ignored, { ignored: true })

    const tidyAfter = (days: number) => {
      service.clock.now = receivedAt + days * DAY_MS
      return tidy(service.context, service.clock.now)
    }
    await tidyAfter(364)
    assert.equal((await kept()).length, received.length, 'a year is not over')
    await tidyAfter(366)
    assert.deepEqual(
      (await kept()).map(({ id }) => id),
      [byOperator, paid, waits],
    )
    for (const table of ['notification_terms', 'pending_notifications', 'notification_attempts'] as const) {
      const rows = await db.selectFrom(table).select('notification_id').distinct().execute()
      const left = rows.map(({ notification_id }) => notification_id).filter((id) => ![byOperator, paid, waits].includes(id))
      assert.deepEqual(left, [], table)
    }
    assert.equal((await askAccess(service, school, BUYER)).reason, 'paid')
    service.clock.now = receivedAt
    await send(foreign)
    assert.equal((await kept()).length, 4, 'sent again, it is a new one')
  })

  it('that its gateway was asked about leaves no address behind', async () => {
    const service = await startService(await database.fresh())
    const { db } = service.context.storage
    const receivedAt = service.clock.now
    const api = await startFakeApi()
    const school = await openSchool(service, 'asaas', { apiUrl: api.url })
    const paid = charge('pay_1')
    assert.equal((await deliver(school, asaasEvent('PAYMENT_RECEIVED', paid))).status, 200)
    const rows = () => db.selectFrom('notifications').select(['id', 'status']).execute()
    const [{ id = '' } = {}] = await rows()
    const outcomes = async () => (await db.selectFrom('notification_attempts').select('outcome').execute()).map(({ outcome }) => outcome)
    await until(async () => (await outcomes()).includes('fault'))
    // While the gateway does not know the payment yet, the operator says that the account is one for tests.
    const { product } = school.product
    const credentials = { webhookSecret: GATEWAY_SECRET, accessToken: ACCESS_TOKEN, apiUrl: api.url, isTest: true }
    await setGatewayCredentials(product, { gateway: 'asaas', credentials }, { ...service.context, actor: 'operator:test' })
    api.answers.set('/payments/pay_1', paid)
    api.answers.set('/customers/cus_pay_1', { id: 'cus_pay_1', email: BUYER, name: 'Ana Flávia' })
    await reprocessNotification(id, { ...service.context, actor: 'operator:test' })
    await until(async () => (await rows())[0]?.status === 'test')
    const terms = async () => (await db.selectFrom('notification_terms').select('term').execute()).map(({ term }) => term)
    assert.ok((await terms()).includes(BUYER))
    service.clock.now = receivedAt + 366 * DAY_MS
    await tidy(service.context, service.clock.now)
    assert.deepEqual([await rows(), await terms()], [[], []])
  })
})
