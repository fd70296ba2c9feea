import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import fc from 'fast-check'
import { changeProduct, type ProductCreated } from '../../../src/products/index.ts'
import { type Browser, hiddenFlow } from '../../support/browser.ts'
import { oneDatabase } from '../../support/databases.ts'
import { flowIn } from '../../support/routes/raw-requests.ts'
import { PASSWORD, startForSuite, startService } from '../../support/service.ts'
import {
  assertRefused,
  EXTERNAL,
  goOn,
  INTERNAL,
  isLive,
  loginAddress,
  parameter,
  pass,
  sessionOf,
  signedIn,
  verify,
} from '../../support/users/sign-in-steps.ts'

const PAGES = ['/auth/continue', '/auth/welcome', '/complete-profile']
const EMAIL = 'ana@exemplo.com.br'
const CREDENTIALS = { email: EMAIL, password: PASSWORD }

async function openLogin(browser: Browser, query: Record<string, string>): Promise<string> {
  return hiddenFlow((await browser.get(loginAddress({ prompt: 'login', ...query }))).text)
}

/** Signs in up to the splash, whose flow is answered. */
async function reachWelcome(browser: Browser, query: Record<string, string> = { redirect_to: INTERNAL }): Promise<string> {
  const answer = await browser.submit('/login', { flow: await openLogin(browser, query), ...CREDENTIALS })
  assert.equal(answer.location?.pathname, '/auth/welcome', answer.text.slice(0, 200))
  return flowIn(answer.location)
}

async function assertDead(browser: Browser, flow: string, about: string): Promise<void> {
  for (const path of PAGES) {
    const answer = await browser.get(`${path}?${new URLSearchParams({ flow })}`)
    assert.equal(answer.status, 400, `${about} at ${path}`)
    assert.deepEqual(answer.headers.getSetCookie(), [])
  }
  assert.equal((await browser.get(`/login?${new URLSearchParams({ flow })}`)).status, 400, about)
  for (const path of ['/login', '/complete-profile'])
    assert.equal((await browser.submit(path, { flow, ...CREDENTIALS })).status, 400, `${about} posted to ${path}`)
}

oneDatabase('A sign-in under way', (database) => {
  const suite = startForSuite(database)
  let loja: ProductCreated
  before(async () => {
    const service = suite()
    await service.product({ slug: 'painel', uris: [INTERNAL, 'http://localhost:4005/a?b=c'] })
    loja = await service.product({ slug: 'loja', audience: 'external', checkout: 'external', uris: [EXTERNAL] })
    await service.user(EMAIL)
    await service.user('eva@exemplo.com.br', { name: 'Eva Atacante' })
  })

  it('12 (proof not bound to the browser): can be gone on with by the browser that began it and by no other, signed in or not', async () => {
    const service = suite()
    const ana = service.browser()
    const flow = await reachWelcome(ana)
    await assertDead(service.browser(), flow, 'another browser')
    await assertDead(await signedIn(service, 'eva@exemplo.com.br'), flow, "an attacker's browser")
    await assertDead(await signedIn(service, EMAIL), flow, 'another browser of the same user')
    assert.ok((await ana.get(`/auth/continue?${new URLSearchParams({ flow })}`)).location?.searchParams.get('eg_session'))
  })

  it('15 (login CSRF): takes no form with the flow of another browser, so that nobody is signed in as the attacker', async () => {
    const service = suite()
    const attackers = await openLogin(service.browser(), { redirect_to: INTERNAL })
    const victim = service.browser()
    await victim.get(loginAddress({ redirect_to: INTERNAL }))
    for (const headers of [{}, { origin: service.url }]) {
      const posted = await victim.submit('/login', { flow: attackers, email: 'eva@exemplo.com.br', password: PASSWORD }, headers)
      assert.equal(posted.status, 400)
      assert.deepEqual(posted.headers.getSetCookie(), [])
    }
  })

  it('15: takes no form that another site or another origin of the domain posts', async () => {
    const service = suite()
    const victim = service.browser()
    const flow = await openLogin(victim, { redirect_to: INTERNAL })
    const { port } = new URL(service.url)
    const own = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' }
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: '' },
      { origin: `http://app.localhost:${port}` },
      { origin: `http://localhost:${Number(port) + 1}` },
      { origin: `https://localhost:${port}` },
      { origin: `${service.url}/` },
      { origin: `${service.url}, https://evil.example` },
      { origin: service.url.toUpperCase() },
      { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
      ...['cross-site', 'same-site', 'none', '', 'SAME-ORIGIN'].map((site) => ({ 'sec-fetch-site': site })),
    ]
    for (const headers of foreign) {
      for (const path of ['/login', '/complete-profile']) {
        const posted = await victim.request('POST', path, {
          headers: { ...own, ...headers },
          body: new URLSearchParams({ flow, ...CREDENTIALS }).toString(),
        })
        assert.equal(posted.status, 403, JSON.stringify(headers))
        assert.deepEqual(posted.headers.getSetCookie(), [])
      }
    }
    const silent = await victim.request('POST', '/login', { headers: own, body: new URLSearchParams({ flow, ...CREDENTIALS }).toString() })
    assert.equal(silent.status, 302, 'a browser too old for either header is known by its flow')
  })

  it('15: with a wrong content type takes no form either, though the body looks like one', async () => {
    const service = suite()
    const victim = service.browser()
    const flow = await openLogin(victim, { redirect_to: INTERNAL })
    for (const type of ['text/plain', 'application/json', 'multipart/form-data; boundary=x', 'application/x-www-form-urlencodedx']) {
      const posted = await victim.submit('/login', { flow, ...CREDENTIALS }, { 'content-type': type })
      assert.equal(posted.status, 400, type)
    }
  })

  it('14 (session fixation): ends with fresh cookies, and what was planted before it is worth nothing afterwards', async () => {
    const service = suite()
    const eva = await signedIn(service, 'eva@exemplo.com.br')
    const planted = { session: sessionOf(eva), bound: eva.cookies.get('portaria') ?? assert.fail() }
    const victim = service.browser()
    victim.cookies.set('eg_session', planted.session)
    victim.cookies.set('portaria', planted.bound)
    victim.cookies.set('portaria_flow', 'planted.value')
    const flow = await openLogin(victim, { redirect_to: INTERNAL })
    const chosen = victim.cookies.get('portaria_flow')
    assert.ok(chosen !== undefined && chosen !== 'planted.value', 'a flow cookie that is none of ours is replaced')
    assert.equal((await victim.submit('/login', { flow, ...CREDENTIALS })).status, 302)
    assert.notEqual(victim.cookies.get('eg_session'), planted.session)
    assert.notEqual(victim.cookies.get('portaria'), planted.bound)
    assert.equal(await isLive(service, planted.session), false)
    for (const [session, bound] of [
      [planted.session, planted.bound],
      [sessionOf(victim), planted.bound],
      [planted.session, victim.cookies.get('portaria') ?? ''],
    ]) {
      const thief = service.browser()
      thief.cookies.set('eg_session', session ?? '').set('portaria', bound ?? '')
      assert.equal((await thief.get('/account')).location?.pathname, '/login')
    }
  })

  it('14: with two flow or bound cookies, one of them planted by a neighbour, believes neither', async () => {
    const service = suite()
    const ana = service.browser()
    const flow = await reachWelcome(ana)
    for (const name of ['portaria_flow', 'portaria']) {
      for (const cookie of [`${name}=planted; ${jar(ana)}`, `${jar(ana)}; ${name}=planted`]) {
        const answer = await service.browser({ cookie }).get(`/auth/continue?${new URLSearchParams({ flow })}`)
        assert.equal(answer.status, 400, cookie.slice(0, 40))
      }
    }
  })

  it('is worth nothing with any byte changed, cut, doubled or added', async () => {
    const service = suite()
    const ana = service.browser()
    const flow = await reachWelcome(ana)
    const letter = fc.constantFrom(...'Aa0_-.=+/ %~\u00e9')
    await fc.assert(
      fc.asyncProperty(fc.nat(flow.length), fc.nat(2), letter, async (at, gone, added) => {
        const changed = flow.slice(0, at) + added + flow.slice(at + gone)
        if (changed === flow) return
        const answer = await ana.get(`/auth/continue?${new URLSearchParams({ flow: changed })}`)
        assert.equal(answer.status, 400, changed)
      }),
      { numRuns: 120, seed: 4 },
    )
    for (const changed of [
      `${flow}.x`,
      `${flow}=`,
      `${flow} `,
      flow.slice(0, -1),
      flow.toUpperCase(),
      `${flow}${flow}`,
      flow.split('.').reverse().join('.'),
      '.',
      '',
      'x'.repeat(8_000),
    ]) {
      await assertDead(ana, changed, `changed to ${changed.slice(0, 30)}`)
    }
  })

  it("can't be turned to another product or address, nor to a product that has taken the address over", async () => {
    const service = suite()
    const deps = { ...service.context, actor: 'operator:test' }
    const uri = 'http://localhost:4010/cb'
    await service.product({ slug: 'antes', uris: [uri] })
    const browser = service.browser()
    const form = await openLogin(browser, { redirect_to: uri })
    const flow = await reachWelcome(browser, { redirect_to: uri })
    for (const extra of [
      { redirect_to: EXTERNAL },
      { redirect_uri: EXTERNAL },
      { target: EXTERNAL },
      { api_key: loja.product.publishableKey },
    ]) {
      const answer = await browser.get(`/auth/continue?${new URLSearchParams({ flow, ...extra })}`)
      assert.ok(answer.location?.href.startsWith(`${uri}?`), JSON.stringify(extra))
    }
    await changeProduct('antes', { removeUris: [uri] }, deps)
    await assertDead(browser, flow, 'address gone')
    assert.equal((await browser.submit('/login', { flow: form, ...CREDENTIALS })).status, 400)
    await service.product({ slug: 'depois', audience: 'external', checkout: 'external', uris: [uri] })
    await assertDead(browser, flow, 'address of another product')
    assert.equal((await browser.submit('/login', { flow: form, ...CREDENTIALS })).status, 400)
  })

  it('goes on for whoever is signed in now only after asking them, when that is someone else', async () => {
    const service = suite()
    const browser = service.browser()
    const anas = await reachWelcome(browser)
    const second = await browser.submit('/login', {
      flow: await openLogin(browser, { redirect_to: INTERNAL }),
      email: 'eva@exemplo.com.br',
      password: PASSWORD,
    })
    assert.equal(second.location?.pathname, '/auth/welcome')
    for (const path of PAGES) {
      const answer = await browser.get(`${path}?${new URLSearchParams({ flow: anas })}`)
      assert.equal(answer.status, 200, path)
      assert.equal(answer.location, undefined)
      assert.equal(answer.headers.get('refresh'), null)
      assert.match(answer.text, /Eva Atacante/)
      assert.doesNotMatch(answer.text, /eyJ[\w-]+\./)
    }
    const posted = await browser.submit('/complete-profile', { flow: anas, nda_accept: '1' })
    assert.equal(posted.location, undefined)
  })

  it('17 (parallel flows clobber): ends at its own target with its own state, whichever of five tabs and three apps finishes first', async () => {
    const service = suite()
    const targets = [
      { redirect_to: INTERNAL },
      { redirect_to: 'http://localhost:4005/a?b=c' },
      { redirect_to: EXTERNAL, api_key: loja.product.publishableKey },
      { redirect_uri: INTERNAL },
      { redirect_uri: 'http://localhost:4005/a?b=c' },
    ]
    const permutation = fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 })
    const orders = fc.sample(fc.tuple(permutation, permutation, permutation), { seed: 5, numRuns: 4 })
    for (const [opening, posting, leaving] of orders) {
      const browser = service.browser()
      const forms = new Map<number, string>()
      for (const tab of opening) {
        let page = await browser.get(loginAddress({ ...targets[tab], state: `tab-${tab}` }))
        if (page.location) page = await browser.get(page.location.href)
        forms.set(tab, hiddenFlow(page.text))
      }
      const flows = new Map<number, string>()
      for (const tab of posting) {
        const answer = await browser.submit('/login', { flow: forms.get(tab) ?? '', ...CREDENTIALS })
        flows.set(tab, flowIn(answer.location))
      }
      for (const tab of leaving) {
        const left = await goOn(browser, await browser.get(`/auth/welcome?${new URLSearchParams({ flow: flows.get(tab) ?? '' })}`))
        const uri = targets[tab]?.redirect_to ?? targets[tab]?.redirect_uri ?? ''
        assert.ok(left.location?.href.startsWith(uri), `${tab}: ${left.location}`)
        assert.equal(parameter(left.location, 'state'), `tab-${tab}`)
      }
    }
  })

  it('17: of two that are posted at once in one browser leaves that browser with the cookies of one session, and each flow with its own user', async () => {
    const service = suite()
    const browser = service.browser()
    const forms = [await openLogin(browser, { redirect_to: INTERNAL }), await openLogin(browser, { redirect_to: INTERNAL })]
    const [ana, eva] = await Promise.all([
      browser.submit('/login', { flow: forms[0] ?? '', ...CREDENTIALS }),
      browser.submit('/login', { flow: forms[1] ?? '', email: 'eva@exemplo.com.br', password: PASSWORD }),
    ])
    assert.deepEqual([ana.status, eva.status], [302, 302])
    const account = await browser.get('/account')
    const isAna = account.text.includes(EMAIL)
    assert.equal(account.status, 200)
    assert.notEqual(isAna, account.text.includes('eva@exemplo.com.br'))
    const [own, foreign] = isAna ? [ana, eva] : [eva, ana]
    assert.ok((await browser.follow(own)).location?.searchParams.has('eg_session'))
    assert.equal((await browser.follow(foreign)).location, undefined, "the other user's flow asks first")
  })

  it('leaves nothing behind on the way that a product may be given without having been shown to the user', async () => {
    const service = suite()
    const ze = await service.user('ze@exemplo.com.br')
    const browser = await signedIn(service, ze.email)
    const query = { redirect_to: EXTERNAL, api_key: loja.product.publishableKey }
    const silent = await browser.get(loginAddress(query))
    const shown = await browser.get(silent.location?.href ?? assert.fail())
    assert.equal(shown.location?.pathname, '/auth/welcome', 'the first handoff to an external product shows what it receives')
    const again = await browser.get(silent.location?.href ?? assert.fail())
    assert.equal(again.location?.pathname, '/auth/welcome', 'asking again does not go around it')
    assert.ok((await pass(browser, query)).searchParams.has('eg_token'))
    assert.equal(
      (await browser.get((await browser.get(loginAddress(query))).location?.href ?? assert.fail())).location?.host,
      new URL(EXTERNAL).host,
    )
  })
})

function jar(browser: Browser): string {
  return [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
}

oneDatabase('Time', (database) => {
  it('ends a sign-in under way after 30 minutes, a handoff after a minute and a session after 30 days, to the second', async () => {
    const clock = { now: Math.floor(Date.now() / 1000) * 1000 }
    const service = await startService(await database.fresh(), { clock })
    await service.product({ slug: 'painel', uris: [INTERNAL] })
    const { apiKey, product } = await service.product({ slug: 'loja', audience: 'external', checkout: 'external', uris: [EXTERNAL] })
    await service.user(EMAIL)
    const browser = service.browser()
    const begun = clock.now
    const flow = await reachWelcome(browser)
    const form = await openLogin(browser, { redirect_to: INTERNAL })
    const query = { redirect_to: EXTERNAL, api_key: product.publishableKey }
    const handoffs = [parameter(await pass(browser, query), 'eg_token'), parameter(await pass(browser, query), 'eg_token')]
    clock.now = begun + 59_999
    assert.equal((await verify(service, handoffs[0], apiKey)).status, 200)
    clock.now = begun + 60_000
    assertRefused(await verify(service, handoffs[1], apiKey), 401, 'invalid_token')
    clock.now = begun + 30 * 60_000 - 1
    assert.equal((await browser.get(`/auth/continue?${new URLSearchParams({ flow })}`)).status, 302)
    clock.now = begun + 30 * 60_000
    await assertDead(browser, flow, 'expired')
    await assertDead(browser, form, 'expired form')
    clock.now = begun + 30 * 86_400_000 - 1_000
    const session = sessionOf(browser)
    assert.equal(await isLive(service, session), true)
    clock.now = begun + 30 * 86_400_000 + 1_000
    assert.equal(await isLive(service, session), false)
    assert.equal((await browser.get('/account')).location?.pathname, '/login')
  })
})
