import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, it } from 'node:test'
import type { PasswordHasher } from '../../src/users/index.ts'
import { hiddenFlow } from '../support/browser.ts'
import { eachDatabase } from '../support/databases.ts'
import { completed, notify, WEBHOOKS } from '../support/gateways/purchases.ts'
import { openIdApp } from '../support/openid/apps.ts'
import { cheapPasswords, PASSWORD, startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { sessionOf, signedIn } from '../support/users/sign-in-steps.ts'

/** The budget of passwords: in progress, and in line. */
const PASSWORDS = 96 + 128
const PAGES = 128 + 128

/** Password checks that hang until they are let go. */
function hangingPasswords() {
  let held: Promise<void> | undefined
  let letGo = () => {}
  const verify = async (password: string, hash: string | undefined) => {
    await held
    return hash === `cheap:${password}`
  }
  const passwords: PasswordHasher = { ...cheapPasswords, enter: () => ({ verify, hash: cheapPasswords.hash, leave: () => {} }) }
  const hang = () => {
    held = new Promise((resolve) => (letGo = resolve))
  }
  return { passwords, hang, letGo: () => letGo() }
}

async function metric(service: TestService, name: string): Promise<number> {
  const { text } = await service.browser().request('GET', '/metrics')
  const line = text.split('\n').find((each) => each.startsWith(`${name} `))
  return Number(line?.slice(name.length))
}

eachDatabase('A storm of one class', (database) => {
  it('is shed past its budget, with Retry-After, and takes nothing from the other classes', async () => {
    const { passwords, hang, letGo } = hangingPasswords()
    after(letGo)
    const service = await startService(await database.fresh(), { environment: { ...WEBHOOKS, PORTARIA_TRUST_PROXY: '1' }, passwords })
    const { email } = await service.user('ana@exemplo.com.br')
    const token = sessionOf(await signedIn(service, email))
    const browser = service.browser()
    const flow = hiddenFlow((await browser.get('/login')).text)
    const signIn = (n: number, accept: string) =>
      browser.submit('/login', { flow, email: `p${n}@exemplo.com.br`, password: 'x' }, { accept, 'x-forwarded-for': `10.1.${n}.1` })
    hang()
    const burst = Array.from({ length: PASSWORDS - 5 }, (_, n) => signIn(n, 'application/json'))
    await until(async () => (await metric(service, 'portaria_requests_in_line')) === 123)
    const hangingUp = new AbortController()
    const form = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'a=b', signal: hangingUp.signal }
    for (let n = 0; n < 5; n++) fetch(`${service.url}/login`, form).catch(() => {})
    await until(async () => (await metric(service, 'portaria_requests_in_line')) === 128)
    hangingUp.abort()
    const shed = await Promise.all(Array.from({ length: 22 }, (_, n) => signIn(n, n % 2 ? 'text/html' : 'application/json')))
    assert.ok(shed.every(({ status }) => status === 503))
    assert.equal(await metric(service, 'portaria_requests_shed_total{class="passwords"}'), 22)

    const refused = await signIn(0, 'application/json')
    assert.deepEqual([refused.status, refused.json()], [503, { error: 'Servico indisponivel, tente novamente' }])
    assert.match(refused.headers.get('retry-after') ?? '', /^\d$/)
    const page = await signIn(0, 'text/html')
    assert.deepEqual([page.status, page.headers.get('retry-after')], [503, '2'])
    assert.match(page.text, /<h1>/)

    assert.equal((await service.browser().get('/login')).status, 200)
    const check = await service.browser().request('GET', '/auth/check', { headers: { cookie: `eg_session=${token}` } })
    assert.equal(check.json().authenticated, true)
    assert.equal((await service.browser().request('GET', '/api/plans/public')).status, 200)
    assert.equal((await notify(service.url, completed({ email }))).status, 200)
    assert.equal((await service.browser().request('GET', '/api/admin/users')).status, 401)
    assert.equal((await service.browser().request('GET', '/readyz')).status, 200)

    letGo()
    await Promise.all(burst)
    await until(async () => (await metric(service, 'portaria_requests_in_progress')) === 0)
    assert.equal((await service.browser().signIn('/login', { email, password: PASSWORD })).status, 302)
  })

  it('leaves no place taken: not by those who hang up, send half a body, or are answered past the usual way', async () => {
    const service = await startService(await database.fresh(), { environment: { PORTARIA_TRUST_PROXY: '1' } })
    const { email } = await service.user('ana@exemplo.com.br')
    await openIdApp(service)
    const port = Number(new URL(service.url).port)
    const half = Array.from({ length: PASSWORDS + 20 }, () => {
      const socket = connect({ port, host: 'localhost' }).on('error', () => {})
      socket.write('POST /login HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\ncontent-length: 100\r\n\r\nabc')
      return socket
    })
    for (let n = 0; n < PAGES + 20; n++) {
      const socket = connect({ port, host: 'localhost' }).on('error', () => {})
      socket.end('GET /sign-up HTTP/1.1\r\nhost: x\r\n\r\n')
      socket.once('connect', () => setImmediate(() => socket.resetAndDestroy()))
    }
    const ways = ['/openid/authorize', '/openid/userinfo', '/nowhere', '/login', '/assets/nothing.css', '/account']
    for (const way of ways) {
      for (let n = 0; n < PAGES; n += 32) {
        const statuses = await Promise.all(Array.from({ length: 32 }, async () => (await service.browser().get(way)).status))
        assert.ok(!statuses.includes(503), `${way} keeps places`)
      }
    }
    assert.equal((await service.browser().signIn('/login', { email, password: PASSWORD })).status, 302)
    await until(async () => (await metric(service, 'portaria_requests_in_progress')) === 0)
    for (const socket of half) socket.destroy()
  })
})
