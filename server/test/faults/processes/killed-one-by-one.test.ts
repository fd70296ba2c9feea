import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import process from 'node:process'
import { after, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { eachDurableDatabase } from '../../support/databases.ts'
import { openShop } from '../../support/faults/actions.ts'
import { freePort } from '../../support/free-port.ts'
import { newBook, sell, sendAgain } from '../../support/gateways/purchase-senders.ts'
import { assertAsNotified, assertProcessed } from '../../support/gateways/purchase-truth.ts'
import { WEBHOOKS } from '../../support/gateways/purchases.ts'
import { environmentBeside, type ServerProcess, startServer } from '../../support/server-process.ts'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const PROCESSES = 4
const SENDERS = 16
const KILLS = 3
/** Between two purchases of a sender: processes that start need the cores, too. */
const PACE_MS = 5
/** Twice what SQLite keeps of its log when it begins it anew: readers that never leave a gap would make it grow without end. */
const MAX_WAL_BYTES = 128 * 1024 * 1024

eachDurableDatabase('Four processes over one database', (database) => {
  it('lose no purchase that they acknowledged, and take none twice, while one after the other is killed', async () => {
    const node = await startService(await database.fresh(), { environment: WEBHOOKS })
    const shop = await openShop(node)
    const users = [await node.user('ana@exemplo.com.br'), await node.user('bia@exemplo.com.br')]
    const environment = environmentBeside(node, { port: await freePort() })
    const server = await startServer({ ...environment, ...WEBHOOKS, PORTARIA_PROCESSES: String(PROCESSES) })
    await until(() => listening(server).length === PROCESSES)
    const book = newBook()
    const state = { isOver: false }
    const to = { book, productId: shop.product.id, known: users.map(({ email }) => email), isOver: () => state.isOver }
    const url = `http://localhost:${environment.PORT}`
    const senders = Array.from({ length: SENDERS }, async () => {
      for (; !state.isOver; await pause(PACE_MS)) await sell(url, to).catch((error) => assert.ok(error instanceof TypeError, String(error)))
    })
    after(() => {
      state.isOver = true
    })
    for (let kill = 0; kill < KILLS; kill++) {
      const before = book.acknowledged.size
      await until(() => book.acknowledged.size >= before + 20)
      process.kill(
        listening(server)
          .filter(isAlive)
          .at(kill % PROCESSES) ?? assert.fail(),
        'SIGKILL',
      )
      await until(() => listening(server).length === PROCESSES + kill + 1)
    }
    state.isOver = true
    await Promise.all(senders)
    await sendAgain(url, book)
    // No answer, or "try again": a busy machine may have no more room for a moment.
    assert.deepEqual(
      [...book.answers.keys()].filter((status) => status !== 0 && status !== 503),
      [200],
    )
    await assertProcessed(book, node.context.storage)
    await assertAsNotified(url, [...book.acknowledged.values()], { apiKey: shop.apiKey, users })
    assert.doesNotMatch(server.log(), /"level":"(error|fatal)"|busy|locked/i)
    if (node.config.database.dialect === 'sqlite') assert.ok(statSync(`${node.config.database.file}-wal`).size < MAX_WAL_BYTES)
  })
})

/** The processes that came to listen, in their order; some of them may have ended since. */
function listening(server: ServerProcess): number[] {
  return [...server.log().matchAll(/"pid":(\d+),[^\n]*"msg":"listening"/g)].map(([, pid]) => Number(pid))
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
