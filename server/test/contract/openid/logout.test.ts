import assert from 'node:assert/strict'
import { it } from 'node:test'
import { decodeJwt, SignJWT } from 'jose'
import * as oidc from 'openid-client'
import { findUser } from '../../../src/admin/index.ts'
import { productStore } from '../../../src/products/index.ts'
import { issueLogoutToken } from '../../../src/sessions/logout/logout-token.ts'
import { createKeyRing } from '../../../src/sessions/signing-keys/key-ring.ts'
import type { Answer } from '../../support/browser.ts'
import { oneDatabase } from '../../support/databases.ts'
import { begin, type OpenIdApp, openIdApp, signInTo } from '../../support/openid/apps.ts'
import { startForSuite } from '../../support/service.ts'
import { isLive, sessionOf, signedIn } from '../../support/users/sign-in-steps.ts'

let users = 0

/** The link of the page that asks. */
function confirmLink({ text }: Answer): string {
  const link = /href="(\/openid\/logout\/confirm[^"]+)"/.exec(text)?.[1] ?? assert.fail(text)
  return link.replaceAll('&#61;', '=')
}

oneDatabase('RP-initiated logout', (database) => {
  const started = startForSuite(database)

  async function signedInTo(app: OpenIdApp) {
    const service = started()
    const { email } = await service.user(`logout${++users}@exemplo.com.br`)
    const browser = service.browser()
    const tokens = await signInTo(app, browser, email, { scope: 'openid offline_access' })
    return { browser, tokens, hint: tokens.id_token ?? assert.fail(), session: sessionOf(browser) }
  }
  const app = () => openIdApp(started(), { openid: { postLogoutUris: ['https://app.example/bye', 'https://app.example/bye?x=1'] } })
  const logout = (parameters: Record<string, string>) => `/openid/logout?${new URLSearchParams(parameters)}`
  const BYE = 'https://app.example/bye'

  it('with an ID token of the user ends the session in every app, and leads back with the state', async () => {
    const of = await app()
    const { browser, hint, session, tokens } = await signedInTo(of)
    const answer = await browser.get(logout({ id_token_hint: hint, post_logout_redirect_uri: BYE, state: 'a b&c' }))
    assert.deepEqual([answer.status, answer.location?.href], [302, `${BYE}?state=a%20b%26c`])
    assert.equal(await isLive(started(), session), false)
    await assert.rejects(oidc.refreshTokenGrant(of.client, tokens.refresh_token ?? assert.fail()))
    assert.equal(browser.cookies.has('eg_session'), false)
  })

  it('keeps the query of a registered address, and adds no state where none was given', async () => {
    const of = await app()
    const { browser, hint } = await signedInTo(of)
    const answer = await browser.get(logout({ id_token_hint: hint, post_logout_redirect_uri: `${BYE}?x=1` }))
    assert.equal(answer.location?.href, `${BYE}?x=1`)
  })

  it('without an ID token asks the user first; then it leads back all the same', async () => {
    const of = await app()
    const { browser, session } = await signedInTo(of)
    const page = await browser.get(logout({ client_id: of.clientId, post_logout_redirect_uri: BYE, state: 's' }))
    assert.equal(page.status, 200)
    assert.match(page.text, /Sair da conta\?/)
    assert.equal(await isLive(started(), session), true)
    const confirm = confirmLink(page)
    const stranger = await signedIn(started(), (await started().user(`logout${++users}@exemplo.com.br`)).email)
    assert.equal((await stranger.get(confirm)).status, 400)
    const answer = await browser.get(confirm)
    assert.equal(answer.location?.href, `${BYE}?state=s`)
    assert.equal(await isLive(started(), session), false)
  })

  it('with nothing at all, or with a state alone, asks, and ends at our own page', async () => {
    for (const parameters of [{}, { state: 's' }] as Array<Record<string, string>>) {
      const { browser, session } = await signedInTo(await app())
      const page = await browser.get(logout(parameters))
      const confirm = confirmLink(page)
      const answer = await browser.get(confirm)
      assert.deepEqual([answer.status, answer.location], [200, undefined])
      assert.match(answer.text, /Você saiu/)
      assert.equal(await isLive(started(), session), false)
    }
  })

  it('is refused with an address that is not registered, and with an ID token that is none of ours', async () => {
    const of = await app()
    const { browser, hint, session } = await signedInTo(of)
    const [head, payload = '', signature] = hint.split('.')
    const other = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`
    const modified = `${head}.${Buffer.from(JSON.stringify({ ...other, sub: 'x' })).toString('base64url')}.${signature}`
    const keyed = await new SignJWT(other).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(of.secret))
    const foreign = await openIdApp(started())
    const refused: Array<Record<string, string>> = [
      { id_token_hint: hint, post_logout_redirect_uri: 'https://evil.example/' },
      { id_token_hint: hint, post_logout_redirect_uri: `${BYE}/` },
      { id_token_hint: hint, post_logout_redirect_uri: `${BYE}?x=2` },
      { id_token_hint: hint, post_logout_redirect_uri: `${BYE}#` },
      { id_token_hint: hint, post_logout_redirect_uri: 'javascript:alert(1)' },
      { id_token_hint: hint, post_logout_redirect_uri: of.redirectUri },
      { id_token_hint: hint, client_id: foreign.clientId },
      { client_id: foreign.clientId, post_logout_redirect_uri: BYE },
      { client_id: 'pk_nobody', post_logout_redirect_uri: BYE },
      { id_token_hint: modified, post_logout_redirect_uri: BYE },
      { id_token_hint: unsigned, post_logout_redirect_uri: BYE },
      { id_token_hint: keyed, post_logout_redirect_uri: BYE },
      { id_token_hint: session, post_logout_redirect_uri: BYE },
      { id_token_hint: 'x', post_logout_redirect_uri: BYE },
    ]
    for (const parameters of refused) {
      const answer = await browser.get(logout(parameters))
      assert.deepEqual([answer.status, answer.location], [400, undefined], JSON.stringify(parameters))
      assert.equal(await isLive(started(), session), true)
    }
    const twice = await browser.get(
      `${logout({ id_token_hint: hint, post_logout_redirect_uri: BYE })}&post_logout_redirect_uri=https://evil.example/`,
    )
    assert.equal(twice.status, 400)
    const unknown = await browser.get(logout({ post_logout_redirect_uri: 'https://evil.example/' }))
    assert.deepEqual([unknown.status, unknown.location], [200, undefined])
  })

  it('takes an ID token of another user for no sign that the app means this one', async () => {
    const of = await app()
    const { hint } = await signedInTo(of)
    const { browser, session } = await signedInTo(of)
    assert.match((await browser.get(logout({ id_token_hint: hint, post_logout_redirect_uri: BYE }))).text, /Sair da conta\?/)
    assert.equal(await isLive(started(), session), true)
  })

  it('takes an ID token of another session of the same user for no sign either, and asks', async () => {
    const service = started()
    const of = await app()
    const { browser, hint, tokens } = await signedInTo(of)
    const email = String((await oidc.fetchUserInfo(of.client, tokens.access_token, oidc.skipSubjectCheck)).sub)
    await browser.get('/auth/signout')
    const user = (await findUser(service.context.storage.db, email)) ?? assert.fail()
    service.clock.now += 20 * 86_400_000
    const later = await signedIn(service, user.email)
    const page = await later.get(logout({ id_token_hint: hint, post_logout_redirect_uri: BYE }), {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-dest': 'document',
    })
    assert.match(page.text, /Sair da conta\?/)
    assert.equal(await isLive(service, sessionOf(later)), true)
    assert.equal((await later.get(confirmLink(page))).location?.href, BYE)
  })

  it('refuses a JWT of another kind as an ID token: a logout token names the same user and app', async () => {
    const service = started()
    const of = await app()
    const { browser, hint, session } = await signedInTo(of)
    const product = (await productStore(service.context.storage.db).findById(of.productId)) ?? assert.fail()
    const { sub, sid } = decodeJwt(hint)
    const keys = createKeyRing({ ...service.context, onFault: (fault) => assert.fail(String(fault)) })
    await keys.load()
    const token = await issueLogoutToken(
      product,
      { sub: sub ?? assert.fail(), sid: String(sid) },
      { keys, issuer: service.url, now: () => service.clock.now },
    )
    const answer = await browser.get(logout({ id_token_hint: token, post_logout_redirect_uri: BYE }))
    assert.deepEqual([answer.status, answer.location], [400, undefined])
    assert.equal(await isLive(service, session), true)
  })

  it('is confirmed by its own question alone, not by the flow of a sign-in', async () => {
    const of = await app()
    const { browser, session } = await signedInTo(of)
    const { url } = await begin(of, { prompt: 'login' })
    const flow = (await browser.get(url.pathname + url.search)).location?.searchParams.get('flow') ?? assert.fail()
    const answer = await browser.get(`/openid/logout/confirm?${new URLSearchParams({ flow })}`)
    assert.equal(answer.status, 400)
    assert.equal(await isLive(started(), session), true)
  })

  it('is nothing that a page can do behind the back of its reader', async () => {
    const of = await app()
    const { browser, hint, session } = await signedInTo(of)
    for (const dest of ['image', 'iframe', 'empty']) {
      const answer = await browser.get(logout({ id_token_hint: hint }), { 'sec-fetch-dest': dest, 'sec-fetch-site': 'cross-site' })
      assert.equal(answer.status, 200)
      assert.equal(await isLive(started(), session), true)
    }
    const page = (await browser.get(logout({ client_id: of.clientId }))).text
    const [, confirm = assert.fail(page)] = /href="(\/openid\/logout\/confirm[^"]+)"/.exec(page) ?? []
    const link = confirm.replaceAll('&#61;', '=')
    for (const dest of ['image', 'iframe', 'empty'])
      assert.equal((await browser.get(link, { 'sec-fetch-dest': dest, 'sec-fetch-site': 'cross-site' })).status, 400)
    assert.equal(await isLive(started(), session), true)
    await browser.get(link)
    assert.equal(await isLive(started(), session), false)
  })

  it('by a form becomes a navigation', async () => {
    const of = await app()
    const { browser, hint } = await signedInTo(of)
    const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://app.example' }
    const body = new URLSearchParams({ id_token_hint: hint, post_logout_redirect_uri: BYE }).toString()
    const posted = await browser.request('POST', '/openid/logout', { headers, body })
    assert.equal(posted.status, 303)
    assert.equal((await browser.get(posted.location?.href ?? '')).location?.href, BYE)
  })

  it('by a form puts the ID token into no address, and hands the request on for a minute', async () => {
    const service = started()
    const of = await app()
    const { browser, hint, session } = await signedInTo(of)
    const post = (fields: Record<string, string>) =>
      browser.request('POST', '/openid/logout', {
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://app.example' },
        body: new URLSearchParams(fields).toString(),
      })
    const posted = await post({ id_token_hint: hint, post_logout_redirect_uri: BYE, state: 's' })
    const next = posted.location?.href ?? assert.fail()
    for (const part of hint.split('.')) assert.ok(!next.includes(part))
    service.clock.now += 60_000
    assert.deepEqual([(await browser.get(next)).status, await isLive(service, session)], [400, true])
    const again = await post({ id_token_hint: hint, post_logout_redirect_uri: BYE, state: 's' })
    assert.equal((await browser.get(again.location?.href ?? '')).location?.href, `${BYE}?state=s`)
    assert.equal(await isLive(service, session), false)
    assert.equal((await post({ id_token_hint: 'x' })).status, 400)
    assert.equal((await browser.get(`/openid/logout?${new URLSearchParams({ request: 'x' })}`)).status, 400)
  })
})
