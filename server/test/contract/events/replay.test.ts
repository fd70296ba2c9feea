import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from 'kysely'
import { endpointStore } from '../../../src/app-events/index.ts'
import { changeEndpoint, disableEndpoint, enableEndpoint, replayToEndpoint, testEndpoint } from '../../../src/event-delivery/index.ts'
import { createGuardedFetch } from '../../../src/guarded-fetch/index.ts'
import type { Storage } from '../../../src/storage/index.ts'
import { commandLine, MASTER_KEY } from '../../support/command-line.ts'
import { eachDatabase } from '../../support/databases.ts'
import { addEndpoint } from '../../support/events/endpoints.ts'
import { startEventReceiver } from '../../support/events/event-receiver.ts'
import { bring } from '../../support/gateways/purchases.ts'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const OPERATOR = 'operator:test'

eachDatabase('What an endpoint has missed', (database) => {
  it('is delivered by a replay, with the same ids: of one event, of those given up, and of all since a time', async () => {
    const { url } = await database.fresh()
    const service = await startService({ url })
    const command = commandLine({ url })
    /** The service goes on to the moment of the command. */
    const portaria = async (line: string) => {
      const said = await command(line)
      service.clock.now = Math.max(service.clock.now, Date.now())
      return said
    }
    const { product } = await service.product({ slug: 'loja', audience: 'external', checkout: 'external' })
    const receiver = await startEventReceiver()
    const { id } = await addEndpoint(service, { url: receiver.url, product: 'loja' })
    const { db } = service.context.storage
    const deps = { ...service.context, actor: OPERATOR }
    const buy = async (name: string) => {
      const { email } = await service.user(`${name}@exemplo.com.br`)
      await bring(service, { kind: 'paid', email, productId: product.id, ref: name })
    }
    await buy('ana')
    await until(() => receiver.received.length === 1)
    await disableEndpoint(id, deps)
    await buy('bia')
    await until(async () => (await db.selectFrom('app_events').select('id').execute()).length === 2)
    await enableEndpoint(id, deps)
    const [first = assert.fail()] = receiver.received
    assert.deepEqual((await portaria(`events replay ${first.id} --json`)).json, { replayed: 1 })
    await until(() => receiver.received.length === 2)
    assert.equal(receiver.received[1]?.id, first.id)
    assert.equal(receiver.received[1]?.text, first.text)
    await until(async () => (await db.selectFrom('event_deliveries').select('state').executeTakeFirst())?.state === 'delivered')
    const since = new Date(service.clock.now - 60_000).toISOString()
    assert.deepEqual((await portaria(`events replay --endpoint ${id} --since ${since} --json`)).json, { replayed: 2 })
    await until(() => receiver.received.length === 4)
    assert.equal(new Set(receiver.received.map((received) => received.id)).size, 2)
    await until(
      async () => (await db.selectFrom('event_deliveries').select('next_at').where('next_at', 'is not', null).execute()).length === 0,
    )
    await db.updateTable('event_deliveries').set({ state: 'failed', attempts: 8 }).where('event_id', '=', first.id).execute()
    assert.deepEqual((await portaria(`events replay --endpoint ${id} --failed --json`)).json, { replayed: 1 })
    await until(() => receiver.received.length === 5)
    const replays = (await portaria('audit list --action endpoint.replay --json')).json
    assert.deepEqual(
      replays.map(({ after }: { after: unknown }) => after),
      [
        { what: 'failed', replayed: 1 },
        { since, replayed: 2 },
      ],
    )
    const shown = (await portaria(`events show ${first.id} --json`)).json
    assert.equal(shown.data.active, true)
    assert.equal(shown.deliveries[0].endpoint, id)
    const listed = (await portaria(`events list --endpoint ${id} --json`)).json
    assert.equal(listed.length, 2)
    for (const wrong of ['events replay', `events replay --endpoint ${id}`, `events replay ${first.id} --failed`])
      assert.equal((await portaria(wrong)).code, 2, wrong)
    assert.match((await portaria(`events show ${id}`)).err, /there is no such event/)
  })

  it('begins again with a test that arrives, where failures have disabled it, and with none where the operator has', async () => {
    const { url } = await database.fresh()
    const service = await startService({ url })
    const receiver = await startEventReceiver()
    const { id } = await addEndpoint(service, { url: receiver.url })
    const { db } = service.context.storage
    const portaria = commandLine({ url }, { PORTARIA_URL: service.url, PORTARIA_MASTER_KEY: MASTER_KEY })
    const state = async () => (await endpointStore(db).findById(id))?.disabledReason
    await endpointStore(db).disable(id, 'failing', service.clock.now)
    receiver.answers(() => ({ status: 500 }))
    assert.equal((await portaria(`endpoint test ${id}`)).code, 1)
    assert.equal(await state(), 'failing')
    receiver.answers(() => ({ status: 200 }))
    const tested = await portaria(`endpoint test ${id} --json`)
    assert.deepEqual([tested.json.status, tested.json.enabled], [200, true])
    assert.equal(await state(), undefined)
    assert.deepEqual(receiver.types(), ['test.ping', 'test.ping'])
    await endpointStore(db).disable(id, 'operator', service.clock.now)
    assert.equal((await portaria(`endpoint test ${id} --json`)).json.enabled, false)
  })

  it('stays as an operator has left it while a test was under way', async () => {
    const service = await startService(await database.fresh())
    const receiver = await startEventReceiver()
    const { id } = await addEndpoint(service, { url: receiver.url })
    const endpoints = endpointStore(service.context.storage.db)
    const guardedFetch = createGuardedFetch({ allowPrivate: [], isDevelopment: true })
    const operator = { ...service.context, actor: OPERATOR, guardedFetch }
    const afterTest = async (meanwhile: () => Promise<unknown>) => {
      await endpoints.disable(id, 'failing', service.clock.now)
      const underWay = Promise.withResolvers<() => void>()
      receiver.answers(() => (response) => underWay.resolve(() => response.writeHead(200).end()))
      const tested = testEndpoint(id, operator)
      const answer = await underWay.promise
      await meanwhile()
      answer()
      const done = await tested
      assert.ok('attempt' in done)
      const { disabledReason } = (await endpoints.findById(id)) ?? {}
      return [done.attempt.status, done.enabled, disabledReason]
    }
    assert.deepEqual(await afterTest(async () => undefined), [200, true, undefined])
    const off = async () => {
      await enableEndpoint(id, operator)
      await disableEndpoint(id, operator)
    }
    assert.deepEqual(await afterTest(off), [200, false, 'operator'])
    await enableEndpoint(id, operator)
    const elsewhere = () => changeEndpoint(id, { url: 'http://localhost:1/elsewhere' }, { ...operator, isDevelopment: true })
    assert.deepEqual(await afterTest(elsewhere), [200, false, 'failing'])
  })

  if (database.name === 'postgres') {
    it('is replayed though PostgreSQL ends its statement for the sake of one that writes attempts down', async () => {
      const service = await startService(await database.fresh())
      const { product } = await service.product({ slug: 'loja', audience: 'external', checkout: 'external' })
      const { id } = await addEndpoint(service, { url: 'http://localhost:1/', product: 'loja' })
      const { storage } = service.context
      const deps = { ...service.context, actor: OPERATOR }
      await disableEndpoint(id, deps)
      for (const name of ['ana', 'bia']) {
        const { email } = await service.user(`${name}@exemplo.com.br`)
        await bring(service, { kind: 'paid', email, productId: product.id, ref: name })
      }
      const eventIds = await idsOfTwo(storage)
      const rows = eventIds.map((eventId) => ({ endpoint_id: id, event_id: eventId, attempts: 8, next_at: null }))
      await storage.db
        .insertInto('event_deliveries')
        .values(rows.map((row) => ({ ...row, state: 'failed' })))
        .execute()
      const isWaiting = async () => {
        const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
        return (await waiting.execute(storage.db)).rows.length > 0
      }
      // Whichever row the replay takes first: once the other transaction has the other one, and then wants that one.
      for (const held of [eventIds, eventIds.toReversed()])
        for (const what of ['failed', { since: 0 }] as const) {
          await storage.db.updateTable('event_deliveries').set({ state: 'failed', next_at: null }).execute()
          const [holds, mayGoOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
          const writing = storage.transaction(async (tx) => {
            const touch = (eventId = '') =>
              tx.updateTable('event_deliveries').set({ attempts: 8 }).where('event_id', '=', eventId).execute()
            await touch(held[0])
            holds.resolve()
            await mayGoOn.promise
            await touch(held[1])
          })
          await holds.promise
          const replaying = replayToEndpoint(id, what, deps)
          await until(isWaiting)
          mayGoOn.resolve()
          await writing
          assert.deepEqual(await replaying, { replayed: 2 })
        }
      // One arrives while the replay waits for its row.
      await storage.db.updateTable('event_deliveries').set({ state: 'failed', next_at: null }).execute()
      const [holds, mayGoOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const arriving = storage.transaction(async (tx) => {
        await tx
          .updateTable('event_deliveries')
          .set({ state: 'delivered' })
          .where('event_id', '=', eventIds[0] ?? '')
          .execute()
        holds.resolve()
        await mayGoOn.promise
      })
      await holds.promise
      const replaying = replayToEndpoint(id, 'failed', deps)
      await until(isWaiting)
      mayGoOn.resolve()
      await arriving
      assert.deepEqual(await replaying, { replayed: 1 })
    })
  }
})

async function idsOfTwo({ db }: Storage): Promise<string[]> {
  const list = () => db.selectFrom('app_events').select('id').where('type', 'like', 'access.%').execute()
  await until(async () => (await list()).length === 2)
  return (await list()).map(({ id }) => id)
}
