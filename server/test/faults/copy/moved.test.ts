import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openStorage, parseDatabaseUrl } from '../../../src/storage/index.ts'
import { createPasswordHasher } from '../../../src/users/index.ts'
import { commandLine, MASTER_KEY } from '../../support/command-line.ts'
import { eachDurableDirection } from '../../support/databases.ts'
import { assertSignedIn, startLiveUsers } from '../../support/faults/live-users.ts'
import { startRoundRobin } from '../../support/faults/round-robin.ts'
import { freePort } from '../../support/free-port.ts'
import { newBook, sell } from '../../support/gateways/purchase-senders.ts'
import { assertProcessed } from '../../support/gateways/purchase-truth.ts'
import { WEBHOOKS } from '../../support/gateways/purchases.ts'
import { type ServerProcess, startServer } from '../../support/server-process.ts'
import { PASSWORD } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const LAUNCHER = fileURLToPath(new URL('../../../bin/portaria.mjs', import.meta.url))
const ORIGIN = 'http://sso.exemplo.test'
/** MOVED_USERS=50000 measures the move that docs/operate/move-database.md has the figures of. */
const USERS = Number(process.env.MOVED_USERS ?? 300)
const NODES = { sqlite: 1, postgres: 3 } as const

type Where = { url: string }

const addressOf = (n: number) => `user${n}@example.com`

/** Users with our hash of one password, and a shop. */
async function furnish(where: Where): Promise<{ productId: string }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'portaria-moved-'))
  after(() => rmSync(folder, { recursive: true }))
  const password_hash = await createPasswordHasher().hash(PASSWORD)
  const file = path.join(folder, 'users.jsonl')
  const line = (n: number) => JSON.stringify({ email: addressOf(n), email_verified: true, name: `User ${n}`, password_hash })
  writeFileSync(file, `${Array.from({ length: USERS }, (_, n) => line(n)).join('\n')}\n`)
  const portaria = commandLine(where)
  const imported = await portaria(`import users ${file} --json`)
  assert.deepEqual([imported.code, imported.json?.added], [0, USERS], imported.err)
  await portaria('product create --slug loja --name Loja --audience external --checkout external')
  const storage = await openStorage(parseDatabaseUrl(where.url) ?? assert.fail())
  const { id } = await storage.db.selectFrom('products').select('id').executeTakeFirstOrThrow()
  await storage.close()
  return { productId: id }
}

interface Node extends ServerProcess {
  /** Where it really listens. */
  at: string
}

async function startNodes({ url }: Where, count: number): Promise<Node[]> {
  const environment = { ...WEBHOOKS, PORTARIA_URL: ORIGIN, PORTARIA_MASTER_KEY: MASTER_KEY, DATABASE_URL: url }
  const ports = await Promise.all(Array.from({ length: count }, () => freePort()))
  return Promise.all(
    ports.map(async (port) => ({ ...(await startServer({ ...environment, PORT: String(port) })), at: `http://localhost:${port}` })),
  )
}

eachDurableDirection('A service that moves, with users signing in and buying', (from, to) => {
  it('loses no sign-in and no purchase, by the steps of the documents', { timeout: 3_600_000 }, async (context) => {
    const [here, there] = [await from.fresh(), await to.empty()]
    const { productId } = await furnish(here)
    const balancer = await startRoundRobin()
    const before = await startNodes(here, NODES[from.name])
    balancer.leadTo(before.map(({ at }) => at))
    const state = { isOver: false }
    const isOver = () => state.isOver
    const emails = Array.from({ length: USERS }, (_, n) => addressOf(n))
    const live = startLiveUsers({ url: balancer.url, origin: ORIGIN, emails }, { signers: 3, checkers: 2, isOver })
    const book = newBook()
    const selling = [1, 2].map(() => sell(balancer.url, { book, productId, known: emails, isOver }))
    await until(() => live.signedIn.length >= 20 && book.acknowledged.size >= 100, 60_000)

    const began = performance.now()
    const secondsSince = (time: number) => Math.round((performance.now() - time) / 100) / 10
    const environment = { ...process.env, PORTARIA_MASTER_KEY: MASTER_KEY }
    const child = spawn(process.execPath, [LAUNCHER, 'copy', '--from', here.url, '--to', there.url], { env: environment, stdio: 'ignore' })
    assert.deepEqual(await once(child, 'exit'), [0, null])
    const copySeconds = secondsSince(began)
    const moved = await startNodes(there, NODES[to.name])
    for (const node of moved) assert.equal((await fetch(`${node.at}/readyz`)).status, 200)
    balancer.leadTo(moved.map(({ at }) => at))
    const switched = { at: performance.now(), signIns: live.signedIn.length, sales: book.acknowledged.size }
    await until(() => live.signedIn.length >= switched.signIns + 20 && book.acknowledged.size >= switched.sales + 100, 60_000)
    for (const node of before) node.child.kill('SIGTERM')
    for (const node of before) assert.equal((await node.exited).code, 0)
    state.isOver = true
    await Promise.all([...live.traffic, ...selling])
    assert.ok(live.refused > 0, 'nobody came while the copy ran')
    for (const browser of live.signedIn) await assertSignedIn(browser)
    const storage = await openStorage(parseDatabaseUrl(there.url) ?? assert.fail())
    while (book.open.length > 0) await sell(balancer.url, { book, productId, known: emails, isOver: () => book.open.length === 0 })
    await assertProcessed(book, storage)
    await storage.close()
    const last = live.times.findLast((time) => time < switched.at) ?? began
    const first = live.times.find((time) => time >= switched.at) ?? began
    const figures = {
      users: USERS,
      signIns: live.signedIn.length,
      purchases: book.acknowledged.size,
      checks: live.checks,
      copySeconds,
      closedSeconds: Math.round((first - last) / 100) / 10,
    }
    context.diagnostic(JSON.stringify(figures))
  })
})
