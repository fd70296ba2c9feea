import assert from 'node:assert/strict'
import { it } from 'node:test'
import { openContext } from '../../../src/context.ts'
import { openStorage } from '../../../src/storage/index.ts'
import { eachDurableDatabase, onPostgres } from '../../support/databases.ts'
import { addEndpoint } from '../../support/events/endpoints.ts'
import { isGenuine, startEventReceiver } from '../../support/events/event-receiver.ts'
import { freePort } from '../../support/free-port.ts'
import { bring, completed, notify, WEBHOOK_SECRET } from '../../support/gateways/purchases.ts'
import { environmentBeside, startServer } from '../../support/server-process.ts'
import { startService, type TestService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const URL_OF_BOTH = 'http://localhost:4999'

async function openShop(service: TestService) {
  const { product } = await service.product({ slug: 'loja', audience: 'external', checkout: 'external' })
  const receiver = await startEventReceiver()
  const endpoint = await addEndpoint(service, { url: receiver.url, product: 'loja' })
  return { product, receiver, endpoint }
}

eachDurableDatabase('An event', (database) => {
  it('is delivered after the restart when the process that made the change was gone before anybody looked at it', async () => {
    const service = await startService(await database.fresh(), { environment: { PORTARIA_URL: URL_OF_BOTH }, stops: 'by_caller' })
    const { product, receiver, endpoint } = await openShop(service)
    const { id, email } = await service.user('ana@exemplo.com.br')
    const environment = environmentBeside(service, { port: await freePort() })
    await service.stop()
    // A process that changes something and is gone before anybody looks.
    const opened = await openContext(
      { ...service.config, masterKey: service.config.masterKey ?? assert.fail() },
      { onFault: assert.ifError },
    )
    assert.ok(!('refusal' in opened))
    await bring({ context: opened } as TestService, { kind: 'paid', email, productId: product.id, ref: 'r' })
    assert.deepEqual(await opened.storage.db.selectFrom('app_events').selectAll().execute(), [])
    await opened.close()
    await startServer(environment)
    await until(() => receiver.received.length > 0)
    const [received = assert.fail()] = receiver.received
    assert.deepEqual([received.event.type, received.event.data.user_id], ['access.granted', id])
    assert.ok(isGenuine(received, endpoint.secret))
  })

  it('is delivered again with the same id when the server is killed before the delivery is written down', async (context) => {
    const service = await startService(await database.fresh(), { environment: { PORTARIA_URL: URL_OF_BOTH }, stops: 'by_caller' })
    const { product, receiver } = await openShop(service)
    const { email } = await service.user('ana@exemplo.com.br')
    const port = await freePort()
    const environment = { ...environmentBeside(service, { port }), PORTARIA_WEBHOOK_SECRET: WEBHOOK_SECRET }
    await service.stop()
    receiver.answers(() => () => {}) // never
    const first = await startServer(environment)
    assert.equal((await notify(`http://localhost:${port}`, completed({ email, productId: product.id }))).status, 200)
    await until(() => receiver.received.length > 0)
    first.child.kill('SIGKILL')
    await first.exited
    const storage = await openStorage(service.config.database)
    context.after(() => storage.close())
    const { numUpdatedRows } = await storage.db
      .updateTable('event_deliveries')
      .set({ next_at: 1 })
      .where('state', '=', 'pending')
      .executeTakeFirst()
    assert.equal(Number(numUpdatedRows), 1, 'the delivery is lost')
    receiver.answers(() => ({ status: 200 }))
    await startServer(environment)
    await until(async () => (await storage.db.selectFrom('event_deliveries').select('state').executeTakeFirst())?.state === 'delivered')
    assert.equal(receiver.received.length, 2)
    assert.equal(new Set(receiver.received.map(({ id }) => id)).size, 1)
    assert.equal(new Set(receiver.received.map(({ text }) => text)).size, 1)
  })
})

onPostgres('Two nodes over one PostgreSQL', (database) => {
  it('report each change once and deliver it once, whichever of them made it', async () => {
    const { url } = await database.fresh()
    const environment = { PORTARIA_URL: URL_OF_BOTH }
    const nodes = await Promise.all([startService({ url }, { environment }), startService({ url }, { environment })])
    const [a] = nodes
    const { product, receiver } = await openShop(a)
    for (let n = 0; n < 20; n++) {
      const { email } = await a.user(`ana-${n}@exemplo.com.br`)
      await bring(nodes[n % 2] ?? a, { kind: 'paid', email, productId: product.id, ref: email })
    }
    const { db } = a.context.storage
    const delivered = () => db.selectFrom('event_deliveries').select('event_id').where('state', '=', 'delivered').execute()
    await until(async () => (await delivered()).length === 20)
    assert.equal(receiver.received.length, 20)
    assert.equal(new Set(receiver.received.map(({ event }) => event.data.user_id)).size, 20)
  })
})
