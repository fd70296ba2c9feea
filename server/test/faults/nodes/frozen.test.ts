import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from 'kysely'
import { onPostgres } from '../../support/databases.ts'
import { freePort } from '../../support/free-port.ts'
import { completed, notify, WEBHOOKS } from '../../support/gateways/purchases.ts'
import { environmentBeside, startServer } from '../../support/server-process.ts'
import { startService } from '../../support/service.ts'

const SENDERS = 32
/** The time that the server allows a transaction that stands still, and the time of an answer of a busy machine. */
const GIVEN_UP_MS = 3_000 + 4_000
const TRIES = 400
const BUYERS = 40
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

onPostgres('A node that is frozen in the middle of its writes', (database) => {
  it('F11: opens no more connections than it may, and gives up its locks so soon that its neighbour goes on', async () => {
    const here = await startService(await database.fresh(), { environment: { ...WEBHOOKS, PORTARIA_DATABASE_CONNECTIONS: '4' } })
    const port = await freePort()
    const there = await startServer({ ...environmentBeside(here, { port }), ...WEBHOOKS, PORTARIA_DATABASE_CONNECTIONS: '7' })
    const { db } = here.context.storage
    const at = `http://localhost:${port}`
    let isOver = false
    let sent = 0
    const buy = async () => {
      while (!isOver) await notify(at, completed({ email: `p${sent++ % BUYERS}@exemplo.com.br` })).catch(() => wait(20))
    }
    const buying = Array.from({ length: SENDERS }, buy)
    try {
      const sessions = async () => {
        const { rows } = await sql<{ port: number; state: string; holds: boolean }>`
          select client_port as port, state, pid in (select pid from pg_locks where locktype = 'advisory' and granted) as holds
          from pg_stat_activity where datname = current_database() and application_name = 'portaria' and pid <> pg_backend_pid()`.execute(
          db,
        )
        return rows
      }
      let most = 0
      let held = false
      for (let tries = 0; tries < TRIES && !held; tries++) {
        there.child.kill('SIGSTOP')
        await wait(20) // what was on its way has arrived
        const all = await sessions()
        most = Math.max(most, all.length)
        held = all.some(({ state, holds }) => holds && state.startsWith('idle in transaction'))
        if (held) break
        there.child.kill('SIGCONT')
        await wait(5 + Math.random() * 10)
      }
      assert.ok(held, 'it was never stopped while it held a lock')
      assert.ok(most >= 5 && most <= 7 + 3, `${most} connections, three of them of this node`)

      // No more at a time than there are connections: a request that waits for one of those is refused sooner.
      const statuses = new Set<number>()
      const timeAll = async () => {
        const from = performance.now()
        const emails = Array.from({ length: BUYERS }, (_, n) => `p${n}@exemplo.com.br`)
        const goOn = async () => {
          for (let email = emails.pop(); email; email = emails.pop()) statuses.add((await notify(here.url, completed({ email }))).status)
        }
        await Promise.all([goOn(), goOn(), goOn()])
        return performance.now() - from
      }
      // The locks are given up by the end of the first time, so the second one has no wait in it.
      const took = (await timeAll()) - (await timeAll())
      assert.deepEqual([...statuses], [200])
      assert.ok(took < GIVEN_UP_MS, `the neighbour waited for ${Math.round(took)} ms`)
    } finally {
      isOver = true
      there.child.kill('SIGCONT')
    }
    await Promise.all(buying)
    assert.equal((await notify(at, completed({ email: 'depois@exemplo.com.br' }))).status, 200)
  })
})
