import assert from 'node:assert/strict'
import { it } from 'node:test'
import { addProvider } from '../../../src/identity-providers/index.ts'
import { type Browser, hiddenFlow } from '../../support/browser.ts'
import { eachDatabase } from '../../support/databases.ts'
import { codeIn, linkIn } from '../../support/mailbox.ts'
import { holdNextAnswer } from '../../support/routes/asked-queries.ts'
import { mint } from '../../support/routes/raw-requests.ts'
import { PASSWORD, type TestService } from '../../support/service.ts'
import { giveRole } from '../../support/users/admins.ts'
import { codeOf, giveSecondFactor, typeCode } from '../../support/users/authenticator.ts'
import { ANA, mailedService, NEW, ticketOf, userOf } from '../../support/users/mailed-service.ts'
import { startProvider } from '../../support/users/openid-provider.ts'
import { elsewhere, enterWith, type KeyHolder, keyHolder, openLogin, postSignIn } from '../../support/users/passkeys.ts'
import { assertOwnRedirect, assertPage, assertRefused, sessionOf, signedIn } from '../../support/users/sign-in-steps.ts'

const FACTOR = '/account/second-factor'

/** Everything that asks for recent authentication, by the form that does it. */
const actions = {
  [`${FACTOR}/begin`]: {},
  [`${FACTOR}/recovery-codes`]: {},
  [`${FACTOR}/off`]: {},
  '/account/password': { password: NEW },
  '/account/email': { email: 'nova@exemplo.com.br' },
  '/account/passkeys/options': {},
  '/account/passkeys/remove': { id: 'x' },
  '/account/providers/unlink': { issuer: 'x', subject: 'y' },
  '/account/data': {},
  '/account/delete': { email: ANA },
} as const

eachDatabase('Recent authentication where an account has two factors', (database) => {
  const begin = mailedService(database)
  const trusting = { PORTARIA_TRUST_PROXY: '1' }

  async function turnOn(service: TestService, browser: Browser): Promise<string> {
    await browser.submit(`${FACTOR}/begin`, {})
    const secret = (/id="secret">([A-Z2-7 ]+)</.exec((await browser.get(FACTOR)).text)?.[1] ?? '').replaceAll(' ', '')
    assertPage(await browser.submit(FACTOR, { code: codeOf(secret, service.clock.now) }), 200)
    return secret
  }

  const isOn = async ({ context }: TestService) =>
    (await context.storage.db.selectFrom('totp_factors').select('confirmed_at').executeTakeFirst())?.confirmed_at !== undefined

  const codesOf = async ({ context }: TestService) =>
    (await context.storage.db.selectFrom('recovery_codes').select('code_hash').orderBy('code_hash').execute()).map(
      ({ code_hash }) => code_hash,
    )

  it('W1: a session that began with the password alone ends when another one turns the factor on', async () => {
    const { service } = await begin()
    const thief = await signedIn(service, ANA)
    const owner = await signedIn(service, ANA)
    await turnOn(service, owner)
    const codes = await codesOf(service)
    for (const [path, fields] of Object.entries(actions)) assertOwnRedirect(await thief.submit(path, fields), '/login')
    assert.equal(await userOf(service, sessionOf(thief)), undefined)
    assert.ok(await userOf(service, sessionOf(owner)))
    assert.ok(await isOn(service))
    assert.deepEqual(await codesOf(service), codes)
  })

  it('W1: a session that lives on without the factor does nothing that asks for recent authentication', async () => {
    const { service, ana } = await begin()
    const thief = await signedIn(service, ANA)
    await giveSecondFactor(service, ana)
    const codes = await codesOf(service)
    assert.ok(await userOf(service, sessionOf(thief)))
    for (const [path, fields] of Object.entries(actions)) {
      const login = assertOwnRedirect(await thief.submit(path, fields), '/login')
      assertPage(await thief.get(login), 200)
    }
    assert.ok(await isOn(service))
    assert.deepEqual(await codesOf(service), codes)
    const audited = await service.context.storage.db.selectFrom('audit').select('action').where('action', '=', 'user.export').execute()
    assert.deepEqual(audited, [])
  })

  it('W1: with the factor shown again the same session goes on', async () => {
    const { service, ana } = await begin()
    const browser = await signedIn(service, ANA)
    const app = await giveSecondFactor(service, ana)
    const login = await browser.get(assertOwnRedirect(await browser.get(FACTOR), '/login'))
    const first = await browser.submit('/login', { flow: hiddenFlow(login.text), email: ANA, password: PASSWORD })
    assert.equal((await typeCode(browser, first, app.code())).status, 302)
    assertPage(await browser.submit(`${FACTOR}/off`, {}), 200)
    assert.equal(await isOn(service), false)
  })

  it('W1: a sign-in that the factor overtook begins no session', async () => {
    const { service, ana } = await begin()
    const browser = service.browser()
    const flow = hiddenFlow((await browser.get('/login')).text)
    const held = holdNextAnswer(service, /from "totp_factors"/)
    const signingIn = browser.submit('/login', { flow, email: ANA, password: PASSWORD })
    await held.asked
    await giveSecondFactor(service, ana)
    held.goOn()
    await signingIn
    assert.ok(!browser.cookies.get('eg_session'))
    assert.deepEqual(await service.context.storage.db.selectFrom('sessions').select('id').execute(), [])
  })

  it('W1: new recovery codes are reported by mail, with the way to take the account back', async () => {
    const { service, mailbox } = await begin()
    const owner = await signedIn(service, ANA)
    await turnOn(service, owner)
    assertPage(await owner.submit(`${FACTOR}/recovery-codes`, {}), 200)
    const mail = await mailbox.find(ANA, ({ subject }) => subject === 'Novos códigos de recuperação')
    const link = service.browser().submit('/report-sign-in', { ticket: ticketOf(linkIn(mail, '/report-sign-in')) })
    assertPage(await link, 200)
  })

  it('W1: neither a new password by mail nor an invitation goes around the factor', async () => {
    const { service, ana } = await begin()
    await giveSecondFactor(service, ana)
    for (const [purpose, path] of [
      ['reset_password', '/reset-password'],
      ['invitation', '/invitation'],
    ] as const) {
      const { secret } = await mint(service, { purpose, userId: ana.id, email: ANA })
      const browser = service.browser()
      assertOwnRedirect(await browser.submit(path, { ticket: secret, password: NEW }), '/second-factor')
      assert.ok(!browser.cookies.get('eg_session'))
    }
  })

  it('W1: an administrator’s password alone adds no factor where a passkey is asked for', async () => {
    const { service } = await begin(trusting)
    const owner = await keyHolder(service, 'dona@exemplo.com.br')
    await giveRole(service, owner.user.email, 'owner')
    const thief = await signedIn(service, owner.user.email)
    for (const path of [`${FACTOR}/begin`, '/account/passkeys/options', '/account/password', '/account/data']) {
      const login = await thief.get(assertOwnRedirect(await thief.submit(path, { password: NEW }), '/login'))
      assert.match(login.text, /pede a sua passkey/, path)
    }
    assertPage(await owner.browser.get('/account/passkeys'), 200)
  })

  it('W1: an administrator’s password alone makes no old passkey authentication recent for the console', async () => {
    const { service } = await begin(trusting)
    const owner = await keyHolder(service, 'dona@exemplo.com.br')
    await giveRole(service, owner.user.email, 'owner')
    service.clock.now += 11 * 60_000
    const authenticate = async () => {
      const login = await owner.browser.get(assertOwnRedirect(await owner.browser.get('/admin/authenticate'), '/login'))
      return owner.browser.submit('/login', { flow: hiddenFlow(login.text), email: owner.user.email, password: PASSWORD })
    }
    assertOwnRedirect(await authenticate(), '/admin/authenticated')
    const headers = { 'content-type': 'application/json', origin: service.url, 'sec-fetch-site': 'same-origin' }
    const body = JSON.stringify({ name: 'x', role: 'viewer' })
    assertRefused(await owner.browser.request('POST', '/api/admin/tokens', { headers, body }), 403, 'prova recente necessaria')
    assertOwnRedirect(await owner.browser.get('/admin/authenticated'), '/admin/authenticate')
    assert.match(
      (await owner.browser.get(assertOwnRedirect(await owner.browser.get('/admin/authenticate'), '/login'))).text,
      /pede a sua passkey/,
    )
  })

  /** A provider that is trusted for no address, where somebody has the given one and is asked for two factors. */
  async function providerOf(service: TestService, email: string) {
    const provider = await startProvider(`${service.url}/auth/callback`)
    const { issuer, clientId, clientSecret } = provider
    const input = { id: 'um', name: 'Provedor um', issuer, clientId, clientSecret, authoritativeFor: [], accessTokenAudience: undefined }
    assert.ok(!('refusal' in (await addProvider(input, { ...service.context, actor: 'operator:test' }))))
    provider.next = { subject: 'somebody', email, email_verified: true }
    provider.tamper = (claims) => ({ ...claims, amr: ['pwd', 'mfa'] })
    const arrive = async (browser: Browser) => {
      const flow = hiddenFlow((await browser.get('/login')).text)
      const start = await browser.get(`/auth/provider/um?flow=${encodeURIComponent(flow)}`)
      const { pathname, search } = await provider.walk(start.location?.href ?? assert.fail(start.text))
      return browser.get(pathname + search)
    }
    const linked = async () => (await service.context.storage.db.selectFrom('identities').select('user_id').execute()).length
    return { arrive, linked }
  }

  const asksConsole = (browser: Browser) => browser.request('GET', '/api/admin/me', { headers: { 'sec-fetch-site': 'same-origin' } })

  async function administratorWithPasskey(): Promise<{ service: TestService; owner: KeyHolder }> {
    const { service } = await begin(trusting)
    const owner = await keyHolder(service, 'dona@exemplo.com.br')
    await giveRole(service, owner.user.email, 'owner')
    return { service, owner }
  }

  it('W1: an administrator’s password alone links no provider, whose second factor would open the console', async () => {
    const { service, owner } = await administratorWithPasskey()
    const { arrive, linked } = await providerOf(service, owner.user.email)
    const thief = elsewhere(service)
    const login = await thief.get(assertOwnRedirect(await arrive(thief), '/login'))
    const entered = await thief.submit('/login', { flow: hiddenFlow(login.text), email: owner.user.email, password: PASSWORD })
    assertOwnRedirect(entered, '/auth/welcome')
    assert.equal(await userOf(service, sessionOf(thief)), owner.user.id)
    assert.equal(await linked(), 0)
    const again = elsewhere(service)
    assertOwnRedirect(await arrive(again), '/login')
    assert.ok(!again.cookies.get('eg_session'))
    assertRefused(await asksConsole(thief), 403, 'segundo fator necessario')
  })

  it('W1: an administrator’s passkey links the provider with which the sign-in began', async () => {
    const { service, owner } = await administratorWithPasskey()
    const { arrive, linked } = await providerOf(service, owner.user.email)
    const browser = elsewhere(service)
    const asked = await openLogin(service, browser, assertOwnRedirect(await arrive(browser), '/login'))
    assert.equal((await postSignIn(asked, owner.device.sign(asked.options))).status, 302)
    assert.equal(await linked(), 1)
    const again = elsewhere(service)
    assertOwnRedirect(await arrive(again), '/auth/welcome')
    assert.equal((await asksConsole(again)).status, 200)
  })

  it('W1: a mailbox does not take away the passkey that an administrator is asked for, unless it is newer than the mail', async () => {
    const { service } = await begin(trusting)
    const owner = await keyHolder(service, 'dona@exemplo.com.br')
    const plain = await keyHolder(service, 'bia@exemplo.com.br')
    await giveRole(service, owner.user.email, 'owner')
    const left = async ({ user }: { user: { id: string } }) => {
      const keys = service.context.storage.db.selectFrom('passkeys').select('id').where('user_id', '=', user.id)
      return (await keys.execute()).length
    }
    const report = async ({ user }: { user: { id: string; email: string } }) => {
      const { secret } = await mint(service, { purpose: 'report_sign_in', userId: user.id, email: user.email })
      return async () => assertPage(await service.browser().submit('/report-sign-in', { ticket: secret }), 200)
    }
    service.clock.now += 1_000
    await (await report(plain))()
    assert.equal(await left(plain), 0)
    await (await report(owner))()
    assert.equal(await left(owner), 1)
    const before = await report(owner)
    service.clock.now += 1_000
    await service.context.storage.db
      .updateTable('passkeys')
      .set({ created_at: service.clock.now })
      .where('user_id', '=', owner.user.id)
      .execute()
    await before()
    assert.equal(await left(owner), 0)
  })

  for (const [way, path] of [
    ['reset_password', '/reset-password'],
    ['invitation', '/invitation'],
  ] as const)
    it(`W1: a mailbox takes no factor of an administrator whose address nobody has verified, by ${way}`, async () => {
      const { service, owner } = await administratorWithPasskey()
      const { user, device } = owner
      const { db } = service.context.storage
      const unverify = () => db.updateTable('users').set({ email_verified_at: null }).where('id', '=', user.id).execute()
      const reset = async () => {
        await unverify()
        const { secret } = await mint(service, { purpose: way, userId: user.id, email: user.email })
        const browser = elsewhere(service)
        return { browser, answer: await browser.submit(path, { ticket: secret, password: NEW }) }
      }
      const reader = await reset()
      assert.ok(await userOf(service, sessionOf(reader.browser)))
      assertRefused(await asksConsole(reader.browser), 403, 'segundo fator necessario')
      const app = await giveSecondFactor(service, user)
      const { browser, answer } = await reset()
      assertOwnRedirect(answer, '/second-factor')
      assert.ok(!browser.cookies.get('eg_session'))
      assert.equal((await typeCode(browser, answer, app.code())).status, 302)
      assert.equal((await asksConsole(browser)).status, 200)
      assert.equal((await enterWith(service, device)).status, 302)
      const { email_verified_at } = await db.selectFrom('users').selectAll().where('id', '=', user.id).executeTakeFirstOrThrow()
      assert.notEqual(email_verified_at, null)
    })

  it('W1: a new sign-up takes no factor of an administrator whose address nobody has verified: it is refused', async () => {
    const { service, mailbox, signUp, browser } = await begin(trusting)
    const { user, device } = await keyHolder(service, 'dona@exemplo.com.br')
    await giveRole(service, user.email, 'owner')
    await giveSecondFactor(service, user)
    await service.context.storage.db.updateTable('users').set({ email_verified_at: null }).where('id', '=', user.id).execute()
    const waiting = await signUp(user.email)
    const flow = hiddenFlow((await browser.get(waiting.location?.href ?? assert.fail(waiting.text))).text)
    const code = codeIn(await mailbox.find(user.email, ({ subject }) => subject?.includes('Confirme') === true))
    assertPage(await browser.submit('/check-mail', { flow, code }), 400)
    const first = await elsewhere(service).signIn('/login', { email: user.email, password: PASSWORD })
    assertOwnRedirect(first, '/second-factor')
    assert.equal((await enterWith(service, device)).status, 302)
  })
})
