import assert from 'node:assert/strict'
import { after } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../free-port.ts'
import { type Book, newBook, sell } from '../gateways/purchase-senders.ts'
import { WEBHOOKS } from '../gateways/purchases.ts'
import { environmentBeside, type ServerProcess, startServer } from '../server-process.ts'
import type { TestService } from '../service.ts'
import { openShop, type Shop } from './actions.ts'

const SENDERS = 6

export interface Selling {
  book: Book
  server: ServerProcess
  shop: Shop
  user: { id: string; email: string }
  /** Returns when no purchase is under way. */
  pause(): Promise<void>
  resume(): void
}

/** Between two purchases of a sender: processes that start need the cores, too. */
const PACE_MS = 5

/** Notifies purchases to several processes of one port, until `isOver`. `node` gives them their database. */
export async function sellInProcesses(node: TestService, { processes }: { processes: number }): Promise<Selling> {
  const shop = await openShop(node)
  const user = await node.user('ana@exemplo.com.br')
  const environment = environmentBeside(node, { port: await freePort() })
  const server = await startServer({ ...environment, ...WEBHOOKS, PORTARIA_PROCESSES: String(processes) })
  const book = newBook()
  const state = { isOver: false }
  const to = { book, productId: shop.product.id, known: [user.email], isOver: () => state.isOver }
  const url = `http://localhost:${environment.PORT}`
  let senders: Promise<void>[] = []
  const send = async () => {
    // A service that was killed ends what is under way: that stays open in the book.
    for (; !state.isOver; await pause(PACE_MS)) await sell(url, to).catch((error) => assert.ok(error instanceof TypeError, String(error)))
  }
  const resume = () => {
    state.isOver = false
    senders = Array.from({ length: SENDERS }, send)
  }
  after(() => {
    state.isOver = true
  })
  resume()
  return {
    book,
    server,
    shop,
    user,
    resume,
    async pause() {
      state.isOver = true
      await Promise.all(senders)
    },
  }
}
