import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setPlan } from '../../../src/subscriptions/index.ts'
import { eachDatabase, onPostgres } from '../../support/databases.ts'
import { bring, completed, notify, WEBHOOKS } from '../../support/gateways/purchases.ts'
import { startForSuite, startService, type TestService } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { accessToken, check, decode, me, parameter, pass, sessionOf, signedIn, verify } from '../../support/users/sign-in-steps.ts'

const DAY = 86_400_000
const PROPAGATION_MS = 2_000

/** The plan that `GET /auth/check` shows of a live session; with a key, of the product's. */
async function planIn(service: TestService, token: string, apiKey?: string): Promise<unknown> {
  const answer = (await check(service, `eg_session=${token}`, apiKey)) as { session?: { plan_slug: unknown } }
  assert.ok(answer.session, JSON.stringify(answer))
  return answer.session.plan_slug
}

let users = 0
async function someone(service: TestService) {
  const user = await service.user(`plano${++users}@exemplo.com.br`)
  const browser = await signedIn(service, user.email)
  const token = sessionOf(browser)
  const at = service.clock.now
  /** Applies an event of one plan of this user: as the operator, unless a product sold it. */
  const bringEvent = (kind: Parameters<typeof bring>[1]['kind'], plan = 'easy-pro', more: Partial<Parameters<typeof bring>[1]> = {}) =>
    bring(service, { ref: `${user.email} ${plan} ${more.productId}`, email: user.email, plan, kind, at, ...more })
  return { ...user, browser, token, bringEvent }
}

eachDatabase("A user's plan", (database) => {
  const started = startForSuite(database, { environment: WEBHOOKS })

  it('shows at the check that follows the purchase, whatever the token says, and in the next token', async () => {
    const service = started()
    const { email, token } = await someone(service)
    assert.equal(await planIn(service, token), null)
    assert.equal(await planIn(service, token), null, 'from memory')
    await notify(service.url, completed({ email: ` ${email.toUpperCase()} ` }))
    assert.equal(await planIn(service, token), 'easy-pro')
    assert.equal(decode(token).claims.plan_slug, null)
    const again = await signedIn(service, email)
    assert.equal(decode(sessionOf(again)).claims.plan_slug, 'easy-pro')
  })

  it('is in GET /api/me from the same moment', async () => {
    const service = started()
    const { token, bringEvent } = await someone(service)
    const bearer = await accessToken(service, token)
    const plan = async () => (await me(service, bearer)).json<{ plan: unknown }>().plan
    assert.equal(await plan(), null)
    await bringEvent('paid')
    assert.equal(await plan(), 'easy-pro')
    await bringEvent('refunded')
    assert.equal(await plan(), null)
  })

  it('is the highest-priced of those that are active, until it is so no longer', async () => {
    const service = started()
    const { token, bringEvent } = await someone(service)
    await bringEvent('paid', 'easy-enterprise')
    await bringEvent('paid', 'easy-standard')
    assert.equal(await planIn(service, token), 'easy-enterprise')
    await bringEvent('paid', 'easy-pro')
    assert.equal(await planIn(service, token), 'easy-enterprise')
    await bringEvent('refunded', 'easy-enterprise')
    assert.equal(await planIn(service, token), 'easy-pro')
    await bringEvent('disputed', 'easy-pro')
    assert.equal(await planIn(service, token), 'easy-standard')
    await bringEvent('dispute_won', 'easy-pro')
    assert.equal(await planIn(service, token), 'easy-pro')
    await bringEvent('ended', 'easy-pro')
    await bringEvent('ended', 'easy-standard')
    assert.equal(await planIn(service, token), null)
  })

  it('a test, and what is not paid, show nothing', async () => {
    const service = started()
    const { email, token, bringEvent } = await someone(service)
    await notify(service.url, completed({ email, is_test: true }))
    await bringEvent('payment_pending')
    assert.equal(await planIn(service, token), null)
  })

  it('is gone at the moment its canceled period ends, though nobody says anything then', async () => {
    const service = started()
    const { token, bringEvent } = await someone(service)
    const begun = service.clock.now
    const bearer = await accessToken(service, token)
    await bringEvent('paid', 'easy-standard', { periodEnd: begun + 30_000 + 2 * DAY, at: begun - 2_000 })
    await bringEvent('paid', 'easy-pro', { periodEnd: begun + 30_000, at: begun - 2_000 })
    await bringEvent('canceled', 'easy-pro', { at: begun - 1_000 })
    await bringEvent('canceled', 'easy-standard', { at: begun - 1_000 })
    try {
      assert.equal(await planIn(service, token), 'easy-pro')
      service.clock.now = begun + 29_999
      assert.equal(await planIn(service, token), 'easy-pro', 'to the last moment')
      service.clock.now = begun + 30_000
      assert.equal(await planIn(service, token), 'easy-standard', 'the next one')
      assert.equal((await me(service, bearer)).json<{ plan: unknown }>().plan, 'easy-standard')
      service.clock.now = begun + 30_000 + 2 * DAY
      assert.equal(await planIn(service, token), null)
    } finally {
      service.clock.now = begun
    }
  })

  it('lasts through grace, and no longer', async () => {
    const service = started()
    const { token, bringEvent } = await someone(service)
    const begun = service.clock.now
    await bringEvent('paid', 'easy-pro', { periodEnd: begun + DAY, method: 'card' })
    try {
      for (const [ms, plan] of [
        [DAY, 'easy-pro'],
        [4 * DAY - 1, 'easy-pro'],
        [4 * DAY, null],
      ] as const) {
        service.clock.now = begun + ms
        assert.equal(await planIn(service, token), plan, String(ms))
      }
    } finally {
      service.clock.now = begun
    }
  })

  it('is another one at once when the operator prices them anew', async () => {
    const service = started()
    const { token, bringEvent } = await someone(service)
    await bringEvent('paid', 'easy-standard')
    await bringEvent('paid', 'easy-pro')
    assert.equal(await planIn(service, token), 'easy-pro')
    const context = { ...service.context, actor: 'operator:test' }
    await setPlan({ slug: 'easy-standard', name: 'Easy Standard', price: 19_900 }, context)
    assert.equal(await planIn(service, token), 'easy-standard')
    await setPlan({ slug: 'easy-standard', name: 'Easy Standard', price: 4_900 }, context)
    assert.equal(await planIn(service, token), 'easy-pro')
  })

  it("in an external product's session is the product's own, and in the domain's the operator's", async () => {
    const service = started()
    const callback = 'http://127.0.0.1:4711/callback'
    const shop = await service.product({ slug: 'curso', audience: 'external', checkout: 'external', uris: [callback] })
    const context = { ...service.context, actor: 'operator:test' }
    assert.ok('id' in (await setPlan({ slug: 'curso-vip', name: 'Curso VIP', price: 990_000, productSlug: 'curso' }, context)))
    const { browser, token, bringEvent } = await someone(service)
    const enterShop = async () => {
      const left = await pass(browser, { redirect_to: callback, api_key: shop.product.publishableKey })
      const verified = await verify(service, parameter(left, 'eg_token'), shop.apiKey)
      return verified.json<{ eg_session: string }>().eg_session
    }
    const inShop = await enterShop()
    const plans = async () => [await planIn(service, token), await planIn(service, inShop, shop.apiKey)]
    assert.deepEqual(await plans(), [null, null])
    await bringEvent('paid', 'easy-pro')
    assert.deepEqual(await plans(), ['easy-pro', null])
    await bringEvent('paid', 'curso-vip', { productId: shop.product.id, scope: shop.product.id })
    assert.deepEqual(await plans(), ['easy-pro', 'curso-vip'])
    assert.equal(decode(await enterShop()).claims.plan_slug, 'curso-vip')
    await bringEvent('refunded', 'curso-vip', { productId: shop.product.id, scope: shop.product.id })
    assert.deepEqual(await plans(), ['easy-pro', null])
  })

  it("is nobody else's", async () => {
    const service = started()
    const [one, other] = [await someone(service), await someone(service)]
    assert.equal(await planIn(service, other.token), null)
    await one.bringEvent('paid')
    assert.deepEqual([await planIn(service, one.token), await planIn(service, other.token)], ['easy-pro', null])
  })
})

onPostgres("A user's plan, with two nodes over one PostgreSQL,", (database) => {
  it('shows on both within two seconds of a purchase reported to one of them, and is gone from both as fast', async () => {
    const { url } = await database.fresh()
    const environment = { PORTARIA_URL: 'http://sso.exemplo.test', ...WEBHOOKS }
    const [a, b] = [await startService({ url }, { environment }), await startService({ url }, { environment })]
    const user = await a.user('dois@exemplo.com.br')
    const token = sessionOf(await signedIn(a, user.email))
    // Each node listens on a port of its own under one public address.
    const plan = async (node: TestService) => {
      const answer = await node.browser().request('GET', '/auth/check', { headers: { cookie: `eg_session=${token}` } })
      return answer.json<{ session?: { plan_slug: unknown } }>().session?.plan_slug
    }
    assert.deepEqual([await plan(a), await plan(b)], [null, null])
    const paid = await bring(a, { ref: 'dois', email: user.email, kind: 'paid', at: a.clock.now })
    assert.equal(paid.userId, user.id)
    assert.equal(await plan(a), 'easy-pro')
    await until(async () => (await plan(b)) === 'easy-pro', PROPAGATION_MS)
    await bring(b, { ref: 'dois', email: user.email, kind: 'refunded', at: a.clock.now + 1 })
    await until(async () => (await plan(a)) === null, PROPAGATION_MS)
    await until(async () => (await plan(b)) === null, PROPAGATION_MS)
  })
})
