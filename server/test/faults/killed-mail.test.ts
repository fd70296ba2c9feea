import assert from 'node:assert/strict'
import { it } from 'node:test'
import { hiddenFlow } from '../browser.ts'
import { eachDatabase } from '../databases.ts'
import { linkIn, startMailbox } from '../mailbox.ts'
import { startService } from '../service.ts'
import { environmentBeside, freePort, startServer } from './server-process.ts'

eachDatabase('A mail that was promised', (database) => {
  it('is sent after the restart, when the server is killed between its answer and the mail', async () => {
    const mailbox = await startMailbox()
    const service = await startService(await database.fresh())
    const { email } = await service.user('ana@exemplo.com.br')
    const environment = { ...environmentBeside(service, { port: await freePort() }), PORTARIA_SMTP_URL: mailbox.url }
    await service.stop()
    mailbox.isBusy = true
    const first = await startServer(environment)
    const browser = first.browser()
    const flow = hiddenFlow((await browser.get('/recover')).text)
    assert.equal((await browser.submit('/recover', { flow, email })).status, 200)
    first.child.kill('SIGKILL')
    await first.exited
    assert.equal(mailbox.mails.length, 0)
    mailbox.isBusy = false
    const second = await startServer(environment)
    const link = linkIn(await mailbox.find(email, undefined, { seconds: 90 }), '/reset-password')
    assert.equal((await second.browser().get(link)).status, 200)
  })
})
