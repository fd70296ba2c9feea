import assert from 'node:assert/strict'
import { it } from 'node:test'
import { commandLine, MASTER_KEY } from '../../../test/support/command-line.ts'
import { eachDatabase } from '../../../test/support/databases.ts'
import { linkIn, startMailbox } from '../../../test/support/mailbox.ts'
import { PASSWORD, startService } from '../../../test/support/service.ts'
import { giveSecondFactor, typeCode } from '../../../test/support/users/authenticator.ts'

const ANA = 'ana@example.com'
const COMMAND = ['user', 'remove-factors', '--email', ANA, '--reason', 'lost the phone; seen on a video call', '--json']

eachDatabase('user remove-factors', (database) => {
  it('lets someone who has lost every factor sign in with the password again, ends all sessions and notifies them', async () => {
    const where = await database.fresh()
    const mailbox = await startMailbox()
    const service = await startService(where, { environment: { PORTARIA_SMTP_URL: mailbox.url } })
    const portaria = commandLine(where, { PORTARIA_MASTER_KEY: MASTER_KEY, PORTARIA_URL: service.url })
    const ana = await service.user(ANA)
    const app = await giveSecondFactor(service, ana)
    const enter = async () => {
      const browser = service.browser()
      return { browser, first: await browser.signIn('/login', { email: ANA, password: PASSWORD }) }
    }
    const { browser, first } = await enter()
    assert.equal((await typeCode(browser, first, app.code())).location?.pathname, '/auth/welcome')

    assert.equal((await portaria(`user show ${ANA} --json`)).json.second_factor, true)
    const done = await portaria(COMMAND)
    assert.equal(done.code, 0, done.err)
    assert.deepEqual(done.json, { id: ana.id, email: ANA, second_factor_removed: true, passkeys_removed: 0, sessions_ended: 1 })
    assert.equal((await portaria(`user show ${ANA} --json`)).json.second_factor, false)
    assert.equal((await enter()).first.location?.pathname, '/auth/welcome')
    const mail = await mailbox.find(ANA, ({ subject }) => subject === 'O suporte mudou como você entra na sua conta')
    assert.match(mail.text ?? '', /os códigos de recuperação e as passkeys não valem mais/)
    assert.ok(linkIn(mail, '/report-sign-in').startsWith('/report-sign-in?ticket='))
    const audit = (await portaria('audit list --json')).json as Array<{ action: string; actor: string; target: string; reason: string }>
    const action = audit.find(({ action }) => action === 'user.remove_factors')
    assert.deepEqual([action?.actor, action?.target, action?.reason], ['operator:cli', ana.id, 'lost the phone; seen on a video call'])
  })

  it('takes passkeys too: whoever found the device has them', async () => {
    const where = await database.fresh()
    const service = await startService(where)
    const ana = await service.user(ANA)
    await givePasskey(ana.id)
    const portaria = commandLine(where)
    assert.equal((await portaria(COMMAND)).json.passkeys_removed, 1)
    assert.deepEqual(await service.context.storage.db.selectFrom('passkeys').selectAll().execute(), [])

    async function givePasskey(userId: string) {
      const times = { created_at: 1, last_used_at: null }
      const key = { id: 'a', user_id: userId, public_key: 'b', counter: 0, transports: '[]', name: 'Celular', is_backed_up: 0, ...times }
      await service.context.storage.db.insertInto('passkeys').values(key).execute()
    }
  })

  it('needs a reason, and has nothing to do for who has none', async () => {
    const portaria = commandLine(await database.fresh())
    await portaria(`user create --email ${ANA} --name Ana`)
    assert.equal((await portaria(`user remove-factors --email ${ANA}`)).code, 2)
    const said = await portaria(COMMAND)
    assert.equal(said.code, 1)
    assert.match(said.err, /has no second factor and no passkey/)
  })
})
