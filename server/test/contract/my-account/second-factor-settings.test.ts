import assert from 'node:assert/strict'
import { it } from 'node:test'
import { findUser, setUserPassword } from '../../../src/admin/index.ts'
import { listAudit } from '../../../src/audit/index.ts'
import { type Browser, hiddenFlow } from '../../support/browser.ts'
import { eachDatabase } from '../../support/databases.ts'
import { linkIn, startMailbox } from '../../support/mailbox.ts'
import { mint } from '../../support/routes/raw-requests.ts'
import { cheapPasswords, PASSWORD, startService, type TestService } from '../../support/service.ts'
import { codeOf, giveSecondFactor, typeCode } from '../../support/users/authenticator.ts'
import { assertOwnRedirect, assertPage, assertRefused, isLive, sessionOf, signedIn } from '../../support/users/sign-in-steps.ts'

const ANA = 'ana@exemplo.com.br'
const NEW = 'girassol azul no telhado'
const PAGE = '/account/second-factor'

eachDatabase('One’s own second factor', (database) => {
  async function begin() {
    const mailbox = await startMailbox()
    const options = { environment: { PORTARIA_SMTP_URL: mailbox.url }, passwords: cheapPasswords }
    const service = await startService(await database.fresh(), options)
    const ana = await service.user(ANA)
    const browser = await signedIn(service, ANA)
    return { service, mailbox, ana, browser }
  }

  /** The key that the page shows as text. */
  async function secretOn(browser: Browser): Promise<string> {
    const { text } = await browser.get(PAGE)
    return (/id="secret">([A-Z2-7 ]+)</.exec(text)?.[1] ?? '').replaceAll(' ', '')
  }

  const codesIn = (text: string) => [...text.matchAll(/<li>([2-9a-z]{4}(?:-[2-9a-z]{4}){3})<\/li>/g)].map(([, code = '']) => code)

  async function turnOn(service: TestService, browser: Browser) {
    assertOwnRedirect(await browser.submit(`${PAGE}/begin`, {}), PAGE)
    const secret = await secretOn(browser)
    const done = await browser.submit(PAGE, { code: codeOf(secret, service.clock.now) })
    assertPage(done, 200)
    return { secret, codes: codesIn(done.text) }
  }

  async function enter(service: TestService, code: string) {
    const browser = service.browser()
    return typeCode(browser, await browser.signIn('/login', { email: ANA, password: PASSWORD }), code)
  }

  it('is turned on with the first code of the app, shows ten recovery codes once, and is asked from then on', async () => {
    const { service, browser, mailbox, ana } = await begin()
    assert.match((await browser.get(PAGE)).text, /action="\/account\/second-factor\/begin"/)
    const { secret, codes } = await turnOn(service, browser)
    assert.equal(secret.length, 32)
    assert.equal(new Set(codes).size, 10)
    const page = await browser.get(PAGE)
    assert.match(page.text, /Restam 10 códigos/)
    for (const hidden of [secret, ...codes]) assert.ok(!page.text.replaceAll(' ', '').includes(hidden))
    assert.ok(await isLive(service, sessionOf(browser)))
    await mailbox.find(ANA, ({ subject }) => subject === 'Verificação em duas etapas ligada')
    const actions = (await listAudit(service.context.storage.db, { limit: 9, target: ana.id })).map(({ action, actor }) => [action, actor])
    assert.ok(actions.some(([action, actor]) => action === 'user.second_factor_on' && actor === `user:${ana.id}`))
    service.clock.now += 60_000
    assertOwnRedirect(await enter(service, codeOf(secret, service.clock.now)), '/auth/welcome')
    assertOwnRedirect(await enter(service, codes[9] ?? ''), '/auth/welcome')
    assert.match((await browser.get(PAGE)).text, /Restam 9 códigos/)
  })

  it('shows the same key as a square code, as text and, for who has the app in the same phone, as a link', async () => {
    const { browser } = await begin()
    await browser.submit(`${PAGE}/begin`, {})
    const { text } = await browser.get(PAGE)
    assert.match(text, /<svg class="qr" viewBox="0 0 (\d+) \1" role="img" aria-label="[^"]+"/)
    assert.equal(await secretOn(browser), await secretOn(browser), 'looking at it makes no other key')
    assert.doesNotMatch(text, /<script|style=/)
    const link = /href="(otpauth:[^"]+)"/.exec(text)?.[1]?.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    assert.equal(new URL(link ?? '').searchParams.get('secret'), await secretOn(browser))
  })

  it('is not turned on by a wrong code, and nothing is asked before it is confirmed', async () => {
    const { service, browser, mailbox } = await begin()
    await browser.submit(`${PAGE}/begin`, {})
    const secret = await secretOn(browser)
    const wrong = codeOf(secret, service.clock.now + 300_000)
    const again = await browser.submit(PAGE, { code: wrong })
    assertPage(again, 400)
    assert.match(again.text, /Código incorreto/)
    assertRefused(await browser.submit(PAGE, { code: wrong }, { accept: 'application/json' }), 400, 'codigo invalido')
    assertOwnRedirect(await service.browser().signIn('/login', { email: ANA, password: PASSWORD }), '/auth/welcome')
    assert.equal(await secretOn(browser), secret)
    assert.ok(!mailbox.mails.some(({ subject }) => subject?.includes('etapas')))
  })

  it('forgets a key that was not confirmed within half an hour: who saw it long ago does not know the one turned on', async () => {
    const { service, browser } = await begin()
    await browser.submit(`${PAGE}/begin`, {})
    const seen = await secretOn(browser)
    service.clock.now += 30 * 60_000
    const login = await browser.get(assertOwnRedirect(await browser.get(PAGE), '/login'))
    assert.equal((await browser.submit('/login', { flow: hiddenFlow(login.text), email: ANA, password: PASSWORD })).status, 302)
    const late = await browser.submit(PAGE, { code: codeOf(seen, service.clock.now) })
    assertPage(late, 400)
    assert.match(late.text, /role="alert"[\s\S]*Comece de novo[\s\S]*apague do aplicativo/)
    assert.equal(await secretOn(browser), '')
    assert.doesNotMatch((await browser.get(PAGE)).text, /role="alert"/)
    await browser.submit(`${PAGE}/begin`, {})
    assert.notEqual(await secretOn(browser), seen)
  })

  it('is turned on with the key of the session that turns it on: one that another session has seen is no key here', async () => {
    const { service, browser: thief } = await begin()
    await thief.submit(`${PAGE}/begin`, {})
    const seen = await secretOn(thief)
    const owner = await signedIn(service, ANA)
    assert.equal(await secretOn(owner), '')
    assertPage(await owner.submit(PAGE, { code: codeOf(seen, service.clock.now) }), 400)
    await owner.submit(`${PAGE}/begin`, {})
    const own = await secretOn(owner)
    assert.equal(own.length, 32)
    assert.notEqual(own, seen)
    assertPage(await owner.submit(PAGE, { code: codeOf(seen, service.clock.now) }), 400)
    assert.equal(await secretOn(thief), '')
    const elsewhere = await thief.submit(PAGE, { code: codeOf(own, service.clock.now) })
    assertPage(elsewhere, 400)
    assert.match(elsewhere.text, /role="alert"[\s\S]*em outro navegador/)
    assertPage(await owner.submit(PAGE, { code: codeOf(own, service.clock.now) }), 200)
    service.clock.now += 60_000
    assertOwnRedirect(await enter(service, codeOf(own, service.clock.now)), '/auth/welcome')
  })

  it('is set up anew after each change of password: a key that was not confirmed is gone', async () => {
    const { service, browser, ana } = await begin()
    const { storage } = service.context
    const rows = () => storage.db.selectFrom('totp_factors').select('user_id').execute()
    const changes = {
      'by its owner': async () => assertPage(await browser.submit('/account/password', { password: NEW }), 200),
      'by mail': async () => {
        const { secret } = await mint(service, { purpose: 'reset_password', userId: ana.id, email: ANA })
        assert.equal((await browser.submit('/reset-password', { ticket: secret, password: `${NEW} 2` })).status, 302)
      },
      'by the operator': async () => {
        const user = (await findUser(storage.db, ANA)) ?? assert.fail()
        assert.deepEqual(await setUserPassword(user, `${NEW} 3`, { ...service.context, actor: 'operator:test' }), { ended: 1 })
      },
    }
    for (const [how, change] of Object.entries(changes)) {
      await browser.submit(`${PAGE}/begin`, {})
      assert.equal((await secretOn(browser)).length, 32, how)
      await change()
      assert.deepEqual(await rows(), [], how)
    }
  })

  it('is turned on by one of two tabs that confirm at once, and keeps the key it has when it is begun anew', async () => {
    const { service, browser } = await begin()
    await browser.submit(`${PAGE}/begin`, {})
    const secret = await secretOn(browser)
    const code = codeOf(secret, service.clock.now)
    const tabs = await Promise.all([browser.submit(PAGE, { code }), browser.submit(PAGE, { code })])
    const [first, second] = tabs.map(({ status }) => status).sort()
    assert.equal(first, 200)
    // On a busy machine the other one comes when the factor is on already, and is asked for it.
    assert.ok(second === 400 || second === 302, String(second))
    await browser.submit(`${PAGE}/begin`, {})
    service.clock.now += 60_000
    assertOwnRedirect(await enter(service, codeOf(secret, service.clock.now)), '/auth/welcome')
  })

  it('gives new recovery codes, and voids the ones before', async () => {
    const { service, browser } = await begin()
    const { codes } = await turnOn(service, browser)
    const renewed = codesIn((await browser.submit(`${PAGE}/recovery-codes`, {})).text)
    assert.equal(new Set([...codes, ...renewed]).size, 20)
    assertPage(await enter(service, codes[0] ?? ''), 401)
    assertOwnRedirect(await enter(service, renewed[0] ?? ''), '/auth/welcome')
  })

  it('gives no recovery codes to who has none, and has nothing to turn off there', async () => {
    const { service, browser } = await begin()
    for (const path of [`${PAGE}/recovery-codes`, `${PAGE}/off`]) assertOwnRedirect(await browser.submit(path, {}), PAGE)
    assert.deepEqual(await service.context.storage.db.selectFrom('recovery_codes').selectAll().execute(), [])
  })

  it('is turned off with its recovery codes, notifies the owner, and is asked no more', async () => {
    const { service, browser, mailbox } = await begin()
    await turnOn(service, browser)
    assertPage(await browser.submit(`${PAGE}/off`, {}), 200)
    await mailbox.find(ANA, ({ subject }) => subject === 'Verificação em duas etapas desligada')
    assertOwnRedirect(await service.browser().signIn('/login', { email: ANA, password: PASSWORD }), '/auth/welcome')
    for (const table of ['totp_factors', 'recovery_codes'] as const)
      assert.deepEqual(await service.context.storage.db.selectFrom(table).select('user_id').execute(), [])
  })

  it('notifies the owner of a recovery code that was used, and how many are left', async () => {
    const { service, mailbox, ana } = await begin()
    const app = await giveSecondFactor(service, ana)
    await enter(service, app.recoveryCodes[3] ?? '')
    const { text } = await mailbox.find(ANA, ({ subject }) => subject === 'Um código de recuperação foi usado')
    assert.match(text ?? '', /restam: 9/)
    assert.ok(linkIn({ text } as Parameters<typeof linkIn>[0], '/report-sign-in'))
  })

  it('25 (old links live on): turned on or off, it voids every link mailed before, but “this was not me”', async () => {
    const { service, browser, ana } = await begin()
    const actions = [() => turnOn(service, browser), () => browser.submit(`${PAGE}/off`, {})]
    for (const action of actions) {
      const old = await mint(service, { purpose: 'reset_password', userId: ana.id, email: ANA })
      const way = await mint(service, { purpose: 'report_sign_in', userId: ana.id, email: ANA })
      await action()
      assert.equal((await service.browser().submit('/reset-password', { ticket: old.secret, password: NEW })).status, 400)
      assert.equal((await service.browser().get(`/report-sign-in?ticket=${way.secret}`)).status, 200)
    }
  })

  it('is undone by the link of the mail that reports it, or of the stranger’s sign-in before, and by none of before that', async () => {
    const { service, browser, mailbox, ana } = await begin()
    const { storage } = service.context
    const isOn = async () => (await storage.db.selectFrom('totp_factors').selectAll().executeTakeFirst()) !== undefined
    await turnOn(service, browser)
    const mail = await mailbox.find(ANA, ({ subject }) => subject === 'Verificação em duas etapas ligada')
    const ticket = new URL(linkIn(mail, '/report-sign-in'), 'http://x').searchParams.get('ticket') ?? ''
    assertPage(await service.browser().submit('/report-sign-in', { ticket }), 200)
    assert.equal(await isOn(), false)
    await giveSecondFactor(service, ana)
    const later = await mint(service, { purpose: 'report_sign_in', userId: ana.id, email: ANA })
    assertPage(await service.browser().submit('/report-sign-in', { ticket: later.secret }), 200)
    assert.equal(await isOn(), true, 'the mailbox alone must not open what two factors close')
  })

  it('15 (a form of another site): is neither begun, confirmed, renewed nor turned off from elsewhere', async () => {
    const { service, browser } = await begin()
    await turnOn(service, browser)
    for (const path of ['', '/begin', '/recovery-codes', '/off']) {
      const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
      assert.equal((await browser.submit(`${PAGE}${path}`, { code: '000000' }, foreign)).status, 403, path)
    }
    assert.match((await browser.get(PAGE)).text, /Restam 10 códigos/)
  })
})
