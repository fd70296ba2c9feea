import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { openPostgres } from '../../src/storage/postgres/postgres.ts'
import { isLive, openShop, sessionOf } from '../support/faults/actions.ts'
import { ask, canWrite, sellAt, signIn, signOutEach } from '../support/faults/failing-over.ts'
import { startProxy } from '../support/faults/proxy.ts'
import { deliver, openSchool } from '../support/gateways/gateways.ts'
import { sale } from '../support/gateways/made-events.ts'
import { assertProcessed } from '../support/gateways/purchase-truth.ts'
import { completed, notify, signed, WEBHOOKS } from '../support/gateways/purchases.ts'
import { type Commits, startPostgres, startStandby } from '../support/postgres.ts'
import { PASSWORD, startService, type TestService } from '../support/service.ts'
import { databaseOn } from '../support/templates.ts'
import { until } from '../support/until.ts'

const COMMITS: Commits = 'on_disk'
const PROPAGATION_MS = 2_000
const WRITES_BACK_MS = 5_000
const environment = { PORTARIA_URL: 'http://sso.exemplo.test', ...WEBHOOKS }

describe('Nodes whose database loses what it had', () => {
  const announce = (node: TestService, subject: string) =>
    node.context.changes.transaction(async (_tx, announce) => announce({ kind: 'session_ended', subject }))
  const isReady = async (node: TestService) => (await node.browser().get('/readyz')).status === 200

  it('F1: hear of every sign-out after a standby that lacked the end of the feed took over, and forget who signed in in the lost part', async () => {
    const primary = await startPostgres(COMMITS)
    after(() => primary.stop())
    const replication = await startProxy(primary)
    const standby = await startStandby(primary, { through: replication.url })
    after(() => standby.stop())
    const address = await startProxy(primary)
    const [a, b] = [await startService({ url: address.url }, { environment }), await startService({ url: address.url }, { environment })]
    const users = []
    for (let i = 0; i < 6; i++) users.push(await signIn(a, `pessoa${i}@exemplo.com.br`))
    for (const { token } of users) assert.equal(await isLive(b, token), true)
    const positionOf = async (url: string) => (await ask<{ seq: string }>(url, 'select coalesce(max(seq), 0) as seq from changes'))[0]?.seq
    await until(async () => (await positionOf(standby.url)) === (await positionOf(primary.url)))
    await until(async () => (await ask(standby.url, 'select 1 from sessions')).length === users.length)

    replication.cut()
    for (let i = 0; i < 20; i++) await announce(a, `lost ${i}`)
    const lost = await signIn(a, 'perdida@exemplo.com.br')
    assert.deepEqual([await isLive(a, lost.token), await isLive(b, lost.token)], [true, true])
    await primary.kill()
    await ask(standby.url, 'select pg_promote()')
    address.moveTo(standby)
    await until(async () => (await isReady(a)) && (await isReady(b)))
    await until(async () => !(await isLive(a, lost.token)) && !(await isLive(b, lost.token)), PROPAGATION_MS)
    await signOutEach(users, b)
  })

  it('F1: hear of every sign-out after an older copy of the database took its place, were it only sign-ins that it lacked', async () => {
    const server = await startPostgres(COMMITS)
    after(() => server.stop())
    await ask(server.url, 'create database life')
    const url = databaseOn(server.url, 'life')
    const [a, b] = [await startService({ url }, { environment }), await startService({ url }, { environment })]
    const users = [await signIn(a, 'ana@exemplo.com.br'), await signIn(a, 'bia@exemplo.com.br')]
    // A copy needs the database alone for a moment; the nodes connect again by themselves.
    const alone = `select pg_terminate_backend(pid) from pg_stat_activity where datname = 'life'`
    await until(async () => {
      await ask(server.url, alone)
      return ask(server.url, 'create database copy template life').then(
        () => true,
        () => false,
      )
    })
    await until(async () => (await isReady(a)) && (await isReady(b)))
    const later = a.browser()
    await later.signIn('/login', { email: 'ana@exemplo.com.br', password: PASSWORD })
    const lost = sessionOf(later)
    for (const node of [a, b]) {
      await until(() => isLive(node, lost))
      for (const { token } of users) assert.equal(await isLive(node, token), true)
    }
    await ask(server.url, 'alter database life with allow_connections false')
    await ask(server.url, alone)
    await ask(server.url, 'alter database life rename to gone')
    await ask(server.url, 'alter database copy rename to life')
    await until(async () => (await isReady(a)) && (await isReady(b)))
    await until(async () => !(await isLive(a, lost)) && !(await isLive(b, lost)), PROPAGATION_MS)
    await signOutEach(users, b)
  })

  it('find the standby that took over by an address of both servers: checks are answered all along, writes come back within 5 s, and nothing that was acknowledged is lost', async () => {
    const primary = await startPostgres(COMMITS)
    after(() => primary.stop())
    const standby = await startStandby(primary, { through: primary.url })
    after(() => standby.stop())
    const { host } = new URL(standby.url)
    await ask(primary.url, "alter system set synchronous_standby_names = '*'")
    await ask(primary.url, 'select pg_reload_conf()')
    // The standby comes first: a node goes on to the server that takes writes.
    const url = primary.url.replace('@', `@${host},`)
    const [a, b] = [await startService({ url }, { environment }), await startService({ url }, { environment })]
    const selling = sellAt([a, b], (await openShop(a)).product.id)
    const users = [await signIn(a, 'ana@exemplo.com.br'), await signIn(a, 'bia@exemplo.com.br')]
    for (const { token } of users) await until(async () => (await isLive(a, token)) && (await isLive(b, token)))
    await until(() => selling.book.acknowledged.size >= 20)
    await primary.kill()
    for (const { token } of users) assert.deepEqual([await isLive(a, token), await isLive(b, token)], [true, true])
    await ask(standby.url, 'select pg_promote()')
    await until(() => canWrite(a), WRITES_BACK_MS)
    await until(() => canWrite(b), WRITES_BACK_MS)
    await signOutEach(users, b)
    await selling.stop()
    await assertProcessed(selling.book, a.context.storage)
  })

  it('write again within 5 s after their database has moved without a word, though every connection waits for the server that is gone', async () => {
    const primary = await startPostgres(COMMITS)
    after(() => primary.stop())
    const standby = await startStandby(primary, { through: primary.url })
    after(() => standby.stop())
    const address = await startProxy(primary)
    const [a, b] = [await startService({ url: address.url }, { environment }), await startService({ url: address.url }, { environment })]
    const users = [await signIn(a, 'ana@exemplo.com.br'), await signIn(a, 'bia@exemplo.com.br')]
    for (const { token } of users) await until(async () => (await isLive(a, token)) && (await isLive(b, token)))
    await until(async () => (await ask(standby.url, 'select 1 from sessions')).length === users.length)

    const begun = performance.now()
    const slow = () => sql`select pg_sleep(60)`.execute(a.context.storage.db).catch(String)
    const waiting = Promise.all(Array.from({ length: 4 }, slow))
    const running = () => ask(primary.url, "select 1 from pg_stat_activity where state = 'active' and query like 'select pg_sleep%'")
    await until(async () => (await running()).length === 4)
    address.abandon()
    // The primary's machine is gone: nobody ends its connections.
    await ask(standby.url, 'select pg_promote()')
    address.moveTo(standby)
    assert.equal((await waiting).filter((answer) => typeof answer === 'string').length, 4)
    // Left alone each would wait for an answer for eleven seconds from when it was asked, however busy the machine is.
    assert.ok(performance.now() - begun < 11_000)
    await until(() => canWrite(a), WRITES_BACK_MS)
    await until(() => canWrite(b), WRITES_BACK_MS)
    await signOutEach(users, b)
  })

  it('F15: leave no process of PostgreSQL behind where commits wait for a standby that is gone', async () => {
    const server = await startPostgres(COMMITS)
    after(() => server.stop())
    // A commit that is slow is none that waits for ever.
    const { db, close } = await openPostgres([server.url], { statementMs: 4_000 })
    after(close)
    await sql`create table sold (item text)`.execute(db)
    await ask(server.url, `alter system set synchronous_standby_names = 'gone'`)
    await ask(server.url, 'select pg_reload_conf()')
    const waiting = () => ask(server.url, `select 1 from pg_stat_activity where wait_event = 'SyncRep'`)
    // The server begins to wait a moment after it has read its settings: what is sold until then is sold again.
    const sellOnce = () => sql`insert into sold values ('book')`.execute(db).then(() => undefined, String)
    const sales = Array.from({ length: 3 }, async () => {
      for (let tries = 0; tries < 500; tries++) {
        const fault = await sellOnce()
        if (fault !== undefined) return fault
      }
      return 'no commit waited'
    })
    await until(async () => (await waiting()).length === sales.length)
    for (const fault of await Promise.all(sales)) assert.match(fault, /Query read timeout/)
    await until(async () => (await waiting()).length === 0)
  })

  it('F15: acknowledge nothing that this server alone has, however often it is sent again', async () => {
    const server = await startPostgres(COMMITS)
    after(() => server.stop())
    const node = await startService({ url: server.url }, { environment: WEBHOOKS })
    const school = await openSchool(node, 'stripe')
    const users = [await signIn(node, 'ana@exemplo.com.br'), await signIn(node, 'bia@exemplo.com.br')]
    await ask(server.url, `alter system set synchronous_standby_names = 'gone'`)
    await ask(server.url, 'select pg_reload_conf()')
    const waiting = () => ask(server.url, `select 1 from pg_stat_activity where wait_event = 'SyncRep'`)
    const { db, close } = await openPostgres([server.url], { statementMs: 500 })
    after(close)
    // A commit that waits for the standby is given up, which is a fault here, and what this is about.
    const whateverComes = () => {}
    await sql`create table sold (item text)`.execute(db).catch(whateverComes)
    await until(async () => {
      const commit = sql`insert into sold values ('book')`.execute(db).catch(whateverComes)
      await Promise.race([commit, pause(200)])
      return (await waiting()).length > 0
    })
    const [purchase, event] = [signed(completed({ email: 'caio@exemplo.com.br' })), { ...sale('pi_1', 'duda@exemplo.com.br'), id: 'evt_1' }]
    const sendAll = () =>
      Promise.all([
        notify(node.url, purchase).then(({ status }) => status),
        deliver(school, event).then(({ status }) => status),
        ...users.map(({ browser }) => browser.request('GET', '/auth/signout').then(({ status }) => status)),
      ])
    for (let times = 0; times < 2; times++) assert.deepEqual(await sendAll(), [503, 503, 503, 503])
    const { rows } = await sql<{ n: number }>`select count(*) as n from notifications`.execute(node.context.storage.db)
    assert.equal(Number(rows[0]?.n), 2)
  })

  it('F15: acknowledge nothing at a server that follows another one, and call it a database that is away', async () => {
    const primary = await startPostgres(COMMITS)
    after(() => primary.stop())
    const standby = await startStandby(primary, { through: primary.url })
    after(() => standby.stop())
    const address = await startProxy(primary)
    const node = await startService({ url: address.url }, { environment: WEBHOOKS })
    const purchase = signed(completed({ email: 'caio@exemplo.com.br' }))
    assert.equal((await notify(node.url, purchase)).status, 200)
    const { browser, token } = await signIn(node, 'ana@exemplo.com.br')
    assert.ok((await browser.get('/auth/signout')).status < 400)
    const endsOn = async (url: string) => (await ask(url, `select 1 from sessions where ended_at is not null`)).length
    await until(async () => (await endsOn(standby.url)) === 1)
    address.cut()
    address.moveTo(standby)
    await address.restore()
    await until(
      async () =>
        (
          await node.context.storage.db
            .selectFrom('users')
            .select('id')
            .execute()
            .catch(() => [])
        ).length === 1,
    )
    const again = node.browser()
    for (let times = 0; times < 3; times++) {
      again.cookies.set('eg_session', token)
      assert.deepEqual([(await notify(node.url, purchase)).status, (await again.get('/auth/signout')).status], [503, 503])
    }
  })
})
