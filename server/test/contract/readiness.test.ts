import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { readSetting } from '../../src/storage/index.ts'
import { eachDurableDatabase } from '../support/databases.ts'
import { countQueries } from '../support/routes/asked-queries.ts'
import { startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

eachDurableDatabase('Readiness', (database) => {
  const ask = async (service: TestService) => {
    const { status, json } = await service.browser().request('GET', '/readyz')
    return [status, json().status]
  }
  const becomes = (service: TestService, expected: [number, string]) =>
    until(async () => JSON.stringify(await ask(service)) === JSON.stringify(expected))
  const refuse = (isRefused: boolean) =>
    database.name === 'sqlite'
      ? sql.raw(`pragma query_only = ${isRefused}`)
      : sql.raw(
          `do $$ begin execute format('alter database %I set default_transaction_read_only = ${isRefused}', current_database()); end $$`,
        )

  it('F16: is gone while the database refuses writes, and back soon after it takes them, without a restart', async () => {
    const service = await startService(await database.fresh())
    const { db, renewConnections } = service.context.storage
    assert.deepEqual(await ask(service), [200, 'ready'])
    await refuse(true).execute(db)
    renewConnections('at_release')
    await becomes(service, [503, 'database_unwritable'])
    assert.equal((await service.browser().request('GET', '/healthz')).status, 200)
    if (database.name === 'postgres') await sql`set default_transaction_read_only = off`.execute(db)
    await refuse(false).execute(db)
    renewConnections('at_release')
    await becomes(service, [200, 'ready'])
  })

  it('F16: is proved by one write in two seconds, however many strangers ask', async () => {
    const service = await startService(await database.fresh())
    const { db } = service.context.storage
    const written = new Set<string | undefined>()
    const from = performance.now()
    while (performance.now() - from < 1_000) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => ask(service)))
      assert.deepEqual([...new Set(answers.map(String))], ['200,ready'])
      written.add(await readSetting(db, 'last_write_probe'))
    }
    // One second, unless the machine is too busy to ask twenty times in it.
    assert.ok(written.size <= 1 + Math.floor((performance.now() - from) / 2_000), `${written.size} writes`)
    const last = [...written].at(-1)
    assert.ok(last)
    await until(async () => (await ask(service)) && (await readSetting(db, 'last_write_probe')) !== last)
  })

  it('looks at the tables once a second, however many strangers ask', async () => {
    const service = await startService(await database.fresh())
    const looks = countQueries(service, /applied_migrations/)
    const from = performance.now()
    await Promise.all(Array.from({ length: 100 }, () => ask(service)))
    const most = 4 + Math.floor((performance.now() - from) / 1_000)
    assert.ok(looks() >= 1 && looks() <= most, `${looks()} queries`)
  })

  if (database.name === 'postgres')
    it('F16: is gone while a commit hangs, is answered within seconds, and no question after it waits at all', async () => {
      const service = await startService(await database.fresh())
      const { storage } = service.context
      assert.deepEqual(await ask(service), [200, 'ready'])
      const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>()
      let isHeld = true
      // At work, and not idle: the server would end a transaction that stands still.
      const holding = storage.transaction(async (tx) => {
        await sql`lock table settings in exclusive mode`.execute(tx)
        locked()
        while (isHeld) await sql`select pg_sleep(0.1)`.execute(tx)
      })
      await isLocked
      try {
        await becomes(service, [503, 'database_unwritable'])
        const askFive = async () => {
          const from = performance.now()
          for (let n = 0; n < 5; n++) assert.deepEqual(await ask(service), [503, 'database_unwritable'])
          return performance.now() - from
        }
        // A question that waits for a write takes two seconds, every time. A busy machine is slow once.
        let took = await askFive()
        for (let looks = 1; looks < 3 && took >= 1_500; looks++) {
          await wait(2_500)
          took = await askFive()
        }
        assert.ok(took < 1_500, 'a question waits for the write of another')
      } finally {
        isHeld = false
        await holding
      }
      await becomes(service, [200, 'ready'])
    })
})
