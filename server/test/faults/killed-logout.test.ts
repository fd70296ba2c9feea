import assert from 'node:assert/strict'
import { it } from 'node:test'
import { openStorage } from '../../src/storage/index.ts'
import { eachDurableDatabase, onPostgres } from '../support/databases.ts'
import { fetchHandoff, openShop, redeem } from '../support/faults/actions.ts'
import { freePort } from '../support/free-port.ts'
import { notifyOfSignOuts, startLogoutReceiver } from '../support/openid/logout-receiver.ts'
import { ageLeases, environmentBeside, startServer } from '../support/server-process.ts'
import { PASSWORD, startService } from '../support/service.ts'
import { until } from '../support/until.ts'

/** A worker that died keeps its job for this long. */
const LEASE_MS = 60_000
const URL_OF_BOTH = 'http://localhost:4999'

eachDurableDatabase('A notice of a sign-out', (database) => {
  it('reaches the app after the restart when the server is killed between the sign-out and the delivery', async (context) => {
    const receiver = await startLogoutReceiver()
    const service = await startService(await database.fresh(), { environment: { PORTARIA_URL: URL_OF_BOTH } })
    const { email } = await service.user('ana@exemplo.com.br')
    const shop = await openShop(service)
    await notifyOfSignOuts(service, 'loja', receiver.url)
    const environment = environmentBeside(service, { port: await freePort() })
    await service.stop()
    receiver.answers(() => 'hangs')
    const first = await startServer(environment)
    const browser = first.browser()
    await browser.signIn('/login', { email, password: PASSWORD })
    assert.equal((await redeem(first, await fetchHandoff(browser, shop), shop)).status, 200)
    await browser.get('/auth/signout')
    await until(() => receiver.requests.length > 0)
    first.child.kill('SIGKILL')
    await first.exited
    const storage = await openStorage(service.config.database)
    context.after(() => storage.close())
    const jobs = () => storage.db.selectFrom('outbox').selectAll().execute()
    assert.equal((await jobs()).length, 1, 'the notice is lost')
    await ageLeases(storage, LEASE_MS)
    receiver.answers(() => ({ status: 200 }))
    await startServer(environment)
    await until(async () => (await jobs()).length === 0)
    assert.equal(new Set(receiver.sids()).size, 1)
    assert.equal(new Set(receiver.tokens()).size, 2)
  })
})

onPostgres('Two nodes over one PostgreSQL', (database) => {
  it('notify an app once of each sign-out, whichever of them ended the session', async () => {
    const { url } = await database.fresh()
    const environment = { PORTARIA_URL: URL_OF_BOTH }
    const nodes = await Promise.all([startService({ url }, { environment }), startService({ url }, { environment })])
    const receiver = await startLogoutReceiver()
    const [a] = nodes
    const shop = await openShop(a)
    await notifyOfSignOuts(a, 'loja', receiver.url)
    for (let n = 0; n < 10; n++) {
      const node = nodes[n % 2] ?? a
      const user = await a.user(`ana-${n}@exemplo.com.br`)
      const browser = node.browser()
      await browser.signIn('/login', { email: user.email, password: PASSWORD })
      assert.equal((await redeem(nodes[(n + 1) % 2] ?? a, await fetchHandoff(browser, shop), shop)).status, 200)
      await browser.get('/auth/signout')
    }
    const { db } = a.context.storage
    await until(async () => (await db.selectFrom('outbox').select('id').execute()).length === 0)
    assert.equal(receiver.requests.length, 10)
    assert.equal(new Set(receiver.sids()).size, 10)
  })
})
