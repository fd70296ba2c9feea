import assert from 'node:assert/strict'
import { it } from 'node:test'
import { listAudit } from '../../../src/audit/index.ts'
import { tidyIfDue } from '../../../src/housekeeping/index.ts'
import { apiKeyStore, revokeApiKey } from '../../../src/products/index.ts'
import { oneDatabase } from '../../support/databases.ts'
import { startForSuite, startService, type TestService } from '../../support/service.ts'
import {
  accessToken,
  assertRefused,
  decode,
  isLive,
  isSignedByPublishedKey,
  parameter,
  pass,
  post,
  sessionOf,
  signedIn,
  verify,
} from '../../support/users/sign-in-steps.ts'

let products = 0
/** A user signed in, and an external product to be handed to. */
async function openFixture(service: TestService, options: { scopes?: Array<'read:email' | 'read:profile'> } = {}) {
  const number = ++products
  const uri = `https://verify-${number}.example/callback`
  const made = await service.product({ slug: `verify-${number}`, audience: 'external', uris: [uri], ...options })
  const user = await service.user(`verify${number}@exemplo.com.br`)
  const browser = await signedIn(service, user.email)
  const handoff = async () => parameter(await pass(browser, { redirect_to: uri, api_key: made.product.publishableKey }), 'eg_token')
  return { ...made, user, browser, handoff, uri }
}

oneDatabase('POST /auth/verify', (database) => {
  const started = startForSuite(database)

  it('exchanges an eg_token for the user and an eg_session of the product', async () => {
    const service = started()
    const { product, apiKey, user, browser, handoff } = await openFixture(service)
    const answer = await verify(service, await handoff(), apiKey)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    const { eg_session, ...rest } = answer.json<{ eg_session: string }>()
    const expected = {
      sub: user.id,
      email: user.email,
      name: 'Ana Flávia Conceição',
      is_producer: false,
      scopes: ['read:email', 'read:profile'],
    }
    assert.deepEqual(rest, { user: expected })
    assert.equal(await isSignedByPublishedKey(service, eg_session), true)
    const { header, claims } = decode(eg_session)
    assert.deepEqual(
      [header.alg, header.typ, claims.aud, claims.iss, claims.sub],
      ['ES256', 'eg-session+jwt', product.id, service.url, user.id],
    )
    const parent = decode(sessionOf(browser)).claims
    assert.notEqual(claims.sid, parent.sid)
    const row = await service.context.storage.db
      .selectFrom('sessions')
      .select('parent_id')
      .where('id', '=', String(claims.sid))
      .executeTakeFirst()
    assert.equal(row?.parent_id, parent.sid)
    assert.ok(Number(claims.exp) <= Number(parent.exp), 'it never outlives its parent')
  })

  it('answers a missing or wrong key with 401 invalid_api_key, before it looks at the body', async () => {
    const service = started()
    const { apiKey, product, webhookKey, handoff } = await openFixture(service)
    const token = await handoff()
    for (const key of [undefined, '', 'wrong', product.publishableKey, webhookKey, `${apiKey}x`, apiKey.slice(0, -1), token]) {
      assertRefused(await verify(service, token, key), 401, 'invalid_api_key')
      assertRefused(await post(service, '/auth/verify', 'not json', key), 401, 'invalid_api_key')
    }
    const headers = { 'content-type': 'application/json', authorization: `Basic ${apiKey}` }
    assertRefused(
      await service.browser().request('POST', '/auth/verify', { headers, body: JSON.stringify({ token }) }),
      401,
      'invalid_api_key',
    )
    assert.equal((await verify(service, token, apiKey)).status, 200, 'and consumed nothing')
  })

  it('answers a body without a token with 400 token ausente', async () => {
    const service = started()
    const { apiKey, handoff } = await openFixture(service)
    for (const body of [
      '',
      'not json',
      '[]',
      'null',
      '"x"',
      '{}',
      '{"token":""}',
      '{"token":null}',
      '{"token":7}',
      '{"token":["x"]}',
      '{"eg_token":"x"}',
      '{"token":{}}',
    ]) {
      assertRefused(await post(service, '/auth/verify', body, apiKey), 400, 'token ausente')
    }
    const form = { 'content-type': 'application/x-www-form-urlencoded', authorization: `Bearer ${apiKey}` }
    const token = await handoff()
    assertRefused(await service.browser().request('POST', '/auth/verify', { headers: form, body: `token=${token}` }), 400, 'token ausente')
    assert.equal((await verify(service, token, apiKey)).status, 200)
  })

  it('takes the scheme of the header in any case, and a charset with the content type', async () => {
    const service = started()
    const { apiKey, handoff } = await openFixture(service)
    const headers = { 'content-type': 'application/json; charset=UTF-8', authorization: `bearer ${apiKey}`, accept: 'text/html' }
    const answer = await service.browser().request('POST', '/auth/verify', { headers, body: JSON.stringify({ token: await handoff() }) })
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
  })

  it('answers a forged token, and a token of any other kind, with 401 invalid_token', async () => {
    const service = started()
    const { apiKey, browser, handoff } = await openFixture(service)
    const good = await handoff()
    const [head = '', payload = '', signature = ''] = good.split('.')
    const session = sessionOf(browser)
    const { eg_session } = (await verify(service, await handoff(), apiKey)).json<{ eg_session: string }>()
    const altered = Buffer.from(JSON.stringify({ ...decode(good).claims, exp: 9_999_999_999 })).toString('base64url')
    for (const token of [
      'x',
      `${head}.${payload}.`,
      `${head}.${payload}.${signature.slice(0, -4)}AAAA`,
      `${head}.${altered}.${signature}`,
      session,
      eg_session,
      await accessToken(service, session),
    ]) {
      assertRefused(await verify(service, token, apiKey), 401, 'invalid_token')
    }
  })

  it('answers a token after its 60 seconds with 401 invalid_token', async () => {
    const service = await startService(await database.fresh())
    const { apiKey, handoff } = await openFixture(service)
    const [inTime, late] = [await handoff(), await handoff()]
    const { iat, exp } = decode(late).claims
    assert.equal(Number(exp) - Number(iat), 60)
    service.clock.now = Number(exp) * 1000 - 1
    assert.equal((await verify(service, inTime, apiKey)).status, 200)
    service.clock.now = Number(exp) * 1000
    assertRefused(await verify(service, late, apiKey), 401, 'invalid_token')
  })

  it('redeems a token once; a replay is audited and revokes nothing', async () => {
    const service = started()
    const { apiKey, product, handoff } = await openFixture(service)
    const token = await handoff()
    const { eg_session } = (await verify(service, token, apiKey)).json<{ eg_session: string }>()
    assertRefused(await verify(service, token, apiKey), 401, 'invalid_token')
    assert.equal(await isLive(service, eg_session, apiKey), true)
    const entries = await listAudit(service.context.storage.db, { limit: 100 })
    const replay = entries.find(({ action, actor }) => action === 'handoff.replay' && actor === `product:${product.id}`)
    assert.ok(replay)
    assert.ok(!JSON.stringify(entries).includes(token))
  })

  it('knows what it redeemed after housekeeping, as long as the token would be good', async () => {
    const service = await startService(await database.fresh())
    const { apiKey, handoff } = await openFixture(service)
    const token = await handoff()
    assert.equal((await verify(service, token, apiKey)).status, 200)
    await tidyIfDue(service.context)
    assertRefused(await verify(service, token, apiKey), 401, 'invalid_token')
  })

  it("does not consume the token for another product's key", async () => {
    const service = started()
    const { apiKey, handoff } = await openFixture(service)
    const other = await openFixture(service)
    const token = await handoff()
    assertRefused(await verify(service, token, other.apiKey), 401, 'invalid_token')
    assert.equal((await verify(service, token, apiKey)).status, 200)
  })

  it('answers invalid_token once the session has ended', async () => {
    const service = started()
    const { apiKey, browser, handoff } = await openFixture(service)
    const token = await handoff()
    await browser.get('/auth/signout')
    assertRefused(await verify(service, token, apiKey), 401, 'invalid_token')
  })

  it('gives the scopes registered for the product, and no address without read:email', async () => {
    const service = started()
    const { apiKey, user, handoff } = await openFixture(service, { scopes: ['read:profile'] })
    const answer = (await verify(service, await handoff(), apiKey)).json<{ user: unknown; eg_session: string }>()
    assert.deepEqual(answer.user, { sub: user.id, name: 'Ana Flávia Conceição', is_producer: false, scopes: ['read:profile'] })
    assert.equal('email' in decode(answer.eg_session).claims, false)
    assert.ok(
      !Buffer.from(answer.eg_session.split('.')[1] ?? '', 'base64url')
        .toString()
        .includes(user.email),
    )
  })

  it('takes each of several API keys until it is revoked', async () => {
    const service = started()
    const { apiKey, product, handoff } = await openFixture(service)
    assert.equal((await verify(service, await handoff(), apiKey)).status, 200)
    const [key] = await apiKeyStore(service.context.storage.db).listApiKeys(product.id)
    assert.equal(await revokeApiKey(product, key?.id ?? '', { ...service.context, actor: 'operator:test' }), 'revoked')
    assertRefused(await verify(service, await handoff(), apiKey), 401, 'invalid_api_key')
  })
})
