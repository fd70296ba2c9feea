import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import process from 'node:process'
import { DatabaseSync } from 'node:sqlite'
import { it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { type Beside, createBeside, migrationsHere } from '../../../src/housekeeping/beside.ts'
import { countIfDue } from '../../../src/housekeeping/count-if-due.ts'
import { dueBeyond, LARGE } from '../../../src/housekeeping/due-store.ts'
import { tidyIfDue } from '../../../src/housekeeping/index.ts'
import { isDatabaseAway } from '../../../src/storage/index.ts'
import { onSqlite } from '../../support/databases.ts'
import { freePort } from '../../support/free-port.ts'
import { environmentBeside, spawnServer } from '../../support/server-process.ts'
import { startService, type TestService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const numbers = (count: number) => sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(count)})`

onSqlite('What takes long is tidied in a process of its own', (database) => {
  const begin = async () => {
    const service = await startService(await database.fresh())
    const { id } = await service.user('ana@exemplo.com.br')
    const { db } = service.context.storage
    const count = async (what: string) => (await sql<{ n: number }>`select count(*) as n from ${sql.raw(what)}`.execute(db)).rows[0]?.n
    return {
      ...{ service, db },
      /** Sessions that ended long ago. */
      endSessions: (many: number) =>
        sql`insert into sessions (id, user_id, bound_hash, created_at, expires_at, ip, user_agent) ${numbers(many)}
          select 'ended-' || i, ${id}, cast(i as text), 1, 1, '192.0.2.1', 'agent' from n`.execute(db),
      endedSessions: () => count('sessions where expires_at = 1'),
      /** Purchases that no report has yet. */
      sell: async (many: number) => {
        await sql`insert into event_streams (id, source, ref, created_at) ${numbers(many)}
          select 'stream-' || i, 'purchase', 'ref-' || i, 1 from n`.execute(db)
        await sql`insert into subscription_events (stream_id, key, kind, at, payment_id, amount, recorded_at) ${numbers(many)}
          select 'stream-' || i, 'key-' || i, 'paid', ${Date.now()}, 'payment-' || i, 100, 1 from n`.execute(db)
      },
      uncounted: () => count('event_streams where counted_at is null'),
      counted: () => count('report_streams'),
      beside: besideOf(service),
    }
  }

  it('and only what takes long: few rows are removed and counted where the service is', async () => {
    const { service, endSessions, endedSessions, sell, uncounted } = await begin()
    const asked: string[] = []
    const beside: Beside = async (work, forMs) => void asked.push(`${work} ${forMs}`)
    await endSessions(4_900)
    await sell(900)
    await tidyIfDue(service.context, beside)
    await countIfDue(service.context, beside)
    assert.deepEqual([asked, await endedSessions(), await uncounted()], [[], 0, 0])
  })

  it('where every row goes, and every purchase is counted once', async () => {
    const { service, beside, endSessions, endedSessions, sell, uncounted, counted } = await begin()
    await endSessions(5_100)
    await sell(1_100)
    const asked: string[] = []
    const watched: Beside = (work, forMs) => {
      asked.push(work)
      return beside(work, forMs)
    }
    await Promise.all([tidyIfDue(service.context, watched), countIfDue(service.context, watched)])
    await Promise.all([tidyIfDue(service.context, watched), countIfDue(service.context, watched)])
    assert.deepEqual(asked.sort(), ['count', 'tidy'])
    assert.deepEqual([await endedSessions(), await uncounted(), await counted()], [0, 0, 1_100])
  })

  it('by one node at a time: another leaves it alone, however much is left', async () => {
    const { service, sell } = await begin()
    await sell(1_100)
    let asked = 0
    const dies: Beside = async () => void asked++
    for (const _node of ['a', 'b']) await countIfDue(service.context, dies)
    assert.equal(asked, 1)
  })

  it('which ends when its time is over, or the service stops, and the next one goes on with the rest', async () => {
    const { service, beside, endSessions, endedSessions } = await begin()
    await endSessions(100_000)
    await beside('tidy', 1)
    assert.equal(await endedSessions(), 100_000)
    const stop = new AbortController()
    const stopped = besideOf(service, stop.signal)('tidy', 300_000)
    await until(async () => (await endedSessions()) !== 100_000)
    stop.abort()
    await stopped
    const left = (await endedSessions()) ?? 0
    assert.ok(left > 0, 'it was over before it was stopped')
    await beside('tidy', 300_000)
    assert.equal(await endedSessions(), 0)
  })

  it('and by the service itself where none can do it, which reports why', async () => {
    const { service, endSessions, endedSessions } = await begin()
    await endSessions(5_100)
    const environment = { ...environmentBeside(service, { port: 1 }), PORTARIA_MASTER_KEY: Buffer.alloc(32, 9).toString('base64') }
    const faults: string[] = []
    const context = { ...service.context, onFault: (fault: unknown) => void faults.push(String(fault)) }
    await tidyIfDue(context, createBeside(environment, new AbortController().signal))
    assert.deepEqual(faults, ['Error: tidy, in a process of its own: wrong_master_key'])
    assert.equal(await endedSessions(), 0)
  })

  it('and another time where another process writes for too long, which is reported', async () => {
    const { service, endSessions, endedSessions, beside } = await begin()
    await endSessions(5_100)
    const other = new DatabaseSync(fileOf(service), { timeout: 0 })
    const faults: unknown[] = []
    const context = { ...service.context, onFault: (fault: unknown) => void faults.push(fault) }
    const held: Beside = async (work, forMs) => {
      other.exec('begin immediate')
      await beside(work, forMs).finally(() => other.exec('commit'))
    }
    await tidyIfDue(context, held)
    assert.deepEqual([faults.length, faults.every(isDatabaseAway)], [1, true], String(faults))
    assert.equal(await endedSessions(), 5_100)
    // At the third time the service does it itself.
    await assert.rejects(held('tidy', 300_000), isDatabaseAway)
    service.clock.now += 600_000
    await tidyIfDue(context, held)
    other.close()
    assert.deepEqual([faults.length, isDatabaseAway(faults[1])], [2, false], String(faults))
    assert.equal(await endedSessions(), 0)
  })

  it('which leaves the database alone where its files are of another version', async () => {
    const { service, endSessions, endedSessions } = await begin()
    await endSessions(10)
    const program = fileURLToPath(new URL('../../../src/housekeeping/beside-process.ts', import.meta.url))
    const run = (migrations: string) => {
      const line = ['--disable-warning=ExperimentalWarning', program, 'tidy', '60000', migrations]
      const options = { env: environmentBeside(service, { port: 1 }) }
      return new Promise<number>((resolve) => execFile(process.execPath, line, options, (error) => resolve(error ? 1 : 0)))
    }
    assert.deepEqual([await run(`${migrationsHere()},0099-wishes`), await endedSessions()], [0, 10])
    assert.deepEqual([await run(migrationsHere()), await endedSessions()], [0, 0])
  })

  it('which ends with a service that is killed', async () => {
    const { service, endSessions, endedSessions } = await begin()
    await endSessions(200_000)
    const server = spawnServer(environmentBeside(service, { port: await freePort() }))
    await until(async () => (await endedSessions()) !== 200_000)
    const child = childrenOf(server.child.pid).find((pid) => commandOf(pid).includes('beside-process.ts')) ?? assert.fail('no process')
    server.child.kill('SIGKILL')
    await until(async () => !commandOf(child).includes('beside-process.ts'))
    assert.ok(((await endedSessions()) ?? 0) > 0, 'it was over before')
  })

  it('which goes by an index when it asks whether there is much', async () => {
    const { db } = await begin()
    for (const table of LARGE) {
      const { rows } = await sql`explain query plan ${dueBeyond(table, { at: Date.now(), few: 1 })}`.execute(db)
      assert.match(JSON.stringify(rows), /USING (COVERING )?INDEX/, table)
    }
  })

  it('beside a service that is started as an operator starts it, and logs no fault', async () => {
    const { service, endSessions, endedSessions } = await begin()
    await endSessions(5_100)
    const server = spawnServer(environmentBeside(service, { port: await freePort() }))
    await until(async () => childrenOf(server.child.pid).some((child) => /beside-process\.ts\0tidy/.test(commandOf(child))))
    await until(async () => (await endedSessions()) === 0)
    server.child.kill('SIGTERM')
    await server.exited
    assert.doesNotMatch(server.log(), /background work failed/)
  })
})

function childrenOf(pid: number | undefined): string[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim().split(' ')
}

/** The command line of a process, its words apart by null bytes. Empty once the process is over. */
function commandOf(pid: string): string {
  return existsSync(`/proc/${pid}/cmdline`) ? readFileSync(`/proc/${pid}/cmdline`, 'latin1') : ''
}

function fileOf({ config: { database } }: TestService): string {
  return database.dialect === 'sqlite' ? database.file : assert.fail('not SQLite')
}

function besideOf(service: TestService, stop = new AbortController().signal): Beside {
  return createBeside(environmentBeside(service, { port: 1 }), stop)
}
