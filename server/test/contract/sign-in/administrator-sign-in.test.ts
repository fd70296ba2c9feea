import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type Browser, hiddenFlow } from '../../support/browser.ts'
import { oneDatabase } from '../../support/databases.ts'
import { startMailbox } from '../../support/mailbox.ts'
import { cheapPasswords, startForSuite, startService } from '../../support/service.ts'
import { adminOf, giveRole, versionOf } from '../../support/users/admins.ts'
import { codeOf } from '../../support/users/authenticator.ts'
import { addPasskey, ownerOf } from '../../support/users/passkeys.ts'
import { assertOwnRedirect, assertPage, assertRefused, signedIn } from '../../support/users/sign-in-steps.ts'

const SIGN_UP = /href="\/sign-up/

const asksConsole = (browser: Browser) => browser.request('GET', '/api/admin/me', { headers: { 'sec-fetch-site': 'same-origin' } })

oneDatabase('An administrator’s way to the console', (database) => {
  const suite = startForSuite(database, { passwords: cheapPasswords })

  it('stays open in the session in which a second factor is turned on, and in no other', async () => {
    const service = suite()
    const { browser } = await adminOf(service, 'liga@example.com', 'owner')
    const { browser: before } = { browser: await signedIn(service, 'liga@example.com') }
    await browser.submit('/account/second-factor/begin', {})
    const secret = (/id="secret">([A-Z2-7 ]+)</.exec((await browser.get('/account/second-factor')).text)?.[1] ?? '').replaceAll(' ', '')
    const wrong = codeOf(secret, service.clock.now) === '000000' ? '111111' : '000000'
    assertPage(await browser.submit('/account/second-factor', { code: wrong }), 400)
    assertPage(await browser.submit('/account/second-factor', { code: codeOf(secret, service.clock.now) }), 200)
    assert.equal((await asksConsole(browser)).status, 200)
    assertRefused(await asksConsole(before), 401, 'nao autenticado')
  })

  it('stays open in the session in which a passkey is added, and in no other', async () => {
    const service = suite()
    const owner = await ownerOf(service, 'chave@example.com')
    await giveRole(service, 'chave@example.com', 'support')
    const before = await signedIn(service, 'chave@example.com')
    assert.equal((await addPasskey(owner)).status, 200)
    assert.equal((await asksConsole(owner.browser)).status, 200)
    assertRefused(await asksConsole(before), 403, 'segundo fator necessario')
  })

  it('turning it on makes no authentication more recent', async () => {
    const service = suite()
    const { browser, id } = await adminOf(service, 'velha@example.com', 'owner')
    await browser.submit('/account/second-factor/begin', {})
    const authenticatedAt = async () => {
      const { db } = service.context.storage
      return (await db.selectFrom('sessions').select('authenticated_at').where('user_id', '=', id).executeTakeFirstOrThrow())
        .authenticated_at
    }
    const before = await authenticatedAt()
    const secret = (/id="secret">([A-Z2-7 ]+)</.exec((await browser.get('/account/second-factor')).text)?.[1] ?? '').replaceAll(' ', '')
    service.clock.now += 60_000
    assertPage(await browser.submit('/account/second-factor', { code: codeOf(secret, service.clock.now) }), 200)
    assert.equal(await authenticatedAt(), before)
  })

  it('asks who is signed in for the password of their own address, and offers them no new account', async () => {
    const service = suite()
    const { browser } = await adminOf(service, 'volta@example.com', 'support')
    for (const start of ['/admin/sign-in', '/admin/authenticate']) {
      const page = await browser.get(assertOwnRedirect(await browser.get(start), '/login'))
      assert.match(page.text, /value="volta@example\.com"/, start)
      assert.doesNotMatch(page.text, SIGN_UP, start)
      const wrong = await browser.submit('/login', { flow: hiddenFlow(page.text), email: 'volta@example.com', password: 'x' })
      assert.equal(wrong.status, 401)
      assert.doesNotMatch(wrong.text, SIGN_UP, start)
    }
    const stranger = service.browser()
    const page = await stranger.get(assertOwnRedirect(await stranger.get('/admin/sign-in'), '/login'))
    assert.match(page.text, SIGN_UP)
    assert.doesNotMatch(page.text, /value="volta@example\.com"/)
  })

  it('is a link of their account, and of nobody else’s', async () => {
    const service = suite()
    const { browser } = await adminOf(service, 'atalho@example.com', 'viewer')
    assert.match((await browser.get('/account')).text, /<a href="\/admin">/)
    await service.user('comum@example.com')
    assert.doesNotMatch((await (await signedIn(service, 'comum@example.com')).get('/account')).text, /href="\/admin"/)
  })
})

oneDatabase('Who is given a role', (database) => {
  it('is told by mail what it means, where the console is and what it asks for; who loses it is not', async () => {
    const mailbox = await startMailbox()
    const service = await startService(await database.fresh(), {
      environment: { PORTARIA_SMTP_URL: mailbox.url },
      passwords: cheapPasswords,
    })
    const owner = await adminOf(service, 'dona@example.com', 'owner')
    const { id } = await service.user('nova@example.com')
    const made = await owner.send('POST', '/administrators', { email: 'nova@example.com', role: 'viewer' })
    assert.equal(made.status, 201)
    const first = await mailbox.find('nova@example.com')
    for (const said of ['função de leitura', `${service.url}/admin`, 'verificação em duas etapas'])
      assert.ok(first.text?.replaceAll(/\s+/g, ' ').includes(said), said)
    const changed = await owner.send('PATCH', `/administrators/${id}`, { role: 'support' }, { version: versionOf(made) })
    assert.equal(changed.status, 200)
    await mailbox.find('nova@example.com', ({ text }) => text?.includes('função de suporte') === true)
    const same = await owner.send('PATCH', `/administrators/${id}`, { role: 'support' }, { version: versionOf(changed) })
    const gone = await owner.send('DELETE', `/administrators/${id}`, {}, { version: versionOf(same) })
    assert.equal(gone.status, 200)
    const sentMails = await service.context.storage.db.selectFrom('sent_mails').select('kind').where('kind', '=', 'role_given').execute()
    assert.equal(sentMails.length, 2)
  })
})
