import assert from 'node:assert/strict'
import { it } from 'node:test'
import { manageSigningKeys, revokeSigningKey, rotateSigningKey } from '../../../src/sessions/index.ts'
import { eachDatabase } from '../../support/databases.ts'
import { startService, type TestService } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import {
  accessToken,
  assertRefused,
  decode,
  isLive,
  isSignedByPublishedKey,
  me,
  sessionOf,
  signedIn,
} from '../../support/users/sign-in-steps.ts'

const DAY_MS = 86_400_000

const operator = (service: TestService) => ({ ...service.context, actor: 'operator:test' })

async function published(service: TestService): Promise<string[]> {
  const { keys } = (await (await fetch(`${service.url}/.well-known/jwks.json`)).json()) as { keys: Array<{ kid: string }> }
  return keys.map(({ kid }) => kid)
}

eachDatabase('GET /.well-known/jwks.json', (database) => {
  const start = async () => {
    const service = await startService(await database.fresh())
    const user = await service.user('chaves@exemplo.com.br')
    const newToken = async () => sessionOf(await signedIn(service, user.email))
    return { service, newToken }
  }

  it('says under which name tokens are issued (RFC 8414)', async () => {
    const { service, newToken } = await start()
    const answer = await fetch(`${service.url}/.well-known/oauth-authorization-server`)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    const metadata = (await answer.json()) as Record<string, unknown>
    assert.equal(metadata.issuer, decode(await newToken()).claims.iss)
    assert.equal(metadata.token_endpoint, `${service.url}/auth/token`)
    assert.equal((await fetch(String(metadata.jwks_uri))).status, 200)
  })

  it('publishes the public halves of ES256 keys, for 300 seconds, to any site', async () => {
    const { service, newToken } = await start()
    const answer = await fetch(`${service.url}/.well-known/jwks.json`)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
    assert.equal(answer.headers.get('cache-control'), 'public, max-age=300')
    assert.equal(answer.headers.get('access-control-allow-origin'), '*')
    assert.equal(answer.headers.get('access-control-allow-credentials'), null)
    const { keys } = (await answer.json()) as { keys: Array<Record<string, string>> }
    assert.equal(keys.length, 1)
    assert.deepEqual(Object.keys(keys[0] ?? {}).sort(), ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
    assert.deepEqual([keys[0]?.kty, keys[0]?.crv, keys[0]?.alg, keys[0]?.use], ['EC', 'P-256', 'ES256', 'sig'])
    const token = await newToken()
    assert.equal(decode(token).header.kid, keys[0]?.kid)
    assert.equal(await isSignedByPublishedKey(service, token), true)
  })

  it('publishes the next key 24 hours before it signs, and the last one until its last token has expired', async () => {
    const { service, newToken } = await start()
    const [first = ''] = await published(service)
    const before = await newToken()
    const next = await rotateSigningKey({ at: 'a_day_ahead' }, operator(service))
    assert.equal(next.signsFrom, service.clock.now + DAY_MS)
    await until(async () => (await published(service)).includes(next.kid), 2_000)
    assert.deepEqual(new Set(await published(service)), new Set([first, next.kid]))
    service.clock.now += DAY_MS - 1
    assert.equal(decode(await newToken()).header.kid, first)
    service.clock.now += 1
    const after = await newToken()
    assert.equal(decode(after).header.kid, next.kid)
    for (const token of [before, after]) assert.equal(await isLive(service, token), true)
    service.clock.now += 30 * DAY_MS - 1
    assert.deepEqual(new Set(await published(service)), new Set([first, next.kid]))
    service.clock.now += 1
    assert.deepEqual(await published(service), [next.kid])
  })

  it('makes the next key by age: one each 90 days, a day ahead, however many nodes tend it', async () => {
    const { service } = await start()
    service.clock.now += 89 * DAY_MS - 1
    await manageSigningKeys(operator(service))
    assert.equal((await published(service)).length, 1)
    service.clock.now += 1
    await Promise.all([manageSigningKeys(operator(service)), manageSigningKeys(operator(service))])
    await until(async () => (await published(service)).length > 1, 2_000)
    assert.equal((await published(service)).length, 2)
  })

  it('drops a revoked key, and its tokens die at once', async () => {
    const { service, newToken } = await start()
    const [first = ''] = await published(service)
    const token = await newToken()
    const bearer = await accessToken(service, token)
    assert.equal(await isLive(service, token), true)
    assert.equal(await revokeSigningKey(first, operator(service)), 'revoked')
    await until(async () => !(await published(service)).includes(first), 2_000)
    assert.equal(await isLive(service, token), false)
    assertRefused(await me(service, bearer), 401, 'Token invalido ou expirado')
    const fresh = await newToken()
    assert.notEqual(decode(fresh).header.kid, first)
    assert.equal(await isLive(service, fresh), true)
  })
})
