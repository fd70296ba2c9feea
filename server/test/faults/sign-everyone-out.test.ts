import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import process from 'node:process'
import { it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { endEverySession } from '../../src/sessions/index.ts'
import { commandLine, MASTER_KEY } from '../support/command-line.ts'
import { eachDatabase } from '../support/databases.ts'
import { addEndpoint } from '../support/events/endpoints.ts'
import { fetchHandoff, isLive, openShop, redeem, sessionOf } from '../support/faults/actions.ts'
import { notifyOfSignOuts, startLogoutReceiver } from '../support/openid/logout-receiver.ts'
import { PASSWORD, startService } from '../support/service.ts'
import { until } from '../support/until.ts'

const PORTARIA = fileURLToPath(new URL('../../bin/portaria.mjs', import.meta.url))
const PROPAGATION_MS = 5_000
const MANY = 2_000
/** With three values each, more than one statement may have on either database. */
const VERY_MANY = 22_000
const DECENT_MS = 60_000

eachDatabase('The command that signs everyone out', (database) => {
  it('F10: ends every session there is, of users and of products, and says so in the audit log', async () => {
    const { url } = await database.fresh()
    const service = await startService({ url })
    const portaria = commandLine({ url })
    const shop = await openShop(service)
    const browsers = await Promise.all(
      ['ana', 'bia', 'caio'].map(async (name) => {
        const { email } = await service.user(`${name}@exemplo.com.br`)
        const browser = service.browser()
        await browser.signIn('/login', { email, password: PASSWORD })
        return browser
      }),
    )
    const [first = assert.fail()] = browsers
    const { eg_session: ofShop } = (await redeem(service, await fetchHandoff(first, shop), shop)).json<{ eg_session: string }>()
    const { id } = await service.user('davi@exemplo.com.br')
    await sql`insert into sessions (id, user_id, created_at, expires_at, ip, user_agent)
      with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(MANY)})
      select 'many-' || cast(i as text), ${id}, 1, ${Date.now() + 60_000}, '192.0.2.1', 'agent' from n`.execute(service.context.storage.db)
    for (const browser of browsers) assert.equal(await isLive(service, sessionOf(browser)), true)
    assert.equal(await isLive(service, ofShop, shop), true)
    assert.equal((await portaria('session revoke-all')).code, 2, 'a reason is asked for')
    // In a process of its own, as in life: nothing but the command itself keeps that alive.
    const said = await promisify(execFile)(process.execPath, [PORTARIA, 'session', 'revoke-all', '--reason', 'restored a dump', '--json'], {
      env: { ...process.env, DATABASE_URL: url, PORTARIA_MASTER_KEY: MASTER_KEY },
    })
    assert.deepEqual(JSON.parse(said.stdout), { sessions_ended: MANY + 4 }, said.stderr)
    for (const browser of browsers) await until(async () => !(await isLive(service, sessionOf(browser))), PROPAGATION_MS)
    await until(async () => !(await isLive(service, ofShop, shop)), PROPAGATION_MS)
    const { rows } = await sql`select 1 from sessions where ended_at is null`.execute(service.context.storage.db)
    assert.equal(rows.length, 0)
    const [entry] = (await portaria('audit list --action session.revoke_all --json')).json
    assert.deepEqual([entry.actor, entry.reason], ['operator:cli', 'restored a dump'])
    await first.signIn('/login', { email: 'ana@exemplo.com.br', password: PASSWORD })
    assert.equal(await isLive(service, sessionOf(first)), true, 'and everybody can sign in again')
  })
  it('ends a product session that began after the command did, below a session that the command had not reached', async () => {
    const service = await startService(await database.fresh())
    const shop = await openShop(service)
    const receiver = await startLogoutReceiver()
    await notifyOfSignOuts(service, 'loja', receiver.url)
    const { email } = await service.user('ana@exemplo.com.br')
    const browser = service.browser()
    await browser.signIn('/login', { email, password: PASSWORD })
    const handoff = await fetchHandoff(browser, shop)
    const begunAt = service.clock.now
    service.clock.now += 5_000
    const { eg_session: ofShop } = (await redeem(service, handoff, shop)).json<{ eg_session: string }>()
    assert.equal(await isLive(service, ofShop, shop), true)
    assert.equal(await endEverySession({ ...service.context, actor: 'operator:cli', now: () => begunAt }), 2)
    assert.equal(await isLive(service, ofShop, shop), false)
    const sid = JSON.parse(Buffer.from(ofShop.split('.')[1] ?? '', 'base64url').toString()).sid
    await until(() => receiver.sids().includes(sid), PROPAGATION_MS)
    const again = service.browser()
    await again.signIn('/login', { email, password: PASSWORD })
    assert.equal(await endEverySession({ ...service.context, actor: 'operator:cli', now: () => begunAt }), 0, 'a newer sign-in stays')
    assert.equal(await isLive(service, sessionOf(again)), true)
  })
})

eachDatabase('A session with very many product sessions', (database) => {
  it('ends with all of them, in one go, and leaves a notice and an event of each', async () => {
    const service = await startService(await database.fresh())
    const shop = await openShop(service)
    const receiver = await startLogoutReceiver()
    receiver.answers(() => 'hangs')
    await notifyOfSignOuts(service, 'loja', receiver.url)
    await addEndpoint(service, { url: receiver.url, types: ['session.revoked'] })
    const { id: user, email } = await service.user('ana@exemplo.com.br')
    const browser = service.browser()
    await browser.signIn('/login', { email, password: PASSWORD })
    const { db } = service.context.storage
    const [{ id: parent } = assert.fail()] = await db.selectFrom('sessions').select('id').where('user_id', '=', user).execute()
    await sql`insert into sessions (id, user_id, product_id, parent_id, created_at, expires_at, ip, user_agent)
      with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(VERY_MANY)})
      select 'many-' || cast(i as text), ${user}, ${shop.product.id}, ${parent}, 1, ${Date.now() + 60_000}, '192.0.2.1', 'agent' from n`.execute(
      db,
    )
    const from = performance.now()
    assert.equal((await browser.get('/auth/signout')).status, 200)
    const took = performance.now() - from
    assert.ok(took < DECENT_MS, `${took} ms`)
    const count = async (table: 'outbox' | 'app_events' | 'event_deliveries' | 'changes') => {
      const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(db)
      return Number(rows[0]?.n)
    }
    const { rows } = await sql`select 1 from sessions where ended_at is null`.execute(db)
    assert.equal(rows.length, 0)
    assert.equal(await count('outbox'), VERY_MANY)
    assert.equal(await count('app_events'), VERY_MANY + 1)
    assert.equal(await count('event_deliveries'), VERY_MANY + 1)
    assert.ok((await count('changes')) > VERY_MANY)
  })
})
