import assert from 'node:assert/strict'
import { it } from 'node:test'
import { deleteUser, disableUser, enableUser, findUser, revokeUserSessions, setUserPassword } from '../../../src/admin/index.ts'
import { oneDatabase } from '../../support/databases.ts'
import { PASSWORD, startForSuite, type TestService } from '../../support/service.ts'
import {
  accessToken,
  assertOwnRedirect,
  assertRefused,
  exchangeOf,
  isLive,
  me,
  parameter,
  pass,
  post,
  sessionOf,
  signedIn,
  verify,
} from '../../support/users/sign-in-steps.ts'

let users = 0
/** A user with every kind of credential there is. */
async function openFixture(service: TestService) {
  const number = ++users
  const uri = `https://leaving-${number}.example/callback`
  const { product, apiKey } = await service.product({ slug: `leaving-${number}`, audience: 'external', uris: [uri] })
  const made = await service.user(`deixa${number}@exemplo.com.br`)
  const user = await findUser(service.context.storage.db, made.id)
  assert.ok(user)
  const browser = await signedIn(service, user.email)
  const handoff = async () => parameter(await pass(browser, { redirect_to: uri, api_key: product.publishableKey }), 'eg_token')
  const { eg_session: external } = (await verify(service, await handoff(), apiKey)).json<{ eg_session: string }>()
  const domain = sessionOf(browser)
  const unused = await handoff()
  return {
    user,
    browser,
    apiKey,
    domain,
    external,
    unused,
    bearer: await accessToken(service, domain),
    operator: { ...service.context, actor: 'operator:test' },
  }
}

/** None of a user's credentials opens anything any more. */
async function assertEnded(
  service: TestService,
  { apiKey, browser, domain, external, unused, bearer }: Awaited<ReturnType<typeof openFixture>>,
  me401 = true,
): Promise<void> {
  assert.equal(await isLive(service, domain), false)
  assert.equal(await isLive(service, external, apiKey), false)
  assertRefused(await verify(service, unused, apiKey), 401, 'invalid_token')
  assertRefused(await post(service, '/auth/token', exchangeOf(domain)), 400, 'invalid_grant')
  if (me401) assertRefused(await me(service, bearer), 401, 'Token invalido ou expirado')
  else assertRefused(await me(service, bearer), 404, 'Usuario nao encontrado')
  assertOwnRedirect(await browser.get('/account'), '/login')
}

oneDatabase('A user who leaves', (database) => {
  const started = startForSuite(database)
  const signIn = (service: TestService, email: string, password = PASSWORD) => service.browser().signIn('/login', { email, password })

  it('loses sign-in, sessions, handoffs and access tokens at once when disabled, and may sign in again when enabled', async () => {
    const service = started()
    const it = await openFixture(service)
    await disableUser(it.user, undefined, it.operator)
    await assertEnded(service, it)
    assert.equal((await signIn(service, it.user.email)).status, 401)
    await enableUser(it.user, it.operator)
    assertOwnRedirect(await signIn(service, it.user.email), '/auth/welcome')
    assert.equal(await isLive(service, it.domain), false, 'what ended stays ended')
  })

  it('loses everything when deleted, the account too', async () => {
    const service = started()
    const it = await openFixture(service)
    await deleteUser(it.user, it.operator)
    await assertEnded(service, it, false)
    assert.equal((await signIn(service, it.user.email)).status, 401)
  })

  it('loses every session with a new password', async () => {
    const service = started()
    const it = await openFixture(service)
    await setUserPassword(it.user, 'another good password', it.operator)
    await assertEnded(service, it)
    assert.equal((await signIn(service, it.user.email)).status, 401)
    assertOwnRedirect(await signIn(service, it.user.email, 'another good password'), '/auth/welcome')
  })

  it('loses every session when an operator ends them, and nothing else', async () => {
    const service = started()
    const it = await openFixture(service)
    await revokeUserSessions(it.user, it.operator)
    await assertEnded(service, it)
    assertOwnRedirect(await signIn(service, it.user.email), '/auth/welcome')
  })
})
