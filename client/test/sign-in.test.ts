import assert from 'node:assert/strict'
import { it } from 'node:test'
import { eachDatabase } from '../../server/test/support/databases.ts'
import { decode, parameter } from '../../server/test/support/users/sign-in-steps.ts'
import { type Answer, INTERNAL, person, reasonOf, sceneForSuite, signedIn, signIn, through, tokenOf, Visitor } from './scene.ts'

const YEAR_MS = 31_536_000_000

/** A page of the client's own: complete, in English, nothing in it that could run, and nothing stored but what it says. */
function assertNotice(answer: Answer, status: number, title: string): void {
  assert.equal(answer.status, status, answer.text)
  assert.match(answer.text, new RegExp(`<html lang="en">.*<h1>${title}`, 's'))
  assert.match(answer.headers.get('content-security-policy') ?? '', /^default-src 'none'; style-src 'nonce-/)
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  for (const name of ['eg_session', '__Host-eg_session']) assert.equal(answer.setCookies[name], undefined)
}

eachDatabase('A sign-in', (database) => {
  const started = sceneForSuite(database)

  it('at an app of the domain: the token of the URL becomes a cookie of this host alone, and the address is clean again', async () => {
    const scene = started()
    const app = scene.internal()
    const { at, browser, email, id } = await person(scene, app)
    const left = await at.visit('/auth/sign-in?return_to=%2Freports%3Fyear%3D2026%23top')
    assert.equal(left.status, 302)
    const { origin, pathname, searchParams } = left.location ?? assert.fail()
    assert.equal(origin + pathname, `${scene.service.url}/auth/login`)
    assert.deepEqual([...searchParams.keys()], ['redirect_to', 'state'])
    assert.equal(searchParams.get('redirect_to'), `${INTERNAL}/auth/callback`)
    const back = await through(browser, left.location, email)
    const token = back.searchParams.get('eg_session')
    assert.equal(back.searchParams.get('state'), searchParams.get('state'))
    const arrived = await at.visit(back)
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
    assert.equal((await at.visit('/reports')).text, 'Hello Ana Flávia Conceição')
    const again = await at.visit('/auth/sign-in?return_to=/reports')
    assert.deepEqual([again.status, again.headers.get('location')], [302, '/reports'], 'who is signed in goes straight on')
  })

  it('at an external app: the eg_token is exchanged once, on the server, and is worth nothing afterwards', async () => {
    const scene = started()
    const app = await scene.external()
    const { at, browser, email, id } = await person(scene, app)
    const left = await at.visit('/auth/sign-in?return_to=/cart')
    assert.match(left.location?.searchParams.get('api_key') ?? '', /^pk_/)
    const back = await through(browser, left.location, email)
    assert.equal(back.searchParams.get('eg_session'), null)
    const attempt = new Map(at.cookies)
    scene.front.asked()
    const arrived = await at.visit(back)
    assert.deepEqual([arrived.status, arrived.headers.get('location')], [302, '/cart'])
    assert.deepEqual([arrived.headers.get('cache-control'), arrived.headers.get('referrer-policy')], ['no-store', 'no-referrer'])
    assert.equal(scene.front.count('/auth/verify'), 1)
    assert.match(arrived.setCookies['__Host-eg_session'] ?? '', /; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/)
    assert.equal(decode(at.cookies.get(app.cookieName) ?? '').claims.aud, app.productId)
    const session = await at.session()
    assert.equal(session.status === 'signed_in' && session.user.id, id)

    assertNotice(await at.visit(back), 400, 'This sign-in was not started here')
    const replayer = new Visitor(app)
    for (const [name, value] of attempt) replayer.cookies.set(name, value)
    assertNotice(await replayer.visit(back), 400, 'This sign-in is no longer valid')
    assert.equal((await replayer.session()).status, 'signed_out')
    assert.equal((await at.session()).status, 'signed_in', 'a replay ends nothing')
  })

  it('with an eg_token that is older than a minute ends on a page, signed out', async () => {
    const scene = started()
    const app = await scene.external()
    const { at, browser, email } = await person(scene, app)
    const back = await through(browser, (await at.visit('/auth/sign-in')).location, email)
    scene.service.clock.now += 61_000
    assertNotice(await at.visit(back), 400, 'This sign-in is no longer valid')
    assert.deepEqual(app.faults, ["Portaria refused the eg_token: used, over 60 s old, or PORTARIA_API_KEY is another product's"])
    assert.equal((await at.session()).status, 'signed_out')
  })

  it('with the eg_token of another product ends on a page, and that product can still exchange it', async () => {
    const scene = started()
    const [shop, other] = [await scene.external(), await scene.external()]
    const { at, browser, email } = await person(scene, shop)
    const back = await through(browser, (await at.visit('/auth/sign-in')).location, email)
    const atOther = new Visitor(other)
    const state = (await atOther.visit('/auth/sign-in')).location?.searchParams.get('state')
    const crossed = await atOther.visit(`/auth/callback?eg_token=${back.searchParams.get('eg_token')}&state=${state}`)
    assertNotice(crossed, 400, 'This sign-in is no longer valid')
    assert.equal((await at.visit(back)).status, 302)
  })

  it('needs the API key that its product knows', async () => {
    const scene = started()
    const app = await scene.external({ apiKey: 'sk_of_nobody' })
    const { at, browser, email } = await person(scene, app)
    const back = await through(browser, (await at.visit('/auth/sign-in')).location, email)
    assertNotice(await at.visit(back), 500, 'This site is not set up right')
    assert.deepEqual(app.faults, [`${scene.service.url} refuses the API key at /auth/verify`])
    const inside = scene.internal()
    const at2 = new Visitor(inside)
    const state = (await at2.visit('/auth/sign-in')).location?.searchParams.get('state')
    assertNotice(await at2.visit(`/auth/callback?eg_token=x&state=${state}`), 500, 'This site is not set up right')
  })

  it('asks for the password again where the app wants it', async () => {
    const scene = started()
    const { at } = await signedIn(scene, scene.internal())
    const left = await at.visit('/auth/sign-in?prompt=login')
    assert.equal(left.location?.searchParams.get('prompt'), 'login')
  })

  it('stores no second cookie where the parent domain’s brings the same session, and one beside any other', async () => {
    const scene = started()
    const app = scene.internal()
    const { at, browser, email } = await person(scene, app)
    const comeBack = async () => through(browser, (await at.visit('/auth/sign-in?prompt=login')).location, email)
    const first = await comeBack()
    at.domain.set('eg_session', first.searchParams.get('eg_session') ?? '')
    for (const back of [first, await comeBack()]) {
      const arrived = await at.visit(back)
      assert.deepEqual([arrived.status, arrived.setCookies.eg_session], [302, undefined])
      assert.equal((await at.session()).status, 'signed_in')
    }
    const shop = await signedIn(scene, await scene.external())
    for (const other of ['an-old-one', tokenOf(shop), tokenOf(await signedIn(scene, app))]) {
      at.cookies.delete('eg_session')
      at.domain.set('eg_session', other)
      const back = await comeBack()
      assert.match((await at.visit(back)).setCookies.eg_session ?? '', new RegExp(`^eg_session=${back.searchParams.get('eg_session')};`))
    }
  })

  it('of somebody else on the same browser is that person’s from then on', async () => {
    const scene = started()
    const app = scene.internal()
    const first = await signedIn(scene, app)
    const second = await person(scene, app)
    first.at.cookies.delete('portaria_arrived')
    const back = await through(second.browser, (await first.at.visit('/auth/sign-in?prompt=login')).location, second.email)
    await first.at.visit(back)
    const session = await first.at.session()
    assert.equal(session.status === 'signed_in' && session.user.id, second.id)
  })

  it('that brings no token relies on the cookie of the domain (3b)', async () => {
    const scene = started()
    const app = scene.internal()
    const known = await signedIn(scene, app)
    const at = new Visitor(app)
    const state = (await at.visit('/auth/sign-in?return_to=/x')).location?.searchParams.get('state')
    at.domain.set('eg_session', tokenOf(known))
    const arrived = await at.visit(`/auth/callback?state=${state}`)
    assert.deepEqual([arrived.status, arrived.headers.get('location'), arrived.setCookies.eg_session], [302, '/x', undefined])
    assert.equal((await at.session()).status, 'signed_in')
  })

  it('that brings no token and no cookie tries once more, and then stops at a page that says why', async () => {
    const scene = started()
    const uri = 'https://fora.example/auth/callback'
    await scene.service.product({ slug: 'fora', uris: [uri] })
    const app = { ...scene.internal({ appUrl: 'https://fora.example' }), origin: 'https://fora.example' }
    const { at, browser, email } = await person(scene, app)
    const first = await through(browser, (await at.visit('/auth/sign-in?return_to=/x')).location, email)
    assert.deepEqual([...first.searchParams.keys()], ['state'])
    const again = await at.visit(first)
    assert.equal(again.location?.pathname, '/auth/login')
    assert.notEqual(again.location?.searchParams.get('state'), first.searchParams.get('state'))
    const stopped = await at.visit(await through(browser, again.location, email))
    assertNotice(stopped, 500, 'The sign-in came back without a session')
    assert.match(stopped.text, /is not registered to receive a session.*href="\/auth\/sign-in\?return_to=%2Fx"/s)
    assert.equal((await at.session()).status, 'signed_out')
  })

  it('of which nothing came back begins at Portaria (5c), and stops where a proxy loses every query', async () => {
    const at = new Visitor(started().internal())
    const begun = await at.visit('/auth/callback')
    assert.equal(begun.location?.pathname, '/auth/login')
    assert.ok(begun.location?.searchParams.get('state'))
    assertNotice(await at.visit('/auth/callback'), 500, 'The sign-in came back without a session')
  })

  it('that succeeds and is not known afterwards stops at a page, instead of going round', async () => {
    const scene = started()
    const app = scene.internal()
    const someone = await signedIn(scene, app)
    const round = async () => {
      someone.at.cookies.delete('eg_session')
      const denied = await someone.at.visit('/reports')
      assert.equal(denied.location?.pathname, '/auth/sign-in')
      return someone.at.visit(denied.location ?? '')
    }
    for (let times = 1; times < 3; times++) await someone.at.visit(await through(someone.browser, (await round()).location, someone.email))
    const stopped = await round()
    assertNotice(stopped, 400, 'You signed in, but this site does not see it')
    assert.match(stopped.text, /blocks cookies.*old cookies.*clock is wrong/s)
    assert.equal((await someone.at.visit('/auth/sign-in')).location?.pathname, '/auth/login', 'who asks again gets through')
  })

  it('of somebody who is signed in, again and again within seconds, stops at a page: what sends them there sees no cookies', async () => {
    const scene = started()
    const someone = await signedIn(scene, scene.internal())
    const answers = []
    for (let time = 0; time < 6; time++) answers.push(await someone.at.visit('/auth/sign-in?return_to=/static'))
    const last = answers.findIndex(({ status }) => status !== 302)
    assert.ok(last > 1 && last < 6, 'links may be pressed twice, and browsers give up after twenty')
    for (const { setCookies } of answers.slice(0, last)) assert.match(setCookies.portaria_arrived ?? '', /; Max-Age=15;/)
    assertNotice(answers[last] ?? assert.fail(), 400, 'You signed in, but this site does not see it')
    assert.equal((await someone.at.visit('/auth/sign-in?return_to=/static')).headers.get('location'), '/static')
  })

  it('within seconds of a sign-out in another app is no circle', async () => {
    const scene = started()
    const someone = await signedIn(scene, scene.internal({ confirmEverySeconds: 0 }))
    await someone.browser.get('/auth/signout')
    const left = await someone.at.visit('/auth/sign-in')
    assert.equal(left.location?.pathname, '/auth/login')
    assert.equal((await someone.at.visit(await through(someone.browser, left.location, someone.email))).status, 302)
  })

  for (const seconds of [1, 5, 15, 40])
    it(`N2: ${seconds} s after it, and a sign-out at another app of the family, is no circle`, async () => {
      const scene = started()
      const app = scene.internal()
      const someone = await person(scene, app)
      const signInAtFamily = async () => {
        const left = await someone.at.visit('/auth/sign-in?return_to=/reports')
        assert.equal(left.location?.pathname, '/auth/login', left.text)
        const back = await through(someone.browser, left.location, someone.email)
        someone.at.domain.set('eg_session', back.searchParams.get('eg_session') ?? '')
        assert.equal((await someone.at.visit(back)).headers.get('location'), '/reports')
        assert.equal((await someone.at.visit('/reports')).status, 200)
      }
      await signInAtFamily()
      const other = new Visitor(scene.internal({ appUrl: 'http://localhost:4002' }))
      app.clock.now += seconds * 1000
      const out = await other.visit('/auth/sign-out', { headers: { 'sec-fetch-site': 'same-origin' } })
      await someone.browser.get(`${out.location?.pathname}${out.location?.search}`)
      someone.at.domain.delete('eg_session')
      await signInAtFamily()
    })

  it('N2: again and again, by hand, between sign-outs at another app is no circle', async () => {
    const scene = started()
    const app = scene.internal()
    const someone = await person(scene, app)
    for (let times = 0; times < 6; times++) {
      const left = await someone.at.visit('/auth/sign-in')
      assert.equal(left.location?.pathname, '/auth/login', left.text)
      app.clock.now += 16_000 // to type a password
      await someone.at.visit(await through(someone.browser, left.location, someone.email))
      await someone.browser.get('/auth/signout')
      someone.at.cookies.delete('eg_session')
    }
  })

  it('N2: begun at the callback itself, again after a while, is no circle', async () => {
    const app = started().internal()
    const at = new Visitor(app)
    for (let times = 0; times < 3; times++) {
      assert.equal((await at.visit('/auth/callback')).location?.pathname, '/auth/login')
      app.clock.now += 60_000
    }
  })

  it('in a browser that keeps no cookies ends at a page at once', async () => {
    const scene = started()
    const someone = await person(scene, scene.internal())
    const left = await someone.at.visit('/auth/sign-in')
    someone.at.cookies.clear()
    const stopped = await someone.at.visit(await through(someone.browser, left.location, someone.email))
    assertNotice(stopped, 400, 'This sign-in was not started here')
    assert.match(stopped.text, /blocks cookies/)
  })
})

eachDatabase('A sign-in begun in several tabs', (database) => {
  const started = sceneForSuite(database)

  it('finishes in each, in any order, each at its own place', async () => {
    const scene = started()
    for (const [app, order] of [
      [scene.internal(), [4, 0, 3, 1, 2]],
      [await scene.external(), [2, 1, 4, 3, 0]],
    ] as const) {
      const { at, browser, email } = await person(scene, app)
      const tabs: Array<URL | undefined> = []
      for (const tab of order.keys()) tabs.push((await at.visit(`/auth/sign-in?return_to=/tab-${tab}`)).location)
      const backs: URL[] = []
      for (const tab of tabs) backs.push(await through(browser, tab, email))
      for (const tab of order) assert.equal((await at.visit(backs[tab] ?? '')).headers.get('location'), `/tab-${tab}`)
      assert.equal((await at.session()).status, 'signed_in')
      assert.equal([...at.cookies.keys()].filter((name) => name.includes('attempt')).length, 0)
    }
  })

  it('keeps eight, and forgets the oldest beyond', async () => {
    const scene = started()
    const app = scene.internal()
    const { at, browser, email } = await person(scene, app)
    const tabs: Array<URL | undefined> = []
    for (let tab = 0; tab < 12; tab++) {
      app.clock.now += 1
      tabs.push((await at.visit(`/auth/sign-in?return_to=/tab-${tab}`)).location)
    }
    assert.equal([...at.cookies.keys()].filter((name) => name.includes('attempt')).length, 8)
    const oldest = await through(browser, tabs[3], email)
    assertNotice(await at.visit(oldest), 400, 'This sign-in was not started here')
    assert.equal((await at.visit(await through(browser, tabs[4], email))).headers.get('location'), '/tab-4')
  })

  it('keeps fewer of long addresses, so that the header of cookies stays below what servers refuse', async () => {
    const at = new Visitor(started().internal())
    for (let tab = 0; tab < 12; tab++) await at.visit(`/auth/sign-in?return_to=/${'x'.repeat(1000)}${tab}`)
    assert.ok((at.request('/').headers.get('cookie') ?? '').length < 3200)
    assert.ok(at.cookies.size >= 2)
  })
})

eachDatabase("Somebody else's sign-in", (database) => {
  const started = sceneForSuite(database)

  /** An attacker's own sign-in, up to the address that would finish it. */
  async function trap(scene: ReturnType<typeof started>, app: Parameters<typeof person>[1]) {
    const attacker = await person(scene, app)
    return { attacker, url: await through(attacker.browser, (await attacker.at.visit('/auth/sign-in')).location, attacker.email) }
  }

  it("is refused in a victim's browser: the attacker's address, with the attacker's token and state", async () => {
    const scene = started()
    for (const app of [scene.internal(), await scene.external()]) {
      const { attacker, url } = await trap(scene, app)
      const victim = await person(scene, app)
      for (const prepare of [
        async () => {},
        async () => void (await victim.at.visit('/auth/sign-in')),
        async () => void (await signIn(victim)),
      ]) {
        await prepare()
        scene.front.asked()
        assertNotice(await victim.at.visit(url), 400, 'This sign-in was not started here')
        assert.deepEqual(scene.front.asked(), [], 'the token is not even looked at')
      }
      const session = await victim.at.session()
      assert.equal(session.status === 'signed_in' && session.user.id, victim.id)
      assert.equal((await attacker.at.visit(url)).status, 302, 'in the browser that began it, it is good')
    }
  })

  it('is refused without a state, with an altered, a foreign and an old one, and by the cookie of another attempt', async () => {
    const scene = started()
    const app = scene.internal()
    const { url } = await trap(scene, app)
    const token = url.searchParams.get('eg_session') ?? ''
    const at = new Visitor(app)
    const own = (await at.visit('/auth/sign-in')).location?.searchParams.get('state') ?? ''
    const other = (await at.visit('/auth/sign-in')).location?.searchParams.get('state') ?? ''
    const [id = '', secret = ''] = own.split('.')
    const [otherId = '', otherSecret = ''] = other.split('.')
    const last = secret.endsWith('A') ? 'B' : 'A'
    for (const state of [
      undefined,
      '',
      id,
      secret,
      `${id}.`,
      `${id}.${secret.slice(0, -1)}${last}`,
      `${id}.${secret}x`,
      `${id}.${otherSecret}`,
      `${otherId}.${secret}`,
      `${own}.${secret}`,
      '__proto__.x',
      url.searchParams.get('state') ?? '',
    ]) {
      const query = new URLSearchParams({ eg_session: token, ...(state !== undefined && { state }) })
      assertNotice(await at.visit(`/auth/callback?${query}`), 400, 'This sign-in was not started here')
    }
    assert.equal((await at.session()).status, 'signed_out')
    // A browser whose own clock is behind sends what is old as well.
    const headers = { cookie: at.request('/').headers.get('cookie') ?? '' }
    const back = `/auth/callback?eg_session=${token}&state=${own}`
    app.clock.now += 1_800_001
    assertNotice(await at.visit(back, { headers }), 400, 'This sign-in was not started here')
    app.clock.now -= 1_800_001
    assert.equal((await at.visit(back, { headers })).status, 302, 'the state itself was good')
  })

  it('is refused at another app of the same host: cookies know of no ports, attempts do', async () => {
    const scene = started()
    const neighbour = new Visitor(scene.internal({ appUrl: 'http://localhost:4002' }))
    const state = parameter((await neighbour.visit('/auth/sign-in?return_to=/neighbour')).location ?? assert.fail(), 'state')
    const app = scene.internal()
    const attacker = await person(scene, app)
    const back = await through(attacker.browser, (await attacker.at.visit('/auth/sign-in')).location, attacker.email)
    back.searchParams.set('state', state)
    const at = new Visitor(app)
    for (const [name, value] of neighbour.cookies) at.cookies.set(name, value)
    assertNotice(await at.visit(back), 400, 'This sign-in was not started here')
    assert.equal(await reasonOf(at.session()), 'no_session')
  })

  it('is refused a second time, since a state is good once', async () => {
    const scene = started()
    const { at, browser, email } = await person(scene, scene.internal())
    const back = await through(browser, (await at.visit('/auth/sign-in')).location, email)
    assert.equal((await at.visit(back)).status, 302)
    assertNotice(await at.visit(back), 400, 'This sign-in was not started here')
  })

  it('can’t be planted by a sibling subdomain: over https the attempt and its cookie are of this host alone', async () => {
    const scene = started()
    const app = await scene.external()
    const left = await new Visitor(app).visit('/auth/sign-in')
    const [name = '', line = ''] = Object.entries(left.setCookies)[0] ?? []
    assert.match(name, /^__Host-portaria_attempt_[\w-]{8}$/)
    assert.match(line, /; Path=\/; Max-Age=1800; HttpOnly; SameSite=Lax; Secure$/)
    const { at } = await signedIn(scene, app)
    assert.ok(at.cookies.has('__Host-portaria_arrived'))
    at.cookies.clear()
    at.cookies.set('portaria_arrived', '1')
    assert.equal((await at.visit('/auth/sign-in')).location?.pathname, '/auth/login', "a sibling's does not keep anybody out")
  })
})

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
  const started = sceneForSuite(database)

  it('is a place in this app, whatever return_to says', async () => {
    const scene = started()
    const someone = await signedIn(scene, scene.internal())
    for (const returnTo of ELSEWHERE) {
      const on = await someone.at.visit(`/auth/sign-in?return_to=${encodeURIComponent(returnTo)}`)
      assert.equal(on.headers.get('location'), '/', returnTo)
      const out = new URL((await someone.at.visit(`/auth/sign-out?return_to=${encodeURIComponent(returnTo)}`)).location ?? '')
      assert.equal(out.searchParams.get('redirect_to'), `${INTERNAL}/`, returnTo)
      assert.equal((await signIn(someone, returnTo)).headers.get('location'), '/', returnTo)
    }
    for (const returnTo of WITHIN) {
      const on = await someone.at.visit(`/auth/sign-in?return_to=${encodeURIComponent(returnTo)}`)
      assert.equal(on.headers.get('location'), returnTo)
      someone.at.cookies.delete('portaria_arrived')
    }
  })

  it('is a place in this app, also where a cookie of the attempt was planted', async () => {
    const scene = started()
    const { at, browser, email } = await person(scene, scene.internal())
    const left = await at.visit('/auth/sign-in')
    const [name = '', value = ''] = [...at.cookies][0] ?? []
    const kept = JSON.parse(Buffer.from(value, 'base64url').toString())
    at.cookies.set(name, Buffer.from(JSON.stringify({ ...kept, r: '//evil.example' })).toString('base64url'))
    assert.equal((await at.visit(await through(browser, left.location, email))).headers.get('location'), '/')
  })

  it('is never read from what a request says of its host', async () => {
    const scene = started()
    const app = scene.internal()
    const { at } = await signedIn(scene, app)
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
        const told = await say('https://evil.example', spoofed)
        assert.doesNotMatch(told, /evil|:4666/)
        assert.equal(told, await say(INTERNAL, {}), path)
      }
    }
  })

  it('guards pages in their handlers: no spelling of a path and no header gets around', async () => {
    const scene = started()
    const app = scene.internal()
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
    const scene = started()
    const app = scene.internal()
    const at = new Visitor(app)
    const json = { accept: 'application/json', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }
    for (const init of [{ method: 'POST' }, { headers: json }, { headers: { ...json, accept: 'text/html' } }, { method: 'DELETE' }]) {
      const answer = await at.visit('/reports', init)
      assert.equal(answer.status, 401)
      assert.deepEqual(JSON.parse(answer.text), { status: 'signed_out', reason: 'no_session' })
      assert.equal(answer.headers.get('cache-control'), 'no-store')
    }
    const older = await at.visit('/reports', { headers: { 'sec-fetch-mode': '' } })
    assert.equal(older.status, 302, 'a browser that does not say what it is doing asks for HTML')
    assert.equal((await at.visit('/reports', { headers: { 'sec-fetch-mode': '', accept: '*/*' } })).status, 401)
    const page = await at.visit('/reports?x=1')
    assert.deepEqual([page.status, page.headers.get('location')], [302, '/auth/sign-in?return_to=%2Freports%3Fx%3D1'])
  })

  it('takes each path by its own methods alone, and begins nothing behind the person’s back', async () => {
    const at = new Visitor(started().internal())
    for (const [path, method, allow] of [
      ['/auth/sign-in', 'POST', 'GET'],
      ['/auth/callback', 'POST', 'GET'],
      ['/auth/sign-out', 'DELETE', 'GET, POST'],
      ['/api/auth/session', 'PUT', 'GET'],
    ] as const) {
      const answer = await at.visit(path, { method })
      assert.deepEqual([answer.status, answer.headers.get('allow')], [405, allow])
    }
    for (const headers of [
      { 'sec-purpose': 'prefetch;prerender' },
      { purpose: 'prefetch' },
      { 'next-router-prefetch': '1' },
      { 'sec-fetch-dest': 'image' },
    ]) {
      const answer = await at.visit('/auth/sign-in', { headers })
      assert.deepEqual([answer.status, answer.setCookies], [403, {}])
    }
  })

  it('under a path of its own, an app keeps to it', async () => {
    const scene = started()
    await scene.service.product({ slug: 'com-caminho', uris: [`${INTERNAL}/app/login/callback`] })
    const app = scene.internal({ appUrl: `${INTERNAL}/app/`, authPath: '/login', sessionPath: '/me', cookieName: 'my_session' })
    const { at, browser, email } = await person(scene, app)
    for (const path of ['/login/sign-in', '/app/login/sign-in/']) {
      const behindAProxy = await app.portaria.handle(at.request(path))
      assert.equal(behindAProxy?.status, 302, 'what lies between may cut off the path, or end it with a slash')
    }
    assert.equal(await app.portaria.handle(at.request('/application/login/sign-in')), undefined)
    at.cookies.clear()
    const left = await at.visit('/app/login/sign-in?return_to=/app/x')
    assert.equal(left.location?.searchParams.get('redirect_to'), `${INTERNAL}/app/login/callback`)
    const arrived = await at.visit(await through(browser, left.location, email))
    assert.equal(arrived.headers.get('location'), '/app/x')
    assert.ok(at.cookies.has('my_session'))
    const session = await at.visit('/app/me')
    assert.equal(JSON.parse(session.text).status, 'signed_in')
    assert.equal((await at.visit('/app/login/sign-in')).headers.get('location'), '/app/')
  })
})

eachDatabase('The wrong clock of an app', (database) => {
  const started = sceneForSuite(database)
  const MINUTES = 60_000

  it('five minutes behind ends at a page that says so; a minute is forgiven', async () => {
    const scene = started()
    for (const app of [scene.internal(), await scene.external()]) {
      const someone = await person(scene, app)
      app.clock.now = scene.service.clock.now - 5 * MINUTES
      const stopped = await signIn(someone)
      assertNotice(stopped, 500, 'The clock of this site is wrong')
      assert.equal((await someone.at.session()).status, 'signed_out')
      app.clock.now = scene.service.clock.now - 50_000
      assert.equal((await signIn(someone)).status, 302)
      app.clock.now = scene.service.clock.now - 5 * MINUTES
    }
  })

  it('five minutes behind, where the domain’s cookie is relied on, is named as well', async () => {
    const scene = started()
    const known = await signedIn(scene, scene.internal())
    const app = scene.internal()
    app.clock.now = scene.service.clock.now - 5 * MINUTES
    const at = new Visitor(app)
    at.domain.set('eg_session', tokenOf(known))
    const first = (await at.visit('/auth/sign-in')).location?.searchParams.get('state')
    const second = (await at.visit(`/auth/callback?state=${first}`)).location?.searchParams.get('state')
    assertNotice(await at.visit(`/auth/callback?state=${second}`), 500, 'The clock of this site is wrong')
    assert.deepEqual(await at.session(), { status: 'signed_out', reason: 'not_yet_valid' })
  })

  it('five minutes ahead does no harm, and ends no session before its time but by these', async () => {
    const scene = started()
    for (const app of [scene.internal(), await scene.external()]) {
      const someone = await person(scene, app)
      app.clock.now = scene.service.clock.now + 5 * MINUTES
      assert.equal((await signIn(someone)).status, 302)
      assert.equal((await someone.at.session()).status, 'signed_in')
      const sent = someone.at.request('/') // by the browser's own clock the cookie lives on
      app.clock.now += YEAR_MS
      assert.deepEqual(await app.portaria.session(sent), { status: 'signed_out', reason: 'expired' })
    }
  })
})
