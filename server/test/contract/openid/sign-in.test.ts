import assert from 'node:assert/strict'
import { it } from 'node:test'
import * as oidc from 'openid-client'
import { eachDatabase } from '../../support/databases.ts'
import { authorize, begin, openIdApp, redeem, signInTo } from '../../support/openid/apps.ts'
import { startForSuite } from '../../support/service.ts'

eachDatabase('OpenID Connect', (database) => {
  const started = startForSuite(database)

  it('signs a user in at a client: code with PKCE, ID token, userinfo', async () => {
    const service = started()
    const app = await openIdApp(service)
    const user = await service.user('happy@exemplo.com.br', { name: 'Ana Flávia Conceição' })
    const browser = service.browser()
    const begun = await begin(app)
    const callback = await authorize(browser, begun, user.email)
    assert.equal(`${callback.origin}${callback.pathname}`, app.redirectUri)
    assert.equal(callback.searchParams.get('iss'), service.url)
    const tokens = await redeem(app, callback, begun)
    const claims = tokens.claims() ?? assert.fail()
    assert.equal(claims.sub, user.id)
    assert.equal(claims.name, 'Ana Flávia Conceição')
    assert.equal(claims.email, user.email)
    assert.equal(claims.email_verified, true)
    assert.equal(claims.plan_slug, null)
    assert.ok(typeof claims.auth_time === 'number' && typeof claims.sid === 'string')
    const userinfo = await oidc.fetchUserInfo(app.client, tokens.access_token, user.id)
    assert.deepEqual(userinfo, {
      sub: user.id,
      name: 'Ana Flávia Conceição',
      email: user.email,
      email_verified: true,
      plan_slug: null,
      is_beta: false,
      is_producer: false,
    })
    // The next request needs no page at all.
    const silent = await begin(app, { prompt: 'none' })
    assert.equal((await redeem(app, await authorize(browser, silent), silent)).claims()?.sub, user.id)
  })

  it('says whether an address is verified to a client that asks for both by the parameter claims alone', async () => {
    const service = started()
    const app = await openIdApp(service)
    const user = await service.user('claims@exemplo.com.br')
    const both = { email: null, email_verified: null }
    const claims = JSON.stringify({ userinfo: both, id_token: both })
    const tokens = await signInTo(app, service.browser(), user.email, { scope: 'openid', claims })
    const verified = { email: user.email, email_verified: true }
    assert.deepEqual(await oidc.fetchUserInfo(app.client, tokens.access_token, user.id), { sub: user.id, ...verified })
    const { email, email_verified } = tokens.claims() ?? assert.fail()
    assert.deepEqual({ email, email_verified }, verified)
  })

  it('gives an ID token the nonce of its request, and none where there was none', async () => {
    const service = started()
    const app = await openIdApp(service)
    const { email } = await service.user('nonce@exemplo.com.br')
    // Once through the sign-in, in whose flow the request waits, and once without a page.
    const browser = service.browser()
    for (const parameters of [{}, { prompt: 'none' }]) {
      const begun = await begin(app, parameters)
      const callback = await authorize(browser, begun, email)
      assert.equal((await redeem(app, callback, begun)).claims()?.nonce, begun.nonce)
    }
    const { url, verifier, state } = await begin(app, { nonce: '' })
    const callback = await authorize(browser, { url })
    const checks = { pkceCodeVerifier: verifier, expectedState: state, idTokenExpected: true }
    assert.equal((await oidc.authorizationCodeGrant(app.client, callback, checks)).claims()?.nonce, undefined)
  })

  it('gives refresh tokens with offline_access, which rotate', async () => {
    const service = started()
    const app = await openIdApp(service)
    const { email } = await service.user('refresh@exemplo.com.br')
    const without = await signInTo(app, service.browser(), email)
    assert.equal(without.refresh_token, undefined)
    const tokens = await signInTo(app, service.browser(), email, { scope: 'openid offline_access' })
    const next = await oidc.refreshTokenGrant(app.client, tokens.refresh_token ?? assert.fail())
    assert.ok(next.refresh_token && next.refresh_token !== tokens.refresh_token)
    assert.equal((await oidc.tokenIntrospection(app.client, next.access_token)).active, true)
    await oidc.tokenRevocation(app.client, next.refresh_token)
    assert.equal((await oidc.tokenIntrospection(app.client, next.access_token)).active, false)
  })
})
