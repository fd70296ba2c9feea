import assert from 'node:assert/strict'
import { request } from 'node:http'
import { it } from 'node:test'
import { setUpOwner } from '../../../src/admin/setup/setup-link.ts'
import { sha256Hex } from '../../../src/kit/index.ts'
import { eachDatabase } from '../../support/databases.ts'
import { cheapPasswords, PASSWORD, startService } from '../../support/service.ts'
import { administrators, OWNER, setUp, setupToken } from '../../support/users/first-owner.ts'
import { assertOwnRedirect, assertPage, assertRefused, sessionOf, signedIn } from '../../support/users/sign-in-steps.ts'

const GONE = 'link invalido ou expirado'
const ANA = 'ana@exemplo.com.br'

eachDatabase('The one-time address of the first start', (database) => {
  const start = async (at?: { url: string }) => startService(at ?? (await database.fresh()), { passwords: cheapPasswords })

  it('used by many at once, on two nodes, makes one owner: exactly one is signed in, everyone else reads that it is gone', async () => {
    const at = await database.fresh()
    const [one, other] = [await start(at), await start(at)]
    const token = await setupToken(one)
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        setUp((n % 2 ? one : other).browser(), token, { ...OWNER, email: `dona${n}@exemplo.com.br` }, { accept: '*/*' }),
      ),
    )
    const won = answers.filter(({ status }) => status === 302)
    assert.equal(won.length, 1)
    assert.ok(won[0]?.headers.getSetCookie().some((line) => line.startsWith('eg_session=')))
    for (const lost of answers.filter((answer) => answer !== won[0])) assertRefused(lost, 400, GONE)
    assert.equal((await administrators(one)).length, 1)
    const { db } = one.context.storage
    assert.equal((await db.selectFrom('users').select('id').execute()).length, 1)
    assert.equal((await db.selectFrom('sessions').select('id').execute()).length, 1)
  })

  it('raced for by one address, makes one account', async () => {
    const service = await start()
    const token = await setupToken(service)
    const answers = await Promise.all(Array.from({ length: 6 }, () => setUp(service.browser(), token)))
    assert.equal(answers.filter(({ status }) => status === 302).length, 1)
    assert.equal((await administrators(service)).length, 1)
  })

  it('made on one node is good on another, and void on both once a third makes the next', async () => {
    const at = await database.fresh()
    const [one, other] = [await start(at), await start(at)]
    const first = await setupToken(one)
    assertPage(await other.browser().get(`/setup?token=${first}`), 200)
    const second = await setupToken(other)
    for (const node of [one, other]) assertPage(await node.browser().get(`/setup?token=${first}`), 400)
    assertOwnRedirect(await setUp(one.browser(), second), '/admin')
  })

  it('is stored as a hash, and stands in no log, no audit entry and no Referer', async () => {
    const service = await start()
    const browser = service.browser()
    const token = await setupToken(service)
    assert.match(token, /^[\w-]{43}$/)
    const pages = [
      await browser.get(`/setup?token=${token}`),
      await setUp(browser, token, { ...OWNER, password: '' }),
      await browser.get(`/setup?token=${token}x`),
      await setUp(browser, token),
    ]
    assert.deepEqual(
      pages.map(({ status }) => status),
      [200, 400, 400, 302],
    )
    // strict-origin sends the origin alone; no-referrer would make our own form come with `Origin: null`
    for (const { headers } of pages) assert.equal(headers.get('referrer-policy'), 'strict-origin')
    const { db } = service.context.storage
    const kept = JSON.stringify([await db.selectFrom('settings').selectAll().execute(), await db.selectFrom('audit').selectAll().execute()])
    for (const secret of [token, sha256Hex(OWNER.password)]) assert.ok(!kept.includes(secret))
    assert.ok(service.log().includes('"route":"/setup"'))
    for (const secret of [token, OWNER.password, 'dona@']) assert.ok(!service.log().includes(secret))
  })

  it('takes no secret that is wrong, cut, longer or empty', async () => {
    const service = await start()
    const token = await setupToken(service)
    const other = `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`
    for (const wrong of ['', token.slice(0, -1), `${token}A`, other, sha256Hex(token), `.${sha256Hex(token)}`, '\u0000']) {
      assertRefused(await setUp(service.browser(), wrong, OWNER, { accept: '*/*' }), 400, GONE)
      assertPage(await service.browser().get(`/setup?${new URLSearchParams({ token: wrong })}`), 400)
    }
    const bare = await start()
    assertRefused(await setUp(bare.browser(), '', OWNER, { accept: '*/*' }), 400, GONE)
    assert.deepEqual(await administrators(service), [])
  })

  it('is not used up by looking: a scanner, a HEAD, a page loaded ahead', async () => {
    const service = await start()
    const token = await setupToken(service)
    for (let n = 0; n < 3; n++) assertPage(await service.browser().get(`/setup?token=${token}`, { 'sec-purpose': 'prefetch' }), 200)
    assert.equal((await service.browser().request('HEAD', `/setup?token=${token}`)).status, 200)
    assertOwnRedirect(await setUp(service.browser(), token), '/admin')
  })

  it('opened in two browsers signs in the one that sends the form; the other is refused, and stays signed out', async () => {
    const service = await start()
    const token = await setupToken(service)
    const [one, other] = [service.browser(), service.browser()]
    for (const browser of [one, other]) assertPage(await browser.get(`/setup?token=${token}`), 200)
    assertOwnRedirect(await setUp(other, token), '/admin')
    assertPage(await setUp(one, token), 400)
    assertOwnRedirect(await one.get('/account'), '/login')
    assertPage(await other.get('/account'), 200)
  })

  it('ends the session that a browser had before, and takes over nothing that was planted', async () => {
    const service = await start()
    await service.user(ANA)
    const browser = await signedIn(service, ANA)
    const planted = sessionOf(browser)
    const bound = browser.cookies.get('portaria')
    assertOwnRedirect(await setUp(browser, await setupToken(service)), '/admin')
    assert.notEqual(browser.cookies.get('portaria'), bound)
    const check = await fetch(`${service.url}/auth/check`, { headers: { cookie: `eg_session=${planted}` } })
    assert.deepEqual(await check.json(), { authenticated: false, reason: 'invalid_session' })
  })

  it('takes no form that another site sent', async () => {
    const service = await start()
    const token = await setupToken(service)
    for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null' }, { origin: `${service.url}.evil.example` }])
      assertRefused(await setUp(service.browser(), token, OWNER, { accept: '*/*', ...headers }), 403, 'origem nao permitida')
    const crossSite = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'cross-site' }
    const body = new URLSearchParams({ token, ...OWNER }).toString()
    assertRefused(await service.browser().request('POST', '/setup', { headers: crossSite, body }), 403, 'origem nao permitida')
    assert.deepEqual(await administrators(service), [])
    assertOwnRedirect(await setUp(service.browser(), token), '/admin')
  })

  it('names no host but PORTARIA_URL, whatever the request says it was sent to', async () => {
    const service = await start()
    const token = await setupToken(service)
    const forged = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      forwarded: 'host=evil.example',
    }
    const page = await ask(service.url, `/setup?token=${token}`, forged)
    assert.deepEqual([page.status, page.text.includes('evil.example')], [200, false])
    for (const path of ['/admin/sign-in', '/admin/authenticate', '/admin/authenticated']) {
      const { status, location } = await ask(service.url, path, forged)
      assert.deepEqual([status, location?.startsWith('/')], [302, true], path)
    }
    const sent = await setUp(service.browser({ 'x-forwarded-host': 'evil.example' }), token)
    assert.equal(sent.headers.get('location'), '/admin')
  })

  it('gives nobody the account of another: not by its address, nor by the password of one that is closed', async () => {
    const service = await start()
    await service.user(ANA)
    const token = await setupToken(service)
    assertPage(await setUp(service.browser(), token, { ...OWNER, email: ANA }), 401)
    const { db } = service.context.storage
    const { role, password_hash } = await db.selectFrom('users').selectAll().executeTakeFirstOrThrow()
    assert.deepEqual([role, password_hash], [null, `cheap:${PASSWORD}`])
    await db.updateTable('users').set({ disabled_at: 1 }).execute()
    assertPage(await setUp(service.browser(), token, { email: ANA, account: 'known', password: PASSWORD }), 401)
    await db.updateTable('users').set({ disabled_at: null, password_hash: null }).execute()
    for (const password of ['', PASSWORD])
      assertPage(await setUp(service.browser(), token, { email: ANA, account: 'known', password }), 401)
    assert.deepEqual(await administrators(service), [])
  })

  it('stays good when the address got an account, or the account another password, at that very moment', async () => {
    const service = await start()
    const ana = await service.user(ANA)
    const token = await setupToken(service)
    const taken = { kind: 'new', name: 'Dona Flor', email: ANA, passwordHash: 'cheap:other' } as const
    const changed = { kind: 'known', id: ana.id, passwordHash: 'cheap:the one before' } as const
    for (const owner of [taken, changed])
      assert.deepEqual(await setUpOwner(token, owner, { ...service.context, ip: '192.0.2.1' }), { refusal: 'account_changed' })
    assert.deepEqual(await administrators(service), [])
    assertOwnRedirect(await setUp(service.browser(), token), '/admin')
  })

  it('lets nobody guess the password of such an account faster than at a sign-in', async () => {
    const service = await start()
    await service.user(ANA)
    const token = await setupToken(service)
    const guess = (password: string) => setUp(service.browser(), token, { email: ANA, account: 'known', password })
    for (let n = 0; n < 10; n++) assertPage(await guess(`errada ${n}`), 401)
    const stopped = await guess(PASSWORD)
    assertPage(stopped, 429)
    assert.ok(Number(stopped.headers.get('retry-after')) > 0)
    assert.deepEqual(await administrators(service), [])
  })

  it('takes thirty forms an hour of a network, and a hundred wrong secrets, which keep nobody with the right one out', async () => {
    const service = await start()
    const token = await setupToken(service)
    for (let n = 0; n < 100; n++) assert.equal((await service.browser().get(`/setup?token=${n}`)).status, 400)
    const stopped = await service.browser().get('/setup?token=wrong', { accept: '*/*' })
    assertRefused(stopped, 429, 'muitas tentativas')
    assert.ok(Number(stopped.headers.get('retry-after')) > 0)
    for (let n = 0; n < 30; n++) assert.equal((await setUp(service.browser(), token, { ...OWNER, password: '' })).status, 400)
    const busy = await setUp(service.browser(), token)
    assertPage(busy, 429)
    assert.deepEqual(await administrators(service), [])
  })

  it('shows what was typed as text, whatever it is', async () => {
    const service = await start()
    const said = '"><script>alert(1)</script>'
    const token = await setupToken(service)
    const page = await setUp(service.browser(), token, { name: said, email: said, password: said })
    assertPage(page, 400)
    assert.ok(!page.text.includes('<script>alert'))
  })
})

/** A request whose `Host` is what the test says, which `fetch` would not send. */
function ask(
  base: string,
  path: string,
  headers: Record<string, string>,
): Promise<{ status: number; location: string | undefined; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; location: string | undefined; text: string }>()
  const sent = request(new URL(path, base), { headers: { accept: 'text/html', ...headers } }, (answer) => {
    let text = ''
    answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    answer.on('end', () => resolve({ status: answer.statusCode ?? 0, location: answer.headers.location, text }))
  })
  sent.on('error', reject).end()
  return promise
}
