import assert from 'node:assert/strict'
import { it } from 'node:test'
import { disableUser, enableUser, findUser } from '../../../src/admin/index.ts'
import { endpointState, endpointStore } from '../../../src/app-events/index.ts'
import {
  enableEndpoint,
  removeEndpoint,
  replayOne,
  replayToEndpoint,
  rotateEndpointSecret,
  signDelivery,
  testEndpoint,
} from '../../../src/event-delivery/index.ts'
import { createGuardedFetch } from '../../../src/guarded-fetch/index.ts'
import { changePlan, planStore, setGrace } from '../../../src/subscriptions/index.ts'
import { eachDatabase } from '../../support/databases.ts'
import { addEndpoint } from '../../support/events/endpoints.ts'
import { type EventReceiver, isGenuine, startEventReceiver } from '../../support/events/event-receiver.ts'
import { bring } from '../../support/gateways/purchases.ts'
import { startForSuite, type TestService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const DAY = 86_400_000
const HOUR = 3_600_000
const MINUTE = 60_000
const OPERATOR = 'operator:test'

let serial = 0

/** A product with an endpoint of its own, and a user. */
async function openShop(service: TestService, { buys = false }: { buys?: boolean } = {}) {
  const n = ++serial
  const { product, apiKey } = await service.product({ slug: `eventos-${n}`, audience: 'external', checkout: 'external' })
  const user = await service.user(`eventos-${n}@exemplo.com.br`)
  const shop = { product, apiKey, user }
  if (buys) await buy(service, shop)
  const receiver = await startEventReceiver()
  const endpoint = await addEndpoint(service, { url: receiver.url, product: product.slug })
  return { ...shop, receiver, endpoint }
}

type Shop = Pick<Awaited<ReturnType<typeof openShop>>, 'product' | 'user' | 'apiKey'>

/** A subscription paid for a month; its payment events have the same stream. */
async function buy(service: TestService, { product, user }: Pick<Shop, 'product' | 'user'>) {
  const paid = { kind: 'paid' as const, at: service.clock.now, periodEnd: service.clock.now + 30 * DAY }
  return bring(service, { ...paid, email: user.email, productId: product.id, ref: user.email })
}

async function checkAccess(service: TestService, { apiKey, user }: Shop) {
  const headers = { authorization: `Bearer ${apiKey}` }
  return (await fetch(`${service.url}/api/saas/check-access?user_id=${user.id}`, { headers })).json()
}

const came = (receiver: EventReceiver, count: number) => until(() => receiver.received.length >= count)
/** Everything due was looked at and delivered, and each attempt is written down. */
const settled = ({ context, clock }: TestService) =>
  until(async () => {
    const { db } = context.storage
    const marks = await db.selectFrom('reported_access').select('subject').where('due_at', '<=', clock.now).execute()
    const scans = await db.selectFrom('access_scans').select('product_id').execute()
    const deliveries = await db
      .selectFrom('event_deliveries as d')
      .innerJoin('event_endpoints as e', 'e.id', 'd.endpoint_id')
      .select(['d.attempts', 'd.next_at'])
      .where('e.disabled_at', 'is', null)
      .where((e) => e.or([e('e.paused_until', 'is', null), e('e.paused_until', '<=', clock.now)]))
      .execute()
    const due = deliveries.filter(({ next_at }) => next_at !== null && next_at <= clock.now)
    const begun = await db
      .selectFrom('event_deliveries')
      .select((e) => e.fn.sum<number>('attempts').as('count'))
      .executeTakeFirst()
    const written = await db
      .selectFrom('event_attempts')
      .select((e) => e.fn.countAll<number>().as('count'))
      .executeTakeFirst()
    return marks.length + scans.length + due.length === 0 && Number(begun?.count ?? 0) === Number(written?.count ?? 0)
  })

eachDatabase('Events of access', (database) => {
  const started = startForSuite(database)

  it('tell an app of a purchase with what check-access answers, signed as Standard Webhooks asks', async () => {
    const service = started()
    const shop = await openShop(service)
    await buy(service, shop)
    await came(shop.receiver, 1)
    const [received = assert.fail()] = shop.receiver.received
    assert.ok(isGenuine(received, shop.endpoint.secret))
    assert.ok(!isGenuine({ ...received, text: received.text.replace('true', 'false') }, shop.endpoint.secret))
    const { type, timestamp, data } = received.event
    assert.equal(type, 'access.granted')
    assert.equal(Date.parse(timestamp), service.clock.now)
    const { sequence, product_id, user_id, ...state } = data
    assert.ok(Number.isSafeInteger(sequence))
    assert.deepEqual([product_id, user_id], [shop.product.id, shop.user.id])
    assert.deepEqual(state, await checkAccess(service, shop))
    assert.equal(received.headers['content-type'], 'application/json')
    assert.match(received.id, /^[\da-f-]{36}$/)
    await settled(service)
    const { db } = service.context.storage
    const [attempt] = await db.selectFrom('event_attempts').selectAll().where('event_id', '=', received.id).execute()
    assert.deepEqual([attempt?.status, attempt?.fault, attempt?.answer], [200, null, ''])
  })

  it('are none for what did not change, and one for each change, with rising sequences', async () => {
    const service = started()
    const shop = await openShop(service)
    await buy(service, shop)
    await came(shop.receiver, 1)
    await buy(service, shop) // the same payment event again
    const user = (await findUser(service.context.storage.db, shop.user.email)) ?? assert.fail()
    await disableUser(user, 'x', { ...service.context, actor: OPERATOR })
    await came(shop.receiver, 2)
    await enableUser(user, { ...service.context, actor: OPERATOR })
    await came(shop.receiver, 3)
    await settled(service)
    assert.deepEqual(shop.receiver.types(), ['access.granted', 'access.revoked', 'access.granted'])
    const sequences = shop.receiver.received.map(({ event }) => event.data.sequence)
    assert.deepEqual(
      sequences,
      [...new Set(sequences)].sort((a, b) => a - b),
    )
  })

  it('come at once, though the clock that the change was made by was an hour ahead', async () => {
    const service = started()
    const shop = await openShop(service)
    const user = (await findUser(service.context.storage.db, shop.user.email)) ?? assert.fail()
    await buy(service, shop)
    await came(shop.receiver, 1)
    service.clock.now += HOUR
    await disableUser(user, 'x', { ...service.context, actor: OPERATOR })
    service.clock.now -= HOUR
    await came(shop.receiver, 2)
    assert.equal(shop.receiver.types()[1], 'access.revoked')
  })

  it('come when what was paid for ends, without any notification', async () => {
    const service = started()
    const shop = await openShop(service, { buys: true })
    service.clock.now += 31 * DAY
    await came(shop.receiver, 1)
    service.clock.now += 10 * DAY
    await came(shop.receiver, 2)
    await settled(service)
    assert.deepEqual(
      shop.receiver.received.map(({ event }) => [event.type, event.data.reason]),
      [
        ['access.changed', 'in_grace'],
        ['access.revoked', 'expired'],
      ],
    )
  })

  it('of what was bought before the endpoint was made are none, and the first change of it is told as a change', async () => {
    const service = started()
    const shop = await openShop(service, { buys: true })
    await settled(service)
    assert.deepEqual(shop.receiver.types(), [])
    const days = [{ method: 'card' as const, days: 9 }]
    await setGrace(shop.product.slug, days, { ...service.context, actor: OPERATOR })
    await settled(service)
    assert.deepEqual(shop.receiver.types(), []) // days of grace do not show while it is paid
    service.clock.now += 31 * DAY
    await came(shop.receiver, 1)
    await setGrace(shop.product.slug, [{ method: 'card', days: 12 }], { ...service.context, actor: OPERATOR })
    await came(shop.receiver, 2)
    assert.deepEqual(shop.receiver.types(), ['access.changed', 'access.changed'])
  })

  it('reach the endpoints of their own product, and those of the operator', async () => {
    const service = started()
    const [one, other] = [await openShop(service), await openShop(service)]
    const operator = await startEventReceiver()
    const { id } = await addEndpoint(service, { url: operator.url })
    await buy(service, one)
    await buy(service, other)
    await came(operator, 2)
    await settled(service)
    const subjects = ({ received }: EventReceiver) => received.map(({ event }) => event.data.user_id).sort()
    assert.deepEqual(subjects(one.receiver), [one.user.id])
    assert.deepEqual(subjects(other.receiver), [other.user.id])
    assert.deepEqual(subjects(operator), [one.user.id, other.user.id].sort())
    await removeEndpoint(id, { ...service.context, actor: OPERATOR })
  })

  it('of a type that nobody has chosen are not sent', async () => {
    const service = started()
    const shop = await openShop(service)
    const revoked = await startEventReceiver()
    await addEndpoint(service, { url: revoked.url, product: shop.product.slug, types: ['access.revoked'] })
    await buy(service, shop)
    await came(shop.receiver, 1)
    await settled(service)
    assert.deepEqual(revoked.types(), [])
  })
})

eachDatabase('A delivery', (database) => {
  const started = startForSuite(database)

  it('is signed with both secrets for a day after a rotation', async () => {
    const service = started()
    const shop = await openShop(service)
    const rotated = await rotateEndpointSecret(shop.endpoint.id, { ...service.context, actor: OPERATOR })
    assert.ok('secret' in rotated)
    await buy(service, shop)
    await came(shop.receiver, 1)
    const [both = assert.fail()] = shop.receiver.received
    assert.deepEqual([isGenuine(both, rotated.secret), isGenuine(both, shop.endpoint.secret)], [true, true])
    await settled(service)
    service.clock.now += 31 * DAY
    await came(shop.receiver, 2)
    const signatures = String(shop.receiver.received[1]?.headers['webhook-signature']).split(' ')
    assert.equal(signatures.length, 1)
  })

  it('is signed with each earlier secret for a day of its own, where several rotations are within a day', async () => {
    const service = started()
    const { endpoint, receiver } = await openShop(service)
    const began = service.clock.now
    const secrets = [endpoint.secret]
    const goTo = (hours: number) => {
      service.clock.now = began + hours * HOUR
    }
    const rotate = async () => {
      const rotated = await rotateEndpointSecret(endpoint.id, { ...service.context, actor: OPERATOR })
      secrets.push('secret' in rotated ? rotated.secret : assert.fail())
    }
    const fitting = async () => {
      const guardedFetch = createGuardedFetch({ allowPrivate: [], isDevelopment: true })
      await testEndpoint(endpoint.id, { ...service.context, guardedFetch, actor: OPERATOR })
      const { id, headers, text: body } = receiver.received.at(-1) ?? assert.fail()
      const at = Number(headers['webhook-timestamp'])
      const signatures = String(headers['webhook-signature']).split(' ')
      return secrets.flatMap((secret, n) => (signatures.includes(signDelivery([secret], { id, at, body })) ? [n + 1] : []))
    }
    await rotate()
    goTo(1)
    await rotate()
    goTo(2)
    assert.deepEqual(await fitting(), [1, 2, 3])
    goTo(24.5)
    assert.deepEqual(await fitting(), [2, 3])
    goTo(25.5)
    assert.deepEqual(await fitting(), [3])
    for (let n = 0; n < 4; n++) await rotate()
    assert.deepEqual(await fitting(), [4, 5, 6, 7])
  })

  it('that fails is tried again with the same id, a fresh time and a fresh signature', async () => {
    const service = started()
    const shop = await openShop(service)
    shop.receiver.answers(() => ({ status: shop.receiver.received.length > 2 ? 204 : 500, body: 'down for repairs' }))
    await buy(service, shop)
    await came(shop.receiver, 1)
    await settled(service)
    service.clock.now += 7_000
    await came(shop.receiver, 2)
    await settled(service)
    service.clock.now += 7 * MINUTE
    await came(shop.receiver, 3)
    await settled(service)
    assert.equal(new Set(shop.receiver.received.map(({ id }) => id)).size, 1)
    assert.equal(new Set(shop.receiver.received.map(({ headers }) => headers['webhook-timestamp'])).size, 3)
    const { db } = service.context.storage
    const attempts = await db.selectFrom('event_attempts').select(['status', 'answer']).orderBy('id').execute()
    const own = attempts.slice(-3)
    assert.deepEqual(
      own.map(({ status, answer }) => [status, answer]),
      [
        [500, 'down for repairs'],
        [500, 'down for repairs'],
        [204, null],
      ],
    )
    const [delivery] = await db.selectFrom('event_deliveries').selectAll().where('endpoint_id', '=', shop.endpoint.id).execute()
    assert.deepEqual([delivery?.state, delivery?.attempts, delivery?.next_at], ['delivered', 3, null])
    const endpoint = (await endpointStore(db).findById(shop.endpoint.id)) ?? assert.fail()
    assert.equal(endpointState(endpoint), 'enabled')
  })

  it('waits as long as the app asks, together with the others of the endpoint', async () => {
    const service = started()
    const shop = await openShop(service)
    shop.receiver.answers(() => ({ status: 429, headers: { 'retry-after': '3600' } }))
    await buy(service, shop)
    await came(shop.receiver, 1)
    await settled(service)
    const [{ next_at } = assert.fail()] = await service.context.storage.db
      .selectFrom('event_deliveries')
      .select('next_at')
      .where('endpoint_id', '=', shop.endpoint.id)
      .execute()
    assert.equal(next_at, service.clock.now + 3_600_000)
    const endpoint = await endpointStore(service.context.storage.db).findById(shop.endpoint.id)
    assert.equal(endpoint?.pausedUntil, service.clock.now + 3_600_000)
  })

  it('answered with 410 disables the endpoint, and what waits is delivered once it is enabled', async () => {
    const service = started()
    const shop = await openShop(service)
    shop.receiver.answers(() => ({ status: 410 }))
    await buy(service, shop)
    await came(shop.receiver, 1)
    const { db } = service.context.storage
    await until(async () => (await endpointStore(db).findById(shop.endpoint.id))?.disabledReason === 'gone')
    service.clock.now += DAY
    shop.receiver.answers(() => ({ status: 200 }))
    await enableEndpoint(shop.endpoint.id, { ...service.context, actor: OPERATOR })
    await came(shop.receiver, 2)
    assert.equal(new Set(shop.receiver.received.map(({ id }) => id)).size, 1)
  })

  it('is given up after eight attempts in more than a day, and five days of failure with a warning disable the endpoint', async () => {
    const service = started()
    const shop = await openShop(service)
    shop.receiver.answers(() => ({ status: 500 }))
    const begun = service.clock.now
    await buy(service, shop)
    const { db } = service.context.storage
    const delivery = () =>
      db.selectFrom('event_deliveries').selectAll().where('endpoint_id', '=', shop.endpoint.id).executeTakeFirstOrThrow()
    await came(shop.receiver, 1)
    for (let attempts = 2; attempts <= 8; attempts++) {
      await settled(service)
      service.clock.now = (await delivery()).next_at ?? assert.fail(`given up after ${attempts - 1}`)
      await came(shop.receiver, attempts)
    }
    await settled(service)
    assert.ok(service.clock.now - begun > DAY, `${service.clock.now - begun}`)
    assert.deepEqual([(await delivery()).state, (await delivery()).next_at], ['failed', null])
    const endpoint = async () => (await endpointStore(db).findById(shop.endpoint.id)) ?? assert.fail()
    assert.equal(endpointState(await endpoint()), 'failing')
    assert.ok((await endpoint()).warnedAt !== undefined)
    service.clock.now = begun + 31 * DAY
    await until(async () => (await endpoint()).disabledReason === 'failing')
    const actions = await db.selectFrom('audit').select('action').where('target', '=', shop.endpoint.id).orderBy('id').execute()
    assert.deepEqual(
      actions.map(({ action }) => action),
      ['endpoint.create', 'endpoint.failing', 'endpoint.disable'],
    )
  })

  // The last one: a replay begins the count of attempts anew, by which the others know that all is written down.
  it('goes out again before the app’s pause is over when a test arrives, or the operator replays', async () => {
    const service = started()
    const { context } = service
    const shop = await openShop(service)
    shop.receiver.answers(() => ({ status: 429, headers: { 'retry-after': '3600' } }))
    await buy(service, shop)
    await came(shop.receiver, 1)
    const { id } = shop.endpoint
    const { db } = context.storage
    const pausedUntil = async () => (await endpointStore(db).findById(id))?.pausedUntil
    const isPaused = async () => (await pausedUntil()) !== undefined
    const guardedFetch = createGuardedFetch({ allowPrivate: [], isDevelopment: true })
    const deps = { ...context, guardedFetch, actor: OPERATOR } as const
    await until(isPaused)
    const refused = await testEndpoint(id, deps)
    assert.ok('attempt' in refused && refused.attempt.status === 429)
    assert.ok(await isPaused())
    const [{ id: eventId } = assert.fail()] = shop.receiver.received
    for (const replay of [() => replayToEndpoint(id, 'failed', deps), () => replayOne(eventId, id, deps)]) {
      const before = shop.receiver.received.length
      assert.deepEqual(await replay(), { replayed: 1 })
      await came(shop.receiver, before + 1)
      await until(isPaused)
    }
    shop.receiver.answers(() => ({ status: 200 }))
    assert.ok('attempt' in (await testEndpoint(id, deps)))
    assert.equal(await pausedUntil(), undefined)
  })
})

eachDatabase('A new price', (database) => {
  const started = startForSuite(database)
  it('that makes another of two plans the highest is told', async () => {
    const service = started()
    const shop = await openShop(service)
    const { context } = service
    const plans = await planStore(context.storage.db).list('operator')
    const [low = assert.fail(), high = assert.fail()] = plans.toSorted((a, b) => a.price - b.price)
    for (const plan of [low, high])
      await bring(service, {
        email: shop.user.email,
        productId: shop.product.id,
        ref: `${plan.slug}-${serial}`,
        plan: plan.slug,
        kind: 'paid',
      })
    await settled(service)
    const last = () => shop.receiver.received.at(-1)?.event.data.plan_slug
    await until(() => last() === high.slug)
    await changePlan(low.id, { price: high.price + 1 }, { ...context, actor: OPERATOR })
    await until(() => last() === low.slug)
  })
})
