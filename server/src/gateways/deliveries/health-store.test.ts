import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import type { KyselyPlugin } from 'kysely'
import { eachDatabase } from '../../../test/support/databases.ts'
import { migrate, openStorage, parseDatabaseUrl, type Storage } from '../../storage/index.ts'
import { gatewayHealthStore } from './health-store.ts'
import { createNotedDeliveries } from './noted-deliveries.ts'
import { createVerificationFailures } from './verification-failures.ts'

const START = 1_800_000_000_000

eachDatabase('What is noted of the deliveries of a gateway', (database) => {
  const opened: Storage[] = []
  after(() => Promise.all(opened.map((storage) => storage.close())))
  const begin = async () => {
    const storage = await openStorage(parseDatabaseUrl((await database.fresh()).url) ?? assert.fail())
    opened.push(storage)
    await migrate(storage)
    const settings = { audience: 'external', checkout: 'external', handoff: 'eg_token', scopes: '', query_key_allowed: 0 }
    const product = { id: 'p1', slug: 'shop', name: 'Shop', publishable_key: 'pk', ...settings, created_at: START, updated_at: START }
    await storage.db.insertInto('products').values(product).execute()
    const health = gatewayHealthStore(storage.db)
    const delivered = (at: number) => storage.transaction((tx) => gatewayHealthStore(tx).noteDelivery('stripe', 'p1', at))
    const seen = async () => {
      const [row] = await health.list()
      return [row?.lastDeliveryAt, row?.verificationFailures, row?.failingSince]
    }
    return { storage, health, delivered, seen }
  }

  it('is the time of the last one, to the minute', async () => {
    const { delivered, seen } = await begin()
    await delivered(START)
    await delivered(START + 60_000)
    assert.deepEqual(await seen(), [START, 0, undefined])
    await delivered(START + 60_001)
    assert.deepEqual(await seen(), [START + 60_001, 0, undefined])
  })

  it('ends a spell of failed verifications with the first right one, however short before another was noted', async () => {
    const { health, delivered, seen } = await begin()
    await health.countVerificationFailures('stripe', 'p1', { count: 1, lastAt: START, since: START })
    await delivered(START + 1)
    assert.deepEqual(await seen(), [START + 1, 1, undefined])
    await health.countVerificationFailures('stripe', 'p1', { count: 1, lastAt: START + 2, since: START + 2 })
    assert.deepEqual(await seen(), [START + 1, 2, START + 2])
    await delivered(START + 3)
    assert.deepEqual(await seen(), [START + 3, 2, undefined])
  })

  it('is remembered for a second, or until a verification fails here, and only where it is written and all is well', async () => {
    const { health, delivered } = await begin()
    assert.equal(await delivered(START), false, 'it was not noted before')
    assert.equal(await delivered(START + 1), true)
    await health.countVerificationFailures('stripe', 'p1', { count: 1, lastAt: START + 2, since: START + 2 })
    assert.equal(await delivered(START + 3), false, 'a spell was to be ended')
    const noted = createNotedDeliveries()
    const has = (productId: string, at: number) => noted.has('stripe', productId, at)
    assert.equal(has('p1', START), false)
    noted.add('stripe', 'p1', START)
    assert.deepEqual([has('p1', START), has('p1', START + 999), has('p1', START + 1_000), has('p1', START - 1)], [true, true, false, false])
    assert.equal(has('p2', START), false)
    noted.forget('stripe', 'p1')
    assert.equal(has('p1', START), false)
  })

  it('counts every failed verification, but writes once a second, and what is left when it stops', async () => {
    const { storage, health, delivered, seen } = await begin()
    let statements = 0
    const plugin: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        statements += 1
        return result
      },
    }
    const failures = createVerificationFailures({ storage: { db: storage.db.withPlugin(plugin) }, onFault: assert.ifError })
    await Promise.all(Array.from({ length: 400 }, (_, n) => failures.count('stripe', 'p1', START + n)))
    assert.deepEqual([statements, ...(await seen())], [1, undefined, 1, START])
    while ((await health.list())[0]?.verificationFailures === 1) await setTimeout(50)
    assert.deepEqual([statements, ...(await seen())], [2, undefined, 400, START])
    await failures.count('stripe', 'p1', START + 500)
    failures.noteRight('stripe', 'p1')
    await delivered(START + 501)
    await failures.stop()
    assert.deepEqual([statements, ...(await seen())], [3, START + 501, 401, undefined], 'the last one was right')
    await failures.count('stripe', 'p1', START + 600)
    assert.deepEqual(await seen(), [START + 501, 402, START + 600])
    await failures.stop()
  })

  if (database.name === 'postgres') {
    it('lets none of those that come together wait for the commit of another', async () => {
      const { storage, delivered } = await begin()
      await delivered(START)
      const mayCommit = Promise.withResolvers<void>()
      const noted = Promise.withResolvers<void>()
      const slow = storage.transaction(async (tx) => {
        await gatewayHealthStore(tx).noteDelivery('stripe', 'p1', START + 1)
        noted.resolve()
        await mayCommit.promise
      })
      await noted.promise
      await delivered(START + 2) // hangs if the first one holds the row
      mayCommit.resolve()
      await slow
    })
  }
})
