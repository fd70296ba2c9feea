import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { Client } from 'pg'
import { hiddenFlow } from '../support/browser.ts'
import { onPostgres } from '../support/databases.ts'
import { check, fetchHandoff, hearAll, isLive, loginPath, openShop, redeem, sessionOf } from '../support/faults/actions.ts'
import { startProxy } from '../support/faults/proxy.ts'
import { PASSWORD, startService } from '../support/service.ts'
import { until } from '../support/until.ts'

const MINUTE_MS = 60_000
const PROPAGATION_MS = 2_500

onPostgres('A service whose database is away', (database) => {
  async function begin() {
    const fresh = await database.fresh()
    const proxy = await startProxy(fresh)
    // As many as in life.
    const service = await startService({ url: proxy.url }, { environment: { PORTARIA_DATABASE_CONNECTIONS: '10' } })
    const shop = await openShop(service)
    const [ana, bia] = [await service.user('ana@exemplo.com.br'), await service.user('bia@exemplo.com.br')]
    const browser = service.browser()
    await browser.signIn(loginPath(shop), { email: ana.email, password: PASSWORD })
    const token = sessionOf(browser)
    const handoff = await fetchHandoff(browser, shop)
    const spare = await fetchHandoff(browser, shop)
    const child = (await redeem(service, spare, shop)).json<{ eg_session: string }>().eg_session
    const stranger = service.browser()
    await stranger.signIn('/login', { email: bia.email, password: PASSWORD })
    const form = service.browser()
    const flow = hiddenFlow((await form.get('/login')).text)
    const postForm = () => form.submit('/login', { flow, email: ana.email, password: PASSWORD }, { accept: 'application/json' })
    const ready = async () => (await service.browser().get('/readyz')).status
    await hearAll(service)
    assert.deepEqual([await isLive(service, token), await isLive(service, child, shop)], [true, true])
    return { fresh, proxy, service, shop, browser, token, child, handoff, unseen: sessionOf(stranger), postForm, ready }
  }

  it('answers checks from what it has seen, takes nothing new, loses nothing, and recovers by itself', async () => {
    const { proxy, service, shop, browser, token, child, handoff, unseen, postForm, ready } = await begin()
    proxy.cut()
    assert.deepEqual([await isLive(service, token), await isLive(service, child, shop)], [true, true])
    assert.deepEqual(await check(service, unseen), { authenticated: false, reason: 'invalid_session' })
    assert.deepEqual(await check(service, 'no.such.token'), { authenticated: false, reason: 'invalid_session' })
    assert.equal((await service.browser().get('/healthz')).status, 200)
    assert.equal(await ready(), 503)
    for (const answer of [await postForm(), await redeem(service, handoff, shop)]) {
      assert.equal(answer.status, 503)
      assert.ok(Number(answer.headers.get('retry-after')) >= 1)
      const body = answer.json<{ error: string }>()
      assert.deepEqual(Object.keys(body), ['error'])
      assert.ok(body.error.length > 0 && !/ECONN|postgres|127\.0\.0\.1/.test(body.error), body.error)
    }
    assert.equal((await browser.get('/auth/signout')).status, 503)
    assert.equal(await isLive(service, token), true, 'a sign-out that failed has not signed out')

    await proxy.restore()
    await until(async () => (await ready()) === 200, PROPAGATION_MS)
    assert.equal((await redeem(service, handoff, shop)).status, 200)
    assert.equal((await redeem(service, handoff, shop)).status, 401)
    assert.equal((await postForm()).status, 302)
    assert.equal(await isLive(service, unseen), true)
  })

  it('refuses what it has seen from fifteen minutes after its last look, until it can look again', async () => {
    const { proxy, service, shop, token, child } = await begin()
    proxy.cut()
    const seenAt = service.context.changes.lastLookAt()
    service.clock.now = seenAt + 15 * MINUTE_MS
    assert.deepEqual([await isLive(service, token), await isLive(service, child, shop)], [true, true])
    service.clock.now += 1
    assert.deepEqual(await check(service, token), { authenticated: false, reason: 'invalid_session' })
    assert.equal(await isLive(service, child, shop), false)
    await proxy.restore()
    await until(() => isLive(service, token), PROPAGATION_MS)
    assert.equal(await isLive(service, child, shop), true)
  })

  it('hears afterwards what ended meanwhile', async () => {
    const { proxy, service, fresh, token } = await begin()
    proxy.cut()
    const other = await startService(fresh, { environment: { PORTARIA_URL: service.url } })
    await other.context.changes.transaction(async (tx, announce) => {
      const [row = assert.fail()] = await tx
        .selectFrom('sessions')
        .select('id')
        .where('parent_id', 'is', null)
        .orderBy('created_at')
        .execute()
      await tx.updateTable('sessions').set({ ended_at: other.clock.now, ended_reason: 'test' }).where('id', '=', row.id).execute()
      announce({ kind: 'session_ended', subject: row.id })
    })
    assert.equal(await isLive(service, token), true)
    await proxy.restore()
    await until(async () => !(await isLive(service, token)), PROPAGATION_MS)
  })

  it('goes on answering checks at once while the server hangs, refuses the rest in time, and recovers by itself', async () => {
    const { proxy, service, shop, token, child, handoff, unseen, postForm, ready } = await begin()
    proxy.freeze()
    const waiting = Promise.all([check(service, unseen), ready(), postForm(), redeem(service, handoff, shop)])
    // More than there are places for such work, and for checks that nobody remembers.
    const others = Promise.all(Array.from({ length: 40 }, () => redeem(service, handoff, shop)))
    let isOver = false
    void waiting.finally(() => {
      isOver = true
    })
    assert.match((await service.browser().get('/metrics')).text, /^portaria_feed_age_seconds \d/m)
    assert.equal(isOver, false, 'the numbers waited for the database')
    const took: number[] = []
    for (let i = 0; i < 50; i++) {
      const from = performance.now()
      assert.deepEqual([await isLive(service, token), await isLive(service, child, shop)], [true, true])
      took.push(performance.now() - from)
    }
    // A check that waits for a look at the feed takes a second. One that waits for a query takes ten. A busy machine slows down a few.
    took.sort((a, b) => a - b)
    assert.ok((took[25] ?? assert.fail()) < 500, `checks took ${took.map(Math.round)} ms`)
    assert.ok((took.at(-1) ?? assert.fail()) < 3_000, `a check took ${took.map(Math.round)} ms`)
    const from = performance.now()
    const [unknown, readiness, login, verified] = await waiting
    assert.ok(performance.now() - from < 20_000)
    assert.equal(unknown.authenticated, false)
    assert.deepEqual([readiness, login.status, verified.status], [503, 503, 503])
    for (const { status } of await others) assert.equal(status, 503)
    await proxy.restore()
    await until(async () => (await ready()) === 200)
    assert.equal((await redeem(service, handoff, shop)).status, 200)
  })

  it('gives up connections that no longer answer, so that a server that has moved is found', async () => {
    const { proxy, service, shop, handoff, ready } = await begin()
    const { db } = service.context.storage
    const askAtOnce = () => Promise.allSettled(Array.from({ length: 20 }, () => sql`select pg_sleep(0.05)`.execute(db)))
    await askAtOnce()
    assert.ok(proxy.connections() > 3)
    proxy.abandon()
    await askAtOnce()
    assert.deepEqual(new Set((await askAtOnce()).map(({ status }) => status)), new Set(['fulfilled']))
    await until(async () => (await ready()) === 200, 2_000)
    assert.equal((await redeem(service, handoff, shop)).status, 200)
  })

  it('survives that all its connections are ended again and again in the middle of everything', async () => {
    const { service, shop, browser, fresh } = await begin()
    const killer = new Client({ connectionString: fresh.url })
    await killer.connect()
    let isOver = false
    const seen = new Map<number, number>()
    const count = ({ status }: { status: number }) => void seen.set(status, (seen.get(status) ?? 0) + 1)
    const working = Array.from({ length: 8 }, async () => {
      while (!isOver) {
        const answer = await browser.get(loginPath(shop))
        const left = answer.location && (await browser.get(answer.location.href))
        // The handoffs of this quarter of an hour are used up.
        if (left?.status === 429) service.clock.now += 15 * MINUTE_MS
        const handoff = left?.location?.searchParams.get('eg_token')
        count(handoff ? await redeem(service, handoff, shop) : answer)
        await pause(5)
      }
    })
    const succeeded = () => seen.get(200) ?? 0
    for (let i = 0; i < 15 || (succeeded() < 5 && i < 100); i++) {
      // Longer each time: on a slow machine nothing is done between two that are as near as the first.
      await new Promise((resolve) => setTimeout(resolve, 100 + 100 * Math.random() + 15 * i))
      await killer.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      )
    }
    isOver = true
    await Promise.all(working)
    await killer.end()
    assert.ok(succeeded() >= 5 && (seen.get(503) ?? 0) > 0, `nothing was under way: ${[...seen]}`)
    for (const status of seen.keys()) assert.ok([200, 302, 401, 503].includes(status), `an answer of ${status}`)
    service.clock.now += 15 * MINUTE_MS
    const works = async () => (await redeem(service, await fetchHandoff(browser, shop), shop)).status === 200
    await until(() => works().catch(() => false), PROPAGATION_MS)
  })
})
