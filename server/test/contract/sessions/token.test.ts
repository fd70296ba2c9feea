import assert from 'node:assert/strict'
import { it } from 'node:test'
import { oneDatabase } from '../../support/databases.ts'
import { startForSuite, startService, type TestService } from '../../support/service.ts'
import {
  assertRefused,
  decode,
  exchangeOf,
  isSignedByPublishedKey,
  me,
  parameter,
  pass,
  post,
  sessionOf,
  signedIn,
  verify,
} from '../../support/users/sign-in-steps.ts'

const URI = 'https://token.example/callback'

/** A user with a session of the domain and one of an external product. */
async function openFixture(service: TestService) {
  const user = await service.user('troca@exemplo.com.br')
  const browser = await signedIn(service, user.email)
  const { product, apiKey } = await service.product({ slug: 'troca', audience: 'external', uris: [URI] })
  const handoff = parameter(await pass(browser, { redirect_to: URI, api_key: product.publishableKey }), 'eg_token')
  const { eg_session } = (await verify(service, handoff, apiKey)).json<{ eg_session: string }>()
  return { user, browser, product, apiKey, domain: sessionOf(browser), external: eg_session, handoff }
}

oneDatabase('POST /auth/token', (database) => {
  const started = startForSuite(database)
  let made: ReturnType<typeof openFixture> | undefined
  const ready = async () => {
    made ??= openFixture(started())
    return { service: started(), ...(await made) }
  }

  it('exchanges a live session for an access token, by JSON and by form', async () => {
    const { service, user, domain } = await ready()
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    for (const answer of [
      await post(service, '/auth/token', exchangeOf(domain)),
      await service.browser().request('POST', '/auth/token', { headers: form, body: new URLSearchParams(exchangeOf(domain)).toString() }),
    ]) {
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
      assert.equal(answer.headers.get('cache-control'), 'no-store')
      const { access_token, ...rest } = answer.json<{ access_token: string }>()
      const type = 'urn:ietf:params:oauth:token-type:access_token'
      assert.deepEqual(rest, { issued_token_type: type, token_type: 'Bearer', expires_in: 3600, scope: 'profile email' })
      assert.equal(await isSignedByPublishedKey(service, access_token), true)
      const { header, claims } = decode(access_token)
      assert.deepEqual([header.alg, header.typ], ['ES256', 'at+jwt'])
      const { iat, exp, jti, ...named } = claims
      assert.equal(Number(exp) - Number(iat), 3600)
      assert.ok(jti)
      const expected = {
        iss: service.url,
        aud: `${service.url}/api`,
        sub: user.id,
        sid: decode(domain).claims.sid,
        client_id: 'internal',
        scope: 'profile email',
      }
      assert.deepEqual(named, expected)
      assert.equal((await me(service, access_token)).status, 200)
    }
  })

  it("exchanges an external product's session beside its key alone", async () => {
    const { service, product, apiKey, external, domain } = await ready()
    const answer = await post(service, '/auth/token', exchangeOf(external), apiKey)
    assert.equal(answer.status, 200)
    assert.equal(decode(answer.json<{ access_token: string }>().access_token).claims.client_id, product.id)
    assertRefused(await post(service, '/auth/token', exchangeOf(external)), 400, 'invalid_grant')
    assertRefused(await post(service, '/auth/token', exchangeOf(domain), apiKey), 400, 'invalid_grant')
    const other = await service.product({ slug: 'outra-troca', audience: 'external' })
    assertRefused(await post(service, '/auth/token', exchangeOf(external), other.apiKey), 400, 'invalid_grant')
  })

  it('answers a wrong key with 401 invalid_client', async () => {
    const { service, domain } = await ready()
    const wrong = await post(service, '/auth/token', exchangeOf(domain), 'sk_wrong')
    assertRefused(wrong, 401, 'invalid_client')
    assert.equal(wrong.headers.get('www-authenticate'), 'Bearer error="invalid_token"')
    const headers = { 'content-type': 'application/json', authorization: `Basic ${Buffer.from('a:b').toString('base64')}` }
    const basic = await service.browser().request('POST', '/auth/token', { headers, body: JSON.stringify(exchangeOf(domain)) })
    assertRefused(basic, 401, 'invalid_client')
    assert.equal(basic.headers.get('www-authenticate'), `Basic realm="${service.url}"`)
  })

  it('answers a missing, mistyped or repeated parameter with 400 invalid_request', async () => {
    const { service, domain } = await ready()
    const good = exchangeOf(domain)
    const { subject_token: _, ...withoutToken } = good
    const { grant_type: __, ...withoutGrant } = good
    for (const body of [
      '',
      'not json',
      '[]',
      {},
      withoutToken,
      withoutGrant,
      { ...good, subject_token: '' },
      { ...good, subject_token: 7 },
    ]) {
      assertRefused(await post(service, '/auth/token', body), 400, 'invalid_request')
    }
    const accessTokenType = { ...good, subject_token_type: 'urn:ietf:params:oauth:token-type:access_token' }
    assertRefused(await post(service, '/auth/token', accessTokenType), 400, 'invalid_request')
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const twice = `${new URLSearchParams(good)}&subject_token=x`
    assertRefused(await service.browser().request('POST', '/auth/token', { headers: form, body: twice }), 400, 'invalid_request')
  })

  it('answers another grant type with 400 unsupported_grant_type', async () => {
    const { service, domain } = await ready()
    for (const grant_type of ['authorization_code', 'client_credentials', 'refresh_token', '']) {
      assertRefused(await post(service, '/auth/token', { ...exchangeOf(domain), grant_type }), 400, 'unsupported_grant_type')
      assertRefused(await post(service, '/auth/token', { grant_type, code: 'x' }), 400, 'unsupported_grant_type')
    }
  })

  it('takes live eg_session tokens alone: 400 invalid_grant for all else', async () => {
    const { service, domain, handoff } = await ready()
    const access = (await post(service, '/auth/token', exchangeOf(domain))).json<{ access_token: string }>().access_token
    for (const token of ['x', access, handoff, `${domain.slice(0, -4)}AAAA`]) {
      assertRefused(await post(service, '/auth/token', exchangeOf(token)), 400, 'invalid_grant')
    }
    const ended = await signedIn(service, 'troca@exemplo.com.br')
    const token = sessionOf(ended)
    await ended.get('/auth/signout')
    assertRefused(await post(service, '/auth/token', exchangeOf(token)), 400, 'invalid_grant')
  })

  it('gives access tokens the life that the operator configured, and never more than the session has left', async () => {
    const service = await startService(await database.fresh(), { environment: { PORTARIA_ACCESS_TOKEN_TTL: '120' } })
    const user = await service.user('vida@exemplo.com.br')
    const session = sessionOf(await signedIn(service, user.email))
    const exchange = async () =>
      (await post(service, '/auth/token', exchangeOf(session))).json<{ access_token: string; expires_in: number }>()
    const first = await exchange()
    assert.equal(first.expires_in, 120)
    assert.equal((await me(service, first.access_token)).status, 200)
    service.clock.now = Number(decode(first.access_token).claims.exp) * 1000
    assertRefused(await me(service, first.access_token), 401, 'Token invalido ou expirado')
    const end = Number(decode(session).claims.exp)
    service.clock.now = (end - 30) * 1000
    const last = await exchange()
    assert.ok(last.expires_in <= 31, String(last.expires_in))
    assert.ok(Number(decode(last.access_token).claims.exp) <= end)
  })
})
