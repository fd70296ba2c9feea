import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { it, type TestContext } from 'node:test'
import { openStorage } from '../../src/storage/index.ts'
import { hiddenFlow } from '../support/browser.ts'
import { eachDurableDatabase } from '../support/databases.ts'
import { freePort } from '../support/free-port.ts'
import { linkIn, startMailbox } from '../support/mailbox.ts'
import { ageLeases, environmentBeside, startServer } from '../support/server-process.ts'
import { startService } from '../support/service.ts'
import { until } from '../support/until.ts'

/** A worker that died keeps its job for this long. */
const LEASE_MS = 60_000

/** A mail server that takes connections and says nothing; `calls` counts them. */
async function startSilence(context: TestContext): Promise<{ url: string; calls: () => number }> {
  let calls = 0
  const server = createServer((socket) => {
    calls += 1
    context.after(() => socket.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  context.after(() => server.close())
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('no port')
  return { url: `smtp://127.0.0.1:${address.port}`, calls: () => calls }
}

eachDurableDatabase('A mail that was promised', (database) => {
  it('is sent after the restart, once its lease is over, when the server is killed while it sends it', async (context) => {
    const [silence, mailbox] = [await startSilence(context), await startMailbox()]
    const service = await startService(await database.fresh())
    const { email } = await service.user('ana@exemplo.com.br')
    const environment = environmentBeside(service, { port: await freePort() })
    await service.stop()
    const first = await startServer({ ...environment, PORTARIA_SMTP_URL: silence.url })
    const browser = first.browser()
    const flow = hiddenFlow((await browser.get('/recover')).text)
    assert.equal((await browser.submit('/recover', { flow, email })).status, 200)
    await until(() => silence.calls() > 0)
    first.child.kill('SIGKILL')
    await first.exited
    const storage = await openStorage(service.config.database)
    context.after(() => storage.close())
    const jobs = () => storage.db.selectFrom('outbox').selectAll().execute()
    const [job, ...more] = await jobs()
    assert.ok(job?.leased_until && more.length === 0, 'it was killed before it began, or after')
    assert.ok(Number(job.leased_until) <= Date.now() + LEASE_MS)
    await ageLeases(storage, LEASE_MS)
    const second = await startServer({ ...environment, PORTARIA_SMTP_URL: mailbox.url })
    const link = linkIn(await mailbox.find(email), '/reset-password')
    assert.equal((await second.browser().get(link)).status, 200)
    await until(async () => (await jobs()).length === 0, 2_000)
    assert.equal(mailbox.mails.length, 1)
  })
})
