import assert from 'node:assert/strict'
import { it } from 'node:test'
import { commandLine } from '../support/command-line.ts'
import { onPostgres } from '../support/databases.ts'
import { fetchHandoff, isLive, loginPath, openShop, redeem, sessionOf } from '../support/faults/actions.ts'
import { freePort } from '../support/free-port.ts'
import { environmentBeside, type ServerProcess, spawnServer, startServer } from '../support/server-process.ts'
import { PASSWORD, startService } from '../support/service.ts'
import { until } from '../support/until.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

onPostgres('Nodes whose clocks differ', (database) => {
  /** Two real processes over one database, the second with another clock, and a user and a shop they serve. */
  async function begin(clockAheadMs: number) {
    const hand = await startService(await database.fresh(), { environment: { PORTARIA_URL: 'http://sso.exemplo.test' } })
    const user = await hand.user('ana@exemplo.com.br')
    const shop = await openShop(hand)
    const beside = async () => environmentBeside(hand, { port: await freePort() })
    const [right, skewed] = await Promise.all([startServer(await beside()), startServer(await beside(), { clockAheadMs })])
    const signIn = async (node: ServerProcess) => {
      const browser = node.browser()
      await browser.signIn(loginPath(shop), { email: user.email, password: PASSWORD })
      return browser
    }
    return { hand, shop, right, skewed, beside, signIn }
  }
  const readiness = async (node: ServerProcess) => {
    const answer = await node.browser().get('/readyz')
    return { code: answer.status, ...answer.json<{ status: string; warnings: string[] }>() }
  }

  for (const [name, minutes] of [['ahead', 5] as const, ['behind', -5] as const]) {
    it(`F2: take each other's handoffs and sessions though one clock is five minutes ${name}, and the node says so`, async () => {
      const { shop, right, skewed, signIn } = await begin(minutes * MINUTE_MS)
      for (const [maker, taker] of [
        [right, skewed],
        [skewed, right],
      ] as const) {
        const browser = await signIn(maker)
        assert.equal((await redeem(taker, await fetchHandoff(browser, shop), shop)).status, 200)
        assert.equal(await isLive(taker, sessionOf(browser)), true)
      }
      for (const node of [right, skewed]) await until(async () => (await readiness(node)).code === 200)
      assert.deepEqual((await readiness(right)).warnings, [])
      const { warnings } = await readiness(skewed)
      const side = minutes > 0 ? 'ahead of' : 'behind'
      assert.match(warnings.join(), new RegExp(`^this machine's clock is (300|299|301) s ${side} the database's`))
      await until(() => new RegExp(`this machine's clock is \\d+ s ${side}`).test(skewed.log()))
      const metrics = (await skewed.browser().get('/metrics')).text
      const ahead = Number(/^portaria_clock_ahead_seconds (\S+)$/m.exec(metrics)?.[1])
      assert.ok(Math.abs(ahead - minutes * 60) < 5, metrics.slice(0, 200))
    })
  }

  it('F2: redeem none of 25 handoffs twice while one clock is set a day ahead and back and ahead again', async () => {
    const { shop, right, skewed, signIn } = await begin(0)
    const browser = await signIn(right)
    const handoffs: string[] = []
    for (let i = 0; i < 25; i++) handoffs.push(await fetchHandoff(browser, shop))
    skewed.setClock(DAY_MS)
    await until(async () => (await readiness(skewed)).status === 'clock_wrong')
    assert.equal((await readiness(skewed)).code, 503)
    const redeemed = new Map<string, number>()
    const race = async () => {
      for (const token of handoffs) {
        const answers = await Promise.all([right, skewed, right, skewed].map((node) => redeem(node, token, shop)))
        redeemed.set(token, (redeemed.get(token) ?? 0) + answers.filter(({ status }) => status === 200).length)
      }
    }
    await race()
    skewed.setClock(-DAY_MS)
    await race()
    assert.deepEqual(new Set(redeemed.values()), new Set([1]))
    skewed.setClock(0)
    await until(async () => (await readiness(skewed)).code === 200)
    assert.deepEqual((await readiness(skewed)).warnings, [])
    await until(() => skewed.log().includes("the clock agrees with the database's again"))
  })

  it('F2: one that is more than an hour off does not start, and doctor says why; below that doctor warns', async (t) => {
    const { hand, beside } = await begin(0)
    const environment = await beside()
    const refused = spawnServer(environment, { clockAheadMs: DAY_MS })
    assert.equal((await refused.exited).code, 1)
    assert.match(refused.complaints(), /this machine's clock is 86(400|399|401) s ahead of the database's: set both \(NTP\)/)
    const { PORTARIA_MASTER_KEY = '', DATABASE_URL = '' } = environment
    const portaria = commandLine({ url: DATABASE_URL }, { PORTARIA_MASTER_KEY, PORTARIA_URL: hand.url })
    const real = Date.now
    for (const [aheadMs, status] of [
      [-DAY_MS, 'fail'],
      [5 * MINUTE_MS, 'warn'],
      [0, 'ok'],
    ] as const) {
      t.mock.method(Date, 'now', () => real() + aheadMs)
      const said = (await portaria('doctor --json')).json
      const clock = (said.checks ?? said).find(({ name }: { name: string }) => name === 'clock')
      assert.equal(clock.status, status, JSON.stringify(clock))
      if (aheadMs !== 0) assert.match(clock.message, /^this machine's clock is \d+ s (behind|ahead of) the database's: set both \(NTP\)/)
      t.mock.restoreAll()
    }
  })
})
