import assert from 'node:assert/strict'
import { it } from 'node:test'
import { endpointStore } from '../../../src/app-events/index.ts'
import { disableEndpoint } from '../../../src/event-delivery/index.ts'
import { eachDatabase } from '../../support/databases.ts'
import { addEndpoint } from '../../support/events/endpoints.ts'
import { startEventReceiver } from '../../support/events/event-receiver.ts'
import { bring } from '../../support/gateways/purchases.ts'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { type Admin, adminOf } from '../../support/users/admins.ts'

interface Delivery {
  id: string
  state: string
  subject: string
  attempts: number
  last_attempt: { status: number; ms: number } | null
}

async function listed(admin: Admin, query: string): Promise<Delivery[]> {
  const answer = await admin.get(`/deliveries?${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.json<{ data: Delivery[] }>().data
}

eachDatabase('The deliveries of an endpoint', (database) => {
  it('are listed with their last attempt, counted before a replay, and replayed by owners alone', async () => {
    const service = await startService(await database.fresh())
    const [admin, viewer] = [await adminOf(service, 'dona@example.com', 'owner'), await adminOf(service, 've@example.com', 'viewer')]
    const { product } = await service.product({ slug: 'loja', audience: 'external', checkout: 'external' })
    const receiver = await startEventReceiver()
    const other = await startEventReceiver()
    const { id } = await addEndpoint(service, { url: receiver.url, product: 'loja' })
    await service.product({ slug: 'outra', audience: 'external', checkout: 'external' })
    const { id: otherId } = await addEndpoint(service, { url: other.url, product: 'outra' })
    receiver.answers(({ event }) => ({ status: event.data.plan_slug === null ? 200 : 503, body: '<b>fechado</b>' }))
    const buy = async (name: string) => {
      const { email } = await service.user(`${name}@exemplo.com.br`)
      await bring(service, { kind: 'paid', email, productId: product.id, ref: name })
    }
    await buy('ana')
    await until(async () => (await listed(admin, `endpoint=${id}`))[0]?.last_attempt?.status === 503)
    const [first = assert.fail()] = await listed(admin, `endpoint=${id}&state=pending`)
    assert.deepEqual([first.attempts, (await listed(admin, `endpoint=${id}&state=delivered`)).length], [1, 0])
    assert.deepEqual(await listed(admin, `endpoint=${otherId}`), [])
    assert.equal((await listed(viewer, `endpoint=${id}`))[0]?.subject, '•••')
    const missed = async (query = '') => (await admin.get(`/endpoints/${id}/missed${query}`)).json()
    const since = new Date(service.clock.now - 60_000).toISOString()
    assert.deepEqual(
      [await missed(), await missed(`?since=${since}`)],
      [{ count: 0 }, { count: 0 }],
      'it is tried again within two minutes',
    )
    // The next attempt fails, too: the one after it is five minutes away.
    service.clock.now += 10_000
    await until(async () => (await listed(admin, `endpoint=${id}`))[0]?.attempts === 2)
    await until(async () => (await missed()).count === 1)
    assert.deepEqual(await missed(`?since=${since}`), { count: 1 })
    for (const path of [`/endpoints/${id}/replay`, `/events/${first.id}/replay`, `/endpoints/${id}/test`])
      assert.equal((await viewer.send('POST', path, {})).status, 403, path)
    // An endpoint of another product gets nothing of this one's.
    assert.deepEqual((await admin.send('POST', `/events/${first.id}/replay`, { endpoint: otherId })).json(), { replayed: 0 })
    receiver.answers(() => ({ status: 200 }))
    assert.deepEqual((await admin.send('POST', `/endpoints/${id}/replay`, {})).json(), { replayed: 1 })
    await until(async () => (await listed(admin, `endpoint=${id}`))[0]?.state === 'delivered')
    assert.deepEqual([await missed(), await missed(`?since=${since}`)], [{ count: 0 }, { count: 1 }])
    assert.deepEqual(other.received, [])
    const shown = (await admin.get(`/endpoints/${id}`)).json<{ waiting: number; last_success_at: string }>()
    assert.deepEqual([shown.waiting, typeof shown.last_success_at], [0, 'string'])
  })

  it('that fail are an alert with the time of the switch-off, which those that an operator has disabled are not', async () => {
    const service = await startService(await database.fresh())
    const admin = await adminOf(service, 'dona@example.com', 'owner')
    const { db } = service.context.storage
    const ids = []
    for (const name of ['um', 'dois', 'tres']) ids.push((await addEndpoint(service, { url: `https://${name}.example.com/` })).id)
    const [failing = assert.fail(), gone = assert.fail(), off = assert.fail()] = ids
    const at = service.clock.now
    await db
      .updateTable('event_endpoints')
      .set({ failing_since: at - 2 * DAY_MS, warned_at: at - DAY_MS })
      .where('id', '=', failing)
      .execute()
    await endpointStore(db).disable(gone, 'gone', at)
    await disableEndpoint(off, { ...service.context, actor: 'operator:test' })
    assert.deepEqual((await admin.get('/endpoints/health')).json(), { failing: 1, disabled: 1 })
    const { alerts } = (await admin.get('/overview')).json<{ alerts: Array<{ kind: string; until: string; path: string }> }>()
    const mine = alerts.filter(({ kind }) => kind.startsWith('endpoints_'))
    const ends = new Date(at + 3 * DAY_MS).toISOString()
    assert.deepEqual(
      mine.map(({ kind, until: ending, path }) => [kind, ending, path]),
      [
        ['endpoints_disabled', null, `/endpoints/${gone}/show`],
        ['endpoints_failing', ends, `/endpoints/${failing}/show`],
      ],
    )
    assert.equal((await admin.get(`/endpoints/${failing}`)).json<{ disables_at: string }>().disables_at, ends)
    const states = (await admin.get('/endpoints?state=disabled')).json<{ data: Array<{ id: string }> }>().data
    assert.deepEqual(new Set(states.map(({ id }) => id)), new Set([gone, off]))
  })

  it('are tested and replayed ten times a minute, and no more', async () => {
    const service = await startService(await database.fresh())
    const admin = await adminOf(service, 'dona@example.com', 'owner')
    const receiver = await startEventReceiver()
    const { id } = await addEndpoint(service, { url: receiver.url })
    for (const action of ['test', 'replay']) {
      const statuses = []
      for (let i = 0; i < 11; i += 1) statuses.push((await admin.send('POST', `/endpoints/${id}/${action}`, {})).status)
      assert.deepEqual(statuses, [...Array.from({ length: 10 }, () => 200), 429], action)
    }
    assert.equal(receiver.received.length, 10)
  })
})

const DAY_MS = 86_400_000
