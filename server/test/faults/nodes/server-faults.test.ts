import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import path from 'node:path'
import process from 'node:process'
import { after, before, describe, it } from 'node:test'
import { sql } from 'kysely'
import { Client } from 'pg'
import { isDatabaseAway } from '../../../src/storage/index.ts'
import { openPostgres } from '../../../src/storage/postgres/postgres.ts'
import { startProxy } from '../../support/faults/proxy.ts'
import { type Commits, startPostgres, startStandby, type TestPostgres } from '../../support/postgres.ts'
import { until } from '../../support/until.ts'

const COMMITS: Commits = 'on_disk'
const SHORT_MS = 400

/** The errors of PostgreSQL, or of the way to it, in each state, as the service meets them. Each must be a 503, never a 500. */
describe('A fault of PostgreSQL means that the database is away', () => {
  let server: TestPostgres
  const opened: Array<() => Promise<unknown>> = []
  before(async () => {
    server = await startPostgres(COMMITS)
    await ask('create table sold (item int primary key)')
    await ask('insert into sold values (1), (2)')
  })
  after(async () => {
    await Promise.all(opened.map((close) => close()))
    await server.stop()
  })
  const open = async (url = server.url, statementMs = 10_000) => {
    const { db, close } = await openPostgres([url], { statementMs })
    opened.push(close)
    return db
  }
  async function ask(statement: string): Promise<void> {
    const client = new Client({ connectionString: server.url })
    await client.connect()
    try {
      await client.query(statement)
    } finally {
      await client.end()
    }
  }
  const as = (role: string, password: string) => server.url.replace(/\/\/[^@]*@/, `//${role}:${password}@`)
  /** The fault of some work, which has to be one of the database and have this code. */
  async function isAway(work: Promise<unknown>, code: string | undefined): Promise<void> {
    const fault = await work.then(
      () => assert.fail('it did not fail'),
      (error: unknown) => error,
    )
    assert.ok(isDatabaseAway(fault), String(fault))
    if (code !== 'any') assert.equal((fault as { code?: string }).code, code, String(fault))
  }

  it('when the server ends a connection in the middle of a statement, and when the network does', async () => {
    const end = () => ask(`select pg_terminate_backend(pid) from pg_stat_activity where query like 'select pg_sleep%'`)
    const isAsleep = async (db: Awaited<ReturnType<typeof open>>) =>
      (await sql`select 1 from pg_stat_activity where query like 'select pg_sleep%' and wait_event = 'PgSleep'`.execute(db)).rows.length > 0
    const db = await open()
    const ended = isAway(sql`select pg_sleep(20)`.execute(db), '57P01')
    await until(() => isAsleep(db))
    await end()
    await ended
    const proxy = await startProxy(server)
    const cut = isAway(sql`select pg_sleep(20)`.execute(await open(proxy.url)), undefined)
    await until(() => isAsleep(db))
    proxy.cut()
    await cut
    await end()
  })

  it('when a statement, a lock, a transaction that stands still or the way to the server takes too long', async () => {
    const db = await open(server.url, SHORT_MS)
    await isAway(sql`select pg_sleep(5)`.execute(db), '57014')
    await (await open()).transaction().execute(async (tx) => {
      await sql`lock table sold`.execute(tx)
      const waiting = db.transaction().execute(async (other) => {
        await sql`set local lock_timeout = '50ms'`.execute(other)
        await sql`insert into sold values (3)`.execute(other)
      })
      await isAway(waiting, '55P03')
    })
    const standsStill = db.transaction().execute(async (tx) => {
      await sql`select 1`.execute(tx)
      await new Promise((resolve) => setTimeout(resolve, 2 * SHORT_MS))
      await sql`select 1`.execute(tx)
    })
    await isAway(standsStill, undefined)
    const proxy = await startProxy(server)
    const behind = await open(proxy.url, SHORT_MS)
    await sql`select 1`.execute(behind)
    proxy.freeze()
    await isAway(sql`select 1`.execute(behind), undefined)
    await isAway(sql`select 1`.execute(behind), undefined)
  })

  it('when it rolls a transaction back for another one', async () => {
    const db = await open()
    const both = Promise.withResolvers<void>()
    let ready = 0
    const take = (first: number, second: number) =>
      db.transaction().execute(async (tx) => {
        await sql`select from sold where item = ${first} for update`.execute(tx)
        if (++ready === 2) both.resolve()
        await both.promise
        await sql`select from sold where item = ${second} for update`.execute(tx)
      })
    await isAway(Promise.all([take(1, 2), take(2, 1)]), '40P01')
  })

  it('when it refuses a connection: too many of them, another password, no such database', async () => {
    await ask(`create role clerk login password 'here' connection limit 0`)
    await isAway(sql`select 1`.execute(await open(as('clerk', 'here'))), '53300')
    await isAway(sql`select 1`.execute(await open(as('clerk', 'there'))), '28P01')
    await isAway(sql`select 1`.execute(await open(server.url.replace(/[^/]*$/, 'elsewhere'))), '3D000')
  })

  it('when it is read only, and when it is a standby', async () => {
    await ask(`create role reader login superuser password 'here'`)
    await ask('alter role reader set default_transaction_read_only = on')
    await isAway(sql`insert into sold values (4)`.execute(await open(as('reader', 'here'))), '25006')
    const standby = await startStandby(server, { through: server.url })
    opened.push(standby.stop)
    const db = await open(standby.url)
    const writes = [
      sql`insert into sold values (4)`,
      sql`select from sold for update`,
      sql`create table more (item int)`,
      sql`notify portaria_changes`,
      sql`listen portaria_changes`,
    ]
    for (const write of writes) await isAway(write.execute(db), '25006')
  })

  it('when what answers is no PostgreSQL, at the start and in the middle', async () => {
    let answer: Buffer | undefined
    const sockets = new Set<Socket>()
    const other = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => {}).on('data', () => socket.write(answer ?? ''))
    }).listen(0, '127.0.0.1')
    await once(other, 'listening')
    after(() => {
      other.close()
      for (const socket of sockets) socket.destroy()
    })
    const url = `postgres://someone:secret@127.0.0.1:${(other.address() as { port: number }).port}/sso`
    answer = Buffer.alloc(64)
    await isAway(sql`select 1`.execute(await open(url)), undefined)
    // It lets everybody in, and is ready for a query: then it says something that is none of the protocol's words.
    answer = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49])
    const db = await open(url)
    const work = db.connection().execute(async (connection) => {
      answer = Buffer.from([0x21, 0, 0, 0, 4])
      await sql`select 1`.execute(connection)
    })
    await isAway(work, undefined)
  })

  it('and not when the statement is wrong', async () => {
    const db = await open()
    for (const wrong of [sql`select gone from sold`, sql`insert into sold values (1)`, sql`select ${'x'}::bigint`, sql`select from gone`])
      await assert.rejects(wrong.execute(db), (fault) => !isDatabaseAway(fault))
  })

  it('when it stops, has stopped, and dies', async () => {
    const db = await open()
    const pid = Number(readFileSync(path.join(server.data, 'postmaster.pid'), 'utf8').split('\n', 1)[0])
    await sql`select 1`.execute(db)
    const asleep = sql`select pg_sleep(20)`.execute(db)
    const ended = isAway(asleep, 'any') // it does not always find the time to say so
    process.kill(pid, 'SIGTERM') // it takes nobody in, and waits for those that are there
    const isLeaving = (error: unknown) => (error as { code?: string }).code === '57P03'
    await until(() => ask('select 1').then(() => false, isLeaving))
    await isAway(sql`select 1`.execute(await open()), '57P03')
    await server.kill()
    await ended
    await isAway(sql`select 1`.execute(db), 'ECONNREFUSED')
  })
})
