import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { it } from 'node:test'
import { disableUser, enableUser, findUser } from '../../../src/admin/index.ts'
import { endSubscription, PAYMENT_KINDS, refundSubscription } from '../../../src/payment-history/index.ts'
import { addApiKey, changeProduct, METHODS, type ProductCreated, revokeApiKey } from '../../../src/products/index.ts'
import { moveSubscription, unlinkSubscription } from '../../../src/subscriptions/index.ts'
import { eachDatabase } from '../../support/databases.ts'
import { activated, bring, completed, later, notify, subscriptionsOf, WEBHOOKS } from '../../support/gateways/purchases.ts'
import { startForSuite, type TestService } from '../../support/service.ts'

const DAY = 86_400_000
const NONE = { active: false, status: 'none', reason: 'no_subscription', plan_slug: null, current_period_end: null, grace_until: null }
const PAID = { active: true, status: 'active', reason: 'paid', plan_slug: 'easy-pro', current_period_end: null, grace_until: null }
const OTHERS = { ...NONE, reason: 'linked_to_another_user' }
const iso = (ms: number) => new Date(ms).toISOString()

/** Each event with its day from today, the day until which it paid and the method; then the answer, its two times in days. */
const ENTITLEMENTS = [
  ['payment_pending -1', false, 'pending', 'payment_pending', null, null],
  ['paid -400', true, 'active', 'paid', null, null],
  ['paid -1..29', true, 'active', 'paid', 29, null],
  ['paid -32..-2', true, 'active', 'in_grace', -2, 1],
  ['paid -40..-3', false, 'expired', 'expired', -3, 0],
  ['paid -40..-4/boleto', true, 'active', 'in_grace', -4, 1],
  ['paid -40..-5/boleto', false, 'expired', 'expired', -5, 0],
  ['paid -40..-6/pix', true, 'active', 'in_grace', -6, 1],
  ['paid -40..-7/pix', false, 'expired', 'expired', -7, 0],
  ['paid -40, payment_failed -2', true, 'past_due', 'in_grace', null, 1],
  ['paid -40, payment_failed -3', false, 'past_due', 'past_due', null, 0],
  ['payment_pending -9, payment_expired -2', false, 'expired', 'expired', null, null],
  ['paid -9..21, canceled -1', true, 'canceled', 'paid_until_period_end', 21, null],
  ['paid -40..-1, canceled -9', false, 'canceled', 'canceled', -1, null],
  ['paid -9..21, ended -1', false, 'canceled', 'canceled', 21, null],
  ['paid -9..21, canceled -2, resumed -1', true, 'active', 'paid', 21, null],
  ['paid -9..21, refunded -1', false, 'refunded', 'refunded', 21, null],
  ['paid -9..21, partially_refunded -1', true, 'active', 'paid', 21, null],
  ['paid -9..21, disputed -1', false, 'disputed', 'disputed', 21, null],
  ['paid -9..21, disputed -2, dispute_won -1', true, 'active', 'paid', 21, null],
  ['paid -9..21, disputed -2, dispute_lost -1', false, 'refunded', 'refunded', 21, null],
] as const

function toGatewayEvent(line: string, now: number) {
  return line.split(', ').map((one) => {
    const [, kindName, day, end, by] = /^(\w+) (-\d+)(?:\.\.(-?\d+))?(?:\/(\w+))?$/.exec(one) ?? []
    const kind = PAYMENT_KINDS.find((name) => name === kindName) ?? assert.fail(one)
    const method = METHODS.find((name) => name === by)
    return { kind, at: now + Number(day) * DAY, periodEnd: end === undefined ? undefined : now + Number(end) * DAY, method }
  })
}

let shops = 0
async function openShop(service: TestService): Promise<ProductCreated> {
  return service.product({ slug: `loja-${++shops}`, audience: 'external', checkout: 'external' })
}

/** Asks as a product's server does: with its key in the header unless the query has one. */
async function ask(service: TestService, { apiKey }: { apiKey: string }, query: Record<string, string> | string) {
  const headers = { authorization: `Bearer ${apiKey}` }
  const answer = await fetch(`${service.url}/api/saas/check-access?${new URLSearchParams(query)}`, { headers })
  return { status: answer.status, body: (await answer.json()) as Access }
}

type Access = Record<'status' | 'reason', string> &
  Record<'plan_slug' | 'current_period_end' | 'grace_until', string | null> & { active: boolean }

eachDatabase('GET /api/saas/check-access', (database) => {
  const started = startForSuite(database, { environment: WEBHOOKS })
  const operator = () => ({ ...started().context, actor: 'operator:test' })
  let buyers = 0
  const someone = () => `acesso${++buyers}@exemplo.com.br`
  /** One product, and the events that it gets. */
  async function openFixture() {
    const service = started()
    const shop = await openShop(service)
    const answerTo = async (query: Record<string, string>) => {
      const { status, body } = await ask(service, shop, query)
      assert.equal(status, 200)
      return body
    }
    const buy = async (email: string, more: { at?: string; plan?: string } = {}) => {
      const sent = await notify(service.url, completed({ email, productId: shop.product.id, at: iso(service.clock.now), ...more }))
      assert.equal(sent.status, 200)
    }
    return { service, shop, answerTo, buy }
  }

  it('answers six fields and no more, as JSON that nobody keeps', async () => {
    const { service, shop, buy } = await openFixture()
    const email = someone()
    await buy(email)
    const headers = { authorization: `bearer ${shop.apiKey}`, accept: 'text/html' }
    const answer = await fetch(`${service.url}/api/saas/check-access?email=${email}`, { headers })
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    assert.equal(answer.headers.get('access-control-allow-origin'), null)
    assert.deepEqual(await answer.json(), PAID)
    const head = await fetch(`${service.url}/api/saas/check-access?email=${email}`, { headers, method: 'HEAD' })
    assert.deepEqual([head.status, await head.text(), head.headers.get('content-length')], [200, '', answer.headers.get('content-length')])
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const refused = await fetch(`${service.url}/api/saas/check-access?email=${email}`, { headers, method })
      assert.deepEqual([refused.status, await refused.json()], [405, { error: 'Metodo nao permitido' }])
    }
  })

  it('answers 401 invalid_api_key without a live API key, before the question is looked at', async () => {
    const { service, shop } = await openFixture()
    const added = await addApiKey(shop.product, operator())
    assert.equal((await ask(service, added, 'user_id=u')).status, 200)
    assert.equal(await revokeApiKey(shop.product, added.id, operator()), 'revoked')
    const refused = { status: 401, body: { error: 'invalid_api_key' } }
    const webhookKey = 'webhookKey' in shop && typeof shop.webhookKey === 'string' ? shop.webhookKey : 'wk_x'
    for (const apiKey of ['', 'x', added.apiKey, shop.product.publishableKey, webhookKey, `${shop.apiKey}x`, shop.apiKey.slice(0, -1)])
      for (const query of ['user_id=u', '', 'user_id=a&user_id=b']) assert.deepEqual(await ask(service, { apiKey }, query), refused, apiKey)
    for (const headers of [{}, { authorization: shop.apiKey }, { authorization: `Basic ${shop.apiKey}` }, { 'x-api-key': shop.apiKey }]) {
      const answer = await fetch(`${service.url}/api/saas/check-access?user_id=u`, { headers })
      assert.deepEqual({ status: answer.status, body: await answer.json() }, refused)
    }
  })

  it('takes the API key in the query as well: both the same, never two that differ, and not where it is switched off', async () => {
    const { service, shop, buy } = await openFixture()
    const email = someone()
    await buy(email)
    const other = await openShop(service)
    const byQuery = async (query: string, headers: Record<string, string> = {}) => {
      const answer = await fetch(`${service.url}/api/saas/check-access?email=${email}${query}`, { headers })
      return { status: answer.status, body: await answer.json() }
    }
    const refused = { status: 401, body: { error: 'invalid_api_key' } }
    const taken = { status: 200, body: PAID }
    const header = { authorization: `Bearer ${shop.apiKey}` }
    assert.deepEqual(await byQuery(`&api_key=${shop.apiKey}`), taken)
    assert.deepEqual(await byQuery(`&api_key=${shop.apiKey}`, header), taken)
    const different = [`&api_key=${other.apiKey}`, '&api_key=x', '&api_key=', `&api_key=${shop.apiKey}&api_key=${other.apiKey}`]
    for (const query of different) assert.deepEqual(await byQuery(query, header), refused, query)
    const wrong = ['&api_key=', '&api_key=x', `&api_key=${shop.product.publishableKey}`, `&api_key=${shop.apiKey}&api_key=${other.apiKey}`]
    for (const query of wrong) assert.deepEqual(await byQuery(query), refused, query)
    assert.deepEqual(await byQuery(`&api_key=${shop.apiKey}`, { authorization: `Bearer ${other.apiKey}` }), refused)
    await changeProduct(shop.product.slug, { queryKeyAllowed: false }, operator())
    assert.deepEqual(await byQuery(`&api_key=${shop.apiKey}`), refused)
    assert.deepEqual(await byQuery('', header), taken)
    assert.ok(!service.log().includes(shop.apiKey), 'a key in an address is in no log')
  })

  it('answers 400 to a question without a user, and to one that is not clear', async () => {
    const { service, shop, answerTo } = await openFixture()
    for (const query of ['', 'user_id=', 'email=', 'user_id=&email=', 'email=%20%09', 'USER_ID=u', 'sub=u'])
      assert.deepEqual(await ask(service, shop, query), { status: 400, body: { error: 'user_id ou email ausente' } }, query)
    const unclear = [
      'user_id=a&user_id=b',
      'user_id=a&user_id=a',
      'email=a@b.com&email=c@b.com',
      `user_id=${'x'.repeat(129)}`,
      `user_id=${'x'.repeat(5_000)}`,
      'user_id=a%00b',
      'user_id=%0a',
      'user_id=a%C2%85',
    ]
    for (const query of unclear)
      assert.deepEqual(await ask(service, shop, query), { status: 400, body: { error: 'parametros invalidos' } }, query.slice(0, 40))
    for (const user_id of ['x', 'x'.repeat(128), 'usuário 1', "' or 1=1 --", '%', '_', '\u2028', '😀', '<script>'])
      assert.deepEqual(await answerTo({ user_id }), NONE, user_id)
    for (const email of ['ana', 'ana@b', '@', 'a\u0000@exemplo.com.br', `${'x'.repeat(3_000)}@exemplo.com.br`])
      assert.deepEqual([await answerTo({ email }), await answerTo({ email, user_id: 'u' })], [NONE, NONE], email.slice(0, 20))
  })

  it('takes a user id of exactly 128 characters as it is, apart from every other', async () => {
    const { buy, answerTo } = await openFixture()
    const email = someone()
    await buy(email)
    const id = 'ü'.repeat(127)
    assert.deepEqual(await answerTo({ user_id: `${id}a`, email }), PAID)
    assert.deepEqual(await answerTo({ user_id: `${id}a` }), PAID)
    for (const user_id of [`${id}A`, `${id}b`, id, `${'u\u0308'.repeat(60)}a`, `${id.slice(1)}a`])
      assert.deepEqual(await answerTo({ user_id }), NONE)
  })

  it('answers every standing with its status and reason, the end of the period and of grace', async (t) => {
    for (const [events, active, status, reason, periodEnd, graceEnd] of ENTITLEMENTS) {
      await t.test(`${events}: ${status}, ${reason}`, async () => {
        const { service, shop, answerTo } = await openFixture()
        const { now } = service.clock
        const email = someone()
        for (const event of toGatewayEvent(events, now)) await bring(service, { ref: email, email, productId: shop.product.id, ...event })
        const time = (days: number | null) => (days === null ? null : iso(now + days * DAY))
        const times = { current_period_end: time(periodEnd), grace_until: time(graceEnd) }
        for (const query of [{ email }, { email, user_id: 'u' }, { user_id: 'u' }])
          assert.deepEqual(await answerTo(query), { active, status, reason, plan_slug: 'easy-pro', ...times })
      })
    }
  })

  it('no_subscription: nothing was bought', async () => {
    const { answerTo } = await openFixture()
    for (const query of [{ email: someone() }, { user_id: randomUUID() }, { email: someone(), user_id: 'u' }])
      assert.deepEqual(await answerTo(query), NONE)
  })

  it('goes with the clock: paid to the last moment of the period, then grace, then expired', async () => {
    const { service, shop, answerTo } = await openFixture()
    const begun = service.clock.now
    const email = someone()
    await bring(service, { ref: email, email, productId: shop.product.id, kind: 'paid', method: 'card', periodEnd: begun + DAY })
    const at = async (ms: number) => {
      service.clock.now = begun + ms
      const { active, status, reason } = await answerTo({ email })
      return [active, status, reason]
    }
    try {
      assert.deepEqual(await at(DAY - 1), [true, 'active', 'paid'])
      assert.deepEqual(await at(DAY), [true, 'active', 'in_grace'])
      assert.deepEqual(await at(4 * DAY - 1), [true, 'active', 'in_grace'])
      assert.deepEqual(await at(4 * DAY), [false, 'expired', 'expired'])
    } finally {
      service.clock.now = begun
    }
    await bring(service, { ref: email, email, kind: 'canceled' })
    try {
      assert.deepEqual(await at(DAY - 1), [true, 'canceled', 'paid_until_period_end'])
      assert.deepEqual(await at(DAY), [false, 'canceled', 'canceled'])
    } finally {
      service.clock.now = begun
    }
  })

  it('an address alone reads and never links; both inputs link, once and for good', async () => {
    const { service, buy, answerTo } = await openFixture()
    const email = someone()
    await buy(email)
    const linked = async () => (await subscriptionsOf(service, email)).map(({ product_user }) => product_user)
    for (let i = 0; i < 3; i++) assert.deepEqual(await answerTo({ email }), PAID)
    assert.deepEqual([await answerTo({ user_id: 'u1' }), await linked()], [NONE, [null]])
    assert.deepEqual([await answerTo({ user_id: 'u1', email }), await linked()], [PAID, ['u1']])
    assert.deepEqual(await answerTo({ user_id: 'u1' }), PAID)
    assert.deepEqual(await answerTo({ user_id: 'u1', email: someone() }), PAID, 'the id comes first')
    assert.deepEqual([await answerTo({ user_id: 'u2', email }), await linked()], [OTHERS, ['u1']])
    assert.deepEqual(await answerTo({ user_id: 'u2' }), NONE)
    assert.deepEqual(await answerTo({ email }), PAID)
  })

  it('what an address buys later goes to the next user who asks with it, and what was linked before stays where it is', async () => {
    const { service, buy, answerTo } = await openFixture()
    const email = someone()
    await buy(email)
    assert.deepEqual(await answerTo({ user_id: 'u1', email }), PAID)
    await buy(email, { plan: 'easy-standard' })
    assert.deepEqual(await answerTo({ user_id: 'u2', email }), { ...PAID, plan_slug: 'easy-standard' })
    assert.deepEqual(await answerTo({ user_id: 'u1', email }), PAID)
    assert.deepEqual(
      (await subscriptionsOf(service, email)).map(({ product_user }) => product_user),
      ['u1', 'u2'],
    )
  })

  it('finds an address in any case and between spaces', async () => {
    const { buy, answerTo } = await openFixture()
    await buy(' Forma@Exemplo.COM.br ')
    for (const email of ['forma@exemplo.com.br', 'FORMA@EXEMPLO.COM.BR', ' forma@exemplo.com.br\t'])
      assert.deepEqual(await answerTo({ email }), PAID, email)
    assert.deepEqual(await answerTo({ email: 'forma+1@exemplo.com.br' }), NONE)
  })

  it('W3: gives nobody what the owner of an address bought that theirs only resembles', async () => {
    const { buy, answerTo } = await openFixture()
    await buy('vitima@exemplo.com.br')
    for (const email of ['ｖitima@exemplo.com.br', 'vitima@exemplo。com.br', 'vitima@ｅxemplo.com.br', 'vitima＠exemplo.com.br']) {
      assert.deepEqual(await answerTo({ email }), NONE, email)
      assert.deepEqual(await answerTo({ user_id: 'thief', email }), NONE, email)
    }
    assert.deepEqual(await answerTo({ user_id: 'owner', email: 'vitima@exemplo.com.br' }), PAID)
  })

  it('W3: takes from nobody what they bought, whatever becomes of a purchase with an address that theirs only resembles', async () => {
    const { service, shop, buy, answerTo } = await openFixture()
    for (const event of ['subscription.ended', 'subscription.canceled', 'payment.refunded', 'payment.disputed'] as const) {
      const email = someone()
      const alike = email.replace(/^./, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0))
      await buy(email)
      await buy(alike)
      service.clock.now += 1_000
      const about = { user_email: alike, product_id: shop.product.id, plan_slug: 'easy-pro', subscription_id: null }
      assert.equal((await notify(service.url, later(event, { ...about, at: iso(service.clock.now) }))).status, 200)
      assert.deepEqual(await answerTo({ email }), PAID, event)
      const lines = await subscriptionsOf(service, email)
      assert.deepEqual([lines.length, lines[0]?.state], [2, 'active'], event)
      assert.notEqual(lines[1]?.state, 'active', event)
    }
  })

  it('of 20 users who ask at once with one address, one gets it, and the others hear that it is linked', async () => {
    const { service, buy, answerTo } = await openFixture()
    for (let round = 0; round < 3; round++) {
      const email = someone()
      await buy(email)
      const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => answerTo({ user_id: `r${round}-${i}`, email })))
      assert.deepEqual(answers.filter(({ reason }) => reason === 'paid').length, 1)
      assert.deepEqual(answers.filter(({ reason }) => reason === 'linked_to_another_user').length, 19)
      const winner = `r${round}-${answers.findIndex(({ active }) => active)}`
      assert.deepEqual(
        (await subscriptionsOf(service, email)).map(({ product_user }) => product_user),
        [winner],
      )
      assert.deepEqual(await answerTo({ user_id: winner }), PAID)
    }
  })

  it('a product never sees, nor links, what was bought for another product or for none', async () => {
    const { service, shop, buy } = await openFixture()
    const other = await openShop(service)
    const email = someone()
    await buy(email)
    await notify(service.url, completed({ email }))
    assert.deepEqual((await ask(service, shop, { email, user_id: 'u' })).body, PAID)
    for (const query of [{ email }, { user_id: 'u' }, { email, user_id: 'u' }, { email, user_id: 'v' }])
      assert.deepEqual((await ask(service, other, query)).body, NONE)
    assert.deepEqual((await subscriptionsOf(service, email)).map(({ product_user }) => product_user).sort(), [null, 'u'])
  })

  it('knows the sub of an account that the purchase is linked to, and links it when both inputs come', async () => {
    const { service, buy, answerTo } = await openFixture()
    const { id, email } = await service.user(someone())
    await buy(email)
    assert.deepEqual(await answerTo({ user_id: id }), PAID)
    assert.deepEqual(await answerTo({ user_id: id, email }), PAID)
    assert.deepEqual(await answerTo({ user_id: id, email: someone() }), PAID)
    assert.deepEqual(await answerTo({ user_id: 'thief', email }), OTHERS)
    assert.deepEqual(await answerTo({ user_id: id.toUpperCase() }), NONE, 'ids are opaque')
    const { id: other } = await service.user(someone())
    assert.deepEqual(await answerTo({ user_id: other }), NONE)
  })

  it("a disabled account's sub opens nothing at once, with its address as well, and whoever linked it; enabled again it does", async () => {
    const { service, buy, answerTo } = await openFixture()
    const [linked, unlinked] = [await service.user(someone()), await service.user(someone())]
    await buy(linked.email)
    await buy(unlinked.email)
    assert.deepEqual(await answerTo({ user_id: linked.id, email: linked.email }), PAID)
    for (const { id, email } of [linked, unlinked]) {
      const user = (await findUser(service.context.storage.db, id)) ?? assert.fail()
      assert.deepEqual(await answerTo({ user_id: id }), PAID)
      await disableUser(user, 'test', operator())
      for (const query of [{ user_id: id }, { user_id: id, email }, { user_id: id, email: someone() }])
        assert.deepEqual(await answerTo(query), NONE)
      assert.notDeepEqual(
        (await subscriptionsOf(service, email)).map(({ user_id }) => user_id),
        [null],
      )
      await enableUser({ ...user, disabledAt: service.clock.now }, operator())
      assert.deepEqual(await answerTo({ user_id: id }), PAID)
    }
  })

  it("a disabled account's sub links nothing that was bought with any address", async () => {
    const { service, buy, answerTo } = await openFixture()
    const { id } = await service.user(someone())
    const email = someone()
    await buy(email)
    const user = (await findUser(service.context.storage.db, id)) ?? assert.fail()
    await disableUser(user, 'test', operator())
    assert.deepEqual(await answerTo({ user_id: id, email }), NONE)
    assert.deepEqual(
      (await subscriptionsOf(service, email)).map(({ product_user }) => product_user),
      [null],
    )
  })

  it('a purchase after a refund counts for the user whom the first was linked to', async () => {
    const { service, shop, answerTo } = await openFixture()
    const email = someone()
    const { now } = service.clock
    const bringEvent = (kind: 'paid' | 'refunded', ago: number, paymentId: string) =>
      bring(service, { ref: email, email, productId: shop.product.id, kind, at: now - ago, paymentId })
    await bringEvent('paid', 3_000, 'p1')
    assert.deepEqual(await answerTo({ user_id: 'u', email }), PAID)
    await bringEvent('refunded', 2_000, 'p1')
    assert.equal((await answerTo({ user_id: 'u' })).reason, 'refunded')
    await bringEvent('paid', 1_000, 'p2')
    assert.deepEqual(await answerTo({ user_id: 'u' }), PAID)
    assert.deepEqual(await answerTo({ user_id: 'v', email }), OTHERS)
  })

  it('H1: what is bought later with the address counts at once for the user who has the first, though the answer was remembered', async () => {
    const { service, shop, answerTo, buy } = await openFixture()
    const email = someone()
    await buy(email, { plan: 'easy-standard' })
    const standard = { ...PAID, plan_slug: 'easy-standard' }
    for (const _ of 'ab') assert.deepEqual(await answerTo({ user_id: 'u1', email }), standard)
    await buy(email)
    assert.deepEqual(await answerTo({ user_id: 'u1', email }), PAID)
    assert.deepEqual(await answerTo({ user_id: 'u1' }), PAID)
    assert.deepEqual(
      (await subscriptionsOf(service, email)).map(({ product_user }) => product_user),
      ['u1', 'u1'],
    )
    const other = someone()
    assert.deepEqual(await answerTo({ user_id: 'u1', email: other }), PAID)
    await bring(service, {
      ref: other,
      email: other,
      productId: shop.product.id,
      plan: 'easy-enterprise',
      kind: 'paid',
      at: service.clock.now,
    })
    service.clock.now += 5_000
    assert.equal((await answerTo({ user_id: 'u1', email: other })).plan_slug, 'easy-enterprise', 'with an address that had bought nothing')
  })

  it('H1: of two users who share an address each keeps what is linked to them', async () => {
    const { buy, answerTo } = await openFixture()
    const email = someone()
    await buy(email, { plan: 'easy-standard' })
    assert.equal((await answerTo({ user_id: 'u1', email })).plan_slug, 'easy-standard')
    await buy(email)
    assert.deepEqual(await answerTo({ user_id: 'u2', email }), PAID)
    assert.equal((await answerTo({ user_id: 'u1', email })).plan_slug, 'easy-standard')
  })

  it('M1: of active subscriptions one that goes on counts before one that is canceled or in grace, then the higher price, then the later change', async () => {
    const { service, shop, answerTo } = await openFixture()
    const { now } = service.clock
    async function best(plans: Record<string, 'running' | 'canceled' | 'grace'>): Promise<string | null> {
      const email = someone()
      for (const [i, [plan, how]] of Object.entries(plans).entries()) {
        const at = { ref: `${email} ${plan}`, email, productId: shop.product.id, plan, at: now - 9 * DAY + i }
        await bring(service, { ...at, kind: 'paid', periodEnd: how === 'grace' ? now - DAY : now + 20 * DAY })
        if (how === 'canceled') await bring(service, { ...at, kind: 'canceled', at: now - DAY + i })
      }
      const byAddress = await answerTo({ email })
      assert.deepEqual(await answerTo({ user_id: email, email }), byAddress)
      return byAddress.plan_slug
    }
    assert.equal(await best({ 'easy-pro': 'running', 'easy-standard': 'canceled' }), 'easy-pro')
    assert.equal(await best({ 'easy-pro': 'canceled', 'easy-standard': 'running' }), 'easy-standard')
    assert.equal(await best({ 'easy-standard': 'running', 'easy-enterprise': 'grace' }), 'easy-standard')
    assert.equal(await best({ 'easy-pro': 'running', 'easy-standard': 'running' }), 'easy-pro')
    assert.equal(await best({ 'easy-pro': 'canceled', 'easy-standard': 'grace' }), 'easy-pro')
  })

  it('ends by the operator’s refund also where the clock of a refund that failed is ahead', async () => {
    const { service } = await openFixture()
    const email = someone()
    const about = { ref: email, email, paymentId: email }
    const { id } = await bring(service, { ...about, kind: 'paid', at: service.clock.now - DAY })
    await bring(service, { ...about, kind: 'refund_failed', at: service.clock.now + 300_000 })
    await refundSubscription(id, 'test', operator())
    assert.deepEqual(
      (await subscriptionsOf(service, email)).map(({ state }) => state),
      ['refunded'],
    )
  })

  it('L9: what is bought after a refund or an end by the operator counts, though the clock of the checkout is behind', async () => {
    const { service, buy, answerTo } = await openFixture()
    for (const [change, kindName] of [
      [refundSubscription, 'refunded'],
      [endSubscription, 'canceled'],
    ] as const) {
      const email = someone()
      const bought = iso(service.clock.now - 600_000)
      await buy(email, { at: bought })
      const [{ id = '' } = {}] = await subscriptionsOf(service, email)
      await change(id, 'test', operator())
      await buy(email, { at: bought })
      assert.equal((await answerTo({ email })).reason, kindName)
      await buy(email, { at: iso(service.clock.now - 120_000) })
      assert.deepEqual(await answerTo({ email }), PAID, kindName)
      const [newest] = (await subscriptionsOf(service, email)).toReversed()
      await change(newest?.id ?? '', 'test', operator())
      assert.equal((await answerTo({ email })).active, false)
    }
  })

  it('M7: what is bought with an address that its first account has left goes to who has the address now, here and in the product', async () => {
    const { service, buy, answerTo } = await openFixture()
    const [left, fresh] = [someone(), someone()]
    const first = await service.user(left)
    await buy(left)
    assert.deepEqual(await answerTo({ user_id: 'u1', email: left }), PAID)
    await service.context.storage.db.updateTable('users').set({ email: fresh }).where('id', '=', first.id).execute()
    const second = await service.user(left)
    for (let month = 0; month < 2; month++) {
      service.clock.now += 1_000
      await buy(left)
      assert.deepEqual(await answerTo({ user_id: 'u2', email: left }), PAID)
    }
    assert.deepEqual(
      (await subscriptionsOf(service, left)).map(({ user_id, product_user }) => [user_id, product_user]),
      [
        [first.id, 'u1'],
        [second.id, 'u2'],
      ],
    )
    assert.deepEqual(await answerTo({ user_id: 'u1', email: fresh }), PAID)
  })

  it('M7: an address that its account has left leads nobody to what the account has, in a product that has not asked with it before', async () => {
    const { service, buy, answerTo } = await openFixture()
    const [left, fresh] = [someone(), someone()]
    const first = await service.user(left)
    await buy(left)
    assert.deepEqual(await answerTo({ email: left }), PAID)
    await service.context.storage.db.updateTable('users').set({ email: fresh }).where('id', '=', first.id).execute()
    const second = await service.user(left)
    for (const query of [{ user_id: second.id, email: left }, { user_id: second.id }, { user_id: 'u2', email: left }, { email: left }])
      assert.deepEqual(await answerTo(query), NONE, JSON.stringify(query))
    assert.deepEqual(await answerTo({ user_id: first.id }), PAID)
    assert.deepEqual(await answerTo({ user_id: first.id, email: left }), PAID, 'whoever has it may link it by the address of the purchase')
    assert.deepEqual(await answerTo({ user_id: second.id, email: left }), NONE)
  })

  it('links nothing to an account that has not verified the address, which the product knows from Portaria', async () => {
    const { service, buy, answerTo } = await openFixture()
    const email = someone()
    const { id } = await service.user(email)
    const verified = (at: number | null) =>
      service.context.storage.db.updateTable('users').set({ email_verified_at: at }).where('id', '=', id).execute()
    await verified(null)
    await buy(email)
    assert.deepEqual(await answerTo({ user_id: id, email }), NONE)
    assert.deepEqual(await answerTo({ email }), PAID, 'the address alone reads')
    assert.deepEqual(await answerTo({ user_id: 'u1', email }), PAID, 'a user of its own the product has verified')
    assert.deepEqual(await answerTo({ user_id: id, email }), OTHERS)
    await buy(email, { plan: 'easy-standard' })
    await verified(1)
    assert.deepEqual(await answerTo({ user_id: id, email }), { ...PAID, plan_slug: 'easy-standard' })
  })

  it('takes a subscription that the operator moves, or unlinks from its account, from the id by which the product names that account', async () => {
    const { service, buy, answerTo } = await openFixture()
    for (const isAsked of [true, false]) {
      const [email, another] = [someone(), someone()]
      const [from, to] = [await service.user(email), await service.user(another)]
      await buy(email)
      if (isAsked) assert.deepEqual(await answerTo({ user_id: from.id, email }), PAID)
      const [bought] = await subscriptionsOf(service, email)
      await moveSubscription(bought?.id ?? '', { to: to.id, reason: 'test' }, operator())
      for (const query of [{ user_id: from.id }, { user_id: from.id, email }, { email }])
        assert.deepEqual(await answerTo(query), NONE, `${isAsked} ${JSON.stringify(query)}`)
      assert.deepEqual(await answerTo({ user_id: to.id, email: another }), PAID)
      assert.deepEqual(await answerTo({ user_id: to.id, email }), PAID)
      assert.deepEqual(await answerTo({ user_id: from.id, email }), NONE)
      await unlinkSubscription(bought?.id ?? '', { links: ['account'], reason: 'test' }, operator())
      assert.deepEqual(await answerTo({ user_id: to.id }), NONE)
    }
  })

  it('M7: a refund of what the first account has bought is of that, and begins no line', async () => {
    const { service, shop, answerTo, buy } = await openFixture()
    const left = someone()
    const { id } = await service.user(left)
    await buy(left)
    await service.context.storage.db.updateTable('users').set({ email: someone() }).where('id', '=', id).execute()
    const refund = () => {
      service.clock.now += 1_000
      const about = { product_id: shop.product.id, plan_slug: 'easy-pro', user_email: left }
      return notify(service.url, later('payment.refunded', { at: iso(service.clock.now), ...about }))
    }
    assert.equal((await refund()).status, 200)
    assert.deepEqual(
      (await subscriptionsOf(service, left)).map(({ state }) => state),
      ['refunded'],
    )
    service.clock.now += 1_000
    await buy(left)
    assert.deepEqual(await answerTo({ email: left }), PAID)
    assert.equal((await refund()).status, 200)
    assert.deepEqual(
      (await subscriptionsOf(service, left)).map(({ state }) => state),
      ['refunded', 'refunded'],
    )
  })

  it('M7: a subscription of the own checkout that is handed on to another address goes to its account', async () => {
    const { service, shop, answerTo } = await openFixture()
    const [one, other, nobody] = [await service.user(someone()), await service.user(someone()), someone()]
    const id = randomUUID()
    const activate = async (email: string) => {
      service.clock.now += 1_000
      const sent = await notify(service.url, activated({ id, email, product_id: shop.product.id, at: iso(service.clock.now) }))
      assert.equal(sent.status, 200)
    }
    await activate(one.email)
    assert.deepEqual(await answerTo({ user_id: 'u1', email: one.email }), PAID)
    await activate(nobody)
    assert.deepEqual(await answerTo({ user_id: 'u1' }), PAID, 'an address that nobody has verified takes it from nobody')
    await activate(other.email)
    assert.equal((await answerTo({ user_id: 'u1' })).active, false)
    assert.deepEqual(await answerTo({ user_id: 'u2', email: other.email }), PAID)
    assert.deepEqual(
      (await subscriptionsOf(service, other.email)).map(({ user_id, product_user }) => [user_id, product_user]),
      [[other.id, 'u2']],
    )
  })

  it('M7: what an account goes on buying with its address, or with one that the operator has given it, stays on its one subscription', async () => {
    const { service, buy, answerTo } = await openFixture()
    const [own, given] = [someone(), someone()]
    const { id } = await service.user(own)
    for (const email of [own, given]) await buy(email)
    const [bought] = await subscriptionsOf(service, given)
    await moveSubscription(bought?.id ?? '', { to: id, reason: 'test' }, operator())
    for (const email of [own, given]) await buy(email, { at: iso(service.clock.now + 1_000) })
    for (const email of [own, given])
      assert.deepEqual(
        (await subscriptionsOf(service, email)).map(({ user_id }) => user_id),
        [id],
      )
    assert.deepEqual(await answerTo({ user_id: id }), PAID)
  })

  it('of several subscriptions the best counts: one that is active, and all that the address has bought', async () => {
    const { service, shop, answerTo } = await openFixture()
    const email = someone()
    const { now } = service.clock
    const bringEvent = (plan: string, kind: 'paid' | 'refunded' | 'canceled', ago: number) =>
      bring(service, { ref: `${email} ${plan}`, email, productId: shop.product.id, plan, kind, at: now - ago })
    await bringEvent('easy-standard', 'paid', 9_000)
    await bringEvent('easy-enterprise', 'paid', 8_000)
    assert.equal((await answerTo({ email })).plan_slug, 'easy-enterprise')
    await bringEvent('easy-enterprise', 'refunded', 1_000)
    assert.deepEqual(await answerTo({ email }), { ...PAID, plan_slug: 'easy-standard' })
    assert.deepEqual(await answerTo({ email, user_id: 'u' }), { ...PAID, plan_slug: 'easy-standard' })
    await bringEvent('easy-pro', 'paid', 5_000)
    assert.deepEqual(await answerTo({ email }), PAID)
    assert.deepEqual(await answerTo({ email, user_id: 'u' }), PAID, 'what is free is linked first')
    await bringEvent('easy-standard', 'canceled', 500)
    assert.deepEqual(await answerTo({ email, user_id: 'u' }), PAID)
    assert.deepEqual(await answerTo({ user_id: 'u' }), PAID)
  })

  it('counts the days of grace that the product has for a method', async () => {
    const { service, shop, answerTo } = await openFixture()
    const email = someone()
    const { now } = service.clock
    await service.context.storage.db
      .insertInto('product_grace_days')
      .values({ product_id: shop.product.id, method: 'card', days: 10 })
      .execute()
    await bring(service, {
      ref: email,
      email,
      productId: shop.product.id,
      kind: 'paid',
      method: 'card',
      at: now - 40 * DAY,
      periodEnd: now - 9 * DAY,
    })
    const { active, reason, grace_until } = await answerTo({ email })
    assert.deepEqual([active, reason, grace_until], [true, 'in_grace', iso(now + DAY)])
  })
})
