import assert from 'node:assert/strict'
import { it } from 'node:test'
import { deleteUser, findUser } from '../../../src/admin/index.ts'
import { removeEndpoint } from '../../../src/event-delivery/index.ts'
import { linkPurchases, markSubscription, subscriptionStore } from '../../../src/subscriptions/index.ts'
import { eachDatabase } from '../../support/databases.ts'
import { addEndpoint } from '../../support/events/endpoints.ts'
import { type EventReceiver, startEventReceiver } from '../../support/events/event-receiver.ts'
import { bring } from '../../support/gateways/purchases.ts'
import { startForSuite, type TestService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const DAY = 86_400_000
const OPERATOR = 'operator:test'
const TYPES = ['subscription.created', 'subscription.updated', 'subscription.ended'] as const
let serial = 0

async function openShop(service: TestService, { hears = true }: { hears?: boolean } = {}) {
  const n = ++serial
  const { product, apiKey } = await service.product({ slug: `assinaturas-${n}`, audience: 'external', checkout: 'external' })
  const receiver = await startEventReceiver()
  if (hears) await addEndpoint(service, { url: receiver.url, product: product.slug, types: TYPES })
  return { product, apiKey, receiver, email: `assinante-${n}@exemplo.com.br` }
}

type Shop = Awaited<ReturnType<typeof openShop>>

const buy = (service: TestService, { product, email }: Shop) =>
  bring(service, {
    ...{
      kind: 'paid',
      at: service.clock.now,
      periodEnd: service.clock.now + 30 * DAY,
      key: `paid ${email}`,
      paymentId: 'p1',
      amount: 1_000,
    },
    ...{ email, productId: product.id, ref: email },
  })
const came = (receiver: EventReceiver, count: number) => until(() => receiver.received.length >= count)
const shown = ({ received }: EventReceiver) =>
  received.map(({ event: { type, data } }) => [type, data.status, data.user_id, data.product_user_id])
/** Everything was looked at, and nothing waits. */
const settled = ({ context }: TestService) =>
  until(async () => {
    const { db } = context.storage
    const due = await db.selectFrom('reported_subscriptions').select('id').where('due', 'is not', null).execute()
    const pending = await db.selectFrom('event_deliveries').select('event_id').where('state', '=', 'pending').execute()
    return due.length + pending.length === 0
  })

eachDatabase('Events of subscriptions', (database) => {
  const started = startForSuite(database)

  it('tell of the purchase of a guest without an address, of its users as they become known, and of its end', async () => {
    const service = started()
    const shop = await openShop(service)
    const { id } = await buy(service, shop)
    await came(shop.receiver, 1)
    const user = await service.user(shop.email)
    const { changes, storage } = service.context
    await changes.transaction((tx, announce) => linkPurchases(tx, user.id, { announce, storage }))
    await came(shop.receiver, 2)
    const question = `${service.url}/api/saas/check-access?user_id=u-1&email=${encodeURIComponent(shop.email)}`
    await fetch(question, { headers: { authorization: `Bearer ${shop.apiKey}` } })
    await came(shop.receiver, 3)
    service.clock.now += DAY
    await bring(service, { kind: 'refunded', at: service.clock.now, paymentId: 'p1', productId: shop.product.id, ref: shop.email })
    await came(shop.receiver, 4)
    await settled(service)
    assert.deepEqual(shown(shop.receiver), [
      ['subscription.created', 'active', null, null],
      ['subscription.updated', 'active', user.id, null],
      ['subscription.updated', 'active', user.id, 'u-1'],
      ['subscription.ended', 'refunded', user.id, 'u-1'],
    ])
    const [first, ...more] = shop.receiver.received.map(({ event }) => event.data)
    assert.deepEqual([first?.subscription_id, first?.product_id, first?.plan_slug], [id, shop.product.id, 'easy-pro'])
    assert.ok(more.every(({ sequence }, i) => sequence > (shop.receiver.received[i]?.event.data.sequence ?? 0)))
    assert.ok(shop.receiver.received.every(({ text }) => !text.includes('@')))
  })

  it('are none for what did not change, and reach the product and the operator, not another product', async () => {
    const service = started()
    const [shop, other] = [await openShop(service), await openShop(service)]
    const operator = await startEventReceiver()
    const { id } = await addEndpoint(service, { url: operator.url, types: TYPES })
    await buy(service, shop)
    await came(shop.receiver, 1)
    await buy(service, shop) // the same event again
    await settled(service)
    assert.deepEqual([shop.receiver.types(), operator.types()], [['subscription.created'], ['subscription.created']])
    assert.deepEqual(other.receiver.types(), [])
    await removeEndpoint(id, { ...service.context, actor: OPERATOR })
  })

  it('tell of a subscription that is older than the endpoint at its next change', async () => {
    const service = started()
    const shop = await openShop(service, { hears: false })
    await buy(service, shop)
    await addEndpoint(service, { url: shop.receiver.url, product: shop.product.slug, types: TYPES })
    await settled(service)
    assert.deepEqual(shop.receiver.types(), [])
    await bring(service, { kind: 'refunded', at: service.clock.now, paymentId: 'p1', productId: shop.product.id, ref: shop.email })
    await came(shop.receiver, 1)
    assert.deepEqual(shown(shop.receiver), [['subscription.ended', 'refunded', null, null]])
  })

  it('report one that was merged into another as ended, and keep nothing of it', async () => {
    const service = started()
    const shop = await openShop(service)
    const { id, streamId } = await buy(service, shop)
    await came(shop.receiver, 1)
    await settled(service)
    const { storage } = service.context
    await storage.transaction(async (tx) => {
      for (const removed of await subscriptionStore(tx).removeFrom(streamId, 0)) await markSubscription(tx, removed, 'changed')
    })
    await came(shop.receiver, 2)
    await settled(service)
    const [first, last] = shop.receiver.received.map(({ event }) => event.data)
    assert.deepEqual(shown(shop.receiver).at(-1), ['subscription.ended', 'merged', null, null])
    assert.ok((last?.sequence ?? 0) > (first?.sequence ?? 0))
    const kept = () => storage.db.selectFrom('reported_subscriptions').select('id').where('id', '=', id).execute()
    assert.deepEqual(await kept(), [])
    // A late mark of it reports nothing, and leaves nothing.
    await storage.transaction((tx) => markSubscription(tx, { id, productId: shop.product.id }, 'changed'))
    await settled(service)
    assert.deepEqual([await kept(), shop.receiver.received.length], [[], 2])
  })

  it('tell that the user is gone when an account is deleted', async () => {
    const service = started()
    const shop = await openShop(service)
    const { id } = await service.user(shop.email)
    await buy(service, shop)
    await came(shop.receiver, 1)
    const user = (await findUser(service.context.storage.db, shop.email)) ?? assert.fail()
    await deleteUser(user, { ...service.context, actor: OPERATOR })
    await came(shop.receiver, 2)
    await settled(service)
    assert.deepEqual(shown(shop.receiver), [
      ['subscription.created', 'active', id, null],
      ['subscription.updated', 'active', null, null],
    ])
  })
})
