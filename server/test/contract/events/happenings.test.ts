import assert from 'node:assert/strict'
import { it } from 'node:test'
import { disableUser, findUser } from '../../../src/admin/index.ts'
import { type EventType, recordEvent } from '../../../src/app-events/index.ts'
import { changeEndpoint, disableEndpoint, removeEndpoint } from '../../../src/event-delivery/index.ts'
import { newId } from '../../../src/kit/index.ts'
import { leaveToFetch, notificationStore, reprocessNotification } from '../../../src/notifications/index.ts'
import { findJob } from '../../../src/outbox/index.ts'
import { endSessionsOfUser } from '../../../src/sessions/index.ts'
import { consentStore } from '../../../src/users/index.ts'
import { eachDatabase } from '../../support/databases.ts'
import { addEndpoint } from '../../support/events/endpoints.ts'
import { type EventReceiver, startEventReceiver } from '../../support/events/event-receiver.ts'
import { activated, notify, received, WEBHOOKS } from '../../support/gateways/purchases.ts'
import { startForSuite, type TestService } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { adminOf, versionOf } from '../../support/users/admins.ts'
import { decode, parameter, pass, sessionOf, signedIn, verify } from '../../support/users/sign-in-steps.ts'

const OPERATOR = 'operator:test'
let serial = 0

/** An external product whose endpoint hears of some types, and a user who is signed in there. */
async function openShop(service: TestService, types: readonly EventType[]) {
  const n = ++serial
  const uri = `https://avisos-${n}.example/callback`
  const { product, apiKey } = await service.product({ slug: `avisos-${n}`, audience: 'external', checkout: 'external', uris: [uri] })
  const receiver = await startEventReceiver()
  const { id: endpointId } = await addEndpoint(service, { url: receiver.url, product: product.slug, types })
  const user = await service.user(`avisos-${n}@exemplo.com.br`)
  return { product, apiKey, uri, receiver, endpointId, user }
}

async function enterShop(service: TestService, { product, apiKey, uri, user }: Awaited<ReturnType<typeof openShop>>) {
  const browser = await signedIn(service, user.email)
  const callback = await pass(browser, { redirect_to: uri, api_key: product.publishableKey })
  const answer = await verify(service, parameter(callback, 'eg_token'), apiKey)
  const { eg_session: egSession } = answer.json<{ eg_session: string }>()
  return { browser, sid: String(decode(egSession).claims.sid), domainSid: String(decode(sessionOf(browser)).claims.sid) }
}

async function openOperator(service: TestService, types: readonly EventType[]) {
  const receiver = await startEventReceiver()
  const { id } = await addEndpoint(service, { url: receiver.url, types })
  return { receiver, id, close: () => removeEndpoint(id, { ...service.context, actor: OPERATOR }) }
}

const dataOf = ({ received }: EventReceiver) => received.map(({ event }) => event.data as Record<string, unknown>)
/** Nothing waits for an endpoint that is enabled. */
const settled = ({ context }: TestService) =>
  until(async () => {
    const pending = context.storage.db.selectFrom('event_deliveries').select('event_id').where('state', '=', 'pending')
    return (await pending.execute()).length === 0
  })

eachDatabase('The event session.revoked', (database) => {
  const started = startForSuite(database)

  it('tells a product of the session that it was given, and the operator of that and of the one at the domain', async () => {
    const service = started()
    const [shop, other] = [await openShop(service, ['session.revoked']), await openShop(service, ['session.revoked'])]
    const operator = await openOperator(service, ['session.revoked'])
    const { browser, sid, domainSid } = await enterShop(service, shop)
    await browser.get('/auth/signout')
    await until(() => operator.receiver.received.length >= 2 && shop.receiver.received.length > 0)
    await settled(service)
    const own = { product_id: shop.product.id, user_id: shop.user.id, session_id: sid }
    assert.deepEqual(dataOf(shop.receiver), [own])
    assert.deepEqual(dataOf(other.receiver), [])
    const all = dataOf(operator.receiver)
    assert.equal(all.length, 2)
    assert.deepEqual(
      all.find(({ session_id: id }) => id === sid),
      own,
    )
    assert.deepEqual(
      all.find(({ session_id: id }) => id === domainSid),
      { product_id: null, user_id: shop.user.id, session_id: domainSid },
    )
    await operator.close()
  })

  it('tells an internal product of the session of the domain that it received', async () => {
    const service = started()
    const uri = 'http://localhost:4955/callback'
    const { product } = await service.product({ slug: 'avisos-interno', audience: 'internal', checkout: 'integrated', uris: [uri] })
    const receiver = await startEventReceiver()
    await addEndpoint(service, { url: receiver.url, product: product.slug, types: ['session.revoked'] })
    const user = await service.user('avisos-interno@exemplo.com.br')
    const elsewhere = await signedIn(service, user.email)
    const browser = await signedIn(service, user.email)
    await pass(browser, { redirect_to: uri })
    const sid = String(decode(sessionOf(browser)).claims.sid)
    await elsewhere.get('/auth/signout')
    await browser.get('/auth/signout')
    await until(() => receiver.received.length > 0)
    await settled(service)
    assert.deepEqual(dataOf(receiver), [{ product_id: product.id, user_id: user.id, session_id: sid }])
  })

  it('tells a product that a user shares data with when all sessions end, though it had none of them', async () => {
    const service = started()
    const shop = await openShop(service, ['session.revoked'])
    const { storage, changes } = service.context
    const consent = { userId: shop.user.id, productId: shop.product.id, scopes: 'read:email', ip: '::1', userAgent: '' }
    await consentStore(storage.db).putConsent(consent, 1)
    const end = () =>
      changes.transaction((tx, announce) => endSessionsOfUser(tx, shop.user.id, 'operator', { announce, now: service.context.now }))
    await end() // none was live
    await (await signedIn(service, shop.user.email)).get('/auth/signout') // one of the domain alone
    await signedIn(service, shop.user.email)
    await end()
    await until(() => shop.receiver.received.length > 0)
    await settled(service)
    assert.deepEqual(dataOf(shop.receiver), [{ product_id: shop.product.id, user_id: shop.user.id, session_id: null }])
  })

  it('tells an endpoint, too, that is preparing to hear of access', async () => {
    const service = started()
    const { product, endpointId } = await openShop(service, ['session.revoked'])
    const { clock, context } = service
    const about = { productId: product.id, subject: 'u-1', sequence: 1, data: {} }
    const undone = context.storage.transaction(async (tx) => {
      const preparing = { ready_at: null, types: 'access.granted session.revoked' }
      await tx.updateTable('event_endpoints').set(preparing).where('id', '=', endpointId).execute()
      for (const type of ['access.granted', 'session.revoked'] as const) await recordEvent(tx, { ...about, type }, clock.now)
      const waiting = tx.selectFrom('event_deliveries').innerJoin('app_events', 'app_events.id', 'event_id').select('type')
      assert.deepEqual(await waiting.where('endpoint_id', '=', endpointId).execute(), [{ type: 'session.revoked' }])
      throw new Error('undone')
    })
    await assert.rejects(undone, /^Error: undone$/)
  })

  it('is undone with the transaction that would have ended the session', async () => {
    const service = started()
    const shop = await openShop(service, ['session.revoked'])
    await enterShop(service, shop)
    const { changes, now, storage } = service.context
    const failing = changes.transaction(async (tx, announce) => {
      await endSessionsOfUser(tx, shop.user.id, 'operator', { announce, now })
      throw new Error('half way')
    })
    await assert.rejects(failing, /half way/)
    assert.deepEqual(await storage.db.selectFrom('app_events').select('id').where('subject', '=', shop.user.id).execute(), [])
    const user = (await findUser(storage.db, shop.user.email)) ?? assert.fail()
    await disableUser(user, 'x', { ...service.context, actor: OPERATOR })
    await until(() => shop.receiver.received.length > 0)
  })
})

eachDatabase('The event endpoint.disabled', (database) => {
  const started = startForSuite(database)

  it('reports to the operator an endpoint that answers 410, and one that an administrator disables', async () => {
    const service = started()
    const operator = await openOperator(service, ['endpoint.disabled'])
    const [gone, other] = [await openShop(service, ['session.revoked']), await openShop(service, ['session.revoked'])]
    gone.receiver.answers(() => ({ status: 410 }))
    const { browser } = await enterShop(service, gone)
    await browser.get('/auth/signout')
    await until(() => operator.receiver.received.length > 0)
    await disableEndpoint(other.endpointId, { ...service.context, actor: OPERATOR })
    await until(() => operator.receiver.received.length > 1)
    assert.deepEqual(dataOf(operator.receiver), [
      { endpoint_id: gone.endpointId, product_id: gone.product.id, url: gone.receiver.url, description: '', reason: 'gone' },
      { endpoint_id: other.endpointId, product_id: other.product.id, url: other.receiver.url, description: '', reason: 'operator' },
    ])
    assert.deepEqual([gone.receiver.types(), other.receiver.types()], [['session.revoked'], []])
    await operator.close()
  })

  it('can be chosen by the operator alone, and all that a product can choose is listed', async () => {
    const service = started()
    const admin = await adminOf(service, 'avisos@example.com', 'owner')
    const { product } = await service.product({ slug: 'avisos-so', audience: 'external', checkout: 'external' })
    const { data } = (await admin.get('/endpoints/types')).json<{ data: Array<{ type: string; operator_only: boolean }> }>()
    const [all, own] = [data.map(({ type }) => type), data.flatMap(({ type, operator_only }) => (operator_only ? [] : [type]))]
    assert.deepEqual(
      all.filter((type) => !own.includes(type)),
      ['endpoint.disabled'],
    )
    const make = (body: object) => admin.send('POST', '/endpoints', { url: 'https://app.example.com/hooks', disabled: true, ...body })
    const refused = await make({ product: product.slug, types: all })
    assert.deepEqual([refused.status, refused.json<{ fields: object }>().fields], [400, { types: 'operator_only' }])
    const made = await make({ product: product.slug, types: own })
    assert.deepEqual([made.status, made.json<{ types: string[] }>().types], [201, own])
    assert.equal((await make({ types: all })).status, 201)
    const { id } = made.json<{ id: string }>()
    const version = versionOf(await admin.get(`/endpoints/${id}`))
    const changed = await admin.send('PATCH', `/endpoints/${id}`, { types: ['endpoint.disabled'] }, { version })
    assert.deepEqual([changed.status, changed.json<{ fields: object }>().fields], [400, { types: 'operator_only' }])
    const { context } = service
    // As an earlier version let it choose.
    await context.storage.db
      .updateTable('event_endpoints')
      .set({ types: all.join(' ') })
      .where('id', '=', id)
      .execute()
    const kept = await changeEndpoint(
      id,
      { description: 'de antes', types: all as EventType[] },
      { ...context, actor: OPERATOR, isDevelopment: true },
    )
    assert.ok('id' in kept)
  })
})

eachDatabase('The event purchase.unresolved', (database) => {
  const started = startForSuite(database, { environment: WEBHOOKS })

  it('tells the operator of a purchase that names no plan there is, once, however often it is tried again', async () => {
    const service = started()
    const operator = await openOperator(service, ['purchase.unresolved'])
    const shop = await openShop(service, ['purchase.unresolved'])
    const name = '<script>alert(1)</script>'
    await notify(service.url, activated({ email: 'quem@exemplo.com.br', name }))
    const [{ id, received_at: at } = assert.fail()] = await received(service)
    await until(() => operator.receiver.received.length > 0)
    const again = await reprocessNotification(id, { ...service.context, actor: OPERATOR })
    assert.ok('refusal' in again)
    await notify(service.url, activated({ email: 'quem@exemplo.com.br', name, id: newId(), product_id: shop.product.id }))
    await until(() => shop.receiver.received.length > 0 && operator.receiver.received.length > 1)
    await settled(service)
    const [first, second] = operator.receiver.received
    assert.deepEqual(first?.event.data, {
      ...{ product_id: null, notification_id: id, source: 'purchase', event: 'subscription.activated', reason: 'unknown_plan' },
      received_at: new Date(at).toISOString(),
    })
    assert.equal(second?.event.data.product_id, shop.product.id)
    assert.deepEqual([operator.receiver.received.length, shop.receiver.received.length], [2, 1])
    assert.doesNotMatch(JSON.stringify(operator.receiver.received.map(({ text }) => text)), /quem@/)
    await operator.close()
  })

  it('tells the product whose gateway gave no answer when that is given up', async () => {
    const service = started()
    const shop = await openShop(service, ['purchase.unresolved'])
    const { storage, sealer, now } = service.context
    const id = newId()
    const row = { source: 'stripe', productId: shop.product.id, digest: id, event: 'charge', status: 'unresolved' as const }
    await notificationStore(storage.db).add({ id, ...row, why: 'awaiting_gateway', subject: 'p', payload: '{}', receivedAt: now() })
    // The product has no credentials, so nobody can be asked.
    const ask = () =>
      storage.transaction((tx) => leaveToFetch(tx, { id, source: 'stripe', productId: shop.product.id }, { sealer, at: now() }))
    const isDead = async () => (await findJob(storage.db, id))?.deadAt !== undefined
    await ask()
    await until(() => shop.receiver.received.length > 0)
    await ask()
    await until(isDead)
    await settled(service)
    assert.deepEqual(
      dataOf(shop.receiver).map(({ notification_id, reason, source }) => [notification_id, reason, source]),
      [[id, 'failed', 'stripe']],
    )
  })
})
