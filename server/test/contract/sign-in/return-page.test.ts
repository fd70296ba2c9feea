import assert from 'node:assert/strict'
import { it } from 'node:test'
import { ACCOUNT_PAGES } from '../../../src/sign-in/flow/return-page.ts'
import { type Browser, hiddenFlow } from '../../support/browser.ts'
import { oneDatabase } from '../../support/databases.ts'
import { PASSWORD, startForSuite, type TestService } from '../../support/service.ts'
import { giveSecondFactor, typeCode } from '../../support/users/authenticator.ts'
import { elsewhere, keyHolder, openLogin, postSignIn } from '../../support/users/passkeys.ts'
import { assertOwnRedirect, assertPage, isLive, sessionOf, signedIn, splashTarget } from '../../support/users/sign-in-steps.ts'

const NEW = 'girassol azul no telhado'

/** The path to which the form of each page is posted. */
const forms = {
  '/account/consents/withdraw': '/account/consents',
  '/account/data': '/account/data',
  '/account/delete': '/account/delete',
  '/account/email': '/account/email',
  '/account/email/confirm': '/account/email',
  '/account/language': '/account/language',
  '/account/passkeys': '/account/passkeys',
  '/account/passkeys/options': '/account/passkeys',
  '/account/passkeys/remove': '/account/passkeys',
  '/account/passkeys/rename': '/account/passkeys',
  '/account/password': '/account/password',
  '/account/providers/unlink': '/account/providers',
  '/account/sessions/end': '/account/sessions',
  '/account/sessions/end-others': '/account/sessions',
  '/account/second-factor': '/account/second-factor',
  '/account/second-factor/begin': '/account/second-factor',
  '/account/second-factor/off': '/account/second-factor',
  '/account/second-factor/recovery-codes': '/account/second-factor',
} as const

const CURSOR = '00000000-0000-7000-8000-000000000001'
const pages = ACCOUNT_PAGES.filter((page) => page !== '/confirm-email' && page !== '/account/passkeys/change')

oneDatabase('Who comes to a page of their account without being signed in', (database) => {
  const start = startForSuite(database, { environment: { PORTARIA_TRUST_PROXY: '1' } })
  let users = 0
  const someone = (service: TestService) => service.user(`volta${++users}.${database.name}@exemplo.com.br`)

  /** Where the sign-in ends that an address leads to, the splash before it. */
  async function endOf(browser: Browser, address: string, email: string): Promise<string> {
    const signed = await browser.signIn(address, { email, password: PASSWORD })
    const splash = await browser.get(assertOwnRedirect(signed, '/auth/welcome'))
    const { status, location } = await browser.get(splashTarget(splash))
    assert.equal(status, 302)
    return `${location?.pathname}${location?.search}`
  }

  it('comes to it once they have signed in, whichever it is', async () => {
    const service = start()
    const { email } = await someone(service)
    for (const page of pages) {
      const browser = service.browser()
      assertOwnRedirect(await browser.get(page), '/login')
      assert.equal(await endOf(browser, page, email), page)
      assertPage(await browser.get(page), 200)
    }
  })

  it('comes to it after a wrong password too', async () => {
    const service = start()
    const { email } = await someone(service)
    const browser = service.browser()
    const form = await browser.get(assertOwnRedirect(await browser.get('/account/data'), '/login'))
    const wrong = await browser.submit('/login', { flow: hiddenFlow(form.text), email, password: 'wrong' })
    assertPage(wrong, 401)
    const signed = await browser.submit('/login', { flow: hiddenFlow(wrong.text), email, password: PASSWORD })
    const splash = await browser.get(assertOwnRedirect(signed, '/auth/welcome'))
    assertOwnRedirect(await browser.get(splashTarget(splash)), '/account/data')
  })

  it('comes to the page of the form that they have posted, and nothing is done', async () => {
    const service = start()
    const { id, email } = await someone(service)
    const other = await signedIn(service, email)
    for (const [form, page] of Object.entries(forms)) {
      const browser = service.browser()
      const login = assertOwnRedirect(await browser.submit(form, { session: CURSOR, email, language: 'es', password: NEW }), '/login')
      assert.equal(await endOf(browser, login, email), page, form)
    }
    assert.ok(await isLive(service, sessionOf(other)))
    const row = await service.context.storage.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    assert.deepEqual([row.language, row.disabled_at, row.password_hash], ['pt-BR', null, `cheap:${PASSWORD}`])
  })

  it('comes to that very place of a list and to that very passkey, and takes along nothing else of the address', async () => {
    const service = start()
    const { device, user } = await keyHolder(service, `chave${++users}.${database.name}@exemplo.com.br`)
    for (const address of [`/account/sessions?cursor=${CURSOR}`, `/account/passkeys/change?id=${device.credentialId()}`])
      assert.equal(await endOf(service.browser(), `${address}&next=https%3A%2F%2Fevil.example`, user.email), address)
  })

  it('comes to it by the second factor too, and by a passkey', async () => {
    const service = start()
    const { device, user } = await keyHolder(service, `fator${++users}.${database.name}@exemplo.com.br`)
    const app = await giveSecondFactor(service, user)
    const browser = elsewhere(service)
    const first = await browser.signIn('/account/purchases', { email: user.email, password: PASSWORD })
    const splash = await browser.get(assertOwnRedirect(await typeCode(browser, first, app.code()), '/auth/welcome'))
    assertOwnRedirect(await browser.get(splashTarget(splash)), '/account/purchases')
    const asked = await openLogin(service, elsewhere(service), '/account/consents')
    const signed = await postSignIn(asked, device.sign(asked.options))
    const welcome = await asked.browser.get(assertOwnRedirect(signed, '/auth/welcome'))
    assertOwnRedirect(await asked.browser.get(splashTarget(welcome)), '/account/consents')
  })

  it('is led nowhere else than to one of our own pages, however the address is written', async () => {
    const service = start()
    const { email } = await someone(service)
    for (const address of ['/account/?x=//evil.example', '/account//evil.example'])
      assert.equal((await service.browser().get(address)).status, 404, address)
    assert.equal(await endOf(service.browser(), '/account?cursor=//evil.example', email), '/account?cursor=%2F%2Fevil.example')
  })
})
