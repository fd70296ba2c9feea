import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type KyselyPlugin, sql } from 'kysely'
import { eachDatabase } from '../../test/support/databases.ts'
import { until } from '../../test/support/until.ts'
import { createClock, createSealer } from '../kit/index.ts'
import { leaseTime, migrate, openStorage, parseDatabaseUrl } from '../storage/index.ts'
import { addJob } from './add-store.ts'
import { FatalJobFault, type JobHandler, type NewJob, TryLater } from './job.ts'
import { leaseJob } from './lease-store.ts'
import { countJobs } from './records/count-store.ts'
import { findJob } from './records/record-store.ts'
import { pauseLane } from './store.ts'
import { createOutbox } from './worker.ts'

const sealer = createSealer([Buffer.alloc(32, 7)])
const LEASE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

type Lane = NonNullable<NewJob['lane']>

eachDatabase('The outbox', (database) => {
  async function begin() {
    const address = parseDatabaseUrl((await database.fresh()).url) ?? assert.fail()
    const storage = await openStorage(address)
    await migrate(storage)
    const clock = { now: 1_000_000, setBacks: 0 }
    const faults: unknown[] = []
    const addNew = (job: NewJob) => storage.transaction((tx) => addJob(tx, job, { sealer, at: clock.now }))
    const add = (payload: unknown) => addNew({ kind: 'mail', payload })
    const ask = (lane: Lane, payload: unknown) => addNew({ kind: 'fetch_payment', payload, lane })
    const given = { now: () => clock.now, setBacks: () => clock.setBacks, leaseTime: async () => clock.now }
    const worker = (mail: JobHandler, on = storage, time = given) => {
      const handlers = { mail, fetch_payment: mail }
      return createOutbox({ storage: on, sealer, handlers, ...time, onFault: (error) => faults.push(error) })
    }
    const row = () => storage.db.selectFrom('outbox').selectAll().executeTakeFirst()
    return { address, storage, clock, faults, add, addNew, ask, worker, row }
  }

  it('gives each job to one of two nodes, once', async () => {
    const { address, storage, faults, add, ask, worker } = await begin()
    const beside = await openStorage(address)
    for (let n = 0; n < 40; n++) await (n % 4 === 0 ? add(n) : ask(`asaas/${n % 4}`, n))
    const done: unknown[] = []
    const handler: JobHandler = async (payload) => {
      await wait(2)
      done.push(payload)
    }
    const workers = [worker(handler), worker(handler, beside)]
    for (const one of workers) one.start()
    await until(async () => (await countJobs(storage.db)).pending === 0)
    for (const one of workers) await one.stop()
    assert.deepEqual(
      done.toSorted((a, b) => Number(a) - Number(b)),
      Array.from({ length: 40 }, (_, n) => n),
    )
    assert.deepEqual(faults, [])
    await beside.close()
    await storage.close()
  })

  // With SQLite no second transaction begins meanwhile.
  if (database.name === 'postgres')
    it('gives a job that one node is just taking to no other', async () => {
      const { address, storage, clock, add } = await begin()
      const beside = await openStorage(address)
      await add('x')
      const full = { lanes: [], groups: [] }
      const leasing = { kinds: ['mail'], full, now: clock.now, leaseTime: async () => clock.now, leaseMs: LEASE_MS }
      const [taken, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const first = storage.db.transaction().execute(async (tx) => {
        const job = await leaseJob({ ...storage, db: tx }, leasing, sealer)
        taken.resolve()
        await mayEnd.promise
        return job
      })
      await taken.promise
      const second = leaseJob(beside, leasing, sealer)
      await Promise.race([second, wait(500)])
      mayEnd.resolve()
      assert.deepEqual([(await first)?.payload, await second], ['x', undefined])
      await beside.close()
      await storage.close()
    })

  it('leaves a job with its worker though the clock of another node is an hour ahead or behind', async () => {
    const { storage, clock, add, row } = await begin()
    await add('held')
    const lease = (offBy: number) => {
      const leasing = { kinds: ['mail'], full: { lanes: [], groups: [] }, now: clock.now + offBy }
      return leaseJob(storage, { ...leasing, leaseTime: async () => clock.now, leaseMs: LEASE_MS }, sealer)
    }
    clock.now += HOUR_MS
    assert.equal((await lease(0))?.attempts, 1)
    assert.equal(await lease(HOUR_MS), undefined)
    assert.equal((await row())?.leased_until, clock.now + LEASE_MS)
    clock.now += LEASE_MS
    assert.equal((await lease(HOUR_MS))?.attempts, 1)
    assert.equal((await row())?.leased_until, clock.now + LEASE_MS)
    await storage.close()
  })

  // With SQLite the database's clock is the machine's own.
  if (database.name === 'postgres')
    it('goes by the database’s clock in the moment in which a node’s own was set an hour ahead', async () => {
      const { storage, worker, row } = await begin()
      await storage.transaction((tx) => addJob(tx, { kind: 'mail', payload: 'held' }, { sealer, at: Date.now() }))
      await storage.db
        .updateTable('outbox')
        .set({ leased_until: Date.now() + LEASE_MS })
        .execute()
      const clock = createClock({ own: () => Date.now() + HOUR_MS })
      let runs = 0
      const skewed = worker(async () => void runs++, storage, { ...clock, leaseTime: () => leaseTime(clock, storage) })
      assert.ok(clock.now() > Date.now() + HOUR_MS / 2)
      skewed.start()
      await until(async () => Math.abs(clock.now() - Date.now()) < 1_000)
      await skewed.stop()
      assert.deepEqual([runs, (await row())?.attempts], [0, 0])
      await storage.close()
    })

  it('gives a job whose worker died to another when the lease has run out, and not before', async () => {
    const { storage, clock, add } = await begin()
    await add('once')
    const lease = () => {
      const leasing = {
        kinds: ['mail'],
        full: { lanes: [], groups: [] },
        now: clock.now,
        leaseTime: async () => clock.now,
        leaseMs: LEASE_MS,
      }
      return leaseJob(storage, leasing, sealer)
    }
    assert.equal((await lease())?.attempts, 1)
    clock.now += LEASE_MS - 1
    assert.equal(await lease(), undefined)
    clock.now += 1
    const again = await lease()
    assert.deepEqual([again?.payload, again?.attempts], ['once', 1])
    await storage.close()
  })

  it('counts no attempt that a crash ended: after any number of them a job has all its failures left', async () => {
    const { storage, clock, add, worker, row } = await begin()
    await add('unlucky')
    const leasing = { kinds: ['mail'], full: { lanes: [], groups: [] }, leaseTime: async () => clock.now, leaseMs: LEASE_MS }
    for (let crash = 0; crash < 12; crash++) {
      assert.equal((await leaseJob(storage, { ...leasing, now: clock.now }, sealer))?.attempts, 1)
      clock.now += LEASE_MS
    }
    const outbox = worker(() => Promise.reject(new Error('the mail server said no')))
    outbox.wake()
    await until(async () => (await row())?.leased_until === null)
    const job = await row()
    assert.deepEqual([job?.last_error, job?.dead_at, job?.attempts], ['the mail server said no', null, 1])
    await outbox.stop()
    // Made due again beside a lease that has run out, as by its operator, it begins with its first attempt.
    await storage.db.updateTable('outbox').set({ attempts: 0, run_at: clock.now, leased_until: clock.now }).execute()
    assert.equal((await leaseJob(storage, { ...leasing, now: clock.now }, sealer))?.attempts, 1)
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
      outbox.wake()
      await until(async () => runs === attempt && (await row())?.leased_until === null)
      const job = (await row()) ?? assert.fail('a failed job is gone')
      assert.equal(job.last_error, 'the mail server said no')
      if (job.dead_at !== null) break
      assert.ok(job.run_at - clock.now > waited, 'the wait grows')
      waited = job.run_at - clock.now
      clock.now = job.run_at - 1
      outbox.wake()
      await wait(30)
      assert.equal(runs, attempt, 'it came before its time')
      clock.now = job.run_at
    }
    assert.ok(clock.now - began > 2 * DAY_MS && clock.now - began < 3 * DAY_MS)
    clock.now += 30 * DAY_MS
    outbox.wake()
    await wait(50)
    assert.equal(runs, 12)
    assert.deepEqual(await countJobs(storage.db), { pending: 0, dead: 1 })
    await outbox.stop()
    await storage.close()
  })

  it('buries at once what no trying helps, and comes back when it is asked to, but never sooner than it would', async () => {
    const { storage, clock, add, worker, row } = await begin()
    const outbox = worker(async (payload) => {
      throw payload === 'fatal' ? new FatalJobFault('no such mailbox') : new TryLater('busy', payload === 'later' ? 50_000 : 1_000)
    })
    await add('fatal')
    outbox.wake()
    await until(async () => ((await row())?.dead_at ?? null) !== null)
    await storage.db.deleteFrom('outbox').execute()
    await add('later')
    outbox.wake()
    await until(async () => (await row())?.last_error === 'busy')
    assert.equal((await row())?.run_at, clock.now + 50_000)
    await storage.db.deleteFrom('outbox').execute()
    await add('soon')
    outbox.wake()
    await until(async () => (await row())?.last_error === 'busy')
    assert.equal((await row())?.run_at, clock.now + 10_000)
    await outbox.stop()
    await storage.close()
  })

  it('gives up a job that neither ends nor listens, goes on with the others, and stops when it is asked to', async (context) => {
    const time = new AbortController()
    context.mock.method(AbortSignal, 'timeout', () => time.signal)
    const { storage, add, worker, row } = await begin()
    const seen: unknown[] = []
    const outbox = worker((payload) => {
      seen.push(payload)
      return payload === 'stuck' ? new Promise(() => undefined) : Promise.resolve()
    })
    for (let n = 0; n < 4; n++) await add('stuck')
    outbox.wake()
    await until(() => seen.length === 4)
    await add('next')
    outbox.wake()
    await wait(50)
    assert.ok(!seen.includes('next'))
    time.abort(new Error('its time is over'))
    await until(() => seen.includes('next'))
    await until(async () => (await row())?.last_error === 'its time is over')
    await outbox.stop()
    await storage.close()
  })

  it('does two jobs of one lane at once and three of one API, so that those who hang hold up nobody else', async () => {
    const { storage, ask, worker } = await begin()
    const hung = Promise.withResolvers<void>()
    const seen: unknown[] = []
    const outbox = worker((payload) => {
      seen.push(payload)
      return String(payload).startsWith('hangs') ? hung.promise : Promise.resolve()
    })
    for (let n = 0; n < 20; n++) await ask('asaas/school', `hangs ${n}`)
    outbox.wake()
    await until(() => seen.length === 2)
    await ask('asaas/shop', 'of another product')
    outbox.wake()
    await until(() => seen.includes('of another product'))
    for (let n = 20; n < 40; n++) await ask('asaas/shop', `hangs ${n}`)
    outbox.wake()
    await until(() => seen.includes('hangs 20'))
    await ask('stripe/shop', 'of another API')
    outbox.wake()
    await until(() => seen.includes('of another API'))
    await wait(50)
    assert.deepEqual(seen, ['hangs 0', 'hangs 1', 'of another product', 'hangs 20', 'of another API'])
    hung.resolve()
    await until(async () => (await countJobs(storage.db)).pending === 0)
    assert.equal(new Set(seen).size, 42)
    await outbox.stop()
    await storage.close()
  })

  it('leaves a whole lane alone, on every node, until the time that one of its jobs was given; what waits is not counted as an attempt', async () => {
    const { address, storage, clock, faults, ask, worker } = await begin()
    const beside = await openStorage(address)
    const asked: unknown[] = []
    let isBusy = true
    const handler: JobHandler = async (payload) => {
      asked.push(payload)
      if (isBusy && payload !== 'of another product') throw new TryLater('asked too often', 120_000)
    }
    const nodes = [worker(handler), worker(handler, beside)]
    const look = async () => {
      for (const node of nodes) node.wake()
      await wait(100)
    }
    const first = await ask('asaas/school', 'first')
    await look()
    await until(async () => (await findJob(storage.db, first))?.lastError === 'asked too often')
    for (let n = 0; n < 20; n++) await ask('asaas/school', n)
    await ask('asaas/shop', 'of another product')
    await look()
    await until(async () => (await countJobs(storage.db)).pending === 21) // else its lease ends with what follows
    clock.now += 119_999
    await ask('asaas/school', 'late')
    await look()
    assert.deepEqual(asked, ['first', 'of another product'])
    const rows = () => storage.db.selectFrom('outbox').select(['id', 'attempts']).orderBy('id').execute()
    assert.deepEqual(
      (await rows()).map(({ id, attempts }) => [id === first, attempts]),
      [[true, 1], ...Array.from({ length: 21 }, () => [false, 0])],
    )
    for (const { id } of await rows()) assert.equal((await findJob(storage.db, id))?.runAt, clock.now + 1)
    isBusy = false
    clock.now += 1
    for (const node of nodes) node.wake()
    await until(async () => (await countJobs(storage.db)).pending === 0)
    assert.equal(asked.length, 1 + 1 + 22)
    assert.equal(new Set(asked).size, 1 + 1 + 21)
    assert.deepEqual(faults, [])
    for (const node of nodes) await node.stop()
    await beside.close()
    await storage.close()
  })

  it('looks for work as fast beside thousands of jobs that are due and may not be done as beside none', async () => {
    const { storage, clock, ask } = await begin()
    const look = async (full: { lanes: string[]; groups: string[] }) => {
      const times: number[] = []
      for (let n = 0; n < 15; n++) {
        const began = performance.now()
        const leasing = { kinds: ['fetch_payment', 'mail'], full, now: clock.now, leaseTime: async () => clock.now, leaseMs: LEASE_MS }
        assert.equal(await leaseJob(storage, leasing, sealer), undefined)
        times.push(performance.now() - began)
      }
      return times.sort((a, b) => a - b)[0] ?? assert.fail()
    }
    const none = { lanes: [], groups: [] }
    const beside = await look(none)
    const id = await ask('asaas/school', 'x')
    const row = await storage.db.selectFrom('outbox').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    for (let n = 0; n < 100; n++) {
      const lane = n % 2 === 0 ? 'asaas/school' : 'stripe/school'
      const rows = Array.from({ length: 300 }, (_, m) => ({ ...row, id: `${n}-${m}`, lane }))
      await storage.db.insertInto('outbox').values(rows).execute()
    }
    if (database.name === 'postgres') await sql`analyze outbox`.execute(storage.db)
    await pauseLane(storage.db, 'stripe/school', clock.now + 60_000)
    for (const full of [
      { lanes: ['asaas/school'], groups: [] },
      { lanes: [], groups: ['asaas'] },
    ]) {
      const took = await look(full)
      assert.ok(took < beside * 3 + 1, `${took} ms beside 30,000 jobs, ${beside} ms beside none`)
    }
    const leasing = { kinds: ['fetch_payment'], full: none, now: clock.now, leaseTime: async () => clock.now, leaseMs: LEASE_MS }
    assert.equal((await leaseJob(storage, leasing, sealer))?.lane, 'asaas/school')
    await storage.close()
  })

  it('leaves a lane alone that is paused between the look and the lease', async () => {
    const { storage, clock, ask } = await begin()
    await ask('asaas/school', 'x')
    let looks = 0
    const plugin: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (looks++ === 0) await pauseLane(storage.db, 'asaas/school', clock.now + 60_000)
        return result
      },
    }
    const leasing = {
      kinds: ['fetch_payment'],
      full: { lanes: [], groups: [] },
      now: clock.now,
      leaseTime: async () => clock.now,
      leaseMs: LEASE_MS,
    }
    assert.equal(await leaseJob({ ...storage, db: storage.db.withPlugin(plugin) }, leasing, sealer), undefined)
    assert.equal(looks, 2)
    await storage.close()
  })

  it('keeps the longer of two pauses, and pauses no lane where a job has none', async () => {
    const { storage, clock, add, ask, worker, row } = await begin()
    for (const ms of [120_000, 60_000]) await pauseLane(storage.db, 'asaas/school', clock.now + ms)
    const pending = await ask('asaas/school', 'waits')
    assert.equal((await findJob(storage.db, pending))?.runAt, clock.now + 120_000)
    await storage.db.deleteFrom('outbox').execute()
    await storage.db.deleteFrom('outbox_lanes').execute()
    const outbox = worker(async () => {
      throw new TryLater('the mail server is busy', 120_000)
    })
    await add('mail')
    outbox.wake()
    await until(async () => (await row())?.last_error === 'the mail server is busy')
    assert.deepEqual(await storage.db.selectFrom('outbox_lanes').selectAll().execute(), [])
    await outbox.stop()
    await storage.close()
  })

  it('says what a dead letter was for in the same transaction, and dies with a later attempt when that can’t be written', async () => {
    const { storage, clock, add, row } = await begin()
    const said: unknown[] = []
    let isWritable = false
    const outbox = createOutbox({
      storage,
      sealer,
      handlers: { mail: () => Promise.reject(new FatalJobFault('no such mailbox')) },
      onGivenUp: {
        async mail(tx, { id, payload, why, ms }) {
          await tx.insertInto('outbox_lanes').values({ lane: 'x/y', paused_until: 0 }).execute()
          said.push([id, payload, why, ms >= 0])
          if (!isWritable) throw new Error('the disk is full')
        },
      },
      now: () => clock.now,
      setBacks: () => 0,
      leaseTime: async () => clock.now,
      onFault: () => {},
    })
    const id = await add('to nobody')
    outbox.wake()
    await until(() => said.length === 1)
    await wait(50)
    assert.equal((await row())?.dead_at, null)
    assert.deepEqual(await storage.db.selectFrom('outbox_lanes').selectAll().execute(), [])
    isWritable = true
    clock.now += LEASE_MS
    outbox.wake()
    await until(async () => (await row())?.dead_at != null)
    assert.deepEqual(said, Array(2).fill([id, 'to nobody', 'no such mailbox', true]))
    assert.equal((await storage.db.selectFrom('outbox_lanes').selectAll().execute()).length, 1)
    await outbox.stop()
    await storage.close()
  })

  it('leaves a job alone whose lease is another worker’s by the time that it fails', async () => {
    for (const fault of [new FatalJobFault('no such mailbox'), new Error('no answer')]) {
      const { storage, clock, add, row } = await begin()
      const mayFail = Promise.withResolvers<void>()
      const said: unknown[] = []
      const outbox = createOutbox({
        ...{ storage, sealer, now: () => clock.now, setBacks: () => 0, leaseTime: async () => clock.now, onFault: assert.ifError },
        handlers: { mail: () => mayFail.promise.then(() => Promise.reject(fault)) },
        onGivenUp: { mail: async (_tx, { id }) => void said.push(id) },
      })
      await add('x')
      outbox.wake()
      await until(async () => (await row())?.leased_until != null)
      await storage.db
        .updateTable('outbox')
        .set({ leased_until: clock.now + LEASE_MS + 5, attempts: 2 })
        .execute()
      const before = await row()
      mayFail.resolve()
      await outbox.stop()
      assert.deepEqual([await row(), said], [before, []])
      await storage.close()
    }
  })

  it('has one job at most of what has an id: the second makes the first due again, with all its attempts', async () => {
    const { storage, clock, addNew, worker, row } = await begin()
    let isBusy = true
    const done: unknown[] = []
    const outbox = worker(async (payload) => {
      if (isBusy) throw new FatalJobFault('no')
      done.push(payload)
    })
    const job = { id: 'one', kind: 'fetch_payment', lane: 'asaas/school' } as const
    await addNew({ ...job, payload: 'first' })
    outbox.wake()
    await until(async () => (await row())?.dead_at != null)
    isBusy = false
    clock.now += 1
    await addNew({ ...job, payload: 'second' })
    assert.deepEqual(await findJob(storage.db, 'one'), {
      ...(await findJob(storage.db, 'one')),
      attempts: 0,
      runAt: clock.now,
      deadAt: undefined,
    })
    outbox.wake()
    await until(async () => (await countJobs(storage.db)).pending === 0)
    assert.deepEqual(done, ['second'])
    await outbox.stop()
    await storage.close()
  })

  it('is not as late as a clock was ahead that was set back since: neither new jobs, nor leases of the dead, nor lanes', async () => {
    const { storage, clock, add, addNew, worker } = await begin()
    const done: unknown[] = []
    const handler: JobHandler = async (payload) => void done.push(payload)
    const outbox = worker(handler)
    await add('before')
    outbox.wake()
    await until(async () => (await countJobs(storage.db)).pending === 0)
    await wait(50) // for the look after it
    clock.now += 90 * DAY_MS
    await add('new')
    const held = await add('held by a worker that is dead')
    const tried = await add('tried')
    await addNew({ kind: 'fetch_payment', payload: 'of a lane', lane: 'asaas/school' })
    await pauseLane(storage.db, 'asaas/school', clock.now + HOUR_MS)
    const set = (id: string, values: object) => storage.db.updateTable('outbox').set(values).where('id', '=', id).execute()
    await set(held, { leased_until: clock.now + LEASE_MS, attempts: 1 })
    await set(tried, { run_at: clock.now + HOUR_MS, attempts: 1 })
    clock.now -= 90 * DAY_MS
    clock.setBacks += 1
    outbox.wake()
    await until(() => done.length === 2)
    assert.deepEqual(done, ['before', 'new'])
    clock.now += DAY_MS
    outbox.wake()
    await until(() => done.length === 5)
    await outbox.stop()
    await storage.close()
  })

  it('writes a job with its action or not at all, and opens a payload in its own row alone', async () => {
    const { storage, clock, add, worker, row } = await begin()
    const fault = new Error('the action failed')
    const action = storage.transaction(async (tx) => {
      await addJob(tx, { kind: 'mail', payload: 'of an action that was not done' }, { sealer, at: clock.now })
      throw fault
    })
    await assert.rejects(action, fault)
    assert.equal(await row(), undefined)
    const [first, second] = [await add('first'), await add('second')]
    const { payload_sealed } = await storage.db.selectFrom('outbox').selectAll().where('id', '=', first).executeTakeFirstOrThrow()
    assert.doesNotMatch(payload_sealed, /first/)
    await storage.db.updateTable('outbox').set({ payload_sealed }).where('id', '=', second).execute()
    const done: unknown[] = []
    const outbox = worker(async (payload) => void done.push(payload))
    outbox.wake()
    await until(async () => (await countJobs(storage.db)).pending === 0)
    assert.deepEqual(done, ['first'])
    assert.deepEqual(await countJobs(storage.db), { pending: 0, dead: 1 })
    await outbox.stop()
    await storage.close()
  })
})
