import assert from 'node:assert/strict'
import { it } from 'node:test'
import { disableUser, findUser } from '../../../src/admin/index.ts'
import { eachDatabase } from '../../support/databases.ts'
import { addEndpoint } from '../../support/events/endpoints.ts'
import { startEventReceiver } from '../../support/events/event-receiver.ts'
import { bring } from '../../support/gateways/purchases.ts'
import { startService, type TestService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const DAY = 86_400_000

async function openShop(service: TestService) {
  const { product, apiKey } = await service.product({ slug: 'loja', audience: 'external', checkout: 'external' })
  const user = await service.user('ana@exemplo.com.br')
  const receiver = await startEventReceiver()
  const { id } = await addEndpoint(service, { url: receiver.url, product: 'loja' })
  return { product, apiKey, user, receiver, endpointId: id }
}
type Shop = Awaited<ReturnType<typeof openShop>>

const buy = (service: TestService, { product, user }: Shop) =>
  bring(service, {
    ...{ kind: 'paid', at: service.clock.now, periodEnd: service.clock.now + 30 * DAY },
    ...{ email: user.email, productId: product.id, ref: user.email },
  })

async function checkAccess(service: TestService, { apiKey, user }: Shop) {
  const headers = { authorization: `Bearer ${apiKey}` }
  return (await fetch(`${service.url}/api/saas/check-access?user_id=${user.id}`, { headers })).json()
}

/** The state that the receiver knows: that of the event with the highest sequence. */
function known({ receiver }: Shop) {
  const newest = receiver.received.map(({ event }) => event.data).toSorted((a, b) => b.sequence - a.sequence)[0] ?? assert.fail()
  const { sequence, product_id, user_id, ...state } = newest
  return state
}

eachDatabase('A clock that was ahead and is set back', (database) => {
  it('puts no delivery off for longer than a day, and none that was never tried', async () => {
    const service = await startService(await database.fresh())
    const shop = await openShop(service)
    const { db } = service.context.storage
    const right = service.clock.now
    service.clock.now += 30 * DAY
    shop.receiver.answers(() => ({ status: 429, headers: { 'retry-after': '86400' } }))
    await buy(service, shop)
    await until(() => shop.receiver.received.length === 1)
    const deliveries = () => db.selectFrom('event_deliveries').selectAll().where('endpoint_id', '=', shop.endpointId).execute()
    await until(async () => (await db.selectFrom('event_endpoints').select('paused_until').executeTakeFirst())?.paused_until != null)
    await disableUser((await findUser(db, shop.user.email)) ?? assert.fail(), undefined, { ...service.context, actor: 'operator:test' })
    await until(async () => (await deliveries()).length === 2)
    service.clock.now = right
    await until(async () => (await deliveries()).every(({ attempts, next_at }) => (next_at ?? 0) <= right + (attempts === 0 ? 0 : DAY)))
    shop.receiver.answers(() => ({ status: 200 }))
    service.clock.now = right + DAY
    await until(async () => (await deliveries()).every(({ state }) => state === 'delivered'))
    const [endpoint] = await db.selectFrom('event_endpoints').select('failing_since').execute()
    assert.equal(endpoint?.failing_since, null)
  })

  it('takes back an end of access that was reported too early', async () => {
    const service = await startService(await database.fresh())
    const shop = await openShop(service)
    await buy(service, shop)
    await until(() => shop.receiver.types().at(-1) === 'access.granted')
    const right = service.clock.now
    service.clock.now += 60 * DAY
    await until(() => shop.receiver.types().at(-1) === 'access.revoked')
    service.clock.now = right
    await until(() => shop.receiver.types().at(-1) === 'access.granted')
    assert.deepEqual(known(shop), await checkAccess(service, shop))
  })

  it('takes it back after a restart, too', async () => {
    const url = await database.fresh()
    const service = await startService(url, { stops: 'by_caller' })
    const shop = await openShop(service)
    await buy(service, shop)
    await until(() => shop.receiver.types().at(-1) === 'access.granted')
    const right = service.clock.now
    service.clock.now += 60 * DAY
    await until(() => shop.receiver.types().at(-1) === 'access.revoked')
    await service.stop()
    const next = await startService(url, { clock: { now: right } })
    await until(() => shop.receiver.types().at(-1) === 'access.granted')
    assert.deepEqual(known(shop), await checkAccess(next, shop))
  })
})
