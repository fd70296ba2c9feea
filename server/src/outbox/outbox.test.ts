import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { eachDatabase } from '../../test/databases.ts'
import { createSealer } from '../kit/index.ts'
import { migrate, openStorage, parseDatabaseUrl } from '../storage/index.ts'
import { FatalJobFault, type JobHandler, TryLater } from './job.ts'
import { addJob, countJobs, leaseJobs } from './store.ts'
import { createOutbox } from './worker.ts'

const sealer = createSealer([Buffer.alloc(32, 7)])
const LEASE_MS = 60_000
const DAY_MS = 86_400_000

eachDatabase('The outbox', (database) => {
  async function begin() {
    const address = parseDatabaseUrl((await database.fresh()).url) ?? assert.fail()
    const storage = await openStorage(address)
    await migrate(storage)
    const clock = { now: 1_000_000 }
    const faults: unknown[] = []
    const add = (payload: unknown) => storage.transaction((tx) => addJob(tx, { kind: 'mail', payload }, { sealer, at: clock.now }))
    const worker = (mail: JobHandler, on = storage) => {
      const handlers = { mail, sign_up_mail: mail, recovery_mail: mail }
      return createOutbox({ storage: on, sealer, handlers, now: () => clock.now, onFault: (error) => faults.push(error) })
    }
    const row = () => storage.db.selectFrom('outbox').selectAll().executeTakeFirst()
    return { address, storage, clock, faults, add, worker, row }
  }
  const until = async (isSo: () => boolean | Promise<boolean>) => {
    for (let tries = 0; tries < 200; tries++) {
      if (await isSo()) return
      await wait(20)
    }
    assert.fail('it did not come about')
  }

  it('gives each job to one of two nodes, once', async () => {
    const { address, storage, faults, add, worker } = await begin()
    const beside = await openStorage(address)
    for (let n = 0; n < 40; n++) await add(n)
    const done: unknown[] = []
    const handler: JobHandler = async (payload) => {
      await wait(2)
      done.push(payload)
    }
    const workers = [worker(handler), worker(handler, beside)]
    for (const one of workers) one.start()
    await until(async () => (await countJobs(storage.db)).waiting === 0)
    for (const one of workers) await one.stop()
    assert.deepEqual(
      done.toSorted((a, b) => Number(a) - Number(b)),
      Array.from({ length: 40 }, (_, n) => n),
    )
    assert.deepEqual(faults, [])
    await beside.close()
    await storage.close()
  })

  it('gives a job whose worker died to another when the lease has run out, and not before', async () => {
    const { storage, clock, add } = await begin()
    await add('once')
    const lease = () => leaseJobs(storage, { limit: 4, now: clock.now, leasedUntil: clock.now + LEASE_MS, kinds: ['mail'] }, sealer)
    assert.equal((await lease()).length, 1)
    clock.now += LEASE_MS - 1
    assert.deepEqual(await lease(), [])
    clock.now += 1
    assert.deepEqual(
      (await lease()).map(({ payload, attempts }) => ({ payload, attempts })),
      [{ payload: 'once', attempts: 2 }],
    )
    await storage.close()
  })

  it('waits longer after each failure, and keeps what failed for two days as a dead letter', async () => {
    const { storage, clock, add, worker, row } = await begin()
    let runs = 0
    const outbox = worker(async () => {
      runs += 1
      throw new Error('the mail server said no')
    })
    await add('never')
    const began = clock.now
    let waited = 0
    for (let attempt = 1; ; attempt++) {
      outbox.nudge()
      await until(async () => runs === attempt && (await row())?.leased_until === null)
      const job = (await row()) ?? assert.fail('a failed job is gone')
      assert.equal(job.last_error, 'the mail server said no')
      if (job.dead_at !== null) break
      assert.ok(job.run_at - clock.now > waited, 'the wait grows')
      waited = job.run_at - clock.now
      clock.now = job.run_at - 1
      outbox.nudge()
      await wait(30)
      assert.equal(runs, attempt, 'it came before its time')
      clock.now = job.run_at
    }
    assert.ok(clock.now - began > 2 * DAY_MS && clock.now - began < 3 * DAY_MS)
    clock.now += 30 * DAY_MS
    outbox.nudge()
    await wait(50)
    assert.equal(runs, 12)
    assert.deepEqual(await countJobs(storage.db), { waiting: 0, dead: 1 })
    await outbox.stop()
    await storage.close()
  })

  it('buries at once what no trying helps, and comes back when it is told to, but never sooner than it would', async () => {
    const { storage, clock, add, worker, row } = await begin()
    const outbox = worker(async (payload) => {
      throw payload === 'fatal' ? new FatalJobFault('no such mailbox') : new TryLater('busy', payload === 'later' ? 50_000 : 1_000)
    })
    await add('fatal')
    outbox.nudge()
    await until(async () => ((await row())?.dead_at ?? null) !== null)
    await storage.db.deleteFrom('outbox').execute()
    await add('later')
    outbox.nudge()
    await until(async () => (await row())?.last_error === 'busy')
    assert.equal((await row())?.run_at, clock.now + 50_000)
    await storage.db.deleteFrom('outbox').execute()
    await add('soon')
    outbox.nudge()
    await until(async () => (await row())?.last_error === 'busy')
    assert.equal((await row())?.run_at, clock.now + 10_000)
    await outbox.stop()
    await storage.close()
  })

  it('gives up a job that neither ends nor listens, goes on with the others, and stops when it is told to', async (context) => {
    const time = new AbortController()
    context.mock.method(AbortSignal, 'timeout', () => time.signal)
    const { storage, add, worker, row } = await begin()
    const seen: unknown[] = []
    const outbox = worker((payload) => {
      seen.push(payload)
      return payload === 'stuck' ? new Promise(() => undefined) : Promise.resolve()
    })
    for (let n = 0; n < 4; n++) await add('stuck')
    outbox.nudge()
    await until(() => seen.length === 4)
    await add('next')
    outbox.nudge()
    await wait(50)
    assert.ok(!seen.includes('next'))
    time.abort(new Error('its time is over'))
    await until(() => seen.includes('next'))
    await until(async () => (await row())?.last_error === 'its time is over')
    await outbox.stop()
    await storage.close()
  })

  it('writes a job with its deed or not at all, and opens a payload in its own row alone', async () => {
    const { storage, clock, add, worker, row } = await begin()
    const fault = new Error('the deed failed')
    const deed = storage.transaction(async (tx) => {
      await addJob(tx, { kind: 'mail', payload: 'of a deed that was not done' }, { sealer, at: clock.now })
      throw fault
    })
    await assert.rejects(deed, fault)
    assert.equal(await row(), undefined)
    const [first, second] = [await add('first'), await add('second')]
    const { payload_sealed } = await storage.db.selectFrom('outbox').selectAll().where('id', '=', first).executeTakeFirstOrThrow()
    assert.doesNotMatch(payload_sealed, /first/)
    await storage.db.updateTable('outbox').set({ payload_sealed }).where('id', '=', second).execute()
    const done: unknown[] = []
    const outbox = worker(async (payload) => void done.push(payload))
    outbox.nudge()
    await until(async () => (await countJobs(storage.db)).waiting === 0)
    assert.deepEqual(done, ['first'])
    assert.deepEqual(await countJobs(storage.db), { waiting: 0, dead: 1 })
    await outbox.stop()
    await storage.close()
  })
})
