import assert from 'node:assert/strict'
import { it } from 'node:test'
import { disableUser, findUser } from '../../../src/admin/index.ts'
import { revokeSigningKey } from '../../../src/sessions/index.ts'
import { eachDatabase } from '../../support/databases.ts'
import { isLive, sessionOf } from '../../support/faults/actions.ts'
import { freePort } from '../../support/free-port.ts'
import { environmentBeside, startServer } from '../../support/server-process.ts'
import { PASSWORD, startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

eachDatabase('A running service beside a command of the operator', (database) => {
  it('sees within two seconds that a user was disabled, and that a signing key was revoked', async () => {
    const port = await freePort()
    const command = await startService(await database.fresh(), { environment: { PORTARIA_URL: `http://localhost:${port}` } })
    const users = [await command.user('ana@exemplo.com.br'), await command.user('bia@exemplo.com.br')]
    const running = await startServer(environmentBeside(command, { port }))
    const [ana = '', bia = ''] = await Promise.all(
      users.map(async ({ email }) => {
        const browser = running.browser()
        await browser.signIn('/login', { email, password: PASSWORD })
        return sessionOf(browser)
      }),
    )
    assert.deepEqual([await isLive(running, ana), await isLive(running, bia)], [true, true])
    const operator = { ...command.context, actor: 'operator:test' }
    const user = (await findUser(command.context.storage.db, 'ana@exemplo.com.br')) ?? assert.fail()
    await disableUser(user, 'test', operator)
    await until(async () => !(await isLive(running, ana)), 2_000)
    assert.equal(await isLive(running, bia), true)
    const again = await running.browser().signIn('/login', { email: user.email, password: PASSWORD })
    assert.equal(again.status, 401)
    const [{ kid } = assert.fail()] = await command.context.storage.db.selectFrom('signing_keys').select('kid').execute()
    await revokeSigningKey(kid, operator)
    await until(async () => !(await isLive(running, bia)), 2_000)
  })
})
