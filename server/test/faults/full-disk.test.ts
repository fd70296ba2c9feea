import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { it } from 'node:test'
import { sql } from 'kysely'
import { hiddenFlow } from '../support/browser.ts'
import { onSqlite } from '../support/databases.ts'
import { fetchHandoff, isLive, loginPath, openShop, redeem, sessionOf } from '../support/faults/actions.ts'
import { freePort } from '../support/free-port.ts'
import { environmentBeside, startServer } from '../support/server-process.ts'
import { PASSWORD, startService } from '../support/service.ts'
import { until } from '../support/until.ts'

onSqlite('A service whose disk is full', (database) => {
  it('says so to who would write, goes on answering checks, keeps its file sound, and works again with room', async () => {
    const fresh = await database.fresh()
    const port = await freePort()
    const hand = await startService(fresh, { environment: { PORTARIA_URL: `http://localhost:${port}` } })
    const shop = await openShop(hand)
    const { email } = await hand.user('ana@exemplo.com.br')
    const environment = environmentBeside(hand, { port })
    await hand.stop()
    const file = fresh.url.slice('sqlite:'.length)

    // Room for some more sign-ins in the log, which starts anew with each start.
    const server = await startServer(environment, { fileBlocks: Math.ceil(statSync(file).size / 512) + 100 })
    const browser = server.browser()
    await browser.signIn(loginPath(shop), { email, password: PASSWORD })
    const token = sessionOf(browser)
    const handoffs: string[] = []
    for (let i = 0; i < 12; i++) handoffs.push(await fetchHandoff(browser, shop))
    const form = server.browser()
    const flow = hiddenFlow((await form.get('/login')).text)
    const postForm = () =>
      server.browser().request('POST', '/login', {
        headers: {
          accept: 'application/json',
          'content-type': 'application/x-www-form-urlencoded',
          origin: server.url,
          cookie: [...form.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        },
        body: new URLSearchParams({ flow, email, password: PASSWORD }).toString(),
      })
    const signedIn: string[] = []
    let refused = await postForm()
    for (let i = 0; i < 200 && refused.status === 302; i++) {
      signedIn.push(/eg_session=([^;]+)/.exec(refused.headers.get('set-cookie') ?? '')?.[1] ?? '')
      refused = await postForm()
    }
    assert.equal(refused.status, 503, 'the disk never filled up')
    assert.ok(Number(refused.headers.get('retry-after')) >= 1)
    assert.deepEqual(Object.keys(refused.json()), ['error'])
    // A redemption writes less than a sign-in, so that some may still find room.
    let unredeemed = ''
    for (const handoff of handoffs) if ((await redeem(server, handoff, shop)).status === 503) unredeemed ||= handoff
    assert.notEqual(unredeemed, '', 'each redemption found room')
    for (const live of [token, ...signedIn]) assert.equal(await isLive(server, live), true)
    await until(async () => (await server.browser().get('/readyz')).status === 503)
    assert.equal((await server.browser().get('/readyz')).json().status, 'database_unwritable')
    await until(() => server.log().includes('database away'))
    server.child.kill('SIGTERM')
    assert.deepEqual(await server.exited, { code: 0, signal: null })

    const handle = new DatabaseSync(file)
    assert.equal(handle.prepare('pragma integrity_check').get()?.integrity_check, 'ok')
    handle.close()
    const again = await startServer(environment)
    for (const live of [token, ...signedIn]) assert.equal(await isLive(again, live), true)
    assert.equal((await redeem(again, unredeemed, shop)).status, 200)
    assert.equal((await again.browser().signIn('/login', { email, password: PASSWORD })).status, 302)
  })

  it('works again without a restart as soon as there is room', async () => {
    const service = await startService(await database.fresh())
    const { email } = await service.user('ana@exemplo.com.br')
    const { db } = service.context.storage
    const signIn = () => service.browser().signIn('/login', { email, password: PASSWORD })
    const known = service.browser()
    await known.signIn('/login', { email, password: PASSWORD })
    await sql`pragma max_page_count = 1`.execute(db)
    let status = 302
    for (let i = 0; i < 100 && status === 302; i++) status = (await signIn()).status
    assert.equal(status, 503)
    assert.equal(await isLive(service, sessionOf(known)), true)
    await sql`pragma max_page_count = 1000000`.execute(db)
    assert.equal((await signIn()).status, 302)
  })
})
