import assert from 'node:assert/strict'
import { it } from 'node:test'
import { deleteUser, disableUser, findUser, setUser } from '../../../src/admin/index.ts'
import { oneDatabase } from '../../support/databases.ts'
import { startForSuite, type TestService } from '../../support/service.ts'
import { accessToken, assertRefused, decode, me, parameter, pass, sessionOf, signedIn, verify } from '../../support/users/sign-in-steps.ts'

let users = 0
async function someone(service: TestService) {
  const made = await service.user(`me${++users}@exemplo.com.br`)
  const browser = await signedIn(service, made.email)
  const user = await findUser(service.context.storage.db, made.id)
  assert.ok(user)
  return { user, browser, bearer: await accessToken(service, sessionOf(browser)), operator: { ...service.context, actor: 'operator:test' } }
}

oneDatabase('GET /api/me', (database) => {
  const started = startForSuite(database)

  it('answers the profile of the user, its five fields and no more', async () => {
    const service = started()
    const { user, bearer, operator } = await someone(service)
    const profile = { id: user.id, email: user.email, name: 'Ana Flávia Conceição', avatar_url: null, plan: null }
    const answer = await me(service, bearer)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    assert.deepEqual(answer.json(), profile)
    await setUser(user, { avatarUrl: 'https://img.example/a.png' }, operator)
    assert.deepEqual((await me(service, bearer)).json(), { ...profile, avatar_url: 'https://img.example/a.png' })
  })

  it('answers 401 Token ausente without a bearer', async () => {
    const service = started()
    const { bearer, browser } = await someone(service)
    assertRefused(await me(service), 401, 'Token ausente')
    for (const authorization of ['', 'Bearer', 'Bearer ', `Basic ${bearer}`, bearer]) {
      assertRefused(await service.browser().request('GET', '/api/me', { headers: { authorization } }), 401, 'Token ausente')
    }
    assertRefused(await browser.request('GET', `/api/me?access_token=${bearer}`), 401, 'Token ausente')
    assertRefused(await browser.get('/api/me'), 401, 'Token ausente')
  })

  it('answers 401 Token invalido ou expirado for a forged token, and for a token of any other kind', async () => {
    const service = started()
    const { bearer, browser } = await someone(service)
    const { product, apiKey } = await service.product({ slug: 'me', audience: 'external', uris: ['https://me.example/callback'] })
    const handoff = parameter(
      await pass(browser, { redirect_to: 'https://me.example/callback', api_key: product.publishableKey }),
      'eg_token',
    )
    for (const token of ['x', `${bearer.slice(0, -4)}AAAA`, sessionOf(browser), handoff, apiKey]) {
      assertRefused(await me(service, token), 401, 'Token invalido ou expirado')
    }
  })

  it('answers 401 Token invalido ou expirado once the session has ended', async () => {
    const service = started()
    const { bearer, browser } = await someone(service)
    await browser.get('/auth/signout')
    assertRefused(await me(service, bearer), 401, 'Token invalido ou expirado')
  })

  it('answers 401 Token invalido ou expirado for a disabled user', async () => {
    const service = started()
    const { user, bearer, operator } = await someone(service)
    await disableUser(user, undefined, operator)
    assertRefused(await me(service, bearer), 401, 'Token invalido ou expirado')
  })

  it('answers 404 Usuario nao encontrado for a genuine token whose user is gone', async () => {
    const service = started()
    const { user, bearer, operator } = await someone(service)
    assert.equal((await me(service, bearer)).status, 200)
    await deleteUser(user, operator)
    assertRefused(await me(service, bearer), 404, 'Usuario nao encontrado')
  })

  it('leaves the address out, as null, for a product without read:email', async () => {
    const service = started()
    const { user, browser } = await someone(service)
    const uri = 'https://me-profile.example/callback'
    const { product, apiKey } = await service.product({ slug: 'me-profile', audience: 'external', uris: [uri], scopes: ['read:profile'] })
    const handoff = parameter(await pass(browser, { redirect_to: uri, api_key: product.publishableKey }), 'eg_token')
    const { eg_session } = (await verify(service, handoff, apiKey)).json<{ eg_session: string }>()
    const answer = await me(service, await accessToken(service, eg_session, apiKey))
    assert.deepEqual(answer.json(), { id: user.id, email: null, name: 'Ana Flávia Conceição', avatar_url: null, plan: null })
    assert.equal(decode(eg_session).claims.sub, user.id)
  })
})
