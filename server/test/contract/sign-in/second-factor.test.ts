import assert from 'node:assert/strict'
import { it } from 'node:test'
import { addProvider } from '../../../src/identity-providers/index.ts'
import { type Answer, type Browser, hiddenFlow } from '../../support/browser.ts'
import { oneDatabase } from '../../support/databases.ts'
import { codeIn, linkIn, type Mailbox, startMailbox } from '../../support/mailbox.ts'
import { mint } from '../../support/routes/raw-requests.ts'
import { cheapPasswords, PASSWORD, startService, type TestService } from '../../support/service.ts'
import { type Authenticator, giveSecondFactor, openSecondStep, typeCode, wrongCode } from '../../support/users/authenticator.ts'
import { startProvider, type TestProvider } from '../../support/users/openid-provider.ts'
import {
  assertOwnRedirect,
  assertPage,
  assertRefused,
  INTERNAL,
  isLive,
  loginAddress,
  parameter,
  pass,
  sessionOf,
} from '../../support/users/sign-in-steps.ts'

const ANA = 'ana@exemplo.com.br'
const NEW = 'girassol azul no telhado'
const USER = { subject: 'ana-1', email: ANA, email_verified: true, name: 'Ana' }

interface Fixture {
  service: TestService
  mailbox: Mailbox
  provider: TestProvider
  ana: { id: string; email: string }
  app: Authenticator
}

/** From the login page through the provider; answers what the callback answered. */
async function signInBy({ provider }: Fixture, browser: Browser): Promise<Answer> {
  const flow = hiddenFlow((await browser.get('/login')).text)
  const start = await browser.get(`/auth/provider/um?flow=${encodeURIComponent(flow)}`)
  const callback = await provider.walk(start.location?.href ?? '')
  return browser.get(callback.pathname + callback.search)
}

/** Lets the provider know Ana, and the service that it does. */
async function knowAna(fixture: Fixture): Promise<void> {
  const { service, provider, ana } = fixture
  provider.next = USER
  const identity = { issuer: provider.issuer, subject: USER.subject, user_id: ana.id, email: ANA, created_at: 1 }
  await service.context.storage.db.insertInto('identities').values(identity).execute()
}

/** Everything of a browser that could open something. */
function keysOf(browser: Browser): string[] {
  return ['eg_session', 'portaria', 'portaria_device'].filter((name) => browser.cookies.has(name))
}

async function countSessions({ service, ana }: Fixture): Promise<number> {
  return (await service.context.storage.db.selectFrom('sessions').select('id').where('user_id', '=', ana.id).execute()).length
}

/** The ways in: what a user does, up to the answer that follows their first factor. */
const ways: Readonly<Record<string, (fixture: Fixture, browser: Browser) => Promise<Answer>>> = {
  'the form of variant 1': (_fixture, browser) =>
    browser.signIn(loginAddress({ redirect_to: INTERNAL }), { email: ANA, password: PASSWORD }),
  'the form of variant 2': (_fixture, browser) =>
    browser.signIn(loginAddress({ redirect_uri: INTERNAL }), { email: ANA, password: PASSWORD }),
  'the form of Portaria itself': (_fixture, browser) => browser.signIn('/login', { email: ANA, password: PASSWORD }),
  'a provider that knows the user': async (fixture, browser) => {
    await knowAna(fixture)
    return signInBy(fixture, browser)
  },
  'a provider that is authoritative for the address': (fixture, browser) => {
    fixture.provider.next = USER
    return signInBy(fixture, browser)
  },
  'a provider that says it asked for a password alone': async (fixture, browser) => {
    await knowAna(fixture)
    fixture.provider.tamper = (claims) => ({ ...claims, amr: ['pwd'] })
    return signInBy(fixture, browser)
  },
  'a provider whose amr is no list': async (fixture, browser) => {
    await knowAna(fixture)
    fixture.provider.tamper = (claims) => ({ ...claims, amr: 'mfa' })
    return signInBy(fixture, browser)
  },
  'a recovery by mail': async ({ mailbox }, browser) => {
    await browser.submit('/recover', { flow: hiddenFlow((await browser.get('/recover')).text), email: ANA })
    const link = linkIn(await mailbox.find(ANA, ({ text }) => text?.includes('/reset-password') ?? false), '/reset-password')
    return browser.submit('/reset-password', { ticket: new URL(link, 'http://x').searchParams.get('ticket') ?? '', password: NEW })
  },
  'an invitation': async ({ service, ana }, browser) => {
    const { secret } = await mint(service, { purpose: 'invitation', userId: ana.id, email: ANA })
    return browser.submit('/invitation', { ticket: secret, password: NEW })
  },
  'a password that ties a provider to the account': (fixture, browser) => tieProvider(fixture, browser),
}

/** A provider that may not vouch for the address: the user signs in to the account, and the provider is linked to it. */
async function tieProvider(fixture: Fixture, browser: Browser): Promise<Answer> {
  fixture.provider.next = { ...USER, subject: 'ana-2', email_verified: false }
  const answer = await signInBy(fixture, browser)
  assert.equal(answer.location?.pathname, '/login')
  const { text } = await browser.get(answer.location?.href ?? '')
  return browser.submit('/login', { flow: hiddenFlow(text), email: ANA, password: PASSWORD })
}

oneDatabase('A second factor', (database) => {
  async function begin(): Promise<Fixture> {
    const mailbox = await startMailbox()
    const options = { environment: { PORTARIA_SMTP_URL: mailbox.url }, passwords: cheapPasswords }
    const service = await startService(await database.fresh(), options)
    await service.product({ slug: 'painel', uris: [INTERNAL] })
    const provider = await startProvider(`${service.url}/auth/callback`)
    const { issuer, clientId, clientSecret } = provider
    const added = { id: 'um', name: 'Provedor um', issuer, clientId, clientSecret, authoritativeFor: ['exemplo.com.br'] }
    await addProvider({ ...added, accessTokenAudience: undefined }, { ...service.context, actor: 'operator:test' })
    const ana = await service.user(ANA)
    return { service, mailbox, provider, ana, app: await giveSecondFactor(service, ana) }
  }

  for (const [way, arrive] of Object.entries(ways)) {
    it(`is asked after ${way}: no session, cookie or token before it, and all of them after`, async () => {
      const fixture = await begin()
      const { service, app, ana } = fixture
      const browser = service.browser()
      const first = await arrive(fixture, browser)
      assert.equal(first.status, 302)
      const flow = await openSecondStep(browser, first)
      assert.deepEqual(keysOf(browser), [])
      assert.equal(await countSessions(fixture), 0)
      for (const path of ['/auth/welcome', '/auth/continue', '/complete-profile'])
        assert.equal((await browser.get(`${path}?flow=${encodeURIComponent(flow)}`)).status, 400, path)
      assertOwnRedirect(await browser.get('/account'), '/login')
      const done = await browser.submit('/second-factor', { flow, code: app.code() })
      assertOwnRedirect(done, '/auth/welcome')
      assert.deepEqual(keysOf(browser), ['eg_session', 'portaria', 'portaria_device'])
      assert.ok(await isLive(service, sessionOf(browser)))
      const row = await service.context.storage.db.selectFrom('sessions').select(['user_id', 'authenticated_at']).executeTakeFirstOrThrow()
      assert.deepEqual({ ...row }, { user_id: ana.id, authenticated_at: service.clock.now })
    })
  }

  it('leads back to the app that asked, with its state, in both variants', async () => {
    const { service, app } = await begin()
    for (const name of ['redirect_to', 'redirect_uri']) {
      service.clock.now += 60_000
      const browser = service.browser()
      const first = await browser.signIn(loginAddress({ [name]: INTERNAL, state: 'estado' }), { email: ANA, password: PASSWORD })
      const left = await browser.follow(await typeCode(browser, first, app.code()))
      assert.equal(left.location?.origin + (left.location?.pathname ?? ''), INTERNAL)
      assert.equal(parameter(left.location, 'state'), 'estado')
      assert.ok(await isLive(service, parameter(left.location, 'eg_session')))
    }
  })

  it('is not asked of who has none, nor before the app is confirmed', async () => {
    const { service } = await begin()
    const { email, id } = await service.user('bia@exemplo.com.br')
    assertOwnRedirect(await service.browser().signIn('/login', { email, password: PASSWORD }), '/auth/welcome')
    const row = { user_id: id, secret_sealed: 'x', created_at: 1, confirmed_at: null, last_step: 0 }
    await service.context.storage.db.insertInto('totp_factors').values(row).execute()
    assertOwnRedirect(await service.browser().signIn('/login', { email, password: PASSWORD }), '/auth/welcome')
  })

  it('is not asked again where a provider says that it has asked for one itself: amr has mfa', async () => {
    const fixture = await begin()
    await knowAna(fixture)
    fixture.provider.tamper = (claims) => ({ ...claims, amr: ['pwd', 'mfa'] })
    const browser = fixture.service.browser()
    assertOwnRedirect(await signInBy(fixture, browser), '/auth/welcome')
    assert.ok(await isLive(fixture.service, sessionOf(browser)))
  })

  it('is not asked of who is signed in already, and is asked again with prompt=login', async () => {
    const { service, app } = await begin()
    const browser = service.browser()
    await typeCode(browser, await browser.signIn('/login', { email: ANA, password: PASSWORD }), app.code())
    assert.ok(await isLive(service, parameter(await pass(browser, { redirect_to: INTERNAL }), 'eg_session')))
    const again = await browser.signIn(loginAddress({ redirect_to: INTERNAL, prompt: 'login' }), { email: ANA, password: PASSWORD })
    service.clock.now += 60_000
    assertOwnRedirect(await typeCode(browser, again, app.code()), '/auth/welcome')
  })

  it('can’t be gone around by signing up: a code or link that waits for the address opens no account that has one', async () => {
    const { service, mailbox } = await begin()
    const bia = 'bia@exemplo.com.br'
    const browser = service.browser()
    const flow = hiddenFlow((await browser.get('/sign-up')).text)
    const sent = await browser.submit('/sign-up', { flow, name: 'Bia', email: bia, password: NEW })
    const mail = await mailbox.find(bia)
    await giveSecondFactor(service, await service.user(bia))
    const pending = hiddenFlow((await browser.get(sent.location?.href ?? '')).text)
    const ticket = new URL(linkIn(mail, '/verify'), 'http://x').searchParams.get('ticket') ?? ''
    assert.equal((await service.browser().submit('/verify', { ticket, password: NEW })).status, 400)
    assert.equal((await browser.submit('/check-mail', { flow: pending, code: codeIn(mail) })).status, 400)
    assert.equal((await browser.submit('/verify', { ticket })).status, 400)
    assert.deepEqual(keysOf(browser), [])
  })

  it('ties a provider to the account only once it has been shown', async () => {
    const fixture = await begin()
    const { service, app } = fixture
    const browser = service.browser()
    const identities = () => service.context.storage.db.selectFrom('identities').select('subject').execute()
    const first = await tieProvider(fixture, browser)
    assert.deepEqual(await identities(), [])
    assertOwnRedirect(await typeCode(browser, first, app.code()), '/auth/welcome')
    assert.deepEqual(
      (await identities()).map(({ subject }) => subject),
      ['ana-2'],
    )
  })

  it('shows programs in the contract’s form what is wrong with a code', async () => {
    const { service, app } = await begin()
    const browser = service.browser()
    const json = { accept: 'application/json' }
    const flow = hiddenFlow((await browser.get('/login')).text)
    const first = await browser.submit('/login', { flow, email: ANA, password: PASSWORD }, json)
    const pending = await openSecondStep(browser, first)
    assert.deepEqual(keysOf(browser), [])
    assertRefused(await browser.submit('/second-factor', { flow: pending, code: wrongCode(app) }, json), 401, 'codigo invalido')
    assertRefused(await browser.submit('/second-factor', { flow: 'none', code: app.code() }, json), 400, 'fluxo invalido ou expirado')
    assert.equal((await browser.submit('/second-factor', { flow: pending, code: app.code() }, json)).status, 302)
  })

  it('comes back with what is wrong after a mistyped code, and takes the right one then, however it is spaced', async () => {
    const { service, app } = await begin()
    const browser = service.browser()
    const wrong = await typeCode(browser, await browser.signIn('/login', { email: ANA, password: PASSWORD }), wrongCode(app))
    assertPage(wrong, 401)
    assert.match(wrong.text, /Código incorreto/)
    const code = ` ${app.code().slice(0, 3)} ${app.code().slice(3)} `
    assertOwnRedirect(await browser.submit('/second-factor', { flow: hiddenFlow(wrong.text), code }), '/auth/welcome')
  })

  it('may be a recovery code, in capitals and without its hyphens too, each once', async () => {
    const { service, app } = await begin()
    const [one = '', two = ''] = app.recoveryCodes
    assert.equal(new Set(app.recoveryCodes).size, 10)
    const enter = async (code: string) => {
      const browser = service.browser()
      return typeCode(browser, await browser.signIn('/login', { email: ANA, password: PASSWORD }), code)
    }
    assertOwnRedirect(await enter(one), '/auth/welcome')
    assertOwnRedirect(await enter(two.toUpperCase().replaceAll('-', ' ')), '/auth/welcome')
    assertPage(await enter(one), 401)
    assertPage(await enter(two), 401)
  })
})
