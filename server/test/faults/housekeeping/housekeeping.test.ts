import assert from 'node:assert/strict'
import process from 'node:process'
import { it } from 'node:test'
import { sql } from 'kysely'
import { tidyIfDue } from '../../../src/housekeeping/index.ts'
import { tidy } from '../../../src/housekeeping/tidy.ts'
import { DAY_MS, firstIdAt, MINUTE_MS } from '../../../src/kit/index.ts'
import type { Queryable, Schema } from '../../../src/storage/index.ts'
import { eachDatabase } from '../../support/databases.ts'
import { isLive, sessionOf } from '../../support/faults/actions.ts'
import { freePort } from '../../support/free-port.ts'
import { environmentBeside, startServer } from '../../support/server-process.ts'
import { PASSWORD, startService, type TestService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

/** Every table from which housekeeping removes rows, with a function that makes rows that are due. */
const due: Partial<Record<keyof Schema, string>> = {
  changes: "(kind, subject, at) select 'user_changed', cast(i as text), 1",
  rate_limits: "(key, count, window_ends_at) select 'key-' || cast(i as text), 1, 1",
  handoff_redemptions: "(jti, expires_at) select 'jti-' || cast(i as text), 1",
  tickets:
    "(id, purpose, email, secret_hash, code_tries, payload_sealed, created_at, expires_at) select 'ticket-' || cast(i as text), 'sign_up', 'a@b', cast(i as text), 0, '', 1, 1",
  passkey_challenges: "(hash, purpose, expires_at) select cast(i as text), 'sign_in', 1",
  idp_attempts: "(state_hash, provider_id, sealed, expires_at) select cast(i as text), 'p', '', 1",
  sent_mails: "(id, user_id, kind, at) select 'mail-' || cast(i as text), 'USER', 'sign_up', 1",
  outbox: "(id, kind, payload_sealed, attempts, run_at, dead_at, created_at) select 'job-' || cast(i as text), 'mail', '', 9, 1, 1, 1",
  sessions:
    "(id, user_id, bound_hash, created_at, expires_at, ip, user_agent) select 'session-' || cast(i as text), 'USER', cast(i as text), 1, 1, '192.0.2.1', 'agent'",
}
/** Of sessions: they take longest, so a halt is weighed against theirs. Fewer rows of any other table show as well that they go. */
const SESSIONS = { sqlite: 200_000, postgres: 10_000 } as const
const ROWS = { sqlite: 20_000, postgres: 10_000 } as const

const columns: Partial<Record<string, string>> = { changes: 'at', rate_limits: 'window_ends_at', sent_mails: 'at', outbox: 'dead_at' }
const dueBy = (table: string) => columns[table] ?? 'expires_at'

async function plant(db: Queryable, table: string, { rows, userId }: { rows: number; userId: string }): Promise<void> {
  const what = (due[table as keyof Schema] ?? assert.fail()).replaceAll('USER', userId)
  await sql`insert into ${sql.table(table)} ${sql.raw(what.replace(' select ', ' with recursive n(i) as (select 1 union all select i + 1 from n where i < ROWS) select ').replace('ROWS', String(rows)))} from n`.execute(
    db,
  )
}

async function countOf(db: Queryable, table: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(db)
  return Number(rows[0]?.n)
}

/**
 * For how long the event loop did one thing at most while `work` was done, in ms of its thread's CPU time: other programs on the machine
 * make it late, but cost that thread nothing.
 */
async function longestHalt(work: () => Promise<unknown>): Promise<number> {
  let last = process.threadCpuUsage()
  let longest = 0
  const look = () => {
    const { user, system } = process.threadCpuUsage(last)
    longest = Math.max(longest, (user + system) / 1_000)
    last = process.threadCpuUsage()
  }
  const timer = setInterval(look, 1)
  await work()
  look()
  clearInterval(timer)
  return longest
}

eachDatabase('Housekeeping', (database) => {
  it('goes on with everything else where one of its steps fails, and says what failed', async () => {
    const service = await startService(await database.fresh(), { clock: { now: Date.now() } })
    const { db } = service.context.storage
    const { id } = await service.user('ana@exemplo.com.br')
    const tables = ['rate_limits', 'tickets', 'sent_mails', 'outbox', 'sessions']
    for (const table of tables) await plant(db, table, { rows: 3, userId: id })
    const before = await Promise.all(tables.map((table) => countOf(db, table)))
    await sql`alter table handoff_redemptions rename to away`.execute(db)
    await assert.rejects(tidy(service.context, service.clock.now), /handoff_redemptions/)
    assert.deepEqual(
      await Promise.all(tables.map((table) => countOf(db, table))),
      before.map((count) => count - 3),
    )
  })

  it('F12: of very much that is due in every table halts the service for moments, and all of it is gone', async (context) => {
    const service = await startService(await database.fresh(), { clock: { now: Date.now() } })
    const { db } = service.context.storage
    const { id } = await service.user('ana@exemplo.com.br')
    const before = new Map<string, number>()
    for (const table of Object.keys(due)) before.set(table, await countOf(db, table))
    const control: number[] = []
    for (const table of Object.keys(due)) {
      await plant(db, table, { rows: (table === 'sessions' ? SESSIONS : ROWS)[database.name], userId: id })
      // Removes them at once, for comparison, and rolls back.
      const atOnce = () =>
        db.transaction().execute(async (tx) => {
          await sql`delete from ${sql.table(table)} where ${sql.ref(dueBy(table))} <= 1`.execute(tx)
          throw new Error('only to see')
        })
      control.push(await longestHalt(() => assert.rejects(atOnce(), /only to see/)))
    }
    const browser = service.browser()
    await browser.signIn('/login', { email: 'ana@exemplo.com.br', password: PASSWORD })
    let checks = 0
    let isOver = false
    const checking = (async () => {
      for (; !isOver; checks++) assert.equal(await isLive(service, sessionOf(browser)), true)
    })()
    const halt = await longestHalt(() => tidyIfDue(service.context))
    isOver = true
    await checking
    for (const [table, n] of before) assert.ok((await countOf(db, table)) <= n + 5, `${table} still has what was due`)
    assert.ok(checks > 100, `${checks} checks meanwhile`)
    context.diagnostic(`halted for ${Math.round(halt)} ms at most; at once for ${control.map(Math.round)} ms`)
    // PostgreSQL does it elsewhere: nothing halts there.
    if (database.name === 'sqlite') assert.ok(halt < Math.max(...control) / 2, `halted for ${halt} ms; at once it were ${control} ms`)
  })

  it('F12: goes by an index in every table: what is not due costs nothing', async () => {
    const service = await startService(await database.fresh())
    const { db } = service.context.storage
    const { id } = await service.user('ana@exemplo.com.br')
    for (const table of Object.keys(due)) {
      await plant(db, table, { rows: 5_000, userId: id })
      const asked = sql`select 1 from ${sql.table(table)} where ${sql.ref(dueBy(table))} < 1 limit 64`
      if (database.name === 'postgres') await sql`analyze ${sql.table(table)}`.execute(db)
      const plan = database.name === 'sqlite' ? sql`explain query plan ${asked}` : sql`explain ${asked}`
      assert.match(JSON.stringify((await plan.execute(db)).rows), /using .*index|index (only )?scan/i, table)
    }
  })

  it('F12: is done by one of several nodes every ten minutes, and where none lives for so long', async () => {
    const { url } = await database.fresh()
    const clock = { now: Date.now() }
    const [a, b] = await Promise.all([startService({ url }, { clock }), startService({ url }, { clock })])
    const { db } = b.context.storage
    const expire = (name: string) => db.insertInto('rate_limits').values({ key: name, count: 1, window_ends_at: 1 }).execute()
    const kept = async () => (await db.selectFrom('rate_limits').select('key').where('window_ends_at', '=', 1).execute()).length
    await expire('first')
    await Promise.all([tidyIfDue(a.context), tidyIfDue(b.context)])
    assert.equal(await kept(), 0)
    await expire('second')
    await Promise.all([tidyIfDue(a.context), tidyIfDue(b.context)])
    assert.equal(await kept(), 1, 'ten minutes are not over')
    clock.now -= 2
    await tidyIfDue(b.context)
    clock.now += 2
    assert.equal(await kept(), 1, 'the time was read before that of the turn')
    await sql`update settings set value = ${String(Date.now() - 10 * MINUTE_MS - 1)} where name = 'tidied_at'`.execute(db)
    await a.stop()
    await livesShortly(b)
    assert.equal(await kept(), 0)
    await expire('third')
    await sql`update settings set value = ${String(Date.now() + DAY_MS)} where name = 'tidied_at'`.execute(db)
    await tidyIfDue(b.context)
    assert.equal(await kept(), 0, 'a time that lies ahead is of a wrong clock')
  })

  it('F12: removes the events of one day at most in a round, so that a clock that is months ahead costs few, and none by an id alone', async () => {
    const service = await startService(await database.fresh())
    const { db } = service.context.storage
    const now = Date.now()
    const add = (id: number, days: number) => {
      const event = { type: 'session.revoked', product_id: null, subject: 's', sequence: 1, data: '{}' }
      const occurred_at = now - days * DAY_MS
      return db
        .insertInto('app_events')
        .values({ ...event, id: firstIdAt(now - id * DAY_MS), occurred_at })
        .execute()
    }
    for (const age of [190.5, 189.5, 100, 80]) await add(age, age)
    await add(200, 1)
    const round = async (until?: number) => {
      if (until !== undefined)
        await sql`update settings set value = ${String(now + until * DAY_MS)} where name = 'events_removed_until'`.execute(db)
      await sql`delete from settings where name = 'tidied_at'`.execute(db)
      await tidyIfDue(service.context)
      const left = await db.selectFrom('app_events').select('occurred_at').orderBy('occurred_at').execute()
      return left.map(({ occurred_at }) => (now - occurred_at) / DAY_MS)
    }
    await db.insertInto('settings').values({ name: 'events_removed_until', value: '' }).execute()
    // As if the clock had shown 101 days less in the round before.
    assert.deepEqual(await round(-191), [189.5, 100, 80, 1])
    assert.deepEqual(await round(), [100, 80, 1])
    assert.deepEqual(await round(), [100, 80, 1])
    // It was set back: what is kept is reckoned by the present time again.
    assert.deepEqual(await round(50), [80, 1])
    assert.deepEqual(await round(), [80, 1])
  })
})

/** A process that is stopped half a minute after its start at the latest. */
async function livesShortly(beside: TestService): Promise<void> {
  const server = await startServer(environmentBeside(beside, { port: await freePort() }))
  const { db } = beside.context.storage
  await until(async () => (await sql`select 1 from rate_limits where window_ends_at = 1`.execute(db)).rows.length === 0)
  server.child.kill('SIGTERM')
  await server.exited
}
