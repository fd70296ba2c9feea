import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { eachDatabase } from '../../../test/support/databases.ts'
import { until } from '../../../test/support/until.ts'
import { endpointStore } from '../../app-events/index.ts'
import { createSealer, newId } from '../../kit/index.ts'
import { openStorage, parseDatabaseUrl } from '../../storage/index.ts'
import { mintEndpointSecret, sealEndpointSecret } from '../endpoints/endpoint-secret.ts'
import { createDeliveryWorker } from './delivery-worker.ts'

const EVENTS = 30
const AT_ONCE = 8
const HOUR = 3_600_000

eachDatabase('What was claimed and not sent', (database) => {
  /** An endpoint with thirty deliveries, 24 of which are claimed together: eight are under way, and answered by `answer`. */
  async function begin() {
    const storage = await openStorage(parseDatabaseUrl((await database.fresh()).url) ?? assert.fail())
    const { db } = storage
    const sealer = createSealer([Buffer.alloc(32, 1)])
    const clock = { now: Date.now() }
    const events = Array.from({ length: EVENTS }, newId)
    const common = { type: 'user.created', product_id: null, subject: 's', sequence: 1, occurred_at: clock.now, data: '{}' }
    await db
      .insertInto('app_events')
      .values(events.map((id) => ({ id, ...common })))
      .execute()
    const id = newId()
    const unset = { disabledAt: undefined, disabledReason: undefined, previousUntil: undefined, productId: undefined }
    const health = { failingSince: undefined, warnedAt: undefined, pausedUntil: undefined }
    const endpoint = { id, url: 'https://app.example/', types: ['user.created'] as const, description: '', readyAt: 0, createdAt: 0 }
    await endpointStore(db).insert({ ...endpoint, ...unset, ...health }, sealEndpointSecret(mintEndpointSecret(), id, sealer))
    const due = events.map((event_id) => ({ endpoint_id: id, event_id, state: 'pending', attempts: 0, next_at: clock.now }))
    await db.insertInto('event_deliveries').values(due).execute()
    const held: Array<(response: Response) => void> = []
    const now = () => clock.now
    const worker = createDeliveryWorker({
      ...{ storage, sealer, baseUrl: 'https://sso.example', setBacks: () => 0, now, leaseTime: async () => clock.now },
      onFault: assert.ifError,
      onAttempt: () => undefined,
      guardedFetch: () => new Promise((resolve) => held.push(resolve)),
    })
    after(async () => {
      answer()
      await worker.stop()
      await storage.close()
    })
    const answer = (...first: Response[]) => {
      for (const one of held.splice(0)) one(first.shift() ?? new Response(null, { status: 200 }))
    }
    worker.start()
    await until(() => held.length === AT_ONCE)
    /** The deliveries that have no attempt, and when they are due. */
    const untried = async () => {
      const rows = await db.selectFrom('event_deliveries').select('next_at').where('attempts', '=', 0).execute()
      return rows.map(({ next_at }) => next_at ?? 0)
    }
    const pausedUntil = async () => (await endpointStore(db).findById(id))?.pausedUntil
    const pause = (at: number) => db.updateTable('event_endpoints').set({ paused_until: at }).execute()
    return { clock, worker, held, answer, untried, pausedUntil, pause }
  }

  it('is due at once with all its attempts when the process ends', async () => {
    const { clock, worker, answer, untried } = await begin()
    const stopped = worker.stop()
    answer()
    await stopped
    assert.deepEqual(await untried(), Array(EVENTS - AT_ONCE).fill(clock.now))
  })

  it('waits when one of them is answered that it is too much, though others arrive in the same moment', async () => {
    const { clock, held, answer, untried, pausedUntil } = await begin()
    answer(new Response(null, { status: 429, headers: { 'retry-after': '3600' } }))
    await until(async () => (await untried()).length === EVENTS - AT_ONCE)
    assert.equal(await pausedUntil(), clock.now + HOUR)
    assert.equal(held.length, 0)
  })

  it('waits when another node has been answered so', async () => {
    const { clock, held, answer, untried, pause } = await begin()
    clock.now += 15_000
    await pause(clock.now + HOUR)
    answer()
    await until(async () => (await untried()).length === EVENTS - AT_ONCE)
    assert.equal(held.length, 0)
  })
})
