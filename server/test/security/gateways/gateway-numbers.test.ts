import assert from 'node:assert/strict'
import { it } from 'node:test'
import { commandLine } from '../../support/command-line.ts'
import { eachDatabase } from '../../support/databases.ts'
import { type FakeApi, startFakeApi } from '../../support/gateways/fake-api.ts'
import { askAccess, deliver, notificationsOf, openSchool } from '../../support/gateways/gateways.ts'
import { asaasEvent, charge, invoicePaid, mercadopagoEvent, mercadopagoPayment, sale } from '../../support/gateways/made-events.ts'
import { environmentBeside } from '../../support/server-process.ts'
import { startForSuite } from '../../support/service.ts'
import { until } from '../../support/until.ts'

type Delivered = { body: object; query?: string }

/** Numbers that JSON can hold and no date or amount can; and the last moment of a JavaScript date. */
const NUMBERS = [1e15, 1e300, 2 ** 53, 9_007_199_254_740_991, -1e15, -1, 0.5, 8_640_000_000_000, 253_402_300_799]
const LAST_MOMENT = '+275760-09-13T00:00:00.000Z'
const TIMES = [LAST_MOMENT, '9999-12-31T23:59:59.999Z', '-271821-04-20T00:00:00.000Z', '0000-01-01T00:00:00.000Z', '2026-11-20T99:00:00Z']
const DAYS = ['9999-12-31', '0000-01-01', '9998-12-31', '31/12/9999', '2026-13-01', '+275760-09-13']

/** Sales whose every number and time is beyond measure, by gateway: what is delivered, and what its API says. */
const beyond: Record<'stripe' | 'mercadopago' | 'asaas', (api: FakeApi, email: string) => Delivered[]> = {
  stripe: (_api, email) =>
    NUMBERS.flatMap((number, n) => {
      const ended = invoicePaid(`sub_${n}`, email, { amount_paid: number, status_transitions: { paid_at: number } })
      const line = { period: { start: 1, end: number }, parent: { subscription_item_details: { subscription: `sub_${n}` } } }
      const object = { ...ended.data.object, lines: { data: [line] } }
      const paid = sale(`pi_${n}`, email, { amount_total: number })
      return [{ body: { ...ended, created: number, data: { object } } }, { body: { ...paid, created: number } }]
    }),
  mercadopago: ({ answers }, email) =>
    TIMES.flatMap((time, n) =>
      NUMBERS.map((number, m) => {
        const id = String(1_000 + n * 100 + m)
        const times = { date_created: time, date_approved: time, date_last_updated: time }
        // So long a period that it ends at that moment.
        const months = Math.max(1, Math.round((Date.parse(LAST_MOMENT) - Date.now()) / (30 * 86_400_000)))
        const subscription = {
          id: `sub${id}`,
          status: 'authorized',
          payer_email: email,
          next_payment_date: time,
          auto_recurring: { frequency: m % 2 === 0 ? months : number, frequency_type: 'months' },
        }
        const of = { metadata: { preapproval_id: `sub${id}` }, ...(m % 3 === 0 ? times : {}), transaction_amount: number }
        answers.set(`/v1/payments/${id}`, mercadopagoPayment(id, email, of))
        answers.set(`/preapproval/sub${id}`, subscription)
        return mercadopagoEvent(id)
      }),
    ),
  asaas: ({ answers }, email) =>
    DAYS.flatMap((day, n) =>
      NUMBERS.map((value, m) => {
        const id = `pay_${n}_${m}`
        const days = { dateCreated: day, confirmedDate: day, paymentDate: day, clientPaymentDate: day }
        const subscription = `sub_${n}_${m}`
        const paid = charge(id, { value, subscription, ...(m % 2 === 0 ? { ...days, dueDate: day } : {}) })
        const next = { id: `next_${id}`, subscription, status: 'PENDING', dueDate: day }
        answers.set(`/payments/${id}`, paid)
        answers.set(`/payments?subscription=${subscription}&offset=0&limit=100`, { data: [paid, next] })
        answers.set(`/subscriptions/${subscription}`, { id: subscription, status: 'ACTIVE', nextDueDate: day })
        answers.set(`/customers/cus_${id}`, { id: `cus_${id}`, email })
        return { body: { ...asaasEvent('PAYMENT_RECEIVED', paid), dateCreated: `${day} 10:00:00` } }
      }),
    ),
}

eachDatabase('Times and amounts of payment gateways that nothing can hold', (database) => {
  const service = startForSuite(database)

  for (const gateway of ['stripe', 'mercadopago', 'asaas'] as const)
    it(`of ${gateway} are received, and break neither the question for access nor anything the operator looks at`, async () => {
      const api = await startFakeApi()
      const school = await openSchool(service(), gateway, { apiUrl: api.url })
      const portaria = commandLine({ url: environmentBeside(service(), { port: 0 }).DATABASE_URL ?? '' })
      const email = `${gateway}@exemplo.com.br`
      for (const { body, query = '' } of beyond[gateway](api, email))
        assert.deepEqual(await deliver(school, body, { query }), { status: 200, body: { received: true } })
      const notifications = () => notificationsOf(service(), school)
      await until(async () => (await notifications()).every(({ why }) => why !== 'awaiting_gateway'))
      const processed = (await notifications()).filter(({ status }) => status === 'processed')
      assert.ok(processed.length > 0, 'some of it is understood')
      // Each in turn as the only one, since the best of them answers for all.
      const subscriptions = service().context.storage.db
      const own = subscriptions.selectFrom('subscriptions').select('id').where('product_id', '=', school.product.product.id)
      for (const [n, { id }] of (await own.execute()).entries()) {
        await subscriptions
          .updateTable('subscriptions')
          .set({ email: `${n}-${email}` })
          .where('id', '=', id)
          .execute()
        const { error, current_period_end, grace_until } = await askAccess(service(), school, `${n}-${email}`)
        assert.equal(error, undefined)
        for (const time of [current_period_end, grace_until]) assert.match(String(time), /^(null|\d{4}-\d\d-\d\dT[\d:.]+Z)$/)
      }
      for (const { id, status } of await notifications()) {
        if (status === 'failed') assert.fail(JSON.stringify(await portaria(`webhook show ${id}`)))
      }
      for (const line of [`webhook show ${processed[0]?.id}`, 'webhook list', 'subscription list', `gateway status`])
        assert.equal((await portaria(line)).code, 0, line)
      for (const { id } of (await portaria('subscription list --json')).json.slice(0, 10))
        assert.equal((await portaria(`subscription show ${id}`)).code, 0)
      assert.ok(!service().log().includes('"msg":"fault"'), 'no fault was logged')
    })
})
