import assert from 'node:assert/strict'
import { it } from 'node:test'
import { eachDatabase } from '../support/databases.ts'
import { PASSWORD, startService } from '../support/service.ts'
import { giveSecondFactor, typeCode, wrongCode } from '../support/users/authenticator.ts'
import { assertRefused } from '../support/users/sign-in-steps.ts'

eachDatabase('Operation', (database) => {
  const start = async (environment = {}) => startService(await database.fresh(), { environment })

  it('says at /healthz that it is alive', async () => {
    const answer = await (await start()).browser().request('GET', '/healthz')
    assert.deepEqual([answer.status, answer.json()], [200, { status: 'ok' }])
  })

  it('says at /readyz that the database is reachable and its migrations applied', async () => {
    const answer = await (await start()).browser().request('GET', '/readyz')
    assert.deepEqual([answer.status, answer.json()], [200, { status: 'ready', pending_migrations: [], warnings: [] }])
    assert.equal(answer.headers.get('cache-control'), 'no-store')
  })

  it('warns at /readyz when X-Forwarded-For arrives without PORTARIA_TRUST_PROXY, and not with it', async () => {
    const browser = (await start()).browser()
    await browser.get('/login', { 'x-forwarded-for': '203.0.113.1' })
    const { warnings } = (await browser.request('GET', '/readyz')).json<{ warnings: string[] }>()
    assert.equal(warnings.length, 1)
    assert.match(warnings[0] ?? '', /PORTARIA_TRUST_PROXY/)
    const behind = (await start({ PORTARIA_TRUST_PROXY: '1' })).browser()
    await behind.get('/login', { 'x-forwarded-for': '203.0.113.1' })
    assert.deepEqual((await behind.request('GET', '/readyz')).json<{ warnings: string[] }>().warnings, [])
  })

  it('counts sign-ins and checks at /metrics, for loopback alone', async () => {
    const service = await start()
    const user = await service.user('conta@exemplo.com.br')
    const browser = service.browser()
    await browser.signIn('/login', { email: user.email, password: PASSWORD })
    await browser.get('/auth/check')
    const coded = await service.user('codigo@exemplo.com.br')
    const app = await giveSecondFactor(service, coded)
    const other = service.browser()
    await typeCode(other, await other.signIn('/login', { email: coded.email, password: PASSWORD }), wrongCode(app))
    const answer = await browser.request('GET', '/metrics')
    assert.equal(answer.status, 200)
    assert.match(answer.headers.get('content-type') ?? '', /^text\/plain/)
    assert.match(answer.text, /^portaria_sign_ins_total\{result="signed_in"\} 1$/m)
    for (const result of ['second_step', 'wrong_code'])
      assert.match(answer.text, new RegExp(`^portaria_sign_ins_total\\{result="${result}"\\} 1$`, 'm'))
    assert.match(answer.text, /^portaria_checks_total\{result="valid"\} 1$/m)
    for (const header of ['x-forwarded-for', 'forwarded']) {
      assertRefused(await browser.request('GET', '/metrics', { headers: { [header]: 'for=203.0.113.1' } }), 404, 'Recurso nao encontrado')
    }
  })

  it('serves no /metrics beside the app where they have a port of their own', async () => {
    const service = await start({ PORTARIA_METRICS_PORT: '0' })
    assertRefused(await service.browser().request('GET', '/metrics'), 404, 'Recurso nao encontrado')
  })

  it('logs JSON lines with a request id, and no password, token or local part of an address', async () => {
    const service = await start()
    const user = await service.user('segredo.local@exemplo.com.br')
    const browser = service.browser()
    await browser.signIn('/login', { email: user.email, password: 'a wrong password' })
    await browser.signIn('/login', { email: user.email, password: PASSWORD })
    await browser.get(`/auth/login?redirect_to=${browser.cookies.get('eg_session')}`)
    const lines = service.log().trim().split('\n')
    assert.ok(lines.length >= 3)
    for (const line of lines) assert.ok(JSON.parse(line).request_id)
    for (const secret of ['a wrong password', PASSWORD, 'segredo.local', ...browser.cookies.values()])
      assert.ok(!service.log().includes(secret))
  })
})
