import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { it } from 'node:test'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import * as oidc from 'openid-client'
import { changeProduct } from '../../../src/products/index.ts'
import { manageSigningKeys, revokeSigningKey, rotateSigningKey } from '../../../src/sessions/index.ts'
import type { Browser } from '../../support/browser.ts'
import { eachDatabase, oneDatabase } from '../../support/databases.ts'
import { startProxy } from '../../support/faults/proxy.ts'
import { authorize, begin, type OpenIdApp, openIdApp, redeem, signInTo, tokenRequest } from '../../support/openid/apps.ts'
import { startForSuite, startService, type TestService } from '../../support/service.ts'
import { signedIn } from '../../support/users/sign-in-steps.ts'

oneDatabase('The endpoints of OpenID Connect', (database) => {
  const started = startForSuite(database)

  it('are named by the metadata, at the address of the configuration, whatever a header says', async () => {
    const service = started()
    await openIdApp(service)
    const forged = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'gopher',
      forwarded: 'host=evil.example',
    }
    for (const path of ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server']) {
      const metadata = (await service.browser().get(path, forged)).json()
      assert.equal(metadata.issuer, service.url)
      const addresses = Object.entries(metadata).filter(([name]) => /_endpoint$|^jwks_uri$/.test(name))
      assert.equal(addresses.length, 8)
      for (const [name, address] of addresses) assert.ok(String(address).startsWith(`${service.url}/`), `${name}: ${address}`)
      assert.deepEqual(metadata.response_types_supported, ['code'])
      assert.deepEqual(metadata.code_challenge_methods_supported, ['S256'])
      assert.deepEqual(metadata.scopes_supported, ['openid', 'offline_access', 'profile', 'email', 'portaria'])
      assert.deepEqual([...(metadata.id_token_signing_alg_values_supported as string[])].sort(), ['ES256', 'RS256'])
      assert.deepEqual(metadata.token_endpoint_auth_methods_supported, ['client_secret_basic', 'client_secret_post', 'none'])
      assert.deepEqual([metadata.authorization_response_iss_parameter_supported, metadata.request_uri_parameter_supported], [true, false])
      assert.equal(metadata.backchannel_logout_supported, true)
    }
  })

  it('are named so too where a request names a whole address', async () => {
    const service = started()
    await openIdApp(service)
    const { hostname, port } = new URL(service.url)
    const socket = connect(Number(port), hostname)
    socket.write('GET http://evil.example/.well-known/openid-configuration HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n')
    const answer = Buffer.concat(await socket.toArray()).toString()
    assert.match(answer, /authorization_endpoint/)
    assert.ok(!answer.includes('evil.example'))
  })

  it('sign ID tokens with RS256, or ES256 where the product asks for it, with keys that are published', async () => {
    const service = started()
    const { email } = await service.user('algs@exemplo.com.br')
    const keys = createRemoteJWKSet(new URL(`${service.url}/.well-known/jwks.json`))
    for (const idTokenAlg of ['RS256', 'ES256'] as const) {
      const app = await openIdApp(service, { openid: { idTokenAlg } })
      const { id_token = assert.fail() } = await signInTo(app, service.browser(), email)
      const { protectedHeader } = await jwtVerify(id_token, keys, { issuer: service.url, audience: app.clientId, algorithms: [idTokenAlg] })
      assert.ok(protectedHeader.kid)
    }
  })

  it('take the secret by form as well as by header', async () => {
    const service = started()
    const app = await openIdApp(service)
    const { email } = await service.user('by-post@exemplo.com.br')
    const begun = await begin(app)
    const callback = await authorize(service.browser(), begun, email)
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      code: callback.searchParams.get('code') ?? assert.fail(),
      redirect_uri: app.redirectUri,
      code_verifier: begun.verifier,
      client_id: app.clientId,
      client_secret: app.secret,
    })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    assert.equal((await service.browser().request('POST', '/openid/token', { headers, body: body.toString() })).status, 200)
  })

  it('answer userinfo by GET, by POST, and with the token in the form, and everything that all scopes together give', async () => {
    const service = started()
    const app = await openIdApp(service)
    const { email, id } = await service.user('userinfo@exemplo.com.br')
    const { access_token } = await signInTo(app, service.browser(), email, {
      scope: 'openid profile email portaria offline_access address phone',
    })
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const bearer = { authorization: `Bearer ${access_token}` }
    for (const answer of [
      await service.browser().get('/openid/userinfo', bearer),
      await service.browser().request('POST', '/openid/userinfo', { headers: bearer }),
      await service.browser().request('POST', '/openid/userinfo', { headers: form, body: `access_token=${access_token}` }),
    ]) {
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('cache-control'), 'no-store')
      const { sub, email: said, plan_slug } = answer.json()
      assert.deepEqual([sub, said, plan_slug], [id, email, null])
    }
    assert.equal((await service.browser().get(`/openid/userinfo?access_token=${access_token}`)).status, 400)
    assert.equal((await service.browser().get('/openid/userinfo')).status, 401)
  })

  it('are open to a browser app from its own origin alone', async () => {
    const service = started()
    const app = await openIdApp(service, { openid: { kind: 'browser' } })
    const { email } = await service.user('spa@exemplo.com.br')
    const own = new URL(app.redirectUri).origin
    const begun = await begin(app)
    const callback = await authorize(service.browser(), begun, email)
    const ask = (origin: string) =>
      service.browser().request('POST', '/openid/token', {
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin },
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          code: callback.searchParams.get('code') ?? assert.fail(),
          redirect_uri: app.redirectUri,
          code_verifier: begun.verifier,
          client_id: app.clientId,
        }).toString(),
      })
    const foreign = await ask('https://evil.example')
    assert.deepEqual([foreign.status, foreign.headers.get('access-control-allow-origin')], [400, null])
    const answer = await ask(own)
    assert.deepEqual([answer.status, answer.headers.get('access-control-allow-origin')], [200, own])
    assert.equal(answer.headers.get('access-control-allow-credentials'), null)
    const preflight = await service.browser().request('OPTIONS', '/openid/token', {
      headers: { origin: own, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
    })
    assert.deepEqual([preflight.status, preflight.headers.get('access-control-allow-origin')], [204, own])
  })

  it('take a pushed request once, and only of its own client', async () => {
    const service = started()
    const [app, other] = [await openIdApp(service), await openIdApp(service)]
    const { email } = await service.user('pushed@exemplo.com.br')
    const browser = await signedIn(service, email)
    const begun = await begin(app, { scope: 'openid offline_access' })
    const url = await oidc.buildAuthorizationUrlWithPAR(app.client, begun.url.searchParams)
    assert.deepEqual([...url.searchParams.keys()].sort(), ['client_id', 'request_uri'])
    const turned = new URL(url)
    turned.searchParams.set('client_id', other.clientId)
    assert.ok(
      (await browser.get(turned.pathname + turned.search)).status >= 400 ||
        (await browser.get(turned.pathname + turned.search)).location?.searchParams.has('error'),
    )
    const tokens = await redeem(app, await authorize(browser, { url }), begun)
    assert.ok(tokens.refresh_token)
    assert.equal((await browser.get(url.pathname + url.search)).location?.searchParams.get('code') ?? undefined, undefined)
  })

  it('give tokens for a registered API, which are signed for that API alone', async () => {
    const service = started()
    const resource = 'https://api.academy.example/'
    const app = await openIdApp(service, { openid: { resources: [resource] } })
    const { email, id } = await service.user('resource@exemplo.com.br')
    const tokens = await signInTo(app, service.browser(), email, { scope: 'openid profile', resource })
    const begun = await begin(app, { scope: 'profile', resource, nonce: '' })
    const browser = await signedIn(service, email)
    const callback = await authorize(browser, begun)
    const fields = {
      grant_type: 'authorization_code',
      code: callback.searchParams.get('code') ?? assert.fail(),
      redirect_uri: app.redirectUri,
      code_verifier: begun.verifier,
      resource,
    }
    const { access_token, expires_in } = (await tokenRequest(service, app, fields)).json<{ access_token: string; expires_in: number }>()
    const keys = createRemoteJWKSet(new URL(`${service.url}/.well-known/jwks.json`))
    const { payload, protectedHeader } = await jwtVerify(access_token, keys, { issuer: service.url, audience: resource, typ: 'at+jwt' })
    assert.deepEqual([payload.sub, payload.client_id, payload.scope, protectedHeader.alg], [id, app.clientId, 'profile', 'RS256'])
    assert.ok(expires_in <= 300)
    assert.equal((await service.browser().get('/openid/userinfo', { authorization: `Bearer ${access_token}` })).status, 401)
    assert.equal((await service.browser().get('/api/me', { authorization: `Bearer ${access_token}` })).status, 401)
    assert.ok(tokens.access_token)
  })

  it('give tokens for our own API, which end with the session', async () => {
    const service = started()
    const app = await openIdApp(service)
    const { email, id } = await service.user('api@exemplo.com.br')
    const browser = await signedIn(service, email)
    const access_token = await apiToken(service, app, { browser, scope: 'profile email' })
    const me = () => service.browser().get('/api/me', { authorization: `Bearer ${access_token}` })
    assert.deepEqual([(await me()).json().id, (await me()).json().email], [id, email])
    await browser.get('/auth/signout')
    assert.equal((await me()).status, 401)
  })

  it('give tokens for our own API that show what their scopes say', async () => {
    const service = started()
    const app = await openIdApp(service)
    const { email, id } = await service.user('api-scopes@exemplo.com.br')
    const browser = await signedIn(service, email)
    const access_token = await apiToken(service, app, { browser, scope: 'portaria' })
    const me = (await service.browser().get('/api/me', { authorization: `Bearer ${access_token}` })).json()
    assert.deepEqual(me, { id, email: null, name: null, avatar_url: null, plan: null })
  })

  it('show of a user what the product may read now, not what it could read when the token was made', async () => {
    const service = started()
    const app = await openIdApp(service)
    const { email, id } = await service.user('api-lost@exemplo.com.br')
    const access_token = await apiToken(service, app, { browser: await signedIn(service, email), scope: 'profile email' })
    const me = async () => (await service.browser().get('/api/me', { authorization: `Bearer ${access_token}` })).json()
    const { name } = await me()
    assert.ok(name)
    assert.deepEqual(await me(), { id, email, name, avatar_url: null, plan: null })
    const deps = { ...service.context, actor: 'operator:test' as const }
    await changeProduct(app.slug, { scopes: ['read:email'] }, deps)
    assert.deepEqual(await me(), { id, email, name: null, avatar_url: null, plan: null })
    await changeProduct(app.slug, { scopes: ['read:profile'] }, deps)
    assert.deepEqual(await me(), { id, email: null, name, avatar_url: null, plan: null })
  })

  it('keep verifying ID tokens of a key that another has followed, and none of one that was revoked', async () => {
    const service = await startService(await database.fresh())
    const app = await openIdApp(service)
    const { email } = await service.user('rotation@exemplo.com.br')
    const deps = { ...service.context, actor: 'operator:test' as const }
    const kids = async () =>
      ((await service.browser().get('/.well-known/jwks.json')).json().keys as Array<{ kid: string; alg: string }>).filter(
        ({ alg }) => alg === 'RS256',
      )
    const first = (await signInTo(app, service.browser(), email)).id_token ?? assert.fail()
    const key = await rotateSigningKey({ at: 'once' }, deps)
    await manageSigningKeys(deps)
    const second = (await signInTo(app, service.browser(), email)).id_token ?? assert.fail()
    const kidOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid as string
    assert.notEqual(kidOf(first), kidOf(second))
    assert.deepEqual((await kids()).map(({ kid }) => kid).sort(), [kidOf(first), kidOf(second)].sort())
    await revokeSigningKey(key.kid, deps)
    const third = (await signInTo(app, service.browser(), email)).id_token ?? assert.fail()
    assert.notEqual(kidOf(third), kidOf(second))
    assert.ok(!(await kids()).some(({ kid }) => kid === kidOf(second)))
  })
})

eachDatabase('The token endpoint while the database is away', (database) => {
  it('answers temporarily_unavailable, and the code is still good afterwards', async () => {
    if (database.name === 'sqlite') return
    const proxy = await startProxy(await database.fresh())
    const service = await startService(proxy)
    const app = await openIdApp(service)
    const { email } = await service.user('away@exemplo.com.br')
    const begun = await begin(app)
    const callback = await authorize(service.browser(), begun, email)
    const fields = {
      grant_type: 'authorization_code',
      code: callback.searchParams.get('code') ?? assert.fail(),
      redirect_uri: app.redirectUri,
      code_verifier: begun.verifier,
    }
    await proxy.cut()
    const away = await tokenRequest(service, app, fields)
    assert.deepEqual([away.status, away.json().error], [503, 'temporarily_unavailable'])
    await proxy.restore()
    assert.equal((await tokenRequest(service, app, fields)).status, 200)
  })
})

/** A token for our own API, by hand: the client library asks for an ID token, too. */
async function apiToken(service: TestService, app: OpenIdApp, { browser, scope }: { browser: Browser; scope: string }): Promise<string> {
  const resource = `${service.url}/api`
  const begun = await begin(app, { scope, resource, nonce: '' })
  const callback = await authorize(browser, begun)
  const fields = {
    grant_type: 'authorization_code',
    code: callback.searchParams.get('code') ?? assert.fail(),
    redirect_uri: app.redirectUri,
    code_verifier: begun.verifier,
    resource,
  }
  return (await tokenRequest(service, app, fields)).json<{ access_token: string }>().access_token
}
