import assert from 'node:assert/strict'
import { it } from 'node:test'
import { isLive } from '../../server/test/contract/steps.ts'
import { eachDatabase } from '../../server/test/databases.ts'
import { type Answer, INTERNAL, type Person, reasonOf, sceneForSuite, signedIn, through, tokenOf, Visitor } from './scene.ts'

const OWN = { 'sec-fetch-site': 'same-origin' }
const POST = { method: 'POST', headers: { ...OWN, origin: INTERNAL } }

function assertCleared({ setCookies }: Answer, cookies: string[]): void {
  assert.deepEqual(Object.keys(setCookies).sort(), cookies)
  for (const line of Object.values(setCookies)) assert.match(line, /^[\w-]+=; Path=\/; Max-Age=0; HttpOnly; SameSite=Lax(; Secure)?$/)
}

eachDatabase('A sign-out', (database) => {
  const started = sceneForSuite(database)

  /** Follows the redirect to Portaria with the person's browser; answers where that leads. */
  async function atPortaria({ browser }: Person, answer: Answer): Promise<string | undefined> {
    const { pathname, search } = answer.location ?? assert.fail('no redirect')
    const left = await browser.get(pathname + search, { 'sec-fetch-dest': 'document', 'sec-fetch-site': 'same-site' })
    return left.location?.href
  }

  it('from an app of the domain ends the session of the domain, in this app and all others', async () => {
    const scene = started()
    for (const init of [{ headers: OWN }, { headers: { 'sec-fetch-site': 'none' } }, POST]) {
      const app = scene.internal()
      const someone = await signedIn(scene, app)
      const shop = await scene.external({ confirmEverySeconds: 0 })
      const atShop = new Visitor(shop)
      await atShop.visit(await through(someone.browser, (await atShop.visit('/auth/sign-in')).location, someone.email))
      assert.equal(await reasonOf(atShop.session()), someone.id)
      const token = tokenOf(someone)
      const out = await someone.at.visit('/auth/sign-out?return_to=/bye', init)
      assert.equal(out.location?.origin + (out.location?.pathname ?? ''), `${scene.service.url}/auth/signout`)
      assertCleared(out, ['access_token', 'eg_session', 'portaria_arrived'])
      assert.equal(await reasonOf(someone.at.session()), 'no_session')
      assert.equal(await atPortaria(someone, out), `${INTERNAL}/bye`)
      assert.equal(await isLive(scene.service, token), false)
      assert.equal(await reasonOf(atShop.session()), 'ended')
      const carried = app.portaria.session({ headers: new Headers({ cookie: `eg_session=${token}` }) })
      assert.equal(await reasonOf(carried), 'ended', 'what was remembered of it is forgotten')
    }
  })

  it('from an external app ends its own session alone, and the next sign-in needs no password', async () => {
    const scene = started()
    const app = await scene.external()
    const someone = await signedIn(scene, app)
    const token = tokenOf(someone)
    const out = await someone.at.visit('/auth/sign-out?return_to=/bye', { headers: OWN })
    assert.deepEqual([out.status, out.headers.get('location')], [302, '/bye'])
    assertCleared(out, ['__Host-portaria_arrived', 'access_token', 'eg_session'])
    assert.equal(await isLive(scene.service, token, app.apiKey), false)
    assert.equal(await isLive(scene.service, someone.browser.cookies.get('eg_session') ?? ''), true)
    const back = await through(someone.browser, (await someone.at.visit('/auth/sign-in')).location, someone.email)
    assert.equal((await someone.at.visit(back)).status, 302)
    assert.equal(await reasonOf(someone.at.session()), someone.id)
  })

  it('from an external app, everywhere where that is asked for', async () => {
    const scene = started()
    const app = await scene.external()
    for (const leave of [
      (someone: Person) => someone.at.visit('/auth/sign-out?scope=everywhere&return_to=/bye', { headers: OWN }),
      async ({ at }: Person) => {
        const response = await app.portaria.signOut(at.request('/own-route', { method: 'POST' }), { scope: 'everywhere', returnTo: '/bye' })
        return { location: new URL(response.headers.get('location') ?? '') } as Answer
      },
    ]) {
      const someone = await signedIn(scene, app)
      const token = tokenOf(someone)
      const out = await leave(someone)
      assert.equal(await isLive(scene.service, token, app.apiKey), false)
      assert.equal(await atPortaria(someone, out), `${app.origin}/bye`)
      assert.equal(await isLive(scene.service, someone.browser.cookies.get('eg_session') ?? token), false)
    }
  })

  it('that a link on another site asks for is asked about, and the page’s button does it', async () => {
    const scene = started()
    for (const app of [scene.internal(), await scene.external()]) {
      const someone = await signedIn(scene, app)
      const token = tokenOf(someone)
      for (const site of ['cross-site', 'same-site']) {
        const page = await someone.at.visit('/auth/sign-out?return_to=//evil.example', { headers: { 'sec-fetch-site': site } })
        assert.deepEqual([page.status, page.setCookies], [200, {}])
        assert.match(page.text, /<form method="post" action="\/auth\/sign-out"><button>Sign out<\/button>/)
        assert.doesNotMatch(page.text, /evil/)
      }
      assert.equal(await reasonOf(someone.at.session()), someone.id)
      const pressed = await someone.at.visit('/auth/sign-out', { method: 'POST', headers: { ...OWN, origin: app.origin } })
      assert.equal(pressed.status, 302)
      assert.equal(await reasonOf(someone.at.session()), 'no_session')
      if (app.apiKey !== '') assert.equal(await isLive(scene.service, token, app.apiKey), false)
    }
  })

  it('is refused to the forms of other sites, with 403 and nothing done', async () => {
    const scene = started()
    for (const app of [scene.internal(), await scene.external()]) {
      const someone = await signedIn(scene, app)
      scene.front.asked()
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
        const answer = await someone.at.visit('/auth/sign-out?scope=everywhere', { method: 'POST', headers })
        assert.deepEqual([answer.status, answer.setCookies, answer.location], [403, {}, undefined])
      }
      assert.deepEqual(scene.front.asked(), [])
      assert.equal(await reasonOf(someone.at.session()), someone.id)
    }
  })

  it('is not made by an image, a frame, a script, a prefetch or a router that looks ahead', async () => {
    const scene = started()
    for (const app of [scene.internal(), await scene.external()]) {
      const someone = await signedIn(scene, app)
      scene.front.asked()
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
          const answer = await someone.at.visit('/auth/sign-out?scope=everywhere', { headers: { ...headers, 'sec-fetch-site': site } })
          assert.deepEqual([answer.status, answer.setCookies, answer.location], [403, {}, undefined])
        }
      }
      assert.deepEqual(scene.front.asked(), [])
      assert.equal(await reasonOf(someone.at.session()), someone.id)
    }
  })

  it('of several cookies ends the sessions of all', async () => {
    const scene = started()
    const app = await scene.external()
    const [one, other] = [await signedIn(scene, app), await signedIn(scene, app)]
    const tokens = [tokenOf(one), tokenOf(other)]
    one.at.domain.set('eg_session', tokens[1] ?? '')
    assert.equal(await reasonOf(one.at.session()), 'conflicting_sessions')
    await one.at.visit('/auth/sign-out', { headers: OWN })
    for (const token of tokens) assert.equal(await isLive(scene.service, token, app.apiKey), false)
  })

  it('of nobody does no harm', async () => {
    const scene = started()
    const app = await scene.external()
    scene.front.asked()
    const out = await new Visitor(app).visit('/auth/sign-out', { headers: OWN })
    assert.deepEqual([out.status, out.headers.get('location')], [302, '/'])
    assert.deepEqual(scene.front.asked(), [])
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
