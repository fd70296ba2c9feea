import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { it } from 'node:test'
import { sql } from 'kysely'
import { openStorage } from '../../../src/storage/index.ts'
import { onPostgres, onSqlite } from '../../support/databases.ts'
import { openShop } from '../../support/faults/actions.ts'
import { startProxy } from '../../support/faults/proxy.ts'
import { freePort } from '../../support/free-port.ts'
import { newBook, sell, sendAgain } from '../../support/gateways/purchase-senders.ts'
import { assertAsNotified, assertProcessed, lostOf } from '../../support/gateways/purchase-truth.ts'
import { WEBHOOKS } from '../../support/gateways/purchases.ts'
import { environmentBeside, startServer } from '../../support/server-process.ts'
import { startService, type TestService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const SENDERS = 8
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function openCheckout(service: TestService) {
  const shop = await openShop(service)
  const users = [await service.user('ana@exemplo.com.br'), await service.user('bia@exemplo.com.br')]
  const [book, state] = [newBook(), { isOver: false }]
  const to = { book, productId: shop.product.id, known: users.map(({ email }) => email), isOver: () => state.isOver }
  return {
    book,
    sellAt: (url: string) => Array.from({ length: SENDERS }, () => sell(url, to)),
    close: () => {
      state.isOver = true
    },
    assertAccess: (url: string) => assertAsNotified(url, [...book.acknowledged.values()], { apiKey: shop.apiKey, users }),
  }
}

onPostgres('Purchases that arrive while the database is away', (database) => {
  it('are refused with a time to come back, and are all there, once, after their senders have', async () => {
    const fresh = await database.fresh()
    const proxy = await startProxy(fresh)
    const service = await startService({ url: proxy.url }, { environment: WEBHOOKS })
    const { book, sellAt, close, assertAccess } = await openCheckout(service)
    const selling = sellAt(service.url)
    const answered = (status: number) => book.answers.get(status) ?? 0
    for (let cut = 1; cut <= 6; cut++) {
      const before = answered(200)
      await until(() => answered(200) >= before + 5)
      await wait(20 * Math.random())
      const refused = answered(503)
      proxy.cut()
      await until(() => answered(503) >= refused + SENDERS)
      await proxy.restore()
    }
    close()
    await Promise.all(selling)
    assert.ok(book.open.length > 0)
    await until(async () => (await service.browser().get('/readyz')).status === 200)
    await sendAgain(service.url, book)
    await assertProcessed(book, service.context.storage)
    await assertAccess(service.url)
  })
})

onSqlite('Purchases that arrive while the disk is full', (database) => {
  it('are refused with a time to come back, and taken in without a restart as soon as there is room', async () => {
    const service = await startService(await database.fresh(), { environment: WEBHOOKS })
    const { book, sellAt, close, assertAccess } = await openCheckout(service)
    const { storage } = service.context
    await sql`pragma max_page_count = 1`.execute(storage.db)
    const selling = sellAt(service.url)
    await until(() => (book.answers.get(503) ?? 0) >= SENDERS)
    assert.deepEqual(await lostOf(book, storage), [])
    await sql`pragma max_page_count = 1000000`.execute(storage.db)
    const before = book.answers.get(200) ?? 0
    await until(() => (book.answers.get(200) ?? 0) > before + 10)
    close()
    await Promise.all(selling)
    await sendAgain(service.url, book)
    await assertProcessed(book, storage)
    await assertAccess(service.url)
  })

  it('are all there after a restart with more room, once, if they were answered with 200', async (context) => {
    const fresh = await database.fresh()
    const port = await freePort()
    const hand = await startService(fresh, { environment: { ...WEBHOOKS, PORTARIA_URL: `http://localhost:${port}` } })
    const { book, sellAt, close, assertAccess } = await openCheckout(hand)
    const environment = { ...environmentBeside(hand, { port }), ...WEBHOOKS }
    await hand.stop()
    const storage = await openStorage(hand.config.database)
    context.after(() => storage.close())
    // Room for some purchases in the log, which starts anew with each start.
    const fileBlocks = Math.ceil(statSync(fresh.url.slice('sqlite:'.length)).size / 512) + 400
    const server = await startServer(environment, { fileBlocks })
    const selling = sellAt(server.url)
    // A slow machine answers 503 to those who wait in line, too: the disk was not full from the start.
    await until(() => (book.answers.get(200) ?? 0) > 5 && (book.answers.get(503) ?? 0) >= SENDERS)
    close()
    await Promise.all(selling)
    server.child.kill('SIGKILL')
    await server.exited
    assert.deepEqual(await lostOf(book, storage), [])
    const again = await startServer(environment)
    await sendAgain(again.url, book)
    await assertProcessed(book, storage)
    await assertAccess(again.url)
  })
})
