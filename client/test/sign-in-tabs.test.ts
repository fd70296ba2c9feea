import assert from 'node:assert/strict'
import { it } from 'node:test'
import { eachDatabase } from '../../server/test/support/databases.ts'
import { parameter } from '../../server/test/support/users/sign-in-steps.ts'
import { fixtureForSuite, reasonOf, signedIn, signIn, through, user, Visitor } from './fixture.ts'
import { assertNotice } from './sign-in-steps.ts'

eachDatabase('A sign-in begun in several tabs', (database) => {
  const started = fixtureForSuite(database)

  it('finishes in each, in any order, each at its own place', async () => {
    const fixture = started()
    for (const [app, order] of [
      [fixture.internal(), [4, 0, 3, 1, 2]],
      [await fixture.external(), [2, 1, 4, 3, 0]],
    ] as const) {
      const { at, browser, email } = await user(fixture, app)
      const tabs: Array<URL | undefined> = []
      for (const tab of order.keys()) tabs.push((await at.open(`/auth/sign-in?return_to=/tab-${tab}`)).location)
      const backs: URL[] = []
      for (const tab of tabs) backs.push(await through(browser, tab, email))
      for (const tab of order) assert.equal((await at.open(backs[tab] ?? '')).headers.get('location'), `/tab-${tab}`)
      assert.equal((await at.session()).status, 'signed_in')
      assert.equal([...at.cookies.keys()].filter((name) => name.includes('attempt')).length, 0)
    }
  })

  it('keeps eight, and forgets the oldest beyond', async () => {
    const fixture = started()
    const app = fixture.internal()
    const { at, browser, email } = await user(fixture, app)
    const tabs: Array<URL | undefined> = []
    for (let tab = 0; tab < 12; tab++) {
      app.clock.now += 1
      tabs.push((await at.open(`/auth/sign-in?return_to=/tab-${tab}`)).location)
    }
    assert.equal([...at.cookies.keys()].filter((name) => name.includes('attempt')).length, 8)
    const oldest = await through(browser, tabs[3], email)
    assertNotice(await at.open(oldest), 400, 'This sign-in was not started here')
    assert.equal((await at.open(await through(browser, tabs[4], email))).headers.get('location'), '/tab-4')
  })

  it('keeps fewer of long addresses, so that the header of cookies stays below what servers refuse', async () => {
    const at = new Visitor(started().internal())
    for (let tab = 0; tab < 12; tab++) await at.open(`/auth/sign-in?return_to=/${'x'.repeat(1000)}${tab}`)
    assert.ok((at.request('/').headers.get('cookie') ?? '').length < 3200)
    assert.ok(at.cookies.size >= 2)
  })
})

eachDatabase("Somebody else's sign-in", (database) => {
  const started = fixtureForSuite(database)

  /** An attacker's own sign-in, up to the address that would finish it. */
  async function trap(fixture: ReturnType<typeof started>, app: Parameters<typeof user>[1]) {
    const attacker = await user(fixture, app)
    return { attacker, url: await through(attacker.browser, (await attacker.at.open('/auth/sign-in')).location, attacker.email) }
  }

  it("is refused in a victim's browser: the attacker's address, with the attacker's token and state", async () => {
    const fixture = started()
    for (const app of [fixture.internal(), await fixture.external()]) {
      const { attacker, url } = await trap(fixture, app)
      const victim = await user(fixture, app)
      for (const prepare of [
        async () => {},
        async () => void (await victim.at.open('/auth/sign-in')),
        async () => void (await signIn(victim)),
      ]) {
        await prepare()
        fixture.proxy.asked()
        assertNotice(await victim.at.open(url), 400, 'This sign-in was not started here')
        assert.deepEqual(fixture.proxy.asked(), [], 'the token is not even looked at')
      }
      const session = await victim.at.session()
      assert.equal(session.status === 'signed_in' && session.user.id, victim.id)
      assert.equal((await attacker.at.open(url)).status, 302, 'in the browser that began it, it is good')
    }
  })

  it('is refused without a state, with an altered, a foreign and an old one, and by the cookie of another attempt', async () => {
    const fixture = started()
    const app = fixture.internal()
    const { url } = await trap(fixture, app)
    const token = url.searchParams.get('eg_session') ?? ''
    const at = new Visitor(app)
    const own = (await at.open('/auth/sign-in')).location?.searchParams.get('state') ?? ''
    const other = (await at.open('/auth/sign-in')).location?.searchParams.get('state') ?? ''
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
      assertNotice(await at.open(`/auth/callback?${query}`), 400, 'This sign-in was not started here')
    }
    assert.equal((await at.session()).status, 'signed_out')
    // A browser whose own clock is behind sends what is old as well.
    const headers = { cookie: at.request('/').headers.get('cookie') ?? '' }
    const back = `/auth/callback?eg_session=${token}&state=${own}`
    app.clock.now += 1_800_001
    assertNotice(await at.open(back, { headers }), 400, 'This sign-in was not started here')
    app.clock.now -= 1_800_001
    assert.equal((await at.open(back, { headers })).status, 302, 'the state itself was good')
  })

  it('is refused at another app of the same host: cookies know of no ports, attempts do', async () => {
    const fixture = started()
    const neighbour = new Visitor(fixture.internal({ appUrl: 'http://localhost:4002' }))
    const state = parameter((await neighbour.open('/auth/sign-in?return_to=/neighbour')).location ?? assert.fail(), 'state')
    const app = fixture.internal()
    const attacker = await user(fixture, app)
    const back = await through(attacker.browser, (await attacker.at.open('/auth/sign-in')).location, attacker.email)
    back.searchParams.set('state', state)
    const at = new Visitor(app)
    for (const [name, value] of neighbour.cookies) at.cookies.set(name, value)
    assertNotice(await at.open(back), 400, 'This sign-in was not started here')
    assert.equal(await reasonOf(at.session()), 'no_session')
  })

  it('is refused a second time, since a state is good once', async () => {
    const fixture = started()
    const { at, browser, email } = await user(fixture, fixture.internal())
    const back = await through(browser, (await at.open('/auth/sign-in')).location, email)
    assert.equal((await at.open(back)).status, 302)
    assertNotice(await at.open(back), 400, 'This sign-in was not started here')
  })

  it('can’t be planted by a sibling subdomain: over https the attempt and its cookie are of this host alone', async () => {
    const fixture = started()
    const app = await fixture.external()
    const left = await new Visitor(app).open('/auth/sign-in')
    const [name = '', line = ''] = Object.entries(left.setCookies)[0] ?? []
    assert.match(name, /^__Host-portaria_attempt_[\w-]{8}$/)
    assert.match(line, /; Path=\/; Max-Age=1800; HttpOnly; SameSite=Lax; Secure$/)
    const { at } = await signedIn(fixture, app)
    assert.ok(at.cookies.has('__Host-portaria_arrived'))
    at.cookies.clear()
    at.cookies.set('portaria_arrived', '1')
    assert.equal((await at.open('/auth/sign-in')).location?.pathname, '/auth/login', "a sibling's does not keep anybody out")
  })
})
