import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { openStorage } from '../../../src/storage/index.ts'
import { eachDurableDatabase } from '../../support/databases.ts'
import { openShop } from '../../support/faults/actions.ts'
import { freePort } from '../../support/free-port.ts'
import { newBook, sell, sendAgain } from '../../support/gateways/purchase-senders.ts'
import { assertAsNotified, assertProcessed, lostOf } from '../../support/gateways/purchase-truth.ts'
import { WEBHOOKS } from '../../support/gateways/purchases.ts'
import { environmentBeside, startServer } from '../../support/server-process.ts'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const SENDERS = 16
const ROUNDS = { sqlite: 20, postgres: 5 } as const

eachDurableDatabase('Purchases that arrive at a service which is killed again and again', (database) => {
  async function begin(context: TestContext) {
    const port = await freePort()
    const hand = await startService(await database.fresh(), { environment: { ...WEBHOOKS, PORTARIA_URL: `http://localhost:${port}` } })
    const shop = await openShop(hand)
    const users = await Promise.all(Array.from({ length: 4 }, (_, i) => hand.user(`pessoa${i}@exemplo.com.br`)))
    const environment = { ...environmentBeside(hand, { port }), ...WEBHOOKS }
    await hand.stop()
    const storage = await openStorage(hand.config.database)
    context.after(() => storage.close())
    return { shop, productId: shop.product.id, users, known: users.map(({ email }) => email), environment, storage }
  }

  it('are all there, once, and give access, if they were answered with 200', async (context) => {
    const { shop, productId, users, known, environment, storage } = await begin(context)
    const book = newBook()
    const setup = { apiKey: shop.apiKey, users, storage }
    let server = await startServer(environment)
    let seen = 0
    for (let round = 0; round < ROUNDS[database.name]; round++) {
      const selling = Promise.allSettled(Array.from({ length: SENDERS }, () => sell(server.url, { book, productId, known })))
      const before = book.acknowledged.size
      await until(() => book.acknowledged.size > before + 3)
      await new Promise((resolve) => setTimeout(resolve, 250 * Math.random()))
      server.child.kill('SIGKILL')
      assert.equal((await server.exited).signal, 'SIGKILL')
      for (const result of await selling)
        assert.ok(
          result.status === 'rejected' && result.reason instanceof TypeError,
          `a sender failed: ${'reason' in result && result.reason}`,
        )
      assert.deepEqual(await lostOf(book, storage), [], 'a purchase that was answered is gone')
      server = await startServer(environment)
      await assertAsNotified(server.url, [...book.acknowledged.values()].slice(seen), setup)
      seen = book.acknowledged.size
    }
    assert.ok(book.open.length > 0, 'no sender was left without an answer')
    await sendAgain(server.url, book)
    await assertProcessed(book, storage)
    await assertAsNotified(server.url, [...book.acknowledged.values()], setup)
  })
})
