import assert from 'node:assert/strict'
import { it } from 'node:test'
import { eachDatabase } from '../../server/test/support/databases.ts'
import { fixtureForSuite, INTERNAL, signedIn, signIn, through, tokenOf, user, Visitor } from './fixture.ts'
import { assertNotice } from './sign-in-steps.ts'

const YEAR_MS = 31_536_000_000

const ELSEWHERE = [
  'https://evil.example/x',
  '//evil.example/x',
  '///evil.example/x',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  ' //evil.example',
  '\u0000//evil.example',
  'https:evil.example',
  'https:/evil.example',
  'http:///evil.example',
  'JaVaScRiPt:alert(1)',
  '\tjavascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'http://localhost:4001@evil.example/',
  'http://localhost:4001.evil.example/',
  'http://evil.example\\@localhost:4001/',
  'http://localhost:4001%40evil.example/',
  'http://user:pass@localhost:4001/x',
  'https://localhost:4001/x',
  'http://localhost/x',
  '/.//evil.example',
  '/..//evil.example',
  '/x/..//evil.example',
  'http://localhost:4001//evil.example',
  '/%2e%2e//evil.example',
  '/auth/sign-out',
  '/auth/callback?eg_session=x',
  '/x/../auth/sign-out',
  `/${'x'.repeat(2000)}`,
]
const WITHIN = [
  '/',
  '/x',
  '/x?y=//evil.example',
  '/%252f%252fevil.example',
  '/%2f%2fevil.example',
  '/..;/x',
  '/x#y',
  '/login?next=https://evil.example',
]

eachDatabase('Where a sign-in leads', (database) => {
  const started = fixtureForSuite(database)

  it('is a place in this app, whatever return_to says', async () => {
    const fixture = started()
    const someone = await signedIn(fixture, fixture.internal())
    for (const returnTo of ELSEWHERE) {
      const on = await someone.at.open(`/auth/sign-in?return_to=${encodeURIComponent(returnTo)}`)
      assert.equal(on.headers.get('location'), '/', returnTo)
      const out = new URL((await someone.at.open(`/auth/sign-out?return_to=${encodeURIComponent(returnTo)}`)).location ?? '')
      assert.equal(out.searchParams.get('redirect_to'), `${INTERNAL}/`, returnTo)
      assert.equal((await signIn(someone, returnTo)).headers.get('location'), '/', returnTo)
    }
    for (const returnTo of WITHIN) {
      const on = await someone.at.open(`/auth/sign-in?return_to=${encodeURIComponent(returnTo)}`)
      assert.equal(on.headers.get('location'), returnTo)
      someone.at.cookies.delete('portaria_arrived')
    }
  })

  it('is a place in this app, also where a cookie of the attempt was planted', async () => {
    const fixture = started()
    const { at, browser, email } = await user(fixture, fixture.internal())
    const left = await at.open('/auth/sign-in')
    const [name = '', value = ''] = [...at.cookies][0] ?? []
    const kept = JSON.parse(Buffer.from(value, 'base64url').toString())
    at.cookies.set(name, Buffer.from(JSON.stringify({ ...kept, r: '//evil.example' })).toString('base64url'))
    assert.equal((await at.open(await through(browser, left.location, email))).headers.get('location'), '/')
  })

  it('is never read from what a request says of its host', async () => {
    const fixture = started()
    const app = fixture.internal()
    const { at } = await signedIn(fixture, app)
    const spoofed = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      'x-forwarded-port': '4666',
      'x-original-url': '//evil.example',
      'x-rewrite-url': '//evil.example',
      forwarded: 'host=evil.example;proto=https',
      referer: 'https://evil.example/',
    }
    const paths = ['/auth/sign-in?return_to=/x', '/auth/callback', '/auth/sign-out?return_to=/x', '/x', '/api/auth/session']
    for (const cookie of ['', `eg_session=${at.cookies.get('eg_session')}`]) {
      for (const path of paths) {
        const say = async (origin: string, headers: Record<string, string>) => {
          const request = new Request(origin + path, { headers: { accept: 'text/html', 'accept-language': 'en', cookie, ...headers } })
          const { response } = await app.portaria.requireUser(request)
          const answer = (await app.portaria.handle(request)) ?? response
          const text = `${answer?.headers.get('location')} ${answer?.headers.getSetCookie().join(' ')} ${await answer?.text()}`
          return text.replaceAll(/attempt_[^;]+|state=[\w.-]+|nonce[-="]+[\w-]+/g, '')
        }
        const answer = await say('https://evil.example', spoofed)
        assert.doesNotMatch(answer, /evil|:4666/)
        assert.equal(answer, await say(INTERNAL, {}), path)
      }
    }
  })

  it('guards pages in their handlers: no spelling of a path and no header gets around', async () => {
    const fixture = started()
    const app = fixture.internal()
    const at = new Visitor(app)
    for (const path of [
      '//admin',
      '/%61dmin',
      '/admin/..;/',
      '/admin;x',
      '/./admin',
      '/ADMIN',
      '/admin%2f',
      '/auth/sign-in//',
      '//auth/sign-in',
      '/auth/%63allback',
      '/auth/callback/x',
      '/AUTH/callback',
      '/auth',
      '/api/auth/session;x',
    ]) {
      for (const headers of [
        {},
        { 'x-middleware-subrequest': 'middleware:middleware:middleware:middleware:middleware' },
        { 'next-router-prefetch': '1', rsc: '1' },
        { 'x-invoke-path': '/auth/sign-in', 'x-matched-path': '/auth/sign-in' },
        { 'x-http-method-override': 'GET' },
      ]) {
        const request = at.request('/', { headers })
        const crafted = new Request(INTERNAL + path, { headers: request.headers })
        assert.equal(await app.portaria.handle(crafted), undefined, path)
        const { user, response } = await app.portaria.requireUser(crafted)
        assert.equal(user, undefined)
        assert.equal(response?.status, 302)
        assert.ok(response?.headers.get('location')?.startsWith('/auth/sign-in'), path)
      }
    }
  })

  it('sends pages to sign in, and answers everything else with 401 and why', async () => {
    const fixture = started()
    const app = fixture.internal()
    const at = new Visitor(app)
    const json = { accept: 'application/json', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }
    for (const init of [{ method: 'POST' }, { headers: json }, { headers: { ...json, accept: 'text/html' } }, { method: 'DELETE' }]) {
      const answer = await at.open('/reports', init)
      assert.equal(answer.status, 401)
      assert.deepEqual(JSON.parse(answer.text), { status: 'signed_out', reason: 'no_session' })
      assert.equal(answer.headers.get('cache-control'), 'no-store')
    }
    const older = await at.open('/reports', { headers: { 'sec-fetch-mode': '' } })
    assert.equal(older.status, 302, 'a browser that does not say what it is doing asks for HTML')
    assert.equal((await at.open('/reports', { headers: { 'sec-fetch-mode': '', accept: '*/*' } })).status, 401)
    const page = await at.open('/reports?x=1')
    assert.deepEqual([page.status, page.headers.get('location')], [302, '/auth/sign-in?return_to=%2Freports%3Fx%3D1'])
  })

  it('takes each path by its own methods alone, and begins nothing behind the user’s back', async () => {
    const at = new Visitor(started().internal())
    for (const [path, method, allow] of [
      ['/auth/sign-in', 'POST', 'GET'],
      ['/auth/callback', 'POST', 'GET'],
      ['/auth/sign-out', 'DELETE', 'GET, POST'],
      ['/api/auth/session', 'PUT', 'GET'],
    ] as const) {
      const answer = await at.open(path, { method })
      assert.deepEqual([answer.status, answer.headers.get('allow')], [405, allow])
    }
    for (const headers of [
      { 'sec-purpose': 'prefetch;prerender' },
      { purpose: 'prefetch' },
      { 'next-router-prefetch': '1' },
      { 'sec-fetch-dest': 'image' },
    ]) {
      const answer = await at.open('/auth/sign-in', { headers })
      assert.deepEqual([answer.status, answer.setCookies], [403, {}])
    }
  })

  it('under a path of its own, an app keeps to it', async () => {
    const fixture = started()
    await fixture.service.product({ slug: 'com-caminho', uris: [`${INTERNAL}/app/login/callback`] })
    const app = fixture.internal({ appUrl: `${INTERNAL}/app/`, authPath: '/login', sessionPath: '/me', cookieName: 'my_session' })
    const { at, browser, email } = await user(fixture, app)
    for (const path of ['/login/sign-in', '/app/login/sign-in/']) {
      const behindAProxy = await app.portaria.handle(at.request(path))
      assert.equal(behindAProxy?.status, 302, 'what lies between may cut off the path, or end it with a slash')
    }
    assert.equal(await app.portaria.handle(at.request('/application/login/sign-in')), undefined)
    at.cookies.clear()
    const left = await at.open('/app/login/sign-in?return_to=/app/x')
    assert.equal(left.location?.searchParams.get('redirect_to'), `${INTERNAL}/app/login/callback`)
    const arrived = await at.open(await through(browser, left.location, email))
    assert.equal(arrived.headers.get('location'), '/app/x')
    assert.ok(at.cookies.has('my_session'))
    const session = await at.open('/app/me')
    assert.equal(JSON.parse(session.text).status, 'signed_in')
    assert.equal((await at.open('/app/login/sign-in')).headers.get('location'), '/app/')
  })
})

eachDatabase('The wrong clock of an app', (database) => {
  const started = fixtureForSuite(database)
  const MINUTES = 60_000

  it('five minutes behind ends at a page that says so; a minute is forgiven', async () => {
    const fixture = started()
    for (const app of [fixture.internal(), await fixture.external()]) {
      const someone = await user(fixture, app)
      app.clock.now = fixture.service.clock.now - 5 * MINUTES
      const stopped = await signIn(someone)
      assertNotice(stopped, 500, 'The clock of this site is wrong')
      assert.equal((await someone.at.session()).status, 'signed_out')
      app.clock.now = fixture.service.clock.now - 50_000
      assert.equal((await signIn(someone)).status, 302)
      app.clock.now = fixture.service.clock.now - 5 * MINUTES
    }
  })

  it('five minutes behind, where the domain’s cookie is relied on, is named as well', async () => {
    const fixture = started()
    const known = await signedIn(fixture, fixture.internal())
    const app = fixture.internal()
    app.clock.now = fixture.service.clock.now - 5 * MINUTES
    const at = new Visitor(app)
    at.domain.set('eg_session', tokenOf(known))
    const first = (await at.open('/auth/sign-in')).location?.searchParams.get('state')
    const second = (await at.open(`/auth/callback?state=${first}`)).location?.searchParams.get('state')
    assertNotice(await at.open(`/auth/callback?state=${second}`), 500, 'The clock of this site is wrong')
    assert.deepEqual(await at.session(), { status: 'signed_out', reason: 'not_yet_valid' })
  })

  it('five minutes ahead does no harm, and ends no session before its time but by these', async () => {
    const fixture = started()
    for (const app of [fixture.internal(), await fixture.external()]) {
      const someone = await user(fixture, app)
      app.clock.now = fixture.service.clock.now + 5 * MINUTES
      assert.equal((await signIn(someone)).status, 302)
      assert.equal((await someone.at.session()).status, 'signed_in')
      const sent = someone.at.request('/') // by the browser's own clock the cookie lives on
      app.clock.now += YEAR_MS
      assert.deepEqual(await app.portaria.session(sent), { status: 'signed_out', reason: 'expired' })
    }
  })
})
