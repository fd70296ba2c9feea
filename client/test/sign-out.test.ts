import assert from 'node:assert/strict'
import { it } from 'node:test'
import { eachDatabase } from '../../server/test/support/databases.ts'
import { isLive } from '../../server/test/support/users/sign-in-steps.ts'
import { type Answer, fixtureForSuite, INTERNAL, reasonOf, signedIn, through, tokenOf, type User, Visitor } from './fixture.ts'

const OWN = { 'sec-fetch-site': 'same-origin' }
const POST = { method: 'POST', headers: { ...OWN, origin: INTERNAL } }

function assertCleared({ setCookies }: Answer, cookies: string[]): void {
  assert.deepEqual(Object.keys(setCookies).sort(), cookies)
  for (const line of Object.values(setCookies)) assert.match(line, /^[\w-]+=; Path=\/; Max-Age=0; HttpOnly; SameSite=Lax(; Secure)?$/)
}

eachDatabase('A sign-out', (database) => {
  const started = fixtureForSuite(database)

  /** Follows the redirect to Portaria with the user's browser; answers where that leads. */
  async function atPortaria({ browser }: User, answer: Answer): Promise<string | undefined> {
    const { pathname, search } = answer.location ?? assert.fail('no redirect')
    const left = await browser.get(pathname + search, { 'sec-fetch-dest': 'document', 'sec-fetch-site': 'same-site' })
    return left.location?.href
  }

  it('from an app of the domain ends the session of the domain, in this app and all others', async () => {
    const fixture = started()
    for (const init of [{ headers: OWN }, { headers: { 'sec-fetch-site': 'none' } }, POST]) {
      const app = fixture.internal()
      const someone = await signedIn(fixture, app)
      const shop = await fixture.external({ confirmEverySeconds: 0 })
      const atShop = new Visitor(shop)
      await atShop.open(await through(someone.browser, (await atShop.open('/auth/sign-in')).location, someone.email))
      assert.equal(await reasonOf(atShop.session()), someone.id)
      const token = tokenOf(someone)
      const out = await someone.at.open('/auth/sign-out?return_to=/bye', init)
      assert.equal(out.location?.origin + (out.location?.pathname ?? ''), `${fixture.service.url}/auth/signout`)
      assertCleared(out, ['access_token', 'eg_session', 'portaria_arrived'])
      assert.equal(await reasonOf(someone.at.session()), 'no_session')
      assert.equal(await atPortaria(someone, out), `${INTERNAL}/bye`)
      assert.equal(await isLive(fixture.service, token), false)
      assert.equal(await reasonOf(atShop.session()), 'ended')
      const carried = app.portaria.session({ headers: new Headers({ cookie: `eg_session=${token}` }) })
      assert.equal(await reasonOf(carried), 'ended', 'what was remembered of it is forgotten')
    }
  })

  it('from an external app ends its own session alone, and the next sign-in needs no password', async () => {
    const fixture = started()
    const app = await fixture.external()
    const someone = await signedIn(fixture, app)
    const token = tokenOf(someone)
    const out = await someone.at.open('/auth/sign-out?return_to=/bye', { headers: OWN })
    assert.deepEqual([out.status, out.headers.get('location')], [302, '/bye'])
    assertCleared(out, ['__Host-eg_session', '__Host-portaria_arrived', 'access_token'])
    assert.equal(await isLive(fixture.service, token, app.apiKey), false)
    assert.equal(await isLive(fixture.service, someone.browser.cookies.get('eg_session') ?? ''), true)
    const back = await through(someone.browser, (await someone.at.open('/auth/sign-in')).location, someone.email)
    assert.equal((await someone.at.open(back)).status, 302)
    assert.equal(await reasonOf(someone.at.session()), someone.id)
  })

  it('from an external app, everywhere where that is asked for', async () => {
    const fixture = started()
    const app = await fixture.external()
    for (const leave of [
      (someone: User) => someone.at.open('/auth/sign-out?scope=everywhere&return_to=/bye', { headers: OWN }),
      async ({ at }: User) => {
        const response = await app.portaria.signOut(at.request('/own-route', { method: 'POST' }), { scope: 'everywhere', returnTo: '/bye' })
        return { location: new URL(response.headers.get('location') ?? '') } as Answer
      },
    ]) {
      const someone = await signedIn(fixture, app)
      const token = tokenOf(someone)
      const out = await leave(someone)
      assert.equal(await isLive(fixture.service, token, app.apiKey), false)
      assert.equal(await atPortaria(someone, out), `${app.origin}/bye`)
      assert.equal(await isLive(fixture.service, someone.browser.cookies.get('eg_session') ?? token), false)
    }
  })

  it('that a link on another site asks for is asked about, and the page’s button does it', async () => {
    const fixture = started()
    for (const app of [fixture.internal(), await fixture.external()]) {
      const someone = await signedIn(fixture, app)
      const token = tokenOf(someone)
      for (const site of ['cross-site', 'same-site']) {
        const page = await someone.at.open('/auth/sign-out?return_to=//evil.example', { headers: { 'sec-fetch-site': site } })
        assert.deepEqual([page.status, page.setCookies], [200, {}])
        assert.match(page.text, /<form method="post" action="\/auth\/sign-out"><button>Sign out<\/button>/)
        assert.doesNotMatch(page.text, /evil/)
      }
      assert.equal(await reasonOf(someone.at.session()), someone.id)
      const pressed = await someone.at.open('/auth/sign-out', { method: 'POST', headers: { ...OWN, origin: app.origin } })
      assert.equal(pressed.status, 302)
      assert.equal(await reasonOf(someone.at.session()), 'no_session')
      if (app.apiKey !== '') assert.equal(await isLive(fixture.service, token, app.apiKey), false)
    }
  })

  it('by a link, in a browser without Fetch Metadata, is asked about unless its Referer is a page of this app', async () => {
    const fixture = started()
    const app = await fixture.external()
    const silent = { 'sec-fetch-site': '', 'sec-fetch-mode': '', 'sec-fetch-dest': '' }
    const someone = await signedIn(fixture, app)
    for (const referer of ['', 'https://evil.example/', `${app.origin}.evil.example/`, 'about:blank', 'x']) {
      const page = await someone.at.open('/auth/sign-out', { headers: { ...silent, referer } })
      assert.deepEqual([page.status, page.setCookies], [200, {}], referer)
      assert.match(page.text, /<form method="post"/)
    }
    assert.equal(await isLive(fixture.service, tokenOf(someone), app.apiKey), true)
    const pressed = await someone.at.open('/auth/sign-out', { method: 'POST', headers: { ...silent, origin: app.origin } })
    assert.equal(pressed.status, 302)
    const other = await signedIn(fixture, app)
    assert.equal((await other.at.open('/auth/sign-out', { headers: { ...silent, referer: `${app.origin}/a?b` } })).status, 302)
    assert.equal(await reasonOf(other.at.session()), 'no_session')
  })

  it('is refused to the forms of other sites, with 403 and nothing done', async () => {
    const fixture = started()
    for (const app of [fixture.internal(), await fixture.external()]) {
      const someone = await signedIn(fixture, app)
      fixture.proxy.asked()
      for (const headers of [
        { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
        { 'sec-fetch-site': 'same-site', origin: 'http://localhost:4999' },
        { 'sec-fetch-site': 'cross-site', origin: 'null' },
        { 'sec-fetch-site': 'none', origin: app.origin },
        { 'sec-fetch-site': '', origin: 'https://evil.example' },
        { 'sec-fetch-site': '', origin: 'null' },
        { 'sec-fetch-site': '', origin: `${app.origin}.evil.example` },
        { 'sec-fetch-site': 'cross-site', origin: '', 'sec-fetch-dest': 'empty' },
      ]) {
        const answer = await someone.at.open('/auth/sign-out?scope=everywhere', { method: 'POST', headers })
        assert.deepEqual([answer.status, answer.setCookies, answer.location], [403, {}, undefined])
      }
      assert.deepEqual(fixture.proxy.asked(), [])
      assert.equal(await reasonOf(someone.at.session()), someone.id)
    }
  })

  it('is not made by an image, a frame, a script, a prefetch or a router that looks ahead', async () => {
    const fixture = started()
    for (const app of [fixture.internal(), await fixture.external()]) {
      const someone = await signedIn(fixture, app)
      fixture.proxy.asked()
      for (const headers of [
        { 'sec-fetch-dest': 'image' },
        { 'sec-fetch-dest': 'iframe' },
        { 'sec-fetch-dest': 'script' },
        { 'sec-fetch-dest': 'empty', 'next-router-prefetch': '1' },
        { 'sec-purpose': 'prefetch' },
        { 'sec-purpose': 'prefetch;prerender' },
        { purpose: 'prefetch' },
      ]) {
        for (const site of ['same-origin', 'cross-site']) {
          const answer = await someone.at.open('/auth/sign-out?scope=everywhere', { headers: { ...headers, 'sec-fetch-site': site } })
          assert.deepEqual([answer.status, answer.setCookies, answer.location], [403, {}, undefined])
        }
      }
      assert.deepEqual(fixture.proxy.asked(), [])
      assert.equal(await reasonOf(someone.at.session()), someone.id)
    }
  })

  it('of several cookies ends the sessions of all, whatever else lies among them', async () => {
    const fixture = started()
    const app = await fixture.external({ cookieName: 'eg_session' })
    const [one, other] = [await signedIn(fixture, app), await signedIn(fixture, app)]
    const tokens = [tokenOf(one), tokenOf(other)]
    one.at.domain.set('eg_session', tokens[1] ?? '')
    assert.equal(await reasonOf(one.at.session()), 'conflicting_sessions')
    const cookie = ['a', 'b', 'c', 'd', ...tokens, 'e'].map((value) => `eg_session=${value}`).join('; ')
    fixture.proxy.asked()
    await app.portaria.handle(one.at.request('/auth/sign-out', { headers: { ...OWN, cookie } }))
    assert.deepEqual(fixture.proxy.asked(), ['/auth/signout', '/auth/signout'])
    for (const token of tokens) assert.equal(await isLive(fixture.service, token, app.apiKey), false)
  })

  it('asks nothing of Portaria for cookies that are no sessions, and ends four at most', async () => {
    const fixture = started()
    const app = await fixture.external({ cookieName: 'eg_session' })
    const leave = (tokens: string[]) => {
      const cookie = tokens.map((token) => `eg_session=${token}`).join('; ')
      return app.portaria.handle(new Visitor(app).request('/auth/sign-out', { headers: { ...OWN, cookie } }))
    }
    const users = []
    for (let at = 0; at < 5; at++) users.push(await signedIn(fixture, app))
    const tokens = users.map(tokenOf)
    fixture.proxy.asked()
    const forged = (tokens[0] ?? '').replace(/\.[^.]+$/, `.${'A'.repeat(86)}`)
    assert.equal((await leave(['a', 'b', 'x'.repeat(9_000), forged, `${forged}B`]))?.status, 302)
    assert.deepEqual(fixture.proxy.asked(), [])
    await leave(tokens)
    assert.equal(fixture.proxy.count('/auth/signout'), 4)
  })

  it('of nobody does no harm', async () => {
    const fixture = started()
    const app = await fixture.external()
    fixture.proxy.asked()
    const out = await new Visitor(app).open('/auth/sign-out', { headers: OWN })
    assert.deepEqual([out.status, out.headers.get('location')], [302, '/'])
    assert.deepEqual(fixture.proxy.asked(), [])
  })

  it('has its address for links', async () => {
    const { portaria } = started().internal()
    assert.equal(portaria.signOutHref(), '/auth/sign-out')
    assert.equal(portaria.signOutHref('/a b?c'), '/auth/sign-out?return_to=%2Fa%2520b%3Fc')
    assert.equal(portaria.signOutHref('//evil.example'), '/auth/sign-out')
    assert.equal(portaria.signInHref('/x'), '/auth/sign-in?return_to=%2Fx')
    assert.equal(portaria.signInHref('https://evil.example'), '/auth/sign-in')
  })
})
