import assert from 'node:assert/strict'
import { it } from 'node:test'
import { changeProduct, createProduct } from '../../../src/products/index.ts'
import { hiddenFlow } from '../../support/browser.ts'
import { oneDatabase } from '../../support/databases.ts'
import { PASSWORD, startForSuite, startService, type TestService } from '../../support/service.ts'
import {
  assertOwnRedirect,
  assertPage,
  assertRefused,
  decode,
  loginAddress,
  sessionOf,
  signedIn,
  splashTarget,
} from '../../support/users/sign-in-steps.ts'

const MINUTE_MS = 60_000
const JSON_PLEASE = { accept: 'application/json' }

let ports = 5000
/** A product with an address of its own; answers the address. */
async function newTarget(service: TestService): Promise<string> {
  const port = ++ports
  const uri = `http://localhost:${port}/callback`
  await service.product({ slug: `app-${port}`, uris: [uri] })
  return uri
}

/** A sign-in that has come as far as the splash; answers the addresses of splash and continue. */
async function reachSplash(service: TestService, email: string, target: string) {
  const browser = service.browser()
  const answer = await browser.signIn(loginAddress({ redirect_to: target, state: 's' }), { email, password: PASSWORD })
  const welcome = assertOwnRedirect(answer, '/auth/welcome')
  return { browser, welcome, goOn: splashTarget(await browser.get(welcome)) }
}

oneDatabase('The flow of a sign-in', (database) => {
  const started = startForSuite(database)

  it('opens in the browser that began it and in no other, at every step', async () => {
    const service = started()
    const user = await service.user('dono@exemplo.com.br')
    const target = await newTarget(service)
    const { welcome, goOn } = await reachSplash(service, user.email, target)
    const other = await signedIn(service, user.email)
    for (const path of [welcome, goOn, welcome.replace('/auth/welcome', '/complete-profile'), welcome.replace('/auth/welcome', '/login')]) {
      assertPage(await other.get(path), 400)
      const refused = await other.request('GET', path, { headers: JSON_PLEASE })
      assertRefused(refused, 400, 'fluxo invalido ou expirado')
      assert.equal(refused.location, undefined)
    }
    const flow = new URL(welcome, service.url).searchParams.get('flow') ?? ''
    assertRefused(
      await other.submit('/login', { flow, email: user.email, password: PASSWORD }, JSON_PLEASE),
      400,
      'fluxo invalido ou expirado',
    )
    assertRefused(await other.submit('/complete-profile', { flow }, JSON_PLEASE), 400, 'fluxo invalido ou expirado')
  })

  it('is refused when any byte of it was altered, and when it is absent', async () => {
    const service = started()
    const user = await service.user('alterada@exemplo.com.br')
    const { browser, goOn } = await reachSplash(service, user.email, await newTarget(service))
    const flow = new URL(goOn, service.url).searchParams.get('flow') ?? ''
    for (const at of [0, 8, 9, Math.floor(flow.length / 2), flow.length - 2]) {
      const altered = flow.slice(0, at) + (flow[at] === 'A' ? 'B' : 'A') + flow.slice(at + 1)
      assertRefused(await browser.request('GET', `/auth/continue?flow=${altered}`), 400, 'fluxo invalido ou expirado')
    }
    for (const path of ['/auth/continue', '/auth/continue?flow=', '/auth/welcome', '/complete-profile', '/login?flow=x']) {
      assertRefused(await browser.request('GET', path), 400, 'fluxo invalido ou expirado')
    }
  })

  it('ends after 30 minutes', async () => {
    const service = await startService(await database.fresh())
    const user = await service.user('lenta@exemplo.com.br')
    const target = await newTarget(service)
    const browser = service.browser()
    const flow = hiddenFlow((await browser.get(loginAddress({ redirect_to: target }))).text)
    service.clock.now += 30 * MINUTE_MS - 1
    const inTime = await browser.submit('/login', { flow, email: user.email, password: PASSWORD })
    const welcome = assertOwnRedirect(inTime, '/auth/welcome')
    service.clock.now += 1
    assertPage(await browser.submit('/login', { flow, email: user.email, password: PASSWORD }), 400)
    assertPage(await browser.get(welcome), 200)
    service.clock.now += 30 * MINUTE_MS
    assertPage(await browser.get(welcome), 400)
  })

  it('lets three tabs sign in to three products at once and finish in another order, each with its own target and state', async () => {
    const service = started()
    const user = await service.user('abas@exemplo.com.br')
    const targets = [await newTarget(service), await newTarget(service), await newTarget(service)]
    const browser = service.browser()
    const forms = []
    for (const [tab, target] of targets.entries()) {
      const name = tab === 1 ? 'redirect_uri' : 'redirect_to'
      let page = await browser.get(loginAddress({ [name]: target, state: `tab ${tab}` }))
      if (page.location) page = await browser.get(page.location.href)
      forms.push(hiddenFlow(page.text))
    }
    for (const tab of [2, 0, 1]) {
      const end = await browser.follow(await browser.submit('/login', { flow: forms[tab] ?? '', email: user.email, password: PASSWORD }))
      assert.ok(end.headers.get('location')?.startsWith(`${targets[tab]}?eg_session=`))
      assert.equal(end.location?.searchParams.get('state'), `tab ${tab}`)
    }
  })

  it('writes nothing by GET: a login may be opened any number of times', async () => {
    const service = started()
    const user = await service.user('leitura@exemplo.com.br')
    const target = await newTarget(service)
    const { browser, welcome, goOn } = await reachSplash(service, user.email, target)
    const { db } = service.context.storage
    const tables = (await db.introspection.getTables()).map(({ name }) => name)
    assert.ok(tables.includes('sessions'))
    const whole = async () =>
      Promise.all(
        tables.map(
          async (table) =>
            (
              await db
                .selectFrom(table as 'sessions')
                .selectAll()
                .execute()
            ).length,
        ),
      )
    await browser.get(goOn) // that the user has opened this app is noted once (decision 175)
    const before = await whole()
    for (const path of [
      loginAddress({ redirect_to: target }),
      loginAddress({ redirect_uri: target, prompt: 'login' }),
      '/login',
      welcome,
      goOn,
    ]) {
      for (const reader of [browser, service.browser()]) await reader.get(path)
    }
    assert.deepEqual(await whole(), before)
  })

  it('stops at continue when the target is no longer registered', async () => {
    const service = started()
    const user = await service.user('removida@exemplo.com.br')
    const target = await newTarget(service)
    const { browser, goOn } = await reachSplash(service, user.email, target)
    const slug = `app-${new URL(target).port}`
    await changeProduct(slug, { removeUris: [target] }, { ...service.context, actor: 'operator:test' })
    const refused = await browser.get(goOn)
    assertPage(refused, 400)
    assert.equal(refused.location, undefined)
  })

  it('stops at continue when the target has gone over to another product', async () => {
    const service = started()
    const user = await service.user('mudada@exemplo.com.br')
    const target = await newTarget(service)
    const { browser, goOn } = await reachSplash(service, user.email, target)
    const deps = { ...service.context, actor: 'operator:test' }
    await changeProduct(`app-${new URL(target).port}`, { removeUris: [target] }, deps)
    const base = { audience: 'internal', checkout: 'integrated', handoff: 'eg_session', scopes: [], queryKeyAllowed: true } as const
    const uris = [{ uri: target, trusted: false }]
    assert.ok('product' in (await createProduct({ ...base, slug: `new-${new URL(target).port}`, name: 'New', redirectUris: uris }, deps)))
    assertPage(await browser.get(goOn), 400)
  })

  it('needs a live session at continue: after a sign-out it mints nothing', async () => {
    const service = started()
    const user = await service.user('saiu@exemplo.com.br')
    const { browser, goOn } = await reachSplash(service, user.email, await newTarget(service))
    await browser.get('/auth/signout')
    const refused = await browser.get(goOn)
    assertPage(refused, 400)
    assert.equal(refused.location, undefined)
  })

  it('needs the bound cookie at welcome, continue, complete-profile and account: a stolen eg_session opens none of them', async () => {
    const service = started()
    const user = await service.user('roubada@exemplo.com.br')
    const { browser, welcome, goOn } = await reachSplash(service, user.email, await newTarget(service))
    browser.cookies.delete('portaria')
    for (const path of [welcome, goOn, welcome.replace('/auth/welcome', '/complete-profile')]) assertPage(await browser.get(path), 400)
    assertOwnRedirect(await browser.get('/account'), '/login')
    assertOwnRedirect(await browser.get('/'), '/login')
  })

  it('asks with which account to go on when someone else has signed in since in this browser', async () => {
    const service = started()
    const ana = await service.user('ana.abas@exemplo.com.br', { name: 'Ana Primeira' })
    const bia = await service.user('bia.abas@exemplo.com.br', { name: 'Bia Segunda' })
    const target = await newTarget(service)
    const { browser, goOn } = await reachSplash(service, ana.email, target)
    await browser.signIn(loginAddress({ redirect_to: target, prompt: 'login' }), { email: bia.email, password: PASSWORD })
    const asked = await browser.get(goOn)
    assertPage(asked, 200)
    assert.equal(asked.location, undefined)
    assert.match(asked.text, /Bia Segunda/)
    const href = /href="(\/auth\/continue\?[^"]+)"/.exec(asked.text)?.[1]?.replaceAll('&#61;', '=').replaceAll('&#38;', '&') ?? ''
    const end = await browser.get(href)
    assert.ok(end.headers.get('location')?.startsWith(`${target}?eg_session=`))
    assert.equal(decode(end.location?.searchParams.get('eg_session') ?? '').claims.sub, bia.id)
    assert.equal(decode(sessionOf(browser)).claims.sub, bia.id)
  })
})
