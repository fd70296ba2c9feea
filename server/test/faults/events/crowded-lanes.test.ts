import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { endpointStore } from '../../../src/app-events/index.ts'
import { mintEndpointSecret, sealEndpointSecret } from '../../../src/event-delivery/endpoints/endpoint-secret.ts'
import { createDeliveryWorker } from '../../../src/event-delivery/index.ts'
import { createSealer, newId } from '../../../src/kit/index.ts'
import { openStorage, parseDatabaseUrl } from '../../../src/storage/index.ts'
import { eachDatabase } from '../../support/databases.ts'
import { until } from '../../support/until.ts'

/** More than have a place at once. */
const ENDPOINTS = 40
const EVENTS = 96
/** The deliveries of one turn of each. */
const ROUND = ENDPOINTS * 24

eachDatabase('Endpoints that all have much to hear', (database) => {
  async function fill(dueAt: number) {
    const { url } = await database.fresh()
    const storage = await openStorage(parseDatabaseUrl(url) ?? assert.fail())
    const sealer = createSealer([Buffer.alloc(32, 1)])
    const at = Date.now()
    const events = Array.from({ length: EVENTS }, newId)
    const common = { type: 'user.created', product_id: null, subject: 's', sequence: 1, occurred_at: at, data: '{}' }
    await storage.db
      .insertInto('app_events')
      .values(events.map((id) => ({ id, ...common })))
      .execute()
    const unset = { disabledAt: undefined, disabledReason: undefined, previousUntil: undefined }
    const health = { failingSince: undefined, warnedAt: undefined, pausedUntil: undefined }
    const urls: string[] = []
    for (let n = 0; n < ENDPOINTS; n++) {
      const endpoint = { id: newId(), url: `https://app-${n}.example/`, description: '', readyAt: at, createdAt: at, ...unset, ...health }
      const types = ['user.created'] as const
      urls.push(endpoint.url)
      await endpointStore(storage.db).insert(
        { ...endpoint, productId: undefined, types },
        sealEndpointSecret(mintEndpointSecret(), endpoint.id, sealer),
      )
      const rows = events.map((event_id) => ({ endpoint_id: endpoint.id, event_id, state: 'pending', attempts: 0, next_at: dueAt }))
      await storage.db.insertInto('event_deliveries').values(rows).execute()
    }
    const called: string[] = []
    const worker = (times: { now: () => number; leaseTime: () => Promise<number> }) =>
      createDeliveryWorker({
        ...{ storage, sealer, baseUrl: 'https://sso.example', setBacks: () => 0, onFault: assert.ifError, ...times },
        onAttempt: () => undefined,
        guardedFetch: async (address) => {
          called.push(address)
          return new Response(null, { status: 200 })
        },
      })
    return { storage, urls, called, worker }
  }

  it('have their turns one after another: none waits until those in front have everything', async () => {
    const { storage, urls, called, worker: create } = await fill(Date.now())
    const worker = create({ now: Date.now, leaseTime: async () => Date.now() })
    worker.start()
    await until(() => called.length === ENDPOINTS * EVENTS)
    await worker.stop()
    await storage.close()
    const first = Math.max(...urls.map((one) => called.indexOf(one)))
    assert.ok(first < 1.5 * ROUND, `the last one was first called after ${first} others`)
  })
  it('hear nothing twice from a node whose clock is an hour ahead, and it does not ask the database round and round', async () => {
    const { storage, called, worker: create } = await fill(Date.now() + 120_000) // as another node has claimed them
    let asked = 0
    const leaseTime = async () => {
      asked++
      return Date.now()
    }
    const worker = create({ now: () => Date.now() + 3_600_000, leaseTime })
    worker.start()
    await until(() => asked >= 2 * ENDPOINTS)
    const begun = asked
    await wait(2_500)
    await worker.stop()
    await storage.close()
    assert.deepEqual(called, [])
    assert.ok(asked - begun <= 4 * ENDPOINTS, `${asked - begun} claims in three looks`)
  })
})
