import assert from 'node:assert/strict'
import { it } from 'node:test'
import { eachDatabase } from '../../server/test/support/databases.ts'
import { decode } from '../../server/test/support/users/sign-in-steps.ts'
import { fixtureForSuite, INTERNAL, signedIn, through, tokenOf, user, Visitor } from './fixture.ts'
import { assertNotice } from './sign-in-steps.ts'

eachDatabase('A sign-in', (database) => {
  const started = fixtureForSuite(database)

  it('at an app of the domain: the token of the URL becomes a cookie of this host alone, and the address is clean again', async () => {
    const fixture = started()
    const app = fixture.internal()
    const { at, browser, email, id } = await user(fixture, app)
    const left = await at.open('/auth/sign-in?return_to=%2Freports%3Fyear%3D2026%23top')
    assert.equal(left.status, 302)
    const { origin, pathname, searchParams } = left.location ?? assert.fail()
    assert.equal(origin + pathname, `${fixture.service.url}/auth/login`)
    assert.deepEqual([...searchParams.keys()], ['redirect_to', 'state'])
    assert.equal(searchParams.get('redirect_to'), `${INTERNAL}/auth/callback`)
    const back = await through(browser, left.location, email)
    const token = back.searchParams.get('eg_session')
    assert.equal(back.searchParams.get('state'), searchParams.get('state'))
    const arrived = await at.open(back)
    assert.deepEqual([arrived.status, arrived.headers.get('location')], [302, '/reports?year=2026#top'])
    assert.deepEqual([arrived.headers.get('cache-control'), arrived.headers.get('referrer-policy')], ['no-store', 'no-referrer'])
    const cookie = arrived.setCookies.eg_session ?? ''
    const maxAge = Number(/Max-Age=(\d+)/.exec(cookie)?.[1])
    assert.equal(cookie, `eg_session=${token}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax`)
    assert.ok(maxAge <= 2_592_000 && maxAge > 2_592_000 - 120, String(maxAge))
    assert.deepEqual([...at.cookies.keys()].sort(), ['eg_session', 'portaria_arrived'], 'the attempt is over')
    assert.deepEqual(await at.session(), {
      status: 'signed_in',
      user: {
        id,
        email,
        name: 'Ana Flávia Conceição',
        avatarUrl: null,
        isProducer: false,
        companyName: null,
        rankName: null,
        planSlug: null,
        actorId: null,
      },
    })
    assert.equal((await at.open('/reports')).text, 'Hello Ana Flávia Conceição')
    const again = await at.open('/auth/sign-in?return_to=/reports')
    assert.deepEqual([again.status, again.headers.get('location')], [302, '/reports'], 'who is signed in goes straight on')
  })

  it('at an external app: the eg_token is exchanged once, on the server, and is worth nothing afterwards', async () => {
    const fixture = started()
    const app = await fixture.external()
    const { at, browser, email, id } = await user(fixture, app)
    const left = await at.open('/auth/sign-in?return_to=/cart')
    assert.match(left.location?.searchParams.get('api_key') ?? '', /^pk_/)
    const back = await through(browser, left.location, email)
    assert.equal(back.searchParams.get('eg_session'), null)
    const attempt = new Map(at.cookies)
    fixture.proxy.asked()
    const arrived = await at.open(back)
    assert.deepEqual([arrived.status, arrived.headers.get('location')], [302, '/cart'])
    assert.deepEqual([arrived.headers.get('cache-control'), arrived.headers.get('referrer-policy')], ['no-store', 'no-referrer'])
    assert.equal(fixture.proxy.count('/auth/verify'), 1)
    assert.match(arrived.setCookies['__Host-eg_session'] ?? '', /; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/)
    assert.equal(decode(at.cookies.get(app.cookieName) ?? '').claims.aud, app.productId)
    const session = await at.session()
    assert.equal(session.status === 'signed_in' && session.user.id, id)

    assertNotice(await at.open(back), 400, 'This sign-in was not started here')
    const replayer = new Visitor(app)
    for (const [name, value] of attempt) replayer.cookies.set(name, value)
    assertNotice(await replayer.open(back), 400, 'This sign-in is no longer valid')
    assert.equal((await replayer.session()).status, 'signed_out')
    assert.equal((await at.session()).status, 'signed_in', 'a replay ends nothing')
  })

  it('with an eg_token that is older than a minute ends on a page, signed out', async () => {
    const fixture = started()
    const app = await fixture.external()
    const { at, browser, email } = await user(fixture, app)
    const back = await through(browser, (await at.open('/auth/sign-in')).location, email)
    fixture.service.clock.now += 61_000
    assertNotice(await at.open(back), 400, 'This sign-in is no longer valid')
    assert.deepEqual(app.faults, ["Portaria refused the eg_token: used, over 60 s old, or PORTARIA_API_KEY is another product's"])
    assert.equal((await at.session()).status, 'signed_out')
  })

  it('with the eg_token of another product ends on a page, and that product can still exchange it', async () => {
    const fixture = started()
    const [shop, other] = [await fixture.external(), await fixture.external()]
    const { at, browser, email } = await user(fixture, shop)
    const back = await through(browser, (await at.open('/auth/sign-in')).location, email)
    const atOther = new Visitor(other)
    const state = (await atOther.open('/auth/sign-in')).location?.searchParams.get('state')
    const crossed = await atOther.open(`/auth/callback?eg_token=${back.searchParams.get('eg_token')}&state=${state}`)
    assertNotice(crossed, 400, 'This sign-in is no longer valid')
    assert.equal((await at.open(back)).status, 302)
  })

  it('needs the API key that its product knows', async () => {
    const fixture = started()
    const app = await fixture.external({ apiKey: 'sk_of_nobody' })
    const { at, browser, email } = await user(fixture, app)
    const back = await through(browser, (await at.open('/auth/sign-in')).location, email)
    assertNotice(await at.open(back), 500, 'This site is not set up right')
    assert.deepEqual(app.faults, [`${fixture.service.url} refuses the API key at /auth/verify`])
    const inside = fixture.internal()
    const at2 = new Visitor(inside)
    const state = (await at2.open('/auth/sign-in')).location?.searchParams.get('state')
    assertNotice(await at2.open(`/auth/callback?eg_token=x&state=${state}`), 500, 'This site is not set up right')
  })

  it('asks for the password again where the app wants it', async () => {
    const fixture = started()
    const { at } = await signedIn(fixture, fixture.internal())
    const left = await at.open('/auth/sign-in?prompt=login')
    assert.equal(left.location?.searchParams.get('prompt'), 'login')
  })

  it('stores no second cookie where the parent domain’s brings the same session, and one beside any other', async () => {
    const fixture = started()
    const app = fixture.internal()
    const { at, browser, email } = await user(fixture, app)
    const comeBack = async () => through(browser, (await at.open('/auth/sign-in?prompt=login')).location, email)
    const first = await comeBack()
    at.domain.set('eg_session', first.searchParams.get('eg_session') ?? '')
    for (const back of [first, await comeBack()]) {
      const arrived = await at.open(back)
      assert.deepEqual([arrived.status, arrived.setCookies.eg_session], [302, undefined])
      assert.equal((await at.session()).status, 'signed_in')
    }
    const shop = await signedIn(fixture, await fixture.external())
    for (const other of ['an-old-one', tokenOf(shop), tokenOf(await signedIn(fixture, app))]) {
      at.cookies.delete('eg_session')
      at.domain.set('eg_session', other)
      const back = await comeBack()
      assert.match((await at.open(back)).setCookies.eg_session ?? '', new RegExp(`^eg_session=${back.searchParams.get('eg_session')};`))
    }
  })

  it('of somebody else on the same browser is that user’s from then on', async () => {
    const fixture = started()
    const app = fixture.internal()
    const first = await signedIn(fixture, app)
    const second = await user(fixture, app)
    first.at.cookies.delete('portaria_arrived')
    const back = await through(second.browser, (await first.at.open('/auth/sign-in?prompt=login')).location, second.email)
    await first.at.open(back)
    const session = await first.at.session()
    assert.equal(session.status === 'signed_in' && session.user.id, second.id)
  })

  it('that brings no token relies on the cookie of the domain (3b)', async () => {
    const fixture = started()
    const app = fixture.internal()
    const known = await signedIn(fixture, app)
    const at = new Visitor(app)
    const state = (await at.open('/auth/sign-in?return_to=/x')).location?.searchParams.get('state')
    at.domain.set('eg_session', tokenOf(known))
    const arrived = await at.open(`/auth/callback?state=${state}`)
    assert.deepEqual([arrived.status, arrived.headers.get('location'), arrived.setCookies.eg_session], [302, '/x', undefined])
    assert.equal((await at.session()).status, 'signed_in')
  })

  it('that brings no token and no cookie tries once more, and then stops at a page that says why', async () => {
    const fixture = started()
    const uri = 'https://fora.example/auth/callback'
    await fixture.service.product({ slug: 'fora', uris: [uri] })
    const app = { ...fixture.internal({ appUrl: 'https://fora.example' }), origin: 'https://fora.example' }
    const { at, browser, email } = await user(fixture, app)
    const first = await through(browser, (await at.open('/auth/sign-in?return_to=/x')).location, email)
    assert.deepEqual([...first.searchParams.keys()], ['state'])
    const again = await at.open(first)
    assert.equal(again.location?.pathname, '/auth/login')
    assert.notEqual(again.location?.searchParams.get('state'), first.searchParams.get('state'))
    const stopped = await at.open(await through(browser, again.location, email))
    assertNotice(stopped, 500, 'The sign-in came back without a session')
    assert.match(stopped.text, /is not registered for that.*href="\/auth\/sign-in\?return_to=%2Fx"/s)
    assert.equal((await at.session()).status, 'signed_out')
  })

  it('of which nothing came back begins at Portaria (5c), and stops where a proxy loses every query', async () => {
    const at = new Visitor(started().internal())
    const begun = await at.open('/auth/callback')
    assert.equal(begun.location?.pathname, '/auth/login')
    assert.ok(begun.location?.searchParams.get('state'))
    assertNotice(await at.open('/auth/callback'), 500, 'The sign-in came back without a session')
  })

  it('that succeeds and is not known afterwards stops at a page, instead of going round', async () => {
    const fixture = started()
    const app = fixture.internal()
    const someone = await signedIn(fixture, app)
    const round = async () => {
      someone.at.cookies.delete('eg_session')
      const denied = await someone.at.open('/reports')
      assert.equal(denied.location?.pathname, '/auth/sign-in')
      return someone.at.open(denied.location ?? '')
    }
    for (let times = 1; times < 3; times++) await someone.at.open(await through(someone.browser, (await round()).location, someone.email))
    const stopped = await round()
    assertNotice(stopped, 400, 'You signed in, but this site does not see it')
    assert.match(stopped.text, /blocks cookies.*old cookies.*clock of this site is wrong/s)
    assert.equal((await someone.at.open('/auth/sign-in')).location?.pathname, '/auth/login', 'who asks again gets through')
  })

  it('of somebody who is signed in, again and again within seconds, stops at a page: what sends them there sees no cookies', async () => {
    const fixture = started()
    const someone = await signedIn(fixture, fixture.internal())
    const answers = []
    for (let time = 0; time < 6; time++) answers.push(await someone.at.open('/auth/sign-in?return_to=/static'))
    const last = answers.findIndex(({ status }) => status !== 302)
    assert.ok(last > 1 && last < 6, 'links may be pressed twice, and browsers give up after twenty')
    for (const { setCookies } of answers.slice(0, last)) assert.match(setCookies.portaria_arrived ?? '', /; Max-Age=15;/)
    assertNotice(answers[last] ?? assert.fail(), 400, 'You signed in, but this site does not see it')
    assert.equal((await someone.at.open('/auth/sign-in?return_to=/static')).headers.get('location'), '/static')
  })

  it('within seconds of a sign-out in another app is no circle', async () => {
    const fixture = started()
    const someone = await signedIn(fixture, fixture.internal({ confirmEverySeconds: 0 }))
    await someone.browser.get('/auth/signout')
    const left = await someone.at.open('/auth/sign-in')
    assert.equal(left.location?.pathname, '/auth/login')
    assert.equal((await someone.at.open(await through(someone.browser, left.location, someone.email))).status, 302)
  })

  for (const seconds of [1, 5, 15, 40])
    it(`N2: ${seconds} s after it, and a sign-out at another app of the family, is no circle`, async () => {
      const fixture = started()
      const app = fixture.internal()
      const someone = await user(fixture, app)
      const signInAgain = async () => {
        const left = await someone.at.open('/auth/sign-in?return_to=/reports')
        assert.equal(left.location?.pathname, '/auth/login', left.text)
        const back = await through(someone.browser, left.location, someone.email)
        someone.at.domain.set('eg_session', back.searchParams.get('eg_session') ?? '')
        assert.equal((await someone.at.open(back)).headers.get('location'), '/reports')
        assert.equal((await someone.at.open('/reports')).status, 200)
      }
      await signInAgain()
      const other = new Visitor(fixture.internal({ appUrl: 'http://localhost:4002' }))
      app.clock.now += seconds * 1000
      const out = await other.open('/auth/sign-out', { headers: { 'sec-fetch-site': 'same-origin' } })
      await someone.browser.get(`${out.location?.pathname}${out.location?.search}`)
      someone.at.domain.delete('eg_session')
      await signInAgain()
    })

  it('N2: again and again, by hand, between sign-outs at another app is no circle', async () => {
    const fixture = started()
    const app = fixture.internal()
    const someone = await user(fixture, app)
    for (let times = 0; times < 6; times++) {
      const left = await someone.at.open('/auth/sign-in')
      assert.equal(left.location?.pathname, '/auth/login', left.text)
      app.clock.now += 16_000 // to type a password
      await someone.at.open(await through(someone.browser, left.location, someone.email))
      await someone.browser.get('/auth/signout')
      someone.at.cookies.delete('eg_session')
    }
  })

  it('N2: begun at the callback itself, again after a while, is no circle', async () => {
    const app = started().internal()
    const at = new Visitor(app)
    for (let times = 0; times < 3; times++) {
      assert.equal((await at.open('/auth/callback')).location?.pathname, '/auth/login')
      app.clock.now += 60_000
    }
  })

  it('in a browser that keeps no cookies ends at a page at once', async () => {
    const fixture = started()
    const someone = await user(fixture, fixture.internal())
    const left = await someone.at.open('/auth/sign-in')
    someone.at.cookies.clear()
    const stopped = await someone.at.open(await through(someone.browser, left.location, someone.email))
    assertNotice(stopped, 400, 'This sign-in was not started here')
    assert.match(stopped.text, /blocks cookies/)
  })
})
