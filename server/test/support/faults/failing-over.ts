import assert from 'node:assert/strict'
import { after } from 'node:test'
import { Client } from 'pg'
import { newBook, sell, sendAgain } from '../gateways/purchase-senders.ts'
import { PASSWORD, type TestService } from '../service.ts'
import { until } from '../until.ts'
import { isLive, sessionOf } from './actions.ts'

const PROPAGATION_MS = 2_000

/** One statement by a connection of its own. */
export async function ask<Row extends object>(url: string, statement: string): Promise<Row[]> {
  const client = new Client({ connectionString: url })
  // A connection that breaks rejects what waits for it, and reports the same once more.
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<Row>(statement)).rows
  } finally {
    await client.end()
  }
}

/** Somebody who is signed in: with their browser, and the session's token. */
export interface SignedIn {
  browser: { get(path: string): Promise<{ status: number }>; request(method: string, path: string): Promise<{ status: number }> }
  token: string
}

/** Makes a user and signs them in. */
export async function signIn(node: TestService, email: string): Promise<SignedIn> {
  await node.user(email)
  const browser = node.browser()
  await browser.signIn('/login', { email, password: PASSWORD })
  return { browser, token: sessionOf(browser) }
}

/** Each signs out at one node; the other must refuse within two seconds, one after the other and not only the first. */
export async function signOutEach(users: readonly SignedIn[], other: TestService): Promise<void> {
  for (const { browser, token } of users) {
    await until(() => isLive(other, token))
    assert.ok((await browser.get('/auth/signout')).status < 400)
    await until(async () => !(await isLive(other, token)), PROPAGATION_MS)
  }
}

/** Whether Ana, who has an account, can sign in. */
export async function canWrite(node: TestService): Promise<boolean> {
  const browser = node.browser()
  if ((await browser.get('/login')).status !== 200) return false
  const { status } = await browser.signIn('/login', { email: 'ana@exemplo.com.br', password: PASSWORD })
  return status === 302
}

/** Sells at all nodes, whatever becomes of their database, until it is stopped; then everything that was refused is sent again. */
export function sellAt(nodes: readonly TestService[], productId: string) {
  const book = newBook()
  let isOver = false
  after(() => {
    isOver = true
  })
  const urls = nodes.map(({ config }) => `http://localhost:${config.port}`)
  const senders = [...urls, ...urls].map((url) => sell(url, { book, productId, known: [], isOver: () => isOver }))
  return {
    book,
    async stop() {
      isOver = true
      await Promise.all(senders)
      for (const url of urls) await sendAgain(url, book)
    },
  }
}
