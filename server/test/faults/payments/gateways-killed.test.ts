import assert from 'node:assert/strict'
import { it } from 'node:test'
import { openStorage } from '../../../src/storage/index.ts'
import { eachDurableDatabase, onPostgres } from '../../support/databases.ts'
import { freePort } from '../../support/free-port.ts'
import { type FakeApi, startFakeApi } from '../../support/gateways/fake-api.ts'
import { askAccess, deliver, notificationsOf, openSchool } from '../../support/gateways/gateways.ts'
import { asaasEvent, charge } from '../../support/gateways/made-events.ts'
import { ageLeases, environmentBeside, startServer } from '../../support/server-process.ts'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

/** A worker that died keeps its job for this long. */
const LEASE_MS = 60_000
const PAYMENTS = 6

const buyerOf = (id: string) => `aluna.${id}@exemplo.com.br`

function expectPayment(api: FakeApi, id: string): void {
  api.answers.set(`/payments/${id}`, charge(id))
  api.answers.set(`/customers/cus_${id}`, { id: `cus_${id}`, email: buyerOf(id) })
}

eachDurableDatabase('A delivery that was answered', (database) => {
  it("is asked about after the restart, once in effect, when the server is killed between its 200 and the gateway's answer", async (context) => {
    const [service, api] = [await startService(await database.fresh()), await startFakeApi()]
    const school = await openSchool(service, 'asaas', { apiUrl: api.url })
    const environment = environmentBeside(service, { port: await freePort() })
    await service.stop()
    const at = (url: string) => ({ ...school, address: school.address.replace(service.url, url) })
    api.mood = 'hang'
    const first = await startServer({ ...environment, PORTARIA_URL: `http://localhost:${environment.PORT}` })
    const ids = Array.from({ length: PAYMENTS }, (_, i) => `pay_${i}`)
    for (const id of ids) {
      expectPayment(api, id)
      assert.equal((await deliver(at(first.url), asaasEvent('PAYMENT_RECEIVED', charge(id)))).status, 200)
    }
    first.child.kill('SIGKILL')
    await first.exited
    const storage = await openStorage(service.config.database)
    context.after(() => storage.close())
    const jobs = () => storage.db.selectFrom('outbox').select('leased_until').execute()
    assert.equal((await jobs()).length, PAYMENTS, 'every job is on disk with its delivery')
    await ageLeases(storage, LEASE_MS)
    api.mood = 'well'
    const second = await startServer({ ...environment, PORTARIA_URL: `http://localhost:${environment.PORT}` })
    const seen = { ...service, url: second.url }
    for (const id of ids) await until(async () => (await askAccess(seen, school, buyerOf(id))).active === true)
    await until(async () => (await jobs()).length === 0)
    const notifications = await storage.db.selectFrom('notifications').select('status').execute()
    assert.deepEqual(
      notifications.map(({ status }) => status),
      ids.map(() => 'processed'),
    )
    assert.equal((await storage.db.selectFrom('subscription_events').select('key').execute()).length, PAYMENTS)
    assert.equal((await storage.db.selectFrom('subscriptions').select('id').execute()).length, PAYMENTS)
  })

  it('is kept with its job or not at all: what was not answered well may be sent again', async () => {
    const [service, api] = [await startService(await database.fresh()), await startFakeApi()]
    const school = await openSchool(service, 'asaas', { apiUrl: api.url })
    const { schema } = service.context.storage.db
    expectPayment(api, 'pay_half')
    const event = asaasEvent('PAYMENT_RECEIVED', charge('pay_half'))
    await schema.alterTable('outbox').renameTo('outbox_away').execute()
    assert.equal((await deliver(school, event)).status, 500)
    await schema.alterTable('outbox_away').renameTo('outbox').execute()
    assert.deepEqual(await notificationsOf(service, school), [])
    assert.equal((await deliver(school, event)).status, 200)
    await until(async () => (await askAccess(service, school, buyerOf('pay_half'))).active === true)
  })
})

onPostgres("Two nodes that ask a gateway's API", (database) => {
  it('ask about each delivery once, whichever of them received it, and repeated deliveries at both are one', async () => {
    const fresh = await database.fresh()
    const [a, b] = [await startService(fresh), await startService(fresh)]
    const api = await startFakeApi()
    api.mood = 'slow'
    const school = await openSchool(a, 'asaas', { apiUrl: api.url })
    const ids = Array.from({ length: 24 }, (_, i) => `pay_${i}`)
    for (const id of ids) expectPayment(api, id)
    const nodes = [a, b].map(({ url }) => ({ ...school, address: school.address.replace(a.url, url) }))
    const send = async (id: string) => {
      const body = asaasEvent('PAYMENT_RECEIVED', charge(id))
      const answers = await Promise.all(nodes.map((node) => deliver(node, body)))
      assert.ok(answers.every(({ status }) => status === 200))
    }
    await Promise.all(ids.map(send))
    await until(async () => (await notificationsOf(a, school)).every(({ status }) => status === 'processed'))
    assert.equal((await notificationsOf(a, school)).length, ids.length)
    assert.deepEqual(api.asked.filter((path) => path.startsWith('/payments/')).sort(), ids.map((id) => `/payments/${id}`).sort())
    for (const id of ids) assert.equal((await askAccess(b, school, buyerOf(id))).active, true, id)
  })
})
