import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type Browser, hiddenFlow } from '../support/browser.ts'
import { eachDatabase } from '../support/databases.ts'
import { cheapPasswords, PASSWORD, startService, type TestService } from '../support/service.ts'
import { assertOwnRedirect, assertPage, assertRefused } from '../support/users/sign-in-steps.ts'

const MINUTE_MS = 60_000

/** One attempt from a network address, as a reverse proxy reports it. */
async function attempt(
  browser: Browser,
  { email, password, from }: { email: string; password: string; from: string },
  accept = 'application/json',
) {
  const page = await browser.get('/login', { 'x-forwarded-for': from })
  return browser.submit('/login', { flow: hiddenFlow(page.text), email, password }, { accept, 'x-forwarded-for': from })
}

async function fail(service: TestService, times: number, to: (index: number) => { email: string; from: string }): Promise<void> {
  const statuses: number[] = []
  for (let index = 0; index < times; index += 20) {
    const batch = Array.from({ length: Math.min(20, times - index) }, (_, i) =>
      attempt(service.browser(), { ...to(index + i), password: 'wrong password' }),
    )
    statuses.push(...(await Promise.all(batch)).map(({ status }) => status))
  }
  assert.deepEqual(statuses, Array(times).fill(401))
}

eachDatabase('The limits of sign-in attempts', (database) => {
  const start = async () => startService(await database.fresh(), { environment: { PORTARIA_TRUST_PROXY: '1' }, passwords: cheapPasswords })

  it('answer the right password with 429 and Retry-After after 10 failures for one account from one address, for 15 minutes', async () => {
    const service = await start()
    const { email } = await service.user('dez@exemplo.com.br')
    await fail(service, 9, () => ({ email, from: '203.0.113.1' }))
    assertOwnRedirect(await attempt(service.browser(), { email, password: PASSWORD, from: '203.0.113.1' }), '/auth/welcome')
    await fail(service, 1, () => ({ email: ` ${email.toUpperCase()}`, from: '203.0.113.1' }))
    const refused = await attempt(service.browser(), { email, password: PASSWORD, from: '203.0.113.1' })
    assertRefused(refused, 429, 'muitas tentativas')
    assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/)
    const wait = Number(refused.headers.get('retry-after'))
    assert.ok(wait > 0 && wait <= 900, `Retry-After ${wait}`)
    const page = await attempt(service.browser(), { email, password: PASSWORD, from: '203.0.113.1' }, 'text/html')
    assertPage(page, 429)
    assert.match(page.text, /name="flow"/)
    assertOwnRedirect(await attempt(service.browser(), { email, password: PASSWORD, from: '203.0.113.2' }), '/auth/welcome')
    service.clock.now += 15 * MINUTE_MS
    assertOwnRedirect(await attempt(service.browser(), { email, password: PASSWORD, from: '203.0.113.1' }), '/auth/welcome')
  })

  it('count an unknown account like a known one', async () => {
    const service = await start()
    await fail(service, 10, () => ({ email: 'ninguem@exemplo.com.br', from: '203.0.113.1' }))
    const refused = await attempt(service.browser(), { email: 'ninguem@exemplo.com.br', password: 'wrong password', from: '203.0.113.1' })
    assertRefused(refused, 429, 'muitas tentativas')
  })

  it('stop an IPv6 network of /64 after 100 failures, whatever the accounts', async () => {
    const service = await start()
    const { email } = await service.user('seis@exemplo.com.br')
    await fail(service, 100, (index) => ({ email: `p${index}@exemplo.com.br`, from: `2001:db8:1:2::${(index + 1).toString(16)}` }))
    assertRefused(await attempt(service.browser(), { email, password: PASSWORD, from: '2001:db8:1:2:ffff::1' }), 429, 'muitas tentativas')
    assertOwnRedirect(await attempt(service.browser(), { email, password: PASSWORD, from: '2001:db8:1:3::1' }), '/auth/welcome')
  })

  it('stop an account after 100 failures from anywhere, but not in a browser in which its owner has signed in before', async () => {
    const service = await start()
    const { email } = await service.user('cem@exemplo.com.br')
    const known = service.browser()
    assertOwnRedirect(await attempt(known, { email, password: PASSWORD, from: '198.51.100.1' }), '/auth/welcome')
    await known.get('/auth/signout')
    await fail(service, 100, (index) => ({ email, from: `203.0.113.${index + 1}` }))
    assertRefused(await attempt(service.browser(), { email, password: PASSWORD, from: '198.51.100.9' }), 429, 'muitas tentativas')
    assertOwnRedirect(await attempt(known, { email, password: PASSWORD, from: '198.51.100.1' }), '/auth/welcome')
  })
})

eachDatabase('A page that is refused for now', (database) => {
  const START = { environment: { PORTARIA_TRUST_PROXY: '1' }, passwords: cheapPasswords }
  const FROM = { 'x-forwarded-for': '203.0.113.1' }

  for (const path of ['/account/password', '/account/email']) {
    it(`says when to come back, on the way to ${path}`, async () => {
      const service = await startService(await database.fresh(), START)
      const { email } = await service.user('ana@exemplo.com.br')
      const browser = service.browser()
      assertOwnRedirect(await attempt(browser, { email, password: PASSWORD, from: '203.0.113.1' }), '/auth/welcome')
      await service.context.storage.db.updateTable('sessions').set({ authenticated_at: null }).execute()
      const form = await browser.get(assertOwnRedirect(await browser.get(path), '/login'))
      const ask = (password: string) => browser.submit('/login', { flow: hiddenFlow(form.text), email, password }, FROM)
      for (let times = 0; times < 10; times++) assert.equal((await ask('wrong')).status, 401)
      service.clock.now += 3 * MINUTE_MS + 1
      const refused = await ask(PASSWORD)
      assertPage(refused, 429)
      assert.equal(refused.headers.get('retry-after'), '720')
      assert.match(refused.text, /Tente de novo em 12 minutos/)
    })
  }

  for (const path of ['/sign-up', '/recover']) {
    it(`says when to come back, at ${path}, and fills no counter of an address once its network is past its own`, async () => {
      const service = await startService(await database.fresh(), START)
      const browser = service.browser()
      const ask = async (email: string, from: string) => {
        const flow = hiddenFlow((await browser.get(path)).text)
        return browser.submit(path, { flow, email, name: 'Bia', password: 'girassol azul no telhado' }, { 'x-forwarded-for': from })
      }
      for (let n = 0; n < 20; n++) assert.ok((await ask(`p${n}@exemplo.com.br`, '203.0.113.1')).status < 400)
      for (let n = 0; n < 3; n++) {
        const refused = await ask('ana@exemplo.com.br', '203.0.113.1')
        assertPage(refused, 429)
        assert.equal(refused.headers.get('retry-after'), '3600')
        assert.match(refused.text, /Tente de novo em 60 minutos/)
      }
      for (let n = 0; n < 3; n++) assert.ok((await ask('ana@exemplo.com.br', '198.51.100.1')).status < 400)
      assertPage(await ask('ana@exemplo.com.br', '198.51.100.1'), 429)
    })
  }
})
