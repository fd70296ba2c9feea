import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type Answer, type Browser, hiddenFlow } from '../../support/browser.ts'
import { eachDatabase } from '../../support/databases.ts'
import { linkIn, type Mailbox } from '../../support/mailbox.ts'
import { PASSWORD, type TestService } from '../../support/service.ts'
import { ANA, mailedService, NEW, ticketOf } from '../../support/users/mailed-service.ts'
import { passkeyDevice } from '../../support/users/passkey-device.ts'
import { addPasskey, creationOptions, enterWith, passkeysOf, postPasskey } from '../../support/users/passkeys.ts'

type Fixture = Awaited<ReturnType<ReturnType<typeof mailedService>>>

/** Ana, signed in, with a passkey. */
async function keyHolder({ service, browser }: Pick<Fixture, 'service' | 'browser'>) {
  assert.equal((await browser.signIn('/login', { email: ANA, password: PASSWORD })).status, 302)
  const device = passkeyDevice(service.url)
  assert.equal((await addPasskey({ browser, device })).status, 200)
  return device
}

const about = (path: string) => (mail: { text?: string | undefined }) => mail.text?.includes(path) ?? false

async function linkOf(mailbox: Mailbox, path: string): Promise<string> {
  return ticketOf(linkIn(await mailbox.find(ANA, about(path)), path))
}

function isSignedOut(answer: Answer): boolean {
  return answer.status === 302 && answer.location?.pathname === '/login'
}

async function changePassword(browser: Browser): Promise<void> {
  assert.equal((await browser.submit('/account/password', { password: NEW })).status, 200)
}

eachDatabase('A passkey', (database) => {
  const begin = mailedService(database)

  it('that is added or removed is reported by mail, without the name that whoever added it chose', async () => {
    const fixture = await begin()
    const { service, mailbox, browser } = fixture
    await browser.signIn('/login', { email: ANA, password: PASSWORD })
    const device = passkeyDevice(service.url)
    await postPasskey(browser, device.make(await creationOptions(browser)), 'Ligue para 0800')
    const added = await mailbox.find(ANA, ({ subject }) => subject === 'Nova passkey na sua conta')
    await browser.submit('/account/passkeys/remove', { id: device.credentialId() })
    const removed = await mailbox.find(ANA, ({ subject }) => subject === 'Passkey removida da sua conta')
    for (const { text = '', html = '' } of [added, removed]) {
      assert.match(text, /\/report-sign-in\?ticket=/)
      assert.doesNotMatch(text + html, /0800/)
    }
  })

  it('that somebody else added ends by “this wasn’t me”, with their sessions and what they had begun', async () => {
    const fixture = await begin()
    const { service, mailbox, browser, ana } = fixture
    const device = await keyHolder(fixture)
    const waiting = passkeyDevice(service.url).make(await creationOptions(browser))
    const answer = await service.browser().submit('/report-sign-in', { ticket: await linkOf(mailbox, '/report-sign-in') })
    assert.equal(answer.status, 200)
    assert.deepEqual(await passkeysOf(service, ana), [])
    assert.equal((await enterWith(service, device)).status, 401)
    assert.ok(isSignedOut(await postPasskey(browser, waiting)))
    assert.deepEqual(await passkeysOf(service, ana), [])
  })

  it('that is added in the very moment of “this wasn’t me” is gone as well, whoever is first', async () => {
    for (let turn = 0; turn < 4; turn++) {
      const fixture = await begin()
      const { service, mailbox, browser, ana } = fixture
      await keyHolder(fixture)
      const waiting = passkeyDevice(service.url).make(await creationOptions(browser))
      const ticket = await linkOf(mailbox, '/report-sign-in')
      const report = () => service.browser().submit('/report-sign-in', { ticket })
      await Promise.all(turn % 2 ? [report(), postPasskey(browser, waiting)] : [postPasskey(browser, waiting), report()])
      assert.deepEqual(await passkeysOf(service, ana), [])
      await service.stop()
    }
  })

  it('25 (old action tokens): voids every link that was mailed before it, and a removal does too', async () => {
    const fixture = await begin()
    const { service, mailbox, recover, browser } = fixture
    await recover(ANA, service.browser())
    const before = await linkOf(mailbox, '/reset-password')
    const device = await keyHolder(fixture)
    const visitor = service.browser()
    assert.equal((await visitor.get(`/reset-password?ticket=${before}`)).status, 400)
    mailbox.mails.length = 0
    await recover(ANA, service.browser())
    const between = await linkOf(mailbox, '/reset-password')
    assert.equal((await visitor.get(`/reset-password?ticket=${between}`)).status, 200)
    await browser.submit('/account/passkeys/remove', { id: device.credentialId() })
    assert.equal((await visitor.get(`/reset-password?ticket=${between}`)).status, 400)
  })

  it('25 (old action tokens): is added by no link of a mail, used or not', async () => {
    const { service, mailbox, recover, ana } = await begin()
    await recover(ANA, service.browser())
    const ticket = await linkOf(mailbox, '/reset-password')
    const thief = service.browser()
    for (const path of ['/options', ''])
      assert.ok(isSignedOut(await thief.submit(`/account/passkeys${path}`, { ticket, credential: '{}', name: 'x' })))
    assert.equal((await service.browser().submit('/reset-password', { ticket, password: NEW })).status, 302)
    assert.equal((await thief.submit('/reset-password', { ticket, password: `${NEW} 2` })).status, 400)
    assert.ok(isSignedOut(await thief.submit('/account/passkeys/options', { ticket })))
    assert.deepEqual(await passkeysOf(service, ana), [])
  })

  it('25 (old action tokens): that was begun before a change of the password elsewhere is not added after it', async () => {
    const fixture = await begin()
    const { service, browser, ana } = fixture
    await browser.signIn('/login', { email: ANA, password: PASSWORD })
    const waiting = passkeyDevice(service.url).make(await creationOptions(browser))
    const owner = service.browser()
    await owner.signIn('/login', { email: ANA, password: PASSWORD })
    await changePassword(owner)
    assert.ok(isSignedOut(await postPasskey(browser, waiting)))
    assert.deepEqual(await passkeysOf(service, ana), [])
  })

  it('stays when the password is recovered by mail, which says so; who has none reads nothing of it', async () => {
    const fixture = await begin()
    const { service, mailbox, recover } = fixture
    const reset = async (password: string) => {
      mailbox.mails.length = 0
      await recover(ANA, service.browser())
      await service.browser().submit('/reset-password', { ticket: await linkOf(mailbox, '/reset-password'), password })
      return (await mailbox.find(ANA, ({ subject }) => subject === 'Sua senha foi trocada')).text ?? ''
    }
    assert.doesNotMatch(await reset(PASSWORD), /passkey/i)
    const device = await keyHolder(fixture)
    assert.match(await reset(NEW), /Suas passkeys continuam valendo/)
    assert.equal((await enterWith(service, device)).status, 302)
  })

  it('14 (session fixation): gives the browser a session of its own, and ends the one that was planted', async () => {
    const fixture = await begin()
    const { service } = fixture
    const device = await keyHolder(fixture)
    const planted = await plantedBrowser(service)
    const before = new Map(planted.cookies)
    const start = await planted.get(`/auth/login?redirect_to=${encodeURIComponent(TARGET)}&prompt=login`)
    const flow = hiddenFlow(start.text)
    const options = (await planted.submit('/passkeys/sign-in/options', { flow }, { accept: '*/*' })).json<{
      challenge: string
      rpId: string
    }>()
    const answer = await planted.submit('/passkeys/sign-in', { flow, credential: device.sign(options) })
    assert.equal(answer.status, 302)
    for (const name of ['eg_session', 'portaria']) assert.notEqual(planted.cookies.get(name), before.get(name))
    const check = await fetch(`${service.url}/auth/check`, { headers: { cookie: `eg_session=${before.get('eg_session')}` } })
    assert.equal(((await check.json()) as { authenticated: boolean }).authenticated, false)
  })

  const TARGET = 'http://localhost:4001/callback'
  async function plantedBrowser(service: TestService): Promise<Browser> {
    await service.product({ slug: 'painel', uris: [TARGET] })
    const { email } = await service.user('intruso@exemplo.com.br')
    const planted = service.browser()
    assert.equal((await planted.signIn('/login', { email, password: PASSWORD })).status, 302)
    return planted
  }
})
