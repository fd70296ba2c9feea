import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from 'kysely'
import { deleteUser, findUser, revokeUserSessions, setUser } from '../../../src/admin/index.ts'
import { recordEvent } from '../../../src/app-events/index.ts'
import {
  createEndpoint,
  disableEndpoint,
  enableEndpoint,
  removeEndpoint,
  replayOne,
  replayToEndpoint,
} from '../../../src/event-delivery/index.ts'
import { changeProduct, type Scope } from '../../../src/products/index.ts'
import type { Transaction } from '../../../src/storage/index.ts'
import { changeUser, consentStore } from '../../../src/users/index.ts'
import { eachDatabase } from '../../support/databases.ts'
import { addEndpoint } from '../../support/events/endpoints.ts'
import { type EventReceiver, startEventReceiver } from '../../support/events/event-receiver.ts'
import { startForSuite, type TestService } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { parameter, pass, signedIn, verify } from '../../support/users/sign-in-steps.ts'

const OPERATOR = 'operator:test'
const TYPES = ['user.created', 'user.updated', 'user.deleted'] as const
const BOTH: readonly Scope[] = ['read:email', 'read:profile']
let serial = 0

const operator = ({ context }: TestService) => ({ ...context, actor: OPERATOR })

async function openShop(service: TestService, { scopes = BOTH, hears = true }: { scopes?: readonly Scope[]; hears?: boolean } = {}) {
  const n = ++serial
  const uri = `https://pessoas-${n}.example/callback`
  const { product, apiKey } = await service.product({
    ...{ slug: `pessoas-${n}`, audience: 'external', checkout: 'external', uris: [uri], scopes: [...scopes] },
  })
  const receiver = await startEventReceiver()
  const add = () => addEndpoint(service, { url: receiver.url, product: product.slug, types: TYPES })
  const endpointId = hears ? (await add()).id : ''
  return { product, apiKey, uri, receiver, endpointId, add }
}

async function openOperator(service: TestService) {
  const receiver = await startEventReceiver()
  const { id } = await addEndpoint(service, { url: receiver.url, types: TYPES })
  return { receiver, id, close: () => removeEndpoint(id, operator(service)) }
}

async function newUser(service: TestService) {
  const { email } = await service.user(`pessoa-${++serial}@exemplo.com.br`)
  return userOf(service, email)
}

const userOf = async ({ context }: TestService, email: string) => (await findUser(context.storage.db, email)) ?? assert.fail()

const share = ({ context }: TestService, userId: string, productId: string, scopes: readonly Scope[] = BOTH) =>
  consentStore(context.storage.db).putConsent({ userId, productId, scopes: scopes.join(' '), ip: '::1', userAgent: '' }, 1)
const withdraw = ({ context }: TestService, userId: string, productId: string) =>
  consentStore(context.storage.db).removeConsent(userId, productId)

const rename = async (service: TestService, email: string, name: string) => {
  assert.ok(!('refusal' in (await setUser(await userOf(service, email), { name }, operator(service)))))
}
const eventsOf = ({ received }: EventReceiver, userId: string) =>
  received.filter(({ event }) => event.data.user_id === userId).map(({ event }) => event)
/** The type with the address and the name. */
const shown = (receiver: EventReceiver, userId: string) => eventsOf(receiver, userId).map(({ type, data }) => [type, data.email, data.name])

/** Everybody was looked at, and nothing waits at an enabled endpoint. `stepMs`: for attempts that are due later. */
const settled = ({ context, clock }: TestService, stepMs = 0) =>
  until(async () => {
    clock.now += stepMs
    const { db } = context.storage
    const due = await db.selectFrom('reported_users').select('user_id').where('due', 'is not', null).execute()
    const scans = await db.selectFrom('user_scans').select('product_id').execute()
    const waiting = db.selectFrom('event_deliveries').innerJoin('event_endpoints as e', 'e.id', 'endpoint_id').select('event_id')
    const pending = await waiting.where('state', '=', 'pending').where('disabled_at', 'is', null).execute()
    return due.length + scans.length + pending.length === 0
  })

/** Whether another transaction waits for this one. */
async function isBlocking(tx: Transaction): Promise<boolean> {
  const { rows } = await sql`
    select 1 from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`.execute(tx)
  return rows.length > 0
}

eachDatabase('Events of users', (database) => {
  const started = startForSuite(database)

  it('reach the operator with every field, and a product only of its own users', async () => {
    const service = started()
    const [owner, shop, other] = [await openOperator(service), await openShop(service), await openShop(service)]
    const user = await newUser(service)
    await settled(service)
    assert.deepEqual(shown(owner.receiver, user.id), [['user.created', user.email, user.name]])
    await share(service, user.id, shop.product.id)
    await rename(service, user.email, 'Ana & <b>Bia</b> "ç"')
    await settled(service)
    const [created, ...more] = eventsOf(shop.receiver, user.id)
    assert.equal(created?.type, 'user.created')
    assert.equal(created?.data.product_id, shop.product.id)
    assert.ok(more.length <= 1, 'one look may have seen both')
    assert.equal(eventsOf(shop.receiver, user.id).at(-1)?.data.name, 'Ana & <b>Bia</b> "ç"')
    assert.deepEqual(eventsOf(other.receiver, user.id), [])
    const all = eventsOf(owner.receiver, user.id)
    assert.deepEqual(
      all.map(({ type, data }) => [type, data.product_id]),
      [
        ['user.created', null],
        ['user.updated', null],
      ],
    )
    await owner.close()
  })

  it('reach a product when a user signs in there, once, however often that happens', async () => {
    const service = started()
    const shop = await openShop(service)
    const user = await newUser(service)
    const browser = await signedIn(service, user.email)
    for (let times = 0; times < 2; times++) {
      const callback = await pass(browser, { redirect_to: shop.uri, api_key: shop.product.publishableKey })
      await verify(service, parameter(callback, 'eg_token'), shop.apiKey)
    }
    await settled(service)
    assert.deepEqual(shown(shop.receiver, user.id), [['user.created', user.email, user.name]])
  })

  it('reach an internal product of the users that it receives by redirect', async () => {
    const service = started()
    const uri = `http://localhost:49${50 + (serial % 40)}/pessoas`
    const { product } = await service.product({
      slug: `pessoas-dentro-${++serial}`,
      audience: 'internal',
      checkout: 'integrated',
      uris: [uri],
    })
    const receiver = await startEventReceiver()
    await addEndpoint(service, { url: receiver.url, product: product.slug, types: TYPES })
    const [user, stranger] = [await newUser(service), await newUser(service)]
    await pass(await signedIn(service, user.email), { redirect_to: uri })
    await rename(service, stranger.email, 'Outra')
    await settled(service)
    assert.deepEqual(
      receiver.received.map(({ event }) => [event.type, event.data.user_id]),
      [['user.created', user.id]],
    )
  })

  it('have no address without read:email, and say nothing of a change that the product may not see', async () => {
    const service = started()
    const shop = await openShop(service, { scopes: ['read:profile'] })
    const user = await newUser(service)
    await share(service, user.id, shop.product.id)
    await settled(service)
    await setUser(await userOf(service, user.email), { verified: user.emailVerifiedAt === undefined }, operator(service))
    await revokeUserSessions(user, operator(service))
    await rename(service, user.email, user.name)
    await settled(service)
    assert.deepEqual(shown(shop.receiver, user.id), [['user.created', null, user.name]])
    assert.ok(!shop.receiver.received.some(({ text }) => text.includes(user.email)))
  })

  it('follow the consent of each of two products: given for less, for more, withdrawn and given again', async () => {
    const service = started()
    const [shop, other] = [await openShop(service), await openShop(service)]
    const user = await newUser(service)
    const step = async (work: Promise<unknown>) => {
      await work
      await settled(service)
    }
    await step(share(service, user.id, shop.product.id, ['read:profile']))
    await step(share(service, user.id, other.product.id))
    await step(share(service, user.id, shop.product.id))
    await step(share(service, user.id, shop.product.id))
    await step(withdraw(service, user.id, shop.product.id))
    await step(rename(service, user.email, 'Depois'))
    await step(share(service, user.id, shop.product.id))
    assert.deepEqual(shown(shop.receiver, user.id), [
      ['user.created', null, user.name],
      ['user.updated', user.email, user.name],
      ['user.updated', null, null],
      ['user.updated', user.email, 'Depois'],
    ])
    assert.deepEqual(shown(other.receiver, user.id), [
      ['user.created', user.email, user.name],
      ['user.updated', user.email, 'Depois'],
    ])
    const sequences = eventsOf(shop.receiver, user.id).map(({ data }) => data.sequence)
    assert.deepEqual(
      sequences,
      [...new Set(sequences)].sort((a, b) => a - b),
    )
  })

  it('that wait, or are replayed, bring nothing that the user has ceased to share', async () => {
    const service = started()
    const shop = await openShop(service)
    const user = await newUser(service)
    await share(service, user.id, shop.product.id)
    await settled(service)
    shop.receiver.answers(() => ({ status: 503 }))
    await rename(service, user.email, 'Ainda espera')
    await until(() => eventsOf(shop.receiver, user.id).length === 2)
    await withdraw(service, user.id, shop.product.id)
    await until(async () => {
      const scrubbed = service.context.storage.db.selectFrom('event_deliveries').select('event_id').where('state', '=', 'scrubbed')
      return (await scrubbed.where('endpoint_id', '=', shop.endpointId).execute()).length > 0
    })
    const before = shop.receiver.received.length
    shop.receiver.answers(() => ({ status: 200 }))
    await settled(service, 1_000)
    await replayToEndpoint(shop.endpointId, { since: 0 }, operator(service))
    await settled(service)
    const since = shop.receiver.received.slice(before).map(({ event: { type, data } }) => [type, data.email, data.name])
    assert.ok(since.length >= 2)
    assert.ok(since.every((one) => JSON.stringify(one) === '["user.updated",null,null]'))
  })

  it('say that a field is gone when a scope is taken from the product', async () => {
    const service = started()
    const shop = await openShop(service)
    const user = await newUser(service)
    await share(service, user.id, shop.product.id)
    await settled(service)
    await changeProduct(shop.product.slug, { scopes: ['read:profile'] }, operator(service))
    await settled(service)
    await changeProduct(shop.product.slug, { name: 'Outro nome' }, operator(service))
    await settled(service)
    assert.deepEqual(shown(shop.receiver, user.id), [
      ['user.created', user.email, user.name],
      ['user.updated', null, user.name],
    ])
  })

  it('are one for two changes in one transaction, and none for changes that undo each other', async () => {
    const service = started()
    const shop = await openShop(service)
    const user = await newUser(service)
    await share(service, user.id, shop.product.id)
    await settled(service)
    const { changes, now } = service.context
    const twice = (names: readonly string[]) =>
      changes.transaction(async (tx, announce) => {
        for (const name of names) await changeUser(tx, user, { name }, { announce, now, actor: OPERATOR })
      })
    await twice(['Primeiro', 'Segundo'])
    await settled(service)
    await twice(['Terceiro', 'Segundo'])
    await settled(service)
    assert.deepEqual(shown(shop.receiver, user.id), [
      ['user.created', user.email, user.name],
      ['user.updated', user.email, 'Segundo'],
    ])
  })

  it('are none of a user who is older than the endpoint until something changes, be the endpoint the first or a later one', async () => {
    const service = started()
    const shop = await openShop(service, { hears: false })
    const user = await newUser(service)
    await share(service, user.id, shop.product.id)
    const first = await shop.add()
    const owner = await openOperator(service)
    await revokeUserSessions(user, operator(service))
    await settled(service)
    assert.deepEqual([shown(shop.receiver, user.id), shown(owner.receiver, user.id)], [[], []])
    await rename(service, user.email, 'Nova')
    await settled(service)
    await removeEndpoint(first.id, operator(service))
    await rename(service, user.email, 'Enquanto ninguém ouve')
    await shop.add()
    await settled(service)
    await rename(service, user.email, 'Por fim')
    await settled(service)
    const names = (receiver: EventReceiver) => shown(receiver, user.id).map(([type, , name]) => `${type} ${name}`)
    assert.deepEqual(names(shop.receiver), ['user.updated Nova', 'user.updated Por fim'])
    assert.deepEqual(names(owner.receiver), ['user.updated Nova', 'user.updated Enquanto ninguém ouve', 'user.updated Por fim'])
    await owner.close()
  })

  it('keep nothing of a deleted user: not in the events, not in what waits, not in the answers, and not in a replay', async () => {
    const service = started()
    const [shop, stranger, owner] = [await openShop(service), await openShop(service), await openOperator(service)]
    const user = await newUser(service)
    shop.receiver.answers(({ event }) => ({ status: 200, body: `saved ${event.data.email}` }))
    await share(service, user.id, shop.product.id)
    await settled(service)
    await disableEndpoint(shop.endpointId, operator(service))
    await enableEndpoint(shop.endpointId, operator(service))
    shop.receiver.answers(({ event }) => ({ status: event.type === 'user.deleted' ? 200 : 503, body: `no ${event.data.email}` }))
    await rename(service, user.email, 'Quem sai')
    await until(() => eventsOf(shop.receiver, user.id).length === 2)
    const { db } = service.context.storage
    const attempts = () =>
      db.selectFrom('event_attempts').innerJoin('app_events', 'app_events.id', 'event_id').select('answer').where('subject', '=', user.id)
    await until(async () => (await attempts().execute()).filter(({ answer }) => answer?.includes(user.email)).length >= 2)
    await deleteUser(await userOf(service, user.email), operator(service))
    const left = await db.selectFrom('app_events').select(['id', 'type', 'product_id', 'data']).where('subject', '=', user.id).execute()
    for (const table of ['app_events', 'event_attempts', 'reported_users'] as const) {
      const rows = JSON.stringify(await db.selectFrom(table).selectAll().execute())
      assert.ok(!rows.includes(user.email) && !rows.includes('Quem sai'), table)
    }
    assert.deepEqual(
      left.filter(({ type, data }) => type !== 'user.deleted' && data !== null),
      [],
    )
    await settled(service, 1_000)
    const last = eventsOf(shop.receiver, user.id).at(-1) ?? assert.fail()
    assert.deepEqual(last.data, { sequence: last.data.sequence, product_id: shop.product.id, user_id: user.id })
    assert.ok(eventsOf(shop.receiver, user.id).every(({ type, data }) => type === 'user.deleted' || data.sequence < last.data.sequence))
    assert.deepEqual(eventsOf(owner.receiver, user.id).at(-1)?.type, 'user.deleted')
    assert.deepEqual(eventsOf(stranger.receiver, user.id), [])
    const before = eventsOf(shop.receiver, user.id).length
    for (const { id } of left.filter(({ type }) => type !== 'user.deleted')) await replayOne(id, undefined, operator(service))
    await settled(service)
    assert.equal(eventsOf(shop.receiver, user.id).length, before)
    const states = db.selectFrom('event_deliveries').innerJoin('app_events', 'app_events.id', 'event_id').select('state').distinct()
    assert.deepEqual(await states.where('subject', '=', user.id).where('data', 'is', null).execute(), [{ state: 'scrubbed' }])
    await owner.close()
  })

  it('are scrubbed, too, when a look has just recorded one of a user who is being deleted', async () => {
    const service = started()
    const { storage } = service.context
    const shop = await openShop(service)
    const user = await newUser(service)
    await share(service, user.id, shop.product.id)
    await settled(service)
    const looked = storage.transaction(async (tx) => {
      await tx.updateTable('reported_users').set({ due: null }).where('user_id', '=', user.id).execute()
      const fields = { email: user.email, email_verified: true, name: user.name, avatar_url: null, company_name: null, rank_name: null }
      const data = { sequence: 9, product_id: shop.product.id, user_id: user.id, ...fields }
      await recordEvent(tx, { type: 'user.updated', productId: shop.product.id, subject: user.id, sequence: 9, data }, service.clock.now)
      if (database.name === 'postgres') await until(() => isBlocking(tx))
    })
    await Promise.all([looked, userOf(service, user.email).then((own) => deleteUser(own, operator(service)))])
    const left = storage.db.selectFrom('app_events').select(['type', 'data']).where('subject', '=', user.id)
    const kept = (await left.execute()).filter(({ data }) => data !== null).map(({ type }) => type)
    assert.deepEqual([...new Set(kept)], ['user.deleted'])
    await settled(service)
  })

  it('from the time of an endpoint that is gone bring a new one nothing that the user shares no longer', async () => {
    const service = started()
    const shop = await openShop(service)
    const user = await newUser(service)
    await share(service, user.id, shop.product.id)
    await settled(service)
    await removeEndpoint(shop.endpointId, operator(service))
    await withdraw(service, user.id, shop.product.id)
    const before = shop.receiver.received.length
    const created = await createEndpoint(
      { productSlug: shop.product.slug, url: shop.receiver.url, types: TYPES, description: '' },
      { ...operator(service), isDevelopment: true },
    )
    assert.ok('secret' in created)
    const replay = () => replayToEndpoint(created.endpoint.id, { since: 0 }, operator(service))
    await replay() // while it is preparing
    await settled(service)
    await replay()
    await settled(service)
    assert.deepEqual(shop.receiver.received.slice(before), [])
  })

  it('lose nothing of what the product has never seen: one that waits is delivered after the next change, too', async () => {
    const service = started()
    const shop = await openShop(service, { scopes: ['read:profile'] })
    const user = await newUser(service)
    shop.receiver.answers(() => ({ status: 503 }))
    await share(service, user.id, shop.product.id)
    await until(() => eventsOf(shop.receiver, user.id).length === 1)
    await rename(service, user.email, 'Outro nome')
    await until(async () => {
      const due = service.context.storage.db.selectFrom('reported_users').select('due').where('user_id', '=', user.id)
      return (await due.execute()).every((row) => row.due === null)
    })
    shop.receiver.answers(() => ({ status: 200 }))
    await settled(service, 1_000)
    const types = new Set(
      eventsOf(shop.receiver, user.id)
        .slice(1)
        .map(({ type }) => type),
    )
    assert.deepEqual(types, new Set(['user.created', 'user.updated']))
  })

  it('of a product are not replayed to the operator, nor those of the operator to a product', async () => {
    const service = started()
    const [shop, owner] = [await openShop(service), await openOperator(service)]
    const user = await newUser(service)
    await share(service, user.id, shop.product.id)
    await settled(service)
    await replayToEndpoint(owner.id, { since: 0 }, operator(service))
    await replayToEndpoint(shop.endpointId, { since: 0 }, operator(service))
    await settled(service)
    const [own, all] = [eventsOf(shop.receiver, user.id), eventsOf(owner.receiver, user.id)]
    assert.deepEqual([own.length, all.length], [2, 2])
    assert.ok(own.every(({ data }) => data.product_id === shop.product.id) && all.every(({ data }) => data.product_id === null))
    await owner.close()
  })
})
