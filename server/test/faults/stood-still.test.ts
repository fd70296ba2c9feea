import assert from 'node:assert/strict'
import { it } from 'node:test'
import { onPostgres } from '../support/databases.ts'
import { isLive, sessionOf } from '../support/faults/actions.ts'
import { startProxy } from '../support/faults/proxy.ts'
import { freePort } from '../support/free-port.ts'
import { environmentBeside, startServer } from '../support/server-process.ts'
import { PASSWORD, startService } from '../support/service.ts'
import { until } from '../support/until.ts'

const PROPAGATION_MS = 2_000
/** One answer of a machine under load. With the two seconds it is less than the eleven for which a query waits that is left alone. */
const ANSWERED_MS = 7_000
const environment = { PORTARIA_URL: 'http://sso.exemplo.test' }
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

onPostgres('A node that was out of touch', (database) => {
  /** One node that signs users out, and a real process beside it whose way to the database can fall silent. */
  async function begin(users: number) {
    const fresh = await database.fresh()
    const a = await startService(fresh, { environment })
    const proxy = await startProxy(fresh)
    const b = await startServer({ ...environmentBeside(a, { port: await freePort() }), DATABASE_URL: proxy.url })
    const sessions = []
    for (let i = 0; i < users; i++) {
      const { email } = await a.user(`pessoa${i}@exemplo.com.br`)
      const browser = a.browser()
      await browser.signIn('/login', { email, password: PASSWORD })
      sessions.push({ browser, token: sessionOf(browser) })
      assert.equal(await isLive(b, sessionOf(browser)), true)
    }
    return { a, b, proxy, sessions }
  }

  for (const seconds of [3, 12]) {
    it(`F4: that stood still for ${seconds} s while its connections died goes by nothing it remembers`, async () => {
      const { b, proxy, sessions } = await begin(3)
      b.child.kill('SIGSTOP')
      for (const { browser } of sessions) await browser.get('/auth/signout')
      proxy.abandon()
      await wait(seconds * 1_000)
      b.child.kill('SIGCONT')
      for (const { token } of sessions) assert.equal(await isLive(b, token), false)
    })
  }

  it('F4: that stood still with its connections alive goes by nothing it remembers', async () => {
    const { b, sessions } = await begin(3)
    b.child.kill('SIGSTOP')
    for (const { browser } of sessions) await browser.get('/auth/signout')
    await wait(PROPAGATION_MS + 500)
    b.child.kill('SIGCONT')
    for (const { token } of sessions) assert.equal(await isLive(b, token), false)
  })

  it('F4: whose connections died without a word hears of a sign-out within two seconds all the same', async () => {
    const { b, proxy, sessions } = await begin(4)
    for (const { browser, token } of sessions) {
      proxy.abandon()
      await browser.get('/auth/signout')
      // Each question may wait for one look, so this counts from the sign-out to the answer.
      const from = performance.now()
      await until(async () => !(await isLive(b, token)), PROPAGATION_MS)
      assert.ok(performance.now() - from < PROPAGATION_MS + ANSWERED_MS)
    }
  })

  it('F4: to which the database hangs altogether answers from memory, waiting for no more than one look', async () => {
    const { b, proxy, sessions } = await begin(1)
    const { token = '' } = sessions[0] ?? {}
    proxy.freeze()
    await wait(PROPAGATION_MS + 2_500)
    const took: number[] = []
    for (let i = 0; i < 20; i++) {
      const from = performance.now()
      assert.equal(await isLive(b, token), true)
      took.push(performance.now() - from)
      await wait(100)
    }
    // A check that waits takes a second: then the look at the feed is given up. A busy machine slows down a few.
    const waited = took.filter((ms) => ms >= 1_000)
    assert.ok(waited.length <= 5, `nobody waits while it is known that the database is away: ${took.map(Math.round)} ms`)
    await proxy.restore()
    await until(async () => (await b.browser().get('/readyz')).status === 200)
    await sessions[0]?.browser.get('/auth/signout')
    await until(async () => !(await isLive(b, token)), PROPAGATION_MS)
  })
})
