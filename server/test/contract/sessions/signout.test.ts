import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Answer } from '../../support/browser.ts'
import { oneDatabase } from '../../support/databases.ts'
import { startForSuite, startService, type TestService } from '../../support/service.ts'
import {
  assertPage,
  assertRefused,
  isLive,
  loginAddress,
  parameter,
  pass,
  post,
  sessionOf,
  setCookies,
  signedIn,
  verify,
} from '../../support/users/sign-in-steps.ts'

const APP = 'http://app.example:8080'
const CLEARED = {
  eg_session: 'eg_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
  portaria: 'portaria=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
}

const signOut = (redirectTo: string) => `/auth/signout?redirect_to=${encodeURIComponent(redirectTo)}`

/** An answer that ended nothing. */
function assertNothing(answer: Answer): void {
  assert.equal(answer.status, 200)
  assert.deepEqual(setCookies(answer), {})
  assert.equal(answer.location, undefined)
}

let users = 0
async function someone(service: TestService) {
  const user = await service.user(`sai${++users}@exemplo.com.br`)
  const browser = await signedIn(service, user.email)
  return { user, browser, token: sessionOf(browser) }
}

oneDatabase('/auth/signout', (database) => {
  const started = startForSuite(database)

  it('clears session and bound cookie, ends the session and shows the signed-out page with 200', async () => {
    const service = started()
    for (const method of ['GET', 'POST']) {
      const { browser, token } = await someone(service)
      const headers = {
        accept: 'text/html',
        ...(method === 'POST' && { 'content-type': 'application/x-www-form-urlencoded', origin: service.url }),
      }
      const page = await browser.request(method, '/auth/signout', { headers, ...(method === 'POST' && { body: '' }) })
      assertPage(page, 200)
      assert.match(page.text, /Você saiu/)
      assert.deepEqual(setCookies(page), CLEARED)
      assert.equal(await isLive(service, token), false)
      assertPage(await browser.get('/login'), 200)
    }
  })

  it('clears the cookie of the domain, and one of this host alone', async () => {
    const environment = { PORTARIA_URL: 'https://sso.exemplo.com.br', PORTARIA_COOKIE_DOMAIN: 'exemplo.com.br' }
    const service = await startService(await database.fresh(), { environment })
    const { browser } = await someone(service)
    const lines = (await browser.get('/auth/signout')).headers.getSetCookie()
    assert.deepEqual(lines, [
      'eg_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Domain=exemplo.com.br; Secure',
      'eg_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure',
      '__Host-portaria=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure',
    ])
  })

  it('redirects with 302 to any address on the origin of a registered redirect URI, and to hosts of the internal domain', async () => {
    const service = started()
    await service.product({ slug: 'saida', audience: 'external', uris: ['https://app.example/callback'] })
    for (const target of ['https://app.example/bye?x=1&y=%20', 'https://app.example/', 'http://localhost:9999/bye', 'https://localhost/']) {
      const answer = await service.browser().get(signOut(target))
      assert.equal(answer.status, 302)
      assert.equal(answer.headers.get('location'), target)
      assert.deepEqual(setCookies(answer), CLEARED)
      assert.equal(answer.headers.get('cache-control'), 'no-store')
    }
  })

  it('leads to no other address: the signed-out page comes instead, signed out all the same', async () => {
    const service = started()
    for (const target of [
      'https://evil.example/',
      'http://app.example/',
      APP,
      '//evil.example',
      '/\\evil.example',
      'javascript:alert(1)',
      'data:text/html,x',
      'https://app.example@evil.example/',
      'https://user@localhost/',
      'https://localhost.evil.example/',
      'not an address',
      '',
    ]) {
      const { browser, token } = await someone(service)
      const page = await browser.get(signOut(target))
      assertPage(page, 200)
      assert.equal(page.location, undefined)
      assert.equal(await isLive(service, token), false)
    }
  })

  it('takes only https hosts of the internal domain where the service itself is on https', async () => {
    const environment = { PORTARIA_URL: 'https://sso.exemplo.com.br', PORTARIA_COOKIE_DOMAIN: 'exemplo.com.br' }
    const service = await startService(await database.fresh(), { environment })
    assert.equal(
      (await service.browser().get(signOut('https://any.exemplo.com.br/bye'))).headers.get('location'),
      'https://any.exemplo.com.br/bye',
    )
    assertPage(await service.browser().get(signOut('http://any.exemplo.com.br/bye')), 200)
  })

  it('ends the sessions of external products with the one they came from', async () => {
    const service = started()
    const { product, apiKey } = await service.product({ slug: 'filha', audience: 'external', uris: ['https://child.example/callback'] })
    const { browser } = await someone(service)
    const handoff = parameter(
      await pass(browser, { redirect_to: 'https://child.example/callback', api_key: product.publishableKey }),
      'eg_token',
    )
    const { eg_session } = (await verify(service, handoff, apiKey)).json<{ eg_session: string }>()
    assert.equal(await isLive(service, eg_session, apiKey), true)
    await browser.get('/auth/signout')
    assert.equal(await isLive(service, eg_session, apiKey), false)
  })

  it('works without any session', async () => {
    assertPage(await started().browser().get('/auth/signout'), 200)
  })

  it("does nothing behind the user's back: an image, a frame, a fetch, another site's form", async () => {
    const service = started()
    const { browser, token } = await someone(service)
    for (const destination of ['image', 'iframe', 'empty', 'script', 'style']) {
      assertNothing(await browser.get(signOut('http://localhost:9999/'), { 'sec-fetch-dest': destination }))
    }
    const form = { 'sec-fetch-dest': 'document', 'content-type': 'application/x-www-form-urlencoded' }
    assertNothing(
      await browser.request('POST', '/auth/signout', {
        headers: { ...form, 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
        body: '',
      }),
    )
    assertNothing(
      await browser.request('POST', '/auth/signout', {
        headers: { 'content-type': form['content-type'], origin: 'https://evil.example' },
        body: '',
      }),
    )
    assert.equal(await isLive(service, token), true)
  })

  it('works from a link on any site, and from a form of a sister app', async () => {
    const service = started()
    const link = await someone(service)
    await link.browser.get('/auth/signout', { 'sec-fetch-dest': 'document', 'sec-fetch-site': 'cross-site' })
    assert.equal(await isLive(service, link.token), false)
    const form = await someone(service)
    const headers = {
      'sec-fetch-dest': 'document',
      'sec-fetch-site': 'same-site',
      origin: 'https://app.exemplo.com.br',
      'content-type': 'text/plain',
    }
    await form.browser.request('POST', '/auth/signout', { headers, body: '' })
    assert.equal(await isLive(service, form.token), false)
  })

  it("lets a product end its own session, and no one else's, with its key", async () => {
    const service = started()
    const { product, apiKey } = await service.product({ slug: 'encerra', audience: 'external', uris: ['https://end.example/callback'] })
    const other = await service.product({ slug: 'alheia', audience: 'external' })
    const { browser, token } = await someone(service)
    const query = { redirect_to: 'https://end.example/callback', api_key: product.publishableKey }
    const { eg_session } = (await verify(service, parameter(await pass(browser, query), 'eg_token'), apiKey)).json<{ eg_session: string }>()
    assertRefused(await post(service, '/auth/signout', { eg_session }, 'sk_wrong'), 401, 'invalid_api_key')
    assertRefused(await post(service, '/auth/signout', {}, apiKey), 400, 'eg_session ausente')
    for (const [session, key] of [
      [eg_session, other.apiKey],
      [token, apiKey],
    ] as const) {
      assert.deepEqual((await post(service, '/auth/signout', { eg_session: session }, key)).json(), { signed_out: false })
    }
    assert.equal(await isLive(service, eg_session, apiKey), true)
    const ended = await post(service, '/auth/signout', { eg_session }, apiKey)
    assert.deepEqual([ended.status, ended.json()], [200, { signed_out: true }])
    assert.equal(await isLive(service, eg_session, apiKey), false)
    assert.equal(await isLive(service, token), true, "the domain's session goes on")
    assert.ok((await browser.get(loginAddress(query))).location?.pathname === '/auth/continue')
  })
})
