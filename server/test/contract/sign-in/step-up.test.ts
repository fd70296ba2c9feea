import assert from 'node:assert/strict'
import { it } from 'node:test'
import { addProvider } from '../../../src/identity-providers/index.ts'
import { type Answer, type Browser, hiddenFlow } from '../../support/browser.ts'
import { eachDatabase } from '../../support/databases.ts'
import { startMailbox } from '../../support/mailbox.ts'
import { cheapPasswords, PASSWORD, startService, type TestService } from '../../support/service.ts'
import { giveSecondFactor, typeCode } from '../../support/users/authenticator.ts'
import { startProvider } from '../../support/users/openid-provider.ts'
import { assertOwnRedirect, assertPage, INTERNAL, pass, sessionOf, signedIn } from '../../support/users/sign-in-steps.ts'

const ANA = 'ana@exemplo.com.br'
const NEW = 'girassol azul no telhado'
const TEN_MINUTES = 10 * 60_000

/** Pages that only a recent authentication opens, and a change that each takes. */
const pages = {
  '/account/password': { password: NEW },
  '/account/email': { email: 'nova@exemplo.com.br' },
  '/account/second-factor': { code: '123456' },
} as const

eachDatabase('A change that a stolen browser must not make', (database) => {
  async function begin() {
    const mailbox = await startMailbox()
    const service = await startService(await database.fresh(), {
      environment: { PORTARIA_SMTP_URL: mailbox.url },
      passwords: cheapPasswords,
    })
    const ana = await service.user(ANA)
    return { service, mailbox, ana, browser: await signedIn(service, ANA) }
  }

  /** Opens a page that asks for a recent authentication, and gives the password. */
  async function authenticateAgain(browser: Browser, page: string): Promise<Answer> {
    const form = await browser.get(assertOwnRedirect(await browser.get(page), '/login'))
    return browser.submit('/login', { flow: hiddenFlow(form.text), email: ANA, password: PASSWORD })
  }

  const authenticatedAt = async ({ context }: TestService) =>
    (await context.storage.db.selectFrom('sessions').select('authenticated_at').where('ended_at', 'is', null).executeTakeFirstOrThrow())
      .authenticated_at

  for (const [page, fields] of Object.entries(pages)) {
    it(`needs a proof of the last ten minutes at ${page}: given again, it comes back to the page, in the same session`, async () => {
      const { service, browser } = await begin()
      service.clock.now += TEN_MINUTES - 1
      assertPage(await browser.get(page), 200)
      service.clock.now += 1
      const sent = await browser.submit(page, fields)
      const login = await browser.get(assertOwnRedirect(sent, '/login'))
      assert.match(login.text, /Confirme que é você/)
      assert.match(login.text, new RegExp(`value="${ANA}"`))
      const authenticated = await authenticateAgain(browser, page)
      const back = await browser.get(assertOwnRedirect(authenticated, '/auth/continue'))
      assertPage(await browser.get(assertOwnRedirect(back, page)), 200)
      assert.equal((await service.context.storage.db.selectFrom('sessions').select('id').execute()).length, 1)
      assert.equal(await authenticatedAt(service), service.clock.now)
    })
  }

  it('changes nothing without one', async () => {
    const { service, browser, mailbox } = await begin()
    service.clock.now += TEN_MINUTES
    for (const [page, fields] of Object.entries(pages)) assertOwnRedirect(await browser.submit(page, fields), '/login')
    const { password_hash, email } = await service.context.storage.db
      .selectFrom('users')
      .select(['password_hash', 'email'])
      .executeTakeFirstOrThrow()
    assert.deepEqual([password_hash, email], [`cheap:${PASSWORD}`, ANA])
    for (const table of ['tickets', 'outbox'] as const)
      assert.equal((await service.context.storage.db.selectFrom(table).select('id').execute()).length, 0, table)
    assert.equal(mailbox.mails.length, 0)
  })

  it('is not allowed by a wrong password, a silent sign-in, or a session from before authentications were noted', async () => {
    const { service, browser } = await begin()
    await service.product({ slug: 'painel', uris: [INTERNAL] })
    service.clock.now += TEN_MINUTES
    const form = await browser.get(assertOwnRedirect(await browser.get('/account/password'), '/login'))
    assertPage(await browser.submit('/login', { flow: hiddenFlow(form.text), email: ANA, password: 'wrong' }), 401)
    await pass(browser, { redirect_to: INTERNAL })
    assertOwnRedirect(await browser.get('/account/password'), '/login')
    await service.context.storage.db.updateTable('sessions').set({ authenticated_at: null }).execute()
    assertOwnRedirect(await browser.get('/account/password'), '/login')
  })

  it('is not allowed by the proof of another browser, or by eg_session without the bound cookie', async () => {
    const { service, browser } = await begin()
    service.clock.now += TEN_MINUTES
    await signedIn(service, ANA)
    assertOwnRedirect(await browser.get('/account/password'), '/login')
    const thief = service.browser()
    thief.cookies.set('eg_session', sessionOf(await signedIn(service, ANA)))
    assertOwnRedirect(await thief.submit('/account/password', { password: NEW }), '/login')
  })

  it('asks for the second factor of who has one: the password alone is no recent authentication', async () => {
    const { service, browser, ana } = await begin()
    const app = await giveSecondFactor(service, ana)
    service.clock.now += TEN_MINUTES
    const first = await authenticateAgain(browser, '/account/password')
    assertOwnRedirect(first, '/second-factor')
    assertOwnRedirect(await browser.get('/account/password'), '/login')
    const back = await browser.get(assertOwnRedirect(await typeCode(browser, first, app.code()), '/auth/continue'))
    assertPage(await browser.get(assertOwnRedirect(back, '/account/password')), 200)
  })

  it('goes to the account of whoever authenticates: somebody else changes their own', async () => {
    const { service, browser, ana } = await begin()
    const bia = await service.user('bia@exemplo.com.br')
    service.clock.now += TEN_MINUTES
    const form = await browser.get(assertOwnRedirect(await browser.get('/account/password'), '/login'))
    const authenticated = await browser.submit('/login', { flow: hiddenFlow(form.text), email: bia.email, password: PASSWORD })
    await browser.follow(authenticated)
    assertPage(await browser.submit('/account/password', { password: NEW }), 200)
    const rows = await service.context.storage.db.selectFrom('users').select(['id', 'password_hash']).execute()
    assert.deepEqual(
      new Map(rows.map(({ id, password_hash }) => [id, password_hash])),
      new Map([
        [ana.id, `cheap:${PASSWORD}`],
        [bia.id, `cheap:${NEW}`],
      ]),
    )
  })

  it('may be a first password: of someone whom a provider signs in, who authenticates there', async () => {
    const { service, mailbox, ana } = await begin()
    const provider = await startProvider(`${service.url}/auth/callback`)
    const { issuer, clientId, clientSecret } = provider
    const added = { id: 'um', name: 'Provedor um', issuer, clientId, clientSecret, authoritativeFor: [], accessTokenAudience: undefined }
    await addProvider(added, { ...service.context, actor: 'operator:test' })
    provider.next = { subject: 'ana-1', email: ANA, email_verified: true }
    const { db } = service.context.storage
    await db.insertInto('identities').values({ issuer, subject: 'ana-1', user_id: ana.id, email: ANA, created_at: 1 }).execute()
    await db.updateTable('users').set({ password_hash: null }).execute()
    const browser = service.browser()
    const signInBy = async (address: string) => {
      const start = await browser.get(`/auth/provider/um?flow=${encodeURIComponent(hiddenFlow((await browser.get(address)).text))}`)
      const callback = await provider.walk(start.location?.href ?? '')
      return browser.follow(await browser.get(callback.pathname + callback.search))
    }
    await signInBy('/login')
    service.clock.now += TEN_MINUTES
    const page = await signInBy(assertOwnRedirect(await browser.get('/account/password'), '/login'))
    assert.match(page.text, /Crie uma senha/)
    assertPage(await browser.submit('/account/password', { password: NEW }), 200)
    await mailbox.find(ANA, ({ subject }) => subject === 'Sua senha foi trocada')
    assert.equal((await service.browser().signIn('/login', { email: ANA, password: NEW })).status, 302)
  })

  it('is made by one of two browsers that change the password at once; the other is signed out and changes nothing', async () => {
    const { service, browser } = await begin()
    const other = await signedIn(service, ANA)
    const answers = await Promise.all([
      browser.submit('/account/password', { password: `${NEW} um` }),
      other.submit('/account/password', { password: `${NEW} dois` }),
    ])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 302])
    const winner = answers[0]?.status === 200 ? 'um' : 'dois'
    const { password_hash } = await service.context.storage.db.selectFrom('users').select('password_hash').executeTakeFirstOrThrow()
    assert.equal(password_hash, `cheap:${NEW} ${winner}`)
  })
})
