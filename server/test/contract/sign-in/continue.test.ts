import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { MINUTE_MS } from '../../../src/kit/index.ts'
import { apiKeyStore, revokeApiKey } from '../../../src/products/index.ts'
import { oneDatabase } from '../../support/databases.ts'
import { PASSWORD, startForSuite, startService } from '../../support/service.ts'
import {
  assertOwnRedirect,
  assertPage,
  check,
  decode,
  enter,
  isLive,
  loginAddress,
  parameter,
  pass,
  sessionOf,
  shareLink,
  signedIn,
  splashTarget,
  verify,
} from '../../support/users/sign-in-steps.ts'

oneDatabase('From the splash to the app', (database) => {
  const started = startForSuite(database)

  it('goes through a splash of 4 seconds, a Refresh header with a visible link, and no token in the page', async () => {
    const service = started()
    const user = await service.user('splash@exemplo.com.br', { name: 'Sara Splash' })
    const target = 'http://localhost:6001/callback'
    await service.product({ slug: 'splash', uris: [target] })
    const browser = service.browser()
    const page = await browser.get(
      assertOwnRedirect(
        await browser.signIn(loginAddress({ redirect_to: target }), { email: user.email, password: PASSWORD }),
        '/auth/welcome',
      ),
    )
    assertPage(page, 200)
    const next = splashTarget(page)
    assert.match(next, /^\/auth\/continue\?flow=[\w.-]+$/)
    assert.ok(page.text.replaceAll('&#61;', '=').includes(`href="${next}"`))
    assert.match(page.text, /Olá, Sara!/)
    assert.doesNotMatch(page.text, /http-equiv/i)
    assert.doesNotMatch(page.text, /eyJ|eg_session|eg_token/)
    assert.doesNotMatch(next, /eg_session|eg_token/)
  })

  it('answers continue with 302, no-store and no referrer, and the session in eg_session for an internal target', async () => {
    const service = started()
    const user = await service.user('interna@exemplo.com.br')
    const target = 'http://localhost:6002/callback'
    await service.product({ slug: 'interna', uris: [target] })
    const browser = service.browser()
    const login = await browser.signIn(loginAddress({ redirect_to: target, state: 'x y' }), { email: user.email, password: PASSWORD })
    const answer = await browser.get(splashTarget(await browser.get(assertOwnRedirect(login, '/auth/welcome'))))
    assert.equal(answer.status, 302)
    assert.equal(answer.text, '')
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    assert.equal(answer.headers.get('referrer-policy'), 'no-referrer')
    const token = parameter(answer.location, 'eg_session')
    assert.equal(answer.headers.get('location'), `${target}?eg_session=${token}&state=x%20y`)
    assert.equal(decode(token).claims.sid, decode(sessionOf(browser)).claims.sid, "the live session's own sid")
    assert.equal(await isLive(service, token), true)
  })

  it('mints again when it is repeated', async () => {
    const service = started()
    const user = await service.user('repete@exemplo.com.br')
    const target = 'http://localhost:6003/callback'
    await service.product({ slug: 'repete', uris: [target] })
    const browser = await signedIn(service, user.email)
    const next = assertOwnRedirect(await browser.get(loginAddress({ redirect_to: target })), '/auth/continue')
    const tokens = [await browser.get(next), await browser.get(next)].map(({ location }) => parameter(location, 'eg_session'))
    assert.notEqual(tokens[0], tokens[1])
    for (const token of tokens) assert.equal(await isLive(service, token), true)
  })

  it('mints sixty handoffs of a user to a product in a quarter of an hour, and as many to another product', async () => {
    const service = started()
    const user = await service.user('laco@exemplo.com.br')
    const [loop, other] = ['http://localhost:6031/callback', 'http://localhost:6032/callback']
    await service.product({ slug: 'laco', handoff: 'eg_token', uris: [loop] })
    await service.product({ slug: 'outro', handoff: 'eg_token', uris: [other] })
    const browser = await signedIn(service, user.email)
    const addressOf = async (target: string) =>
      assertOwnRedirect(await browser.get(loginAddress({ redirect_to: target })), '/auth/continue')
    const next = await addressOf(loop)
    for (let n = 0; n < 60; n++) assert.ok(parameter((await browser.get(next)).location, 'eg_token'))
    const refused = await browser.get(next)
    assertPage(refused, 429)
    assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/)
    assert.ok(parameter((await browser.get(await addressOf(other))).location, 'eg_token'))
    service.clock.now += 15 * MINUTE_MS
    assert.ok(parameter((await browser.get(await addressOf(loop))).location, 'eg_token'))
  })

  it('leads to the account when no app asked', async () => {
    const service = started()
    const user = await service.user('semapp@exemplo.com.br')
    const browser = service.browser()
    const login = await browser.signIn('/login', { email: user.email, password: PASSWORD })
    const end = await browser.follow(login)
    assertPage(end, 200)
    assert.match(end.text, /semapp@exemplo\.com\.br/)
  })

  describe('appends', () => {
    it('nothing to an internal target on another domain (3b)', async () => {
      const service = started()
      const user = await service.user('tresb@exemplo.com.br')
      const target = 'https://other-domain.example/callback?keep=1'
      await service.product({ slug: 'tresb', uris: [target] })
      assert.equal((await enter(service.browser(), user.email, { redirect_to: target })).href, target)
      assert.equal((await enter(service.browser(), user.email, { redirect_to: target, state: 'q' })).href, `${target}&state=q`)
    })

    it('eg_session to an internal target on another domain that the operator registered as trusted (3)', async () => {
      const service = started()
      const user = await service.user('confiada@exemplo.com.br')
      const target = 'https://trusted-domain.example/callback'
      await service.product({ slug: 'confiada', trusted: [target] })
      const end = await enter(service.browser(), user.email, { redirect_to: target })
      assert.equal(await isLive(service, parameter(end, 'eg_session')), true)
    })

    it('eg_token to an internal target of a product with the handoff eg_token, and eg_session once it has no API key', async () => {
      const service = started()
      const user = await service.user('servidor@exemplo.com.br')
      const target = 'http://localhost:6004/callback'
      const { product, apiKey } = await service.product({ slug: 'servidor', handoff: 'eg_token', uris: [target] })
      const browser = await signedIn(service, user.email)
      const end = await pass(browser, { redirect_to: target })
      assert.equal(end.searchParams.get('eg_session'), null)
      const { eg_session } = (await verify(service, parameter(end, 'eg_token'), apiKey)).json<{ eg_session: string }>()
      assert.equal(decode(eg_session).claims.aud, service.url, "the domain's session")
      assert.equal(decode(eg_session).claims.sid, decode(sessionOf(browser)).claims.sid)
      assert.equal(await isLive(service, eg_session), true)
      const [key] = await apiKeyStore(service.context.storage.db).listApiKeys(product.id)
      await revokeApiKey(product, key?.id ?? '', { ...service.context, actor: 'operator:test' })
      assert.equal(await isLive(service, parameter(await pass(browser, { redirect_to: target }), 'eg_session')), true)
    })

    it('eg_token to an external target that was named with its publishable key, in both variants', async () => {
      const service = started()
      const user = await service.user('externa@exemplo.com.br')
      const target = 'https://shop.example/callback?a=b'
      const { product } = await service.product({ slug: 'externa', audience: 'external', uris: [target] })
      for (const name of ['redirect_to', 'redirect_uri']) {
        const end = await enter(service.browser(), user.email, { [name]: target, api_key: product.publishableKey, state: 'z' })
        const token = parameter(end, 'eg_token')
        assert.equal(end.href, `${target}&eg_token=${token}&state=z`)
        assert.equal(decode(token).header.typ, 'eg-token+jwt')
      }
    })

    it('nothing to an external target that was not named with its key, on the internal domain or off it', async () => {
      const service = started()
      const user = await service.user('anonima@exemplo.com.br')
      for (const [slug, target] of [
        ['anonima-1', 'https://anonymous.example/callback'],
        ['anonima-2', 'http://localhost:6005/callback'],
      ] as const) {
        await service.product({ slug, audience: 'external', uris: [target] })
        assert.equal((await enter(service.browser(), user.email, { redirect_to: target, state: 'q' })).href, `${target}?state=q`)
      }
    })

    it('eg_session below the cookie domain and nothing beside it', async () => {
      const environment = { PORTARIA_URL: 'https://sso.exemplo.com.br', PORTARIA_COOKIE_DOMAIN: 'exemplo.com.br' }
      const service = await startService(await database.fresh(), { environment })
      const user = await service.user('dominio@exemplo.com.br')
      const on = ['https://exemplo.com.br/cb', 'https://app.exemplo.com.br/cb', 'https://a.b.exemplo.com.br:8443/cb']
      const off = ['https://notexemplo.com.br/cb', 'https://exemplo.com.br.evil.example/cb']
      await service.product({ slug: 'dominio', uris: [...on, ...off] })
      for (const target of on) assert.ok(parameter(await enter(service.browser(), user.email, { redirect_to: target }), 'eg_session'))
      for (const target of off) assert.equal((await enter(service.browser(), user.email, { redirect_to: target })).href, target)
    })
  })

  describe('shows at the first handoff to an external product what it receives, and', () => {
    it('lets the user cancel, which shares nothing and is asked again', async () => {
      const service = started()
      const user = await service.user('cancela@exemplo.com.br')
      const target = 'https://cancel.example/callback'
      const { product } = await service.product({ slug: 'cancela', name: 'Cancela', audience: 'external', uris: [target] })
      const query = { redirect_to: target, api_key: product.publishableKey }
      const browser = await signedIn(service, user.email)
      const welcome = assertOwnRedirect(
        await browser.get(assertOwnRedirect(await browser.get(loginAddress(query)), '/auth/continue')),
        '/auth/welcome',
      )
      const page = await browser.get(welcome)
      assertPage(page, 200)
      assert.equal(page.headers.get('refresh'), null)
      assert.doesNotMatch(page.text, /countdown|4 segundos/)
      assert.match(page.text, /Cancela vai receber:/)
      assert.match(page.text, /Seu perfil: nome, foto, empresa e plano/)
      assert.match(page.text, /Seu e-mail/)
      assert.match(page.text, /<a class="button button-secondary" href="\/account">Cancelar<\/a>/)
      const consents = await service.context.storage.db.selectFrom('consents').selectAll().where('user_id', '=', user.id).execute()
      assert.deepEqual(consents, [])
      assertOwnRedirect(await browser.get(assertOwnRedirect(await browser.get(loginAddress(query)), '/auth/continue')), '/auth/welcome')
    })

    it('waits for a click, records the consent, goes on by the splash, and asks no more', async () => {
      const service = started()
      const user = await service.user('consente@exemplo.com.br')
      const target = 'https://consent.example/callback'
      const { product } = await service.product({ slug: 'consente', audience: 'external', uris: [target], scopes: ['read:profile'] })
      const query = { redirect_to: target, api_key: product.publishableKey }
      const browser = service.browser()
      const login = await browser.signIn(loginAddress(query), { email: user.email, password: PASSWORD })
      const page = await browser.get(assertOwnRedirect(login, '/auth/welcome'))
      assert.doesNotMatch(page.text, /Seu e-mail/)
      const link = shareLink(page) ?? assert.fail(page.text)
      // A request that a browser, or a program in it, makes by itself is no click.
      for (const [method, headers] of [
        ['HEAD', {}],
        ['GET', { 'sec-purpose': 'prefetch' }],
        ['GET', { 'sec-fetch-dest': 'image' }],
        ['GET', { 'sec-fetch-dest': 'iframe' }],
      ] as const)
        assertOwnRedirect(await browser.request(method, link, { headers }), '/auth/welcome')
      const consents = () => service.context.storage.db.selectFrom('consents').selectAll().where('user_id', '=', user.id).execute()
      assert.deepEqual(await consents(), [])
      const clicked = assertOwnRedirect(await browser.get(link), '/auth/welcome')
      assert.ok(parameter((await browser.get(splashTarget(await browser.get(clicked)))).location, 'eg_token'))
      const [consent] = await consents()
      assert.deepEqual([consent?.product_id, consent?.scopes], [product.id, 'read:profile'])
      const silent = await browser.get(assertOwnRedirect(await browser.get(loginAddress(query)), '/auth/continue'))
      assert.ok(parameter(silent.location, 'eg_token'), 'no splash any more')
      await service.context.storage.db
        .updateTable('products')
        .set({ scopes: 'read:email read:profile' })
        .where('id', '=', product.id)
        .execute()
      const wider = await browser.get(assertOwnRedirect(await browser.get(loginAddress(query)), '/auth/continue'))
      assertOwnRedirect(wider, '/auth/welcome')
    })
  })

  it('sends whoever has not finished the profile back to it, from welcome and from continue', async () => {
    const service = started()
    const user = await service.user('incompleta@exemplo.com.br', { profile: 'missing' })
    const target = 'http://localhost:6006/callback'
    await service.product({ slug: 'incompleta', uris: [target] })
    const browser = service.browser()
    const login = await browser.signIn(loginAddress({ redirect_to: target }), { email: user.email, password: PASSWORD })
    const profile = assertOwnRedirect(login, '/complete-profile')
    for (const path of ['/auth/welcome', '/auth/continue'])
      assertOwnRedirect(await browser.get(profile.replace('/complete-profile', path)), '/complete-profile')
    const silent = await browser.get(assertOwnRedirect(await browser.get(loginAddress({ redirect_to: target })), '/auth/continue'))
    assertOwnRedirect(silent, '/complete-profile')
  })

  it('leads from the root to the account of who is signed in, and everyone else to the login', async () => {
    const service = started()
    const user = await service.user('raiz@exemplo.com.br')
    assertOwnRedirect(await service.browser().get('/'), '/login')
    const browser = await signedIn(service, user.email)
    assertOwnRedirect(await browser.get('/'), '/account')
    assert.deepEqual(await check(service, `eg_session=${sessionOf(browser)}`), {
      authenticated: true,
      session: { sub: user.id, email: user.email, name: 'Ana Flávia Conceição', is_producer: false, is_beta: false, plan_slug: null },
    })
  })
})
