import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { it } from 'node:test'
import { eachDurableDatabase } from '../support/databases.ts'
import { fetchHandoff, isLive, loginPath, openShop, redeem, type Shop, sessionOf } from '../support/faults/actions.ts'
import { freePort } from '../support/free-port.ts'
import { environmentBeside, type ServerProcess, startServer } from '../support/server-process.ts'
import { PASSWORD, startService } from '../support/service.ts'
import { until } from '../support/until.ts'

const WORKERS = 6
const ROUNDS = { sqlite: 5, postgres: 3 } as const

/** The changes that the service has confirmed, and the handoffs that it has not answered. */
class Book {
  readonly live = new Set<string>()
  readonly liveAtShop = new Set<string>()
  readonly ended = new Set<string>()
  readonly redeemed = new Set<string>()
  readonly unknown = new Set<string>()
}

/** Signs in, hands off, redeems, now and then signs out, and writes down each answer, until the service is gone. */
async function work(server: ServerProcess, email: string, shop: Shop, book: Book): Promise<void> {
  for (let turn = 0; ; turn++) {
    const browser = server.browser()
    const signedIn = await browser.signIn(loginPath(shop), { email, password: PASSWORD })
    assert.equal(signedIn.status, 302)
    const session = sessionOf(browser)
    book.live.add(session)
    const handoff = await fetchHandoff(browser, shop)
    book.unknown.add(handoff)
    const answer = await redeem(server, handoff, shop)
    assert.equal(answer.status, 200)
    const { eg_session: child } = answer.json<{ eg_session: string }>()
    book.unknown.delete(handoff)
    book.redeemed.add(handoff)
    book.liveAtShop.add(child)
    if (turn % 3 !== 0) continue
    book.live.delete(session)
    book.liveAtShop.delete(child)
    assert.equal((await browser.get('/auth/signout')).status, 200)
    book.ended.add(session)
  }
}

/** All that was promised before the end is so after the next start. */
async function verify(server: ServerProcess, shop: Shop, book: Book): Promise<void> {
  const lost = async (tokens: ReadonlySet<string>, live: boolean, of?: Shop) => {
    const found = await Promise.all([...tokens].map((token) => isLive(server, token, of)))
    return found.filter((isSo) => isSo !== live).length
  }
  assert.equal(await lost(book.live, true), 0, 'a sign-in that was answered is gone')
  assert.equal(await lost(book.liveAtShop, true, shop), 0, "a product's session that was answered is gone")
  assert.equal(await lost(book.ended, false), 0, 'a sign-out that was answered is undone')
  for (const handoff of book.redeemed) assert.equal((await redeem(server, handoff, shop)).status, 401, 'a handoff was redeemed twice')
  for (const handoff of book.unknown) {
    const statuses = (await Promise.all([redeem(server, handoff, shop), redeem(server, handoff, shop)])).map(({ status }) => status)
    assert.ok(statuses.filter((status) => status === 200).length <= 1, 'a handoff was redeemed twice')
    assert.ok(statuses.includes(401))
  }
}

eachDurableDatabase('A service that is killed in the middle of its work', (database) => {
  it('keeps all it has promised, redeems nothing twice, and needs no repair', async () => {
    const fresh = await database.fresh()
    const port = await freePort()
    const hand = await startService(fresh, { environment: { PORTARIA_URL: `http://localhost:${port}` } })
    const shop = await openShop(hand)
    const users = await Promise.all(Array.from({ length: WORKERS }, (_, i) => hand.user(`pessoa${i}@exemplo.com.br`)))
    const environment = environmentBeside(hand, { port })
    await hand.stop()

    const book = new Book()
    let server = await startServer(environment)
    for (let round = 0; round < ROUNDS[database.name]; round++) {
      const before = book.redeemed.size
      const working = Promise.allSettled(users.map(({ email }) => work(server, email, shop, book)))
      await until(() => book.redeemed.size >= before + 2)
      await new Promise((resolve) => setTimeout(resolve, 500 * Math.random()))
      server.child.kill('SIGKILL')
      assert.equal((await server.exited).signal, 'SIGKILL')
      for (const result of await working) {
        assert.ok(
          result.status === 'rejected' && result.reason instanceof TypeError,
          `a worker failed before the end: ${'reason' in result && result.reason}`,
        )
      }
      server = await startServer(environment)
      assert.match(
        server.complaints(),
        /^Portaria is ready at \S+ \(Ctrl\+C stops it\)\n(?:\n {2}Mails are not sent: [^\n]+\n)?$/,
        'no more than at any start',
      )
      await until(async () => (await server.browser().get('/readyz')).status === 200)
      await verify(server, shop, book)
      book.unknown.clear()
    }
    if (database.name !== 'sqlite') return
    const file = new DatabaseSync(fresh.url.slice('sqlite:'.length), { readOnly: true })
    assert.equal(file.prepare('pragma integrity_check').get()?.integrity_check, 'ok')
    file.close()
  })
})
