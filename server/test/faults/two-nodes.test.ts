import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from 'kysely'
import { disableUser, findUser, setUser } from '../../src/admin/index.ts'
import { apiKeyStore, changeProduct, productStore, revokeApiKey } from '../../src/products/index.ts'
import { revokeSigningKey, rotateSigningKey } from '../../src/sessions/index.ts'
import { acceptNda } from '../../src/users/index.ts'
import { onPostgres } from '../support/databases.ts'
import { check, fetchHandoff, isLive, openShop, redeem, sessionOf } from '../support/faults/actions.ts'
import { freePort } from '../support/free-port.ts'
import { environmentBeside, startServer } from '../support/server-process.ts'
import { PASSWORD, startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const URL_OF_BOTH = 'http://sso.exemplo.test'
const PROPAGATION_MS = 2_000
const operator = (node: TestService) => ({ ...node.context, actor: 'operator:test' })

onPostgres('Two nodes over one PostgreSQL', (database) => {
  async function begin(where?: { url: string }) {
    const { url } = where ?? (await database.fresh())
    const environment = { PORTARIA_URL: URL_OF_BOTH }
    const [a, b] = await Promise.all([startService({ url }, { environment }), startService({ url }, { environment })])
    const user = await a.user('ana@exemplo.com.br', { beta: true })
    const shop = await openShop(a)
    const browser = a.browser()
    await browser.signIn('/login', { email: user.email, password: PASSWORD })
    const account = (await findUser(a.context.storage.db, user.id)) ?? assert.fail()
    return { a, b, user: account, shop, browser, token: sessionOf(browser) }
  }
  const refusedBy = (node: TestService, token: string) => until(async () => !(await isLive(node, token)), PROPAGATION_MS)

  it('that start at once on an empty database agree on one signing key', async () => {
    const { a, b, token } = await begin(await database.empty())
    assert.equal((await jwks(a)).length, 1)
    assert.deepEqual(await jwks(a), await jwks(b))
    assert.equal(await isLive(b, token), true)
  })

  it('both refuse a session within two seconds after a sign-out at one of them, and its product sessions with it', async () => {
    const { a, b, browser, token, shop } = await begin()
    const verified = await redeem(b, await fetchHandoff(browser, shop), shop)
    const { eg_session: child } = verified.json<{ eg_session: string }>()
    assert.deepEqual([await isLive(b, token), await isLive(b, child, shop)], [true, true])
    await browser.get('/auth/signout')
    assert.equal(await isLive(a, token), false)
    await refusedBy(b, token)
    await until(async () => !(await isLive(b, child, shop)), PROPAGATION_MS)
  })

  it('redeem a handoff once, however many requests race for it across both', async () => {
    const { a, b, browser, shop } = await begin()
    for (let round = 0; round < 3; round++) {
      const token = await fetchHandoff(browser, shop)
      const answers = await Promise.all(Array.from({ length: 30 }, (_, i) => redeem(i % 2 ? a : b, token, shop)))
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array.from({ length: 29 }, () => 401)])
    }
  })

  it('both hear of a new signing key before it signs, and of one that is revoked', async () => {
    const { a, b, token } = await begin()
    const [first = assert.fail()] = await jwks(a)
    await isLive(b, token)
    const next = await rotateSigningKey({ at: 'a_day_ahead' }, operator(a))
    await until(async () => (await jwks(b)).includes(next.kid), PROPAGATION_MS)
    assert.equal(await isLive(b, token), true)
    assert.equal(await revokeSigningKey(first, operator(a)), 'revoked')
    await refusedBy(b, token)
    assert.ok(!(await jwks(b)).includes(first))
    const again = b.browser()
    await again.signIn('/login', { email: 'ana@exemplo.com.br', password: PASSWORD })
    await until(() => isLive(a, sessionOf(again)), PROPAGATION_MS)
    assert.equal(await isLive(b, sessionOf(again)), true)
  })

  it('both end the sessions of a user who is disabled at one of them', async () => {
    const { a, b, user, token, browser, shop } = await begin()
    const handoff = await fetchHandoff(browser, shop)
    assert.equal(await isLive(b, token), true)
    await disableUser(user, 'test', operator(a))
    assert.equal(await isLive(a, token), false)
    await refusedBy(b, token)
    assert.equal((await redeem(b, handoff, shop)).status, 401)
  })

  it('both show a user as they are now at the next check', async () => {
    const { a, b, user, token } = await begin()
    assert.equal((await check(b, token)).session?.is_producer, false)
    await setUser(user, { isProducer: true, name: 'Ana Clara' }, operator(a))
    assert.equal((await check(a, token)).session?.is_producer, true)
    await until(async () => (await check(b, token)).session?.is_producer === true, PROPAGATION_MS)
    assert.equal((await check(b, token)).session?.name, 'Ana Clara')

    assert.equal((await check(b, token)).session?.is_beta, false)
    const seen = { ip: '192.0.2.1', userAgent: 'test' }
    await acceptNda(user.id, seen, operator(a))
    await until(async () => (await check(b, token)).session?.is_beta === true, PROPAGATION_MS)
  })

  it('both refuse an API key that was revoked, and show a product as it is now', async () => {
    const { a, b, browser, shop } = await begin()
    const product = (await productStore(a.context.storage.db).findBySlug('loja')) ?? assert.fail()
    const verified = await redeem(b, await fetchHandoff(browser, shop), shop)
    const { eg_session: child, user } = verified.json<{ eg_session: string; user: Record<string, unknown> }>()
    assert.equal(user.email, 'ana@exemplo.com.br')
    await changeProduct('loja', { scopes: ['read:profile'] }, operator(a))
    const emailAtB = async () => {
      const answer = await redeem(b, await fetchHandoff(browser, shop), shop)
      return answer.json<{ user: Record<string, unknown> }>().user.email
    }
    await until(async () => (await emailAtB()) === undefined, PROPAGATION_MS)
    assert.equal(await isLive(b, child, shop), true)
    const [key] = await apiKeyStore(a.context.storage.db).listApiKeys(product.id)
    await revokeApiKey(product, key?.id ?? '', operator(a))
    await until(async () => !(await isLive(b, child, shop)), PROPAGATION_MS)
  })

  it('hear of each other when the listening connection is killed, and listen again', async () => {
    const { a, b, browser, token } = await begin()
    assert.equal(await isLive(b, token), true)
    const { db } = a.context.storage
    const ofFeeds = sql`datname = current_database() and application_name = 'portaria feed'`
    const listeners = async () => (await sql<{ pid: number }>`select pid from pg_stat_activity where ${ofFeeds}`.execute(db)).rows
    await until(async () => (await listeners()).length === 2, PROPAGATION_MS)
    const before = (await listeners()).map(({ pid }) => pid)
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where ${ofFeeds}`.execute(db)
    await browser.get('/auth/signout')
    await refusedBy(b, token)
    await until(async () => (await listeners()).filter(({ pid }) => !before.includes(pid)).length === 2)
  })

  it('as two real processes agree about sign-ins, sign-outs and handoffs', async () => {
    const hand = await startService(await database.fresh(), { environment: { PORTARIA_URL: URL_OF_BOTH } })
    const user = await hand.user('bia@exemplo.com.br')
    const shop = await openShop(hand)
    const [a, b] = await Promise.all([
      startServer(environmentBeside(hand, { port: await freePort() })),
      startServer(environmentBeside(hand, { port: await freePort() })),
    ])
    const browser = a.browser()
    await browser.signIn('/login', { email: user.email, password: PASSWORD })
    const token = sessionOf(browser)
    assert.equal(await isLive(b, token), true)
    const handoff = await fetchHandoff(browser, shop)
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => redeem(i % 2 ? a : b, handoff, shop)))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    await browser.get('/auth/signout')
    await until(async () => !(await isLive(b, token)), PROPAGATION_MS)
  })
})

async function jwks(node: TestService): Promise<string[]> {
  const answer = await node.browser().request('GET', '/.well-known/jwks.json')
  return answer.json<{ keys: Array<{ kid: string }> }>().keys.map(({ kid }) => kid)
}
