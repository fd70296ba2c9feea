import assert from 'node:assert/strict'
import { it } from 'node:test'
import { SignJWT } from 'jose'
import { sql } from 'kysely'
import * as oidc from 'openid-client'
import { disableUser, findUser, revokeUserSessions, setUserPassword } from '../../../src/admin/index.ts'
import { HOUR_MS } from '../../../src/kit/index.ts'
import { forgetExpiredTokens } from '../../../src/openid/index.ts'
import { redeem as redeemFound } from '../../../src/openid/library/redemption.ts'
import { openIdTokenStore } from '../../../src/openid/store.ts'
import { changeProduct } from '../../../src/products/index.ts'
import { limitStore } from '../../../src/rate-limits/index.ts'
import type { User } from '../../../src/users/index.ts'
import type { Answer, Browser } from '../../support/browser.ts'
import { eachDatabase, onPostgres } from '../../support/databases.ts'
import { authorize, begin, type OpenIdApp, openIdApp, redeem, signInTo, tokenRequest, walk } from '../../support/openid/apps.ts'
import { startForSuite, startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

eachDatabase('A code or token of OpenID Connect', (database) => {
  const started = startForSuite(database)

  async function codeOf(app: OpenIdApp, name: string, parameters?: Record<string, string>) {
    const service = started()
    const { email, id } = await service.user(`${name}@exemplo.com.br`)
    const browser = service.browser()
    const begun = await begin(app, parameters)
    const callback = await authorize(browser, begun, email)
    const fields = {
      grant_type: 'authorization_code',
      code: callback.searchParams.get('code') ?? assert.fail(callback.href),
      redirect_uri: app.redirectUri,
      code_verifier: begun.verifier,
    }
    return { fields, browser, callback, begun, email, id }
  }

  it('is redeemed once, however many ask at once; the others end what the first one got', async () => {
    const service = started()
    const app = await openIdApp(service)
    const { fields } = await codeOf(app, 'race')
    const answers = await Promise.all(Array.from({ length: 100 }, () => untilAnswered(() => tokenRequest(service, app, fields))))
    const bodies = answers.map((answer) => ({ status: answer.status, ...answer.json<{ error?: string; access_token?: string }>() }))
    assert.equal(bodies.filter(({ status }) => status === 200).length, 1)
    for (const { status, error } of bodies) assert.ok(status === 200 || (status === 400 && error === 'invalid_grant'), `${status} ${error}`)
    const winner = bodies.find(({ status }) => status === 200)
    assert.equal((await oidc.tokenIntrospection(app.client, winner?.access_token ?? assert.fail())).active, false)
  })

  it('is refreshed once, however many ask at once', async () => {
    const service = started()
    const app = await openIdApp(service)
    const { email } = await service.user('refresh-race@exemplo.com.br')
    const { refresh_token = assert.fail() } = await signInTo(app, service.browser(), email, { scope: 'openid offline_access' })
    const fields = { grant_type: 'refresh_token', refresh_token }
    const answers = await Promise.all(Array.from({ length: 100 }, () => untilAnswered(() => tokenRequest(service, app, fields))))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    assert.equal(answers.filter(({ status }) => status === 400).length, 99)
  })

  it('is as good as before when its tokens could not be stored', async () => {
    const service = await startService(await database.fresh())
    const app = await openIdApp(service)
    const { email } = await service.user('half@exemplo.com.br')
    const { refresh_token = assert.fail() } = await signInTo(app, service.browser(), email, { scope: 'openid offline_access' })
    const begun = await begin(app)
    const code = (await authorize(service.browser(), begun, email)).searchParams.get('code') ?? assert.fail()
    const requests = [
      { grant_type: 'refresh_token', refresh_token },
      { grant_type: 'authorization_code', code, redirect_uri: app.redirectUri, code_verifier: begun.verifier },
    ]
    const statuses = () => Promise.all(requests.map(async (fields) => (await tokenRequest(service, app, fields)).status))
    const { db } = service.context.storage
    await sql`create unique index no_more_tokens on openid_tokens (kind) where kind = 'AccessToken'`.execute(db)
    assert.deepEqual(await statuses(), [500, 500])
    await sql`drop index no_more_tokens`.execute(db)
    assert.deepEqual(await statuses(), [200, 200])
  })

  it('shown a second time ends all that came of it: codes and refresh tokens alike', async () => {
    const service = started()
    const app = await openIdApp(service)
    const { fields, callback, begun, browser } = await codeOf(app, 'replay', { scope: 'openid offline_access' })
    const tokens = await redeem(app, callback, begun)
    const isActive = async (token: string) => (await oidc.tokenIntrospection(app.client, token)).active
    assert.equal(await isActive(tokens.access_token), true)
    assert.equal((await tokenRequest(service, app, fields)).status, 400)
    assert.equal(await isActive(tokens.access_token), false)
    await assert.rejects(oidc.refreshTokenGrant(app.client, tokens.refresh_token ?? assert.fail()))
    // The user stays signed in here, and the app may ask again.
    const again = await begin(app, { scope: 'openid offline_access', prompt: 'consent' })
    const second = await redeem(app, await authorize(browser, again), again)
    const third = await oidc.refreshTokenGrant(app.client, second.refresh_token ?? assert.fail())
    await assert.rejects(oidc.refreshTokenGrant(app.client, second.refresh_token ?? ''))
    await assert.rejects(oidc.refreshTokenGrant(app.client, third.refresh_token ?? assert.fail()))
    assert.equal(await isActive(third.access_token), false)
  })

  it('that two have found at the same moment is redeemed by one, and the other, who is too late, ends all that came of it', async () => {
    const service = started()
    const app = await openIdApp(service)
    const { email } = await service.user('too-late@exemplo.com.br')
    const tokens = await signInTo(app, service.browser(), email, { scope: 'openid offline_access' })
    const [kind, value] = ['RefreshToken', tokens.refresh_token ?? assert.fail()]
    const found = await openIdTokenStore(service.context.storage.db).find(kind, value)
    const redeeming = () => redeemFound({ kind, value, sessionId: found?.sessionId ?? assert.fail(), tokens: [] }, service.context)
    assert.deepEqual((await Promise.all([redeeming(), redeeming()])).toSorted(), ['redeemed', 'too_late'])
    assert.equal((await oidc.tokenIntrospection(app.client, tokens.access_token)).active, false)
  })

  it('is of one client, one redirect URI and one verifier alone', async () => {
    const service = started()
    const [app, other] = [await openIdApp(service), await openIdApp(service)]
    const { fields } = await codeOf(app, 'turned')
    const refused: Array<[string, OpenIdApp, Record<string, string>]> = [
      ['another client', other, fields],
      ['another redirect URI', app, { ...fields, redirect_uri: `${app.redirectUri}/` }],
      ['another verifier', app, { ...fields, code_verifier: 'x'.repeat(43) }],
      ['no redirect URI', app, { grant_type: 'authorization_code', code: fields.code, code_verifier: fields.code_verifier }],
      ['no verifier', app, { grant_type: 'authorization_code', code: fields.code, redirect_uri: fields.redirect_uri }],
      ['another secret', { ...app, secret: other.secret }, fields],
      ['no secret', { ...app, secret: '' }, fields],
    ]
    for (const [what, by, given] of refused) {
      const answer = await tokenRequest(service, by, given)
      assert.ok(answer.status === 400 || answer.status === 401, `${what}: ${answer.status}`)
    }
    // None of them has used it up.
    assert.equal((await tokenRequest(service, app, fields)).status, 200)
  })

  it('ends with the session that it hangs on, whatever ends that', async () => {
    const service = started()
    const app = await openIdApp(service)
    const operator = { ...service.context, actor: 'operator:test' as const }
    const ends: Array<[string, (user: User, browser: Browser) => Promise<unknown>]> = [
      ['a sign-out', (_user, browser) => browser.get('/auth/signout')],
      ['an account that is disabled', (user) => disableUser(user, undefined, operator)],
      ['a new password', (user) => setUserPassword(user, 'another good passphrase', operator)],
      ['the operator', (user) => revokeUserSessions(user, operator)],
    ]
    for (const [what, end] of ends) {
      const { email, id } = await service.user(`ends-${what.replaceAll(' ', '-')}@exemplo.com.br`)
      const user = (await findUser(service.context.storage.db, id)) ?? assert.fail()
      const browser = service.browser()
      const tokens = await signInTo(app, browser, email, { scope: 'openid email offline_access' })
      await end(user, browser)
      await assert.rejects(oidc.refreshTokenGrant(app.client, tokens.refresh_token ?? assert.fail()), what)
      assert.equal((await oidc.tokenIntrospection(app.client, tokens.access_token)).active, false, what)
      const userinfo = await fetch(`${service.url}/openid/userinfo`, { headers: { authorization: `Bearer ${tokens.access_token}` } })
      assert.equal(userinfo.status, 401, what)
      const silent = await begin(app, { prompt: 'none' })
      assert.equal((await authorize(browser, silent)).searchParams.get('error'), 'login_required', what)
    }
  })

  it('ends when its product is turned off or becomes another kind of app, and does not come back', async () => {
    const service = started()
    // The node that the operator uses may have a clock that is an hour off.
    for (const [changes, offBy] of [
      [['off', { kind: 'web' }], 0],
      [[{ kind: 'browser' }, { kind: 'web' }], 0],
      [['off', { kind: 'web' }], -HOUR_MS],
      [[{ kind: 'browser' }, { kind: 'web' }], HOUR_MS],
    ] as const) {
      const operator = { ...service.context, now: () => service.clock.now + offBy, actor: 'operator:test' as const }
      const app = await openIdApp(service)
      const { email } = await service.user(`off-${app.slug}@exemplo.com.br`)
      const browser = service.browser()
      const tokens = await signInTo(app, browser, email, { scope: 'openid offline_access' })
      const resource = `${service.url}/api`
      const begun = await begin(app, { scope: 'profile', resource, nonce: '' })
      const callback = await authorize(browser, begun)
      const parameters = { pkceCodeVerifier: begun.verifier, expectedState: begun.state }
      const forApi = await oidc.authorizationCodeGrant(app.client, callback, parameters, { resource })
      const me = () => service.browser().get('/api/me', { authorization: `Bearer ${forApi.access_token}` })
      assert.equal((await me()).status, 200)
      service.clock.now += 1_000
      for (const openid of changes) assert.ok(!('refusal' in (await changeProduct(app.slug, { openid }, operator))))
      await assert.rejects(oidc.refreshTokenGrant(app.client, tokens.refresh_token ?? assert.fail()))
      assert.equal((await oidc.tokenIntrospection(app.client, tokens.access_token)).active, false)
      assert.equal((await me()).status, 401)
      // The user is signed in still, and a new request gets new tokens.
      assert.ok((await signInTo(app, browser, email, { scope: 'openid offline_access' })).refresh_token)
    }
  })

  it('gives what the user has agreed to, now: less once that is withdrawn, no more once the product may see more', async () => {
    const service = started()
    const operator = { ...service.context, actor: 'operator:test' as const }
    const app = await openIdApp(service, { audience: 'external', scopes: ['read:profile'] })
    const { email, id } = await service.user('consented@exemplo.com.br')
    const claims = JSON.stringify({ id_token: { email: null }, userinfo: { email: null } })
    const tokens = await signInTo(app, service.browser(), email, {
      scope: 'openid profile email offline_access',
      claims,
      prompt: 'consent',
    })
    await changeProduct(app.slug, { scopes: ['read:profile', 'read:email'] }, operator)
    const refreshed = await oidc.refreshTokenGrant(app.client, tokens.refresh_token ?? assert.fail())
    assert.equal(refreshed.claims()?.email, undefined)
    assert.equal((await oidc.fetchUserInfo(app.client, refreshed.access_token, id)).email, undefined)
    await service.context.storage.db.deleteFrom('consents').where('user_id', '=', id).execute()
    await assert.rejects(oidc.refreshTokenGrant(app.client, refreshed.refresh_token ?? assert.fail()))
  })

  it('comes of 60 sessions in fifteen minutes at most, of a user and an app that end each one', async () => {
    const service = started()
    const app = await openIdApp(service, { openid: { kind: 'browser' } })
    const { email } = await service.user('loops@exemplo.com.br')
    const browser = service.browser()
    const sessionsOf = async () =>
      (await service.context.storage.db.selectFrom('sessions').select('id').where('product_id', '=', app.productId).execute()).length
    const next = async () => {
      const begun = await begin(app, { scope: 'openid offline_access' })
      return { begun, answer: await walk(browser, await browser.get(begun.url.pathname + begun.url.search), email) }
    }
    for (let n = 0; n < 60; n++) {
      const { begun, answer } = await next()
      const { refresh_token = '' } = await redeem(app, answer.location ?? assert.fail(), begun)
      // Codes of a session that is there already are not counted.
      if (n === 0) for (let m = 0; m < 3; m++) assert.ok((await next()).answer.location?.searchParams.has('code'))
      await oidc.tokenRevocation(app.client, refresh_token)
    }
    const refused = (await next()).answer
    assert.equal(refused.location?.searchParams.get('error'), 'temporarily_unavailable')
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
    assert.equal(await sessionsOf(), 60)
    // Another app is not concerned, and later it goes on.
    await signInTo(await openIdApp(service), browser, email)
    service.clock.now += 15 * 60_000
    assert.ok((await next()).answer.location?.searchParams.has('code'))
  })

  it('is refreshed 600 times in fifteen minutes at most, and is not used up by the refusal', async () => {
    const service = started()
    const app = await openIdApp(service)
    const { email } = await service.user('refreshes@exemplo.com.br')
    const tokens = await signInTo(app, service.browser(), email, { scope: 'openid offline_access' })
    const session = tokens.claims()?.sid
    const { limits } = { limits: limitStore(service.context.storage.db) }
    for (let n = 0; n < 599; n++)
      await limits.count({ key: `openid:refresh:${session}`, most: 600, windowMs: 15 * 60_000 }, service.clock.now)
    const refresh = (refresh_token: string) => tokenRequest(service, app, { grant_type: 'refresh_token', refresh_token })
    const last = (await refresh(tokens.refresh_token ?? assert.fail())).json<{ refresh_token: string }>()
    const refused = await refresh(last.refresh_token)
    assert.deepEqual([refused.status, refused.json<{ error: string }>().error], [429, 'temporarily_unavailable'])
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
    service.clock.now += 15 * 60_000
    assert.equal((await refresh(last.refresh_token)).status, 200)
  })

  it('is not sent by a client that expects another issuer: the answer names ours', async () => {
    const service = started()
    const app = await openIdApp(service)
    const { callback, begun, fields } = await codeOf(app, 'mixed-up')
    assert.equal(callback.searchParams.get('iss'), service.url)
    const { supportsPKCE: _method, ...ours } = app.client.serverMetadata()
    const refusesIssuer = (fault: unknown) => fault instanceof Error && /iss/.test(String(fault.cause))
    assert.equal(ours.authorization_response_iss_parameter_supported, true)
    const other = new oidc.Configuration({ ...ours, issuer: 'https://other.example' }, app.clientId, app.secret)
    oidc.allowInsecureRequests(other)
    await assert.rejects(redeem({ ...app, client: other }, callback, begun), refusesIssuer)
    const without = new URL(callback)
    without.searchParams.delete('iss')
    await assert.rejects(redeem(app, without, begun), refusesIssuer)
    // Neither has sent the code anywhere.
    assert.equal((await tokenRequest(service, app, fields)).status, 200)
  })

  it('is removed when it has expired, in portions, and no other', async () => {
    const service = started()
    const { db } = service.context.storage
    const app = await openIdApp(service)
    const { email } = await service.user('housekeeping@exemplo.com.br')
    const { refresh_token = assert.fail() } = await signInTo(app, service.browser(), email, { scope: 'openid offline_access' })
    const { refresh_token: next } = await oidc.refreshTokenGrant(app.client, refresh_token)
    const store = openIdTokenStore(db)
    const at = service.clock.now
    const expiring = { kind: 'PushedAuthorizationRequest', sessionId: undefined, payload: {} }
    for (let n = 0; n < 200; n++) await store.insert(`old-${n}`, { ...expiring, expiresAt: at - 1 })
    await store.insert('young', { ...expiring, expiresAt: at + 60_000 })
    let statements = 0
    const counting = db.withPlugin({
      transformQuery: ({ node }) => {
        statements++
        return node
      },
      transformResult: async ({ result }) => result,
    })
    await forgetExpiredTokens(counting, at)
    assert.ok(statements > 1, `${statements}`)
    assert.equal(await store.find(expiring.kind, 'old-7'), undefined)
    assert.ok(await store.find(expiring.kind, 'young'))
    // A used refresh token stays for a day, so that its replay is noticed.
    await forgetExpiredTokens(db, at + 86_400_000 - 1)
    assert.ok(await store.find('RefreshToken', refresh_token))
    await forgetExpiredTokens(db, at + 86_400_000 + 1)
    assert.equal(await store.find('RefreshToken', refresh_token), undefined)
    assert.ok(await store.find('RefreshToken', next ?? assert.fail()))
  })

  it('is nothing that another kind of token could pass for', async () => {
    const service = started()
    const app = await openIdApp(service)
    const { email } = await service.user('confusion@exemplo.com.br')
    const browser = service.browser()
    const tokens = await signInTo(app, browser, email, { scope: 'openid offline_access' })
    const idToken = tokens.id_token ?? assert.fail()
    const [, payload = ''] = idToken.split('.')
    const unsigned = `${Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')}.${payload}.`
    const keyed = await new SignJWT(JSON.parse(Buffer.from(payload, 'base64url').toString()))
      .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' })
      .sign(new TextEncoder().encode(app.secret))
    const session = browser.cookies.get('eg_session') ?? assert.fail()
    const bearers = {
      'an ID token': idToken,
      'an unsigned one': unsigned,
      'one signed with the secret': keyed,
      eg_session: session,
      'a refresh token': tokens.refresh_token ?? '',
    }
    for (const [what, bearer] of Object.entries(bearers))
      for (const path of ['/openid/userinfo', '/api/me'])
        assert.equal(
          (await fetch(service.url + path, { headers: { authorization: `Bearer ${bearer}` } })).status,
          401,
          `${what} at ${path}`,
        )
    // An access token is no refresh token, no code, and no session.
    assert.equal((await tokenRequest(service, app, { grant_type: 'refresh_token', refresh_token: tokens.access_token })).status, 400)
    const checked = await fetch(`${service.url}/auth/check`, { headers: { cookie: `eg_session=${idToken}` } })
    assert.equal(((await checked.json()) as { authenticated: boolean }).authenticated, false)
  })

  it('keeps nothing of itself but its hash', async () => {
    const service = started()
    const app = await openIdApp(service)
    const { email } = await service.user('hashed@exemplo.com.br')
    const tokens = await signInTo(app, service.browser(), email, { scope: 'openid offline_access' })
    const rows = JSON.stringify(await service.context.storage.db.selectFrom('openid_tokens').selectAll().execute())
    assert.ok(rows.includes('RefreshToken'))
    for (const value of [tokens.access_token, tokens.refresh_token ?? assert.fail()]) {
      assert.ok(!rows.includes(value))
      assert.ok(!service.log().includes(value))
    }
  })
})

onPostgres('A code or token of OpenID Connect, over two nodes', (database) => {
  async function begin() {
    const shared = await database.fresh()
    const environment = { PORTARIA_URL: 'http://sso.exemplo.test' }
    const [a, b] = await Promise.all([startService(shared, { environment }), startService(shared, { environment })])
    const { product, apiKey } = await a.product({ slug: 'app', audience: 'internal', uris: ['https://app.example/callback'] })
    const changed = await changeProduct('app', { openid: { kind: 'web', pkce: 'optional' } }, { ...a.context, actor: 'operator:test' })
    assert.ok(!('refusal' in changed))
    const app = { clientId: product.publishableKey, secret: apiKey }
    const { email } = await a.user('ana@exemplo.com.br')
    const browser = a.browser()
    const query = new URLSearchParams({
      client_id: app.clientId,
      redirect_uri: 'https://app.example/callback',
      response_type: 'code',
      scope: 'openid offline_access',
    })
    const codeFields = async () => {
      const answer = await walk(browser, await browser.get(`/openid/authorize?${query}`), email)
      const code = answer.location?.searchParams.get('code') ?? assert.fail(answer.text)
      return { grant_type: 'authorization_code', code, redirect_uri: 'https://app.example/callback' }
    }
    return { a, b, app, browser, codeFields }
  }

  it('is taken by the other node, once', async () => {
    const { a, b, app, codeFields } = await begin()
    const tokens = (await tokenRequest(b, app, await codeFields())).json<{ refresh_token: string }>()
    const fields = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
    const answers = await Promise.all(Array.from({ length: 100 }, (_, i) => untilAnswered(() => tokenRequest(i % 2 ? a : b, app, fields))))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    const code = await codeFields()
    const redeemed = await Promise.all(Array.from({ length: 100 }, (_, i) => untilAnswered(() => tokenRequest(i % 2 ? a : b, app, code))))
    assert.equal(redeemed.filter(({ status }) => status === 200).length, 1)
  })

  it('is refused within two seconds by a node that hears of the sign-out from the other', async () => {
    const { a, b, app, browser, codeFields } = await begin()
    const tokens = (await tokenRequest(b, app, await codeFields())).json<{ access_token: string }>()
    const userinfo = async () => (await b.browser().get('/openid/userinfo', { authorization: `Bearer ${tokens.access_token}` })).status
    assert.equal(await userinfo(), 200)
    await browser.get('/auth/signout')
    await until(async () => (await userinfo()) === 401, 2_000)
    assert.ok(a)
  })
})

/** A machine with much else to do answers some of a hundred requests with 503, and those redeemed nothing. */
async function untilAnswered(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await ask()
    if (answer.status !== 503) return answer
  }
}
