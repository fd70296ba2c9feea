import assert from 'node:assert/strict'
import { it } from 'node:test'
import * as oidc from 'openid-client'
import { changeProduct } from '../../../src/products/index.ts'
import type { Browser } from '../../support/browser.ts'
import { eachDatabase } from '../../support/databases.ts'
import { authorize, begin, continueLink, type OpenIdApp, openIdApp, redeem, signInTo, walk } from '../../support/openid/apps.ts'
import * as tricks from '../../support/routes/redirect-tricks.ts'
import { PASSWORD, startForSuite, startService } from '../../support/service.ts'
import { impersonateUser, stopImpersonation } from '../../support/users/impersonation.ts'
import { signedIn } from '../../support/users/sign-in-steps.ts'

const NATIVE = ['http://127.0.0.1/cb', 'http://[::1]/cb', 'com.example.app:/cb']

eachDatabase('An authorization request', (database) => {
  const started = startForSuite(database)

  /** The answer of the authorization endpoint to a request with these parameters instead of the usual ones. */
  async function ask(app: OpenIdApp, parameters: Record<string, string>, browser: Browser = started().browser()) {
    const { url } = await begin(app, parameters)
    return browser.get(url.pathname + url.search)
  }
  // The error of an answer. It stands in the fragment if the flow would answer there.
  const errorOf = (url: URL | undefined) => url?.searchParams.get('error') ?? new URLSearchParams(url?.hash.slice(1)).get('error')

  it('leads to its registered redirect URIs alone, byte for byte', async () => {
    const service = started()
    const app = await openIdApp(service, { uris: ['https://app.ok.example/cb', 'https://foo.ok.example/cb?tenant=7'] })
    const { email } = await service.user('bytes@exemplo.com.br')
    const browsers = [service.browser(), await signedIn(service, email)]
    for (const uri of Object.values(tricks).flat()) {
      for (const browser of browsers) {
        const answer = await ask(app, { redirect_uri: uri }, browser)
        assert.equal(answer.status, 400, uri)
        assert.equal(answer.location, undefined, uri)
        assert.equal(answer.headers.get('refresh'), null)
      }
    }
  })

  it('of a native app may name any port of its loopback address, and of nobody else', async () => {
    const service = started()
    const native = await openIdApp(service, {
      uris: [],
      openid: { kind: 'native' },
      change: { addUris: NATIVE.map((uri) => ({ uri, trusted: false })) },
    })
    const isAccepted = async (app: OpenIdApp, redirectUri: string) => (await ask(app, { redirect_uri: redirectUri })).status === 303
    for (const uri of ['http://127.0.0.1:51004/cb', 'http://[::1]:1/cb', 'http://127.0.0.1/cb', 'com.example.app:/cb'])
      assert.equal(await isAccepted(native, uri), true, uri)
    for (const uri of [
      'http://127.0.0.1:51004/cb/',
      'http://127.0.0.1:51004/CB',
      'http://127.0.0.2:51004/cb',
      'http://localhost:51004/cb',
      'https://127.0.0.1:51004/cb',
      'http://127.0.0.1:51004@evil.example/cb',
      'http://user@127.0.0.1:51004/cb',
      'http://127.0.0.1.evil.example:1/cb',
      'http://127.0.0.1:99999/cb',
      'com.example.app:/cb/x',
      'com.example.app://cb',
      'com.example.ap:/cb',
    ])
      assert.equal(await isAccepted(native, uri), false, uri)
    const web = await openIdApp(service, { uris: ['http://127.0.0.1:4009/cb'] })
    assert.equal(await isAccepted(web, 'http://127.0.0.1:4010/cb'), false)
  })

  it('of a native app gives nothing to a program while the user touches nothing', async () => {
    const service = started()
    const openid = { kind: 'native' } as const
    for (const audience of ['internal', 'external'] as const) {
      const claimed = `https://claimed.ok.example/${audience}`
      const uris = [`http://127.0.0.1/${audience}`, `http://[::1]/${audience}`, `com.example.${audience}:/cb`, claimed]
      const change = { addUris: uris.map((uri) => ({ uri, trusted: false })) }
      const app = await openIdApp(service, { uris: [], openid, change, audience, name: 'Terminal' })
      const of = (redirectUri: string): OpenIdApp => ({ ...app, redirectUri })
      const { email } = await service.user(`native-${audience}@exemplo.com.br`, { name: 'Ana Souza' })
      const browser = service.browser()
      // A sign-in in this very flow is an answer.
      const first = await begin(of(`http://127.0.0.1:50001/${audience}`))
      await redeem(app, await authorize(browser, first, email), first)
      for (const uri of [`http://127.0.0.1:50002/${audience}`, `http://[::1]:50003/${audience}`, `com.example.${audience}:/cb`]) {
        assert.equal(errorOf((await ask(of(uri), { prompt: 'none' }, browser)).location), 'interaction_required', `${audience} ${uri}`)
        service.clock.now += 1_000
        const begun = await begin(of(uri))
        const page = await browser.follow(await browser.get(begun.url.pathname + begun.url.search))
        assert.deepEqual([page.status, page.headers.get('refresh')], [200, null])
        assert.match(page.text, /Terminal/)
        assert.match(page.text, /Continuar como Ana Souza/)
        const link = continueLink(page) ?? assert.fail()
        const stranger = await signedIn(service, (await service.user(`native-${audience}-${uri.length}@exemplo.com.br`)).email)
        assert.equal((await stranger.follow(await stranger.get(link))).location?.searchParams.get('code') ?? undefined, undefined)
        await redeem(of(uri), (await browser.get(link)).location ?? assert.fail(), begun)
      }
      // An address that only the app itself can claim needs no question.
      assert.equal(errorOf((await ask(of(claimed), { prompt: 'none' }, browser)).location), null)
    }
  })

  it('of a native app can go on as somebody else', async () => {
    const service = started()
    const app = await openIdApp(service, { uris: ['http://127.0.0.1/outra'], openid: { kind: 'native' } })
    const [one, other] = [await service.user('native-one@exemplo.com.br'), await service.user('native-other@exemplo.com.br')]
    const browser = await signedIn(service, one.email)
    const begun = await begin(app)
    const page = await browser.follow(await browser.get(begun.url.pathname + begun.url.search))
    const link = /href="(\/login\?flow[^"]+)"/.exec(page.text)?.[1]?.replaceAll('&#61;', '=') ?? assert.fail(page.text)
    const left = await walk(browser, await browser.get(link), other.email)
    assert.equal((await redeem(app, left.location ?? assert.fail(), begun)).claims()?.sub, other.id)
  })

  it('must use PKCE with S256, unless its product lets an old client go without', async () => {
    const service = started()
    const app = await openIdApp(service)
    for (const change of [
      { code_challenge: '' },
      { code_challenge_method: 'plain' },
      { code_challenge_method: 'none' },
      { code_challenge: 'short' },
    ])
      assert.equal(errorOf((await ask(app, change)).location), 'invalid_request', JSON.stringify(change))
    const without = (await begin(app)).url
    for (const name of ['code_challenge', 'code_challenge_method']) without.searchParams.delete(name)
    assert.equal(errorOf((await service.browser().get(without.pathname + without.search)).location), 'invalid_request')
    const old = await openIdApp(service, { openid: { pkce: 'optional' } })
    const query = new URLSearchParams({ client_id: old.clientId, redirect_uri: old.redirectUri, response_type: 'code', scope: 'openid' })
    assert.equal((await service.browser().get(`/openid/authorize?${query}`)).location?.pathname, '/login')
    for (const kind of ['browser', 'native'] as const) {
      const refused = await changeProduct(old.slug, { openid: { kind } }, { ...service.context, actor: 'operator:test' })
      assert.deepEqual(refused, { refusal: 'pkce_needs_web' })
    }
  })

  it('gets no other flow, no request object, and nothing of what it does not know', async () => {
    const app = await openIdApp(started())
    const refused: Array<[Record<string, string>, string]> = [
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ response_type: 'id_token' }, 'unsupported_response_type'],
      [{ response_type: 'code id_token' }, 'unsupported_response_type'],
      [{ request: 'eyJhbGciOiJub25lIn0.e30.' }, 'request_not_supported'],
      [{ request_uri: 'https://evil.example/request.jwt' }, 'request_uri_not_supported'],
      [{ resource: 'https://unknown.example/' }, 'invalid_target'],
      [{ prompt: 'none login' }, 'invalid_request'],
      [{ max_age: '-1' }, 'invalid_request'],
    ]
    for (const [parameters, error] of refused) {
      const { location } = await ask(app, parameters)
      assert.equal(errorOf(location), error, JSON.stringify(parameters))
      assert.equal(`${location?.origin}${location?.pathname}`, app.redirectUri)
      assert.ok(location?.href.includes(encodeURIComponent(started().url)))
    }
    assert.equal((await ask(app, { whatever: 'x' })).status, 303)
  })

  it('of an unknown client gets our own page, in the language of the reader', async () => {
    const app = await openIdApp(started())
    const titles = {
      'pt-BR': /Este app não está bem configurado/,
      en: /This app is not set up correctly/,
      es: /Esta app no está bien configurada/,
    }
    for (const [language, said] of Object.entries(titles)) {
      const { url } = await begin(app, { client_id: 'pk_nobody' })
      const answer = await started()
        .browser({ 'accept-language': language })
        .get(url.pathname + url.search)
      assert.equal(answer.status, 400)
      assert.match(answer.text, said)
      assert.match(answer.text, /invalid_client/)
      assert.match(answer.headers.get('content-security-policy') ?? '', /script-src 'self';/)
    }
  })

  it('with prompt=none gets a code or the error of what is missing, never a page', async () => {
    const service = started()
    const [internal, external] = [await openIdApp(service), await openIdApp(service, { audience: 'external' })]
    const silent = async (app: OpenIdApp, browser: Browser) => errorOf((await ask(app, { prompt: 'none' }, browser)).location)
    assert.equal(await silent(internal, service.browser()), 'login_required')
    const { email } = await service.user('silent@exemplo.com.br')
    const browser = await signedIn(service, email)
    assert.equal(await silent(internal, browser), null)
    assert.equal(await silent(external, browser), 'consent_required')
    const missing = await service.user('incomplete@exemplo.com.br', { profile: 'missing' })
    assert.equal(await silent(internal, await signedIn(service, missing.email)), 'interaction_required')
  })

  it('of an external product is agreed to as its page says, even if the product may see more by the time of the click', async () => {
    const service = started()
    const app = await openIdApp(service, { audience: 'external', scopes: ['read:profile'] })
    const { email, id } = await service.user('consent-grows@exemplo.com.br')
    const browser = await signedIn(service, email)
    const begun = await begin(app)
    const page = await browser.follow(await browser.get(begun.url.pathname + begun.url.search))
    assert.doesNotMatch(page.text, /Seu e-mail/)
    const operator = { ...service.context, actor: 'operator:test' as const }
    assert.ok(!('refusal' in (await changeProduct(app.slug, { scopes: ['read:profile', 'read:email'] }, operator))))
    const again = await browser.follow(await browser.get(continueLink(page) ?? assert.fail(page.text)))
    const { db } = service.context.storage
    const consents = () => db.selectFrom('consents').select('scopes').where('user_id', '=', id).execute()
    assert.deepEqual([again.location, again.status, await consents()], [undefined, 200, []])
    assert.match(again.text, /e-mail/)
    await redeem(app, (await walk(browser, again)).location ?? assert.fail(), begun)
    assert.deepEqual((await consents())[0]?.scopes.split(' ').sort(), ['read:email', 'read:profile'])
  })

  it('of an external product shows once what the app receives, and again where it asks for consent', async () => {
    const service = started()
    const app = await openIdApp(service, { audience: 'external', name: 'Loja' })
    const { email } = await service.user('consent@exemplo.com.br')
    const browser = service.browser()
    const begun = await begin(app)
    const first = await browser.submit('/login', { flow: await flowOf(browser, begun.url), email, password: PASSWORD })
    const splash = await browser.get(first.location?.href ?? assert.fail())
    assert.match(splash.text, /Loja/)
    assert.match(splash.text, /e-mail/)
    // It waits for a click: a window in the background must not consent.
    assert.equal(splash.headers.get('refresh'), null)
    assert.doesNotMatch(splash.text, /countdown/)
    await redeem(app, (await walk(browser, splash)).location ?? assert.fail(), begun)
    const silent = await begin(app)
    await redeem(app, await authorize(browser, silent), silent)
    const asked = await begin(app, { prompt: 'consent' })
    const answer = await browser.get(asked.url.pathname + asked.url.search)
    assert.equal(answer.location?.pathname, '/auth/continue')
    const page = await browser.follow(answer)
    assert.deepEqual([page.status, page.headers.get('refresh')], [200, null])
    await redeem(app, (await walk(browser, page)).location ?? assert.fail(), asked)
  })

  it('gives no code while an owner acts for the user, neither of the user nor of the owner', async () => {
    const service = started()
    const { browser } = await impersonateUser(service, 'openid')
    for (const audience of ['internal', 'external'] as const)
      for (const prompt of ['none', 'login', 'consent', '']) {
        const answer = await ask(await openIdApp(service, { audience }), prompt === '' ? {} : { prompt }, browser)
        const left = await browser.follow(answer)
        assert.equal(left.location?.searchParams.get('code') ?? undefined, undefined, `${audience} ${prompt}`)
        assert.ok(left.status >= 400 || errorOf(left.location) === 'login_required' || /name="password"/.test(left.text), left.text)
      }
    await stopImpersonation(browser)
    const app = await openIdApp(service)
    assert.equal(errorOf((await ask(app, { prompt: 'none' }, browser)).location) === 'login_required', false)
  })

  it('with prompt=login or max_age is answered only by a sign-in of its own', async () => {
    const service = started()
    const app = await openIdApp(service)
    const { id, email } = await service.user('again@exemplo.com.br')
    const browser = await signedIn(service, email)
    for (const parameters of [{ prompt: 'login' }, { max_age: '0' }, { prompt: 'select_account' }] as Array<Record<string, string>>) {
      service.clock.now += 5_000
      const begun = await begin(app, parameters)
      const answer = await browser.get(begun.url.pathname + begun.url.search)
      assert.equal(answer.location?.pathname, '/login', JSON.stringify(parameters))
      // The flow by itself, without a sign-in in it, leads nowhere else.
      const flow = answer.location?.searchParams.get('flow') ?? assert.fail()
      const back = await browser.get(`/openid/authorize?resume=${encodeURIComponent(flow)}`)
      assert.equal(back.location?.pathname, '/login')
      service.clock.now += 1_000
      const page = await browser.submit('/login', { flow, email, password: PASSWORD })
      const tokens = await redeem(app, (await browser.follow(page)).location ?? assert.fail(), begun)
      assert.equal(tokens.claims()?.auth_time, Math.floor(service.clock.now / 1000))
    }
    const age = (ms: number) =>
      service.context.storage.db
        .updateTable('sessions')
        .set((e) => ({ authenticated_at: e('authenticated_at', '-', ms) }))
        .where('user_id', '=', id)
        .execute()
    await age(9_900_000)
    const young = await begin(app, { max_age: '10000' })
    await redeem(app, await authorize(browser, young), young)
    await age(200_000)
    const old = await begin(app, { max_age: '10000' })
    assert.equal((await browser.get(old.url.pathname + old.url.search)).location?.pathname, '/login', 'over 10,000 seconds')
  })

  it('goes on in the browser that began it, and with what it asked for', async () => {
    const service = started()
    const app = await openIdApp(service)
    const { email } = await service.user('bound@exemplo.com.br')
    const begun = await begin(app)
    const browser = service.browser()
    const flow = await flowOf(browser, begun.url)
    const page = await browser.submit('/login', { flow, email, password: PASSWORD })
    const resume = page.location?.searchParams.get('flow') ?? assert.fail()
    const stranger = await signedIn(service, (await service.user('stranger@exemplo.com.br')).email)
    const answer = await stranger.get(`/openid/authorize?resume=${encodeURIComponent(resume)}`)
    assert.notEqual(answer.status, 303)
    assert.equal(answer.location?.searchParams.get('code') ?? null, null)
    const altered = await browser.get(
      `/openid/authorize?resume=${encodeURIComponent(resume)}&redirect_uri=https://evil.example/&scope=email&state=evil`,
    )
    assert.equal(`${altered.location?.origin}${altered.location?.pathname}`, app.redirectUri)
    assert.equal(altered.location?.searchParams.get('state'), begun.state)
  })

  it('of a stranger writes no row and sets no cookie of the library', async () => {
    const service = started()
    const app = await openIdApp(service)
    const { db } = service.context.storage
    const count = async () =>
      Promise.all((['openid_tokens', 'sessions'] as const).map(async (table) => (await db.selectFrom(table).selectAll().execute()).length))
    const before = await count()
    for (let n = 0; n < 20; n++) {
      const answer = await ask(app, {})
      assert.deepEqual(
        answer.headers.getSetCookie().map((cookie) => cookie.split('=')[0]),
        ['portaria_flow'],
      )
    }
    assert.deepEqual(await count(), before)
  })

  it('pushed by clients without a secret is counted by network, so that nobody fills the table', async () => {
    const service = started()
    const app = await openIdApp(service, { openid: { kind: 'browser' } })
    const { url } = await begin(app)
    const push = (fields: string) =>
      service.browser().request('POST', '/openid/par', { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: fields })
    assert.equal((await push(url.searchParams.toString())).status, 201)
    assert.equal((await push(`${url.searchParams}&login_hint=${'x'.repeat(6_000)}`)).status, 400)
    const answers = await Promise.all(Array.from({ length: 305 }, () => push('client_id=pk_unknown&client_secret=')))
    assert.ok(answers.some(({ status }) => status === 429))
    assert.ok((await push(url.searchParams.toString())).headers.get('retry-after'))
  })

  it('that was pushed serves one user, also where a sign-in comes between', async () => {
    const service = started()
    const app = await openIdApp(service)
    const [one, other] = [await service.user('pushed-one@exemplo.com.br'), await service.user('pushed-other@exemplo.com.br')]
    const begun = await begin(app)
    const url = await oidc.buildAuthorizationUrlWithPAR(app.client, begun.url.searchParams)
    const open = (browser: Browser) => browser.get(url.pathname + url.search)
    const [browser, second] = [service.browser(), service.browser()]
    const page = await open(browser)
    assert.equal(page.location?.pathname, '/login')
    const late = await walk(second, await open(second), other.email)
    assert.deepEqual([late.status, late.location], [400, undefined])
    assert.match(late.text, /invalid_request_uri/)
    await redeem(app, (await walk(browser, page, one.email)).location ?? assert.fail(), begun)
    const racers = await oidc.buildAuthorizationUrlWithPAR(app.client, begun.url.searchParams)
    const answers = await Promise.all(Array.from({ length: 20 }, () => service.browser().get(racers.pathname + racers.search)))
    assert.equal(answers.filter(({ location }) => location?.pathname === '/login').length, 1)
  })

  it('that was pushed for refresh tokens asks to share once, and each time that its client wishes', async () => {
    const service = started()
    const app = await openIdApp(service, { audience: 'external' })
    const { email } = await service.user('pushed-consent@exemplo.com.br')
    const browser = service.browser()
    const scope = 'openid offline_access'
    await signInTo(app, browser, email, { scope })
    const shown = async (parameters: Record<string, string>, beside = '') => {
      const { url } = await begin(app, { scope, ...parameters })
      const pushed = await oidc.buildAuthorizationUrlWithPAR(app.client, url.searchParams)
      return (await browser.get(pushed.pathname + pushed.search + beside)).location?.pathname
    }
    assert.equal(await shown({}), new URL(app.redirectUri).pathname)
    assert.equal(await shown({ prompt: 'consent' }), '/auth/continue')
    assert.equal(await shown({ prompt: 'consent' }, '&scope=openid%20offline_access'), '/auth/continue')
  })

  it('never gives an app more than its scopes allow, in whatever way it asks', async () => {
    const service = started()
    const app = await openIdApp(service, { scopes: ['read:profile'] })
    const { email } = await service.user('scopes@exemplo.com.br')
    const claims = JSON.stringify({ id_token: { email: { essential: true } }, userinfo: { email: null, name: null } })
    const tokens = await signInTo(app, service.browser(), email, { scope: 'openid profile email', claims })
    assert.equal(tokens.claims()?.email, undefined)
    assert.ok(!tokens.scope?.includes('email'))
    const userinfo = await fetch(`${service.url}/openid/userinfo`, { headers: { authorization: `Bearer ${tokens.access_token}` } })
    const said = (await userinfo.json()) as Record<string, unknown>
    assert.equal(said.email, undefined)
    assert.ok(said.name)
  })

  it('shows the address that the client expects, in the language that it wishes, and asks nobody else', async () => {
    const service = started()
    const app = await openIdApp(service)
    const hints = {
      login_hint: 'ana@exemplo.com.br"><b>',
      ui_locales: 'fr es',
      display: 'popup',
      claims_locales: 'pt',
      acr_values: 'mfa urn:other',
    }
    const browser = service.browser()
    const page = await browser.follow(await ask(app, hints, browser))
    assert.match(page.text, /value="ana@exemplo.com.br&#34;&#62;&#60;b&#62;"/)
    assert.match(page.text, /<html lang="es">/)
    // With an ID token of another user it is that user who is asked for.
    const [one, other] = [await service.user('hinted@exemplo.com.br'), await service.user('not-hinted@exemplo.com.br')]
    const own = service.browser()
    const { id_token = assert.fail() } = await signInTo(app, own, one.email)
    const silent = async (by: Browser) => errorOf((await ask(app, { prompt: 'none', id_token_hint: id_token }, by)).location)
    assert.equal(await silent(own), null)
    const others = await signedIn(service, other.email)
    assert.equal(await silent(others), 'login_required')
    const begun = await begin(app, { id_token_hint: id_token })
    service.clock.now += 1_000
    assert.equal(errorOf(await authorize(others, begun, other.email)), 'login_required')
  })

  it('with acr as essential asks for a second factor, and says mfa where one was shown', async () => {
    const service = started()
    const app = await openIdApp(service)
    const { email, id } = await service.user('acr@exemplo.com.br')
    const browser = await signedIn(service, email)
    const claims = JSON.stringify({ id_token: { acr: { essential: true, values: ['mfa'] } } })
    const silent = async () => errorOf((await ask(app, { prompt: 'none', claims }, browser)).location)
    assert.equal(await silent(), 'login_required')
    assert.equal((await signInTo(app, browser, email)).claims()?.acr, undefined)
    await service.context.storage.db
      .updateTable('sessions')
      .set((e) => ({ second_factor_at: e.ref('authenticated_at') }))
      .where('user_id', '=', id)
      .execute()
    assert.equal(await silent(), null)
    const said = (await signInTo(app, browser, email)).claims()
    assert.deepEqual([said?.acr, said?.amr], ['mfa', ['mfa']])
  })

  it('by a form becomes a navigation, so that it carries the cookies of the browser', async () => {
    const service = started()
    const app = await openIdApp(service)
    const { email } = await service.user('form@exemplo.com.br')
    const browser = await signedIn(service, email)
    const begun = await begin(app)
    const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://app.example' }
    const posted = await browser.request('POST', '/openid/authorize', { headers, body: begun.url.searchParams.toString() })
    assert.equal(posted.status, 303)
    await redeem(app, (await browser.follow(posted)).location ?? assert.fail(), begun)
  })

  async function flowOf(browser: Browser, url: URL): Promise<string> {
    const { location } = await browser.get(url.pathname + url.search)
    const flow = location?.searchParams.get('flow') ?? assert.fail()
    await browser.get(`/login?flow=${encodeURIComponent(flow)}`)
    return flow
  }
})

eachDatabase('Without a product that speaks OpenID Connect', (database) => {
  it('every endpoint of it is unknown, and the metadata names the exchange of a session', async () => {
    const service = await startService(await database.fresh())
    for (const path of ['/openid/authorize', '/openid/userinfo', '/openid/logout', '/.well-known/openid-configuration'])
      assert.equal((await service.browser().get(path, { accept: 'application/json' })).status, 404, path)
    assert.equal((await service.browser().request('POST', '/openid/token')).status, 404)
    const { token_endpoint } = (await service.browser().get('/.well-known/oauth-authorization-server')).json<{ token_endpoint: string }>()
    assert.equal(token_endpoint, `${service.url}/auth/token`)
  })
})
