import assert from 'node:assert/strict'
import { it } from 'node:test'
import { listAudit } from '../../../src/audit/index.ts'
import { DAY_MS } from '../../../src/kit/index.ts'
import { findHistory } from '../../../src/payment-history/index.ts'
import { setPlan } from '../../../src/subscriptions/index.ts'
import { commandLine, MASTER_KEY } from '../../support/command-line.ts'
import { eachDatabase } from '../../support/databases.ts'
import { PASSWORD, startService, type TestService } from '../../support/service.ts'
import { type Admin, adminOf } from '../../support/users/admins.ts'
import { assertRefused, sessionOf } from '../../support/users/sign-in-steps.ts'

eachDatabase('A plan that the operator gives', (database) => {
  async function start() {
    const where = await database.fresh()
    const service = await startService(where)
    const { product, apiKey } = await service.product({ slug: 'clube', audience: 'external', checkout: 'external' })
    const actor = 'operator:test'
    for (const [slug, price] of [['mensal', 2_900] as const, ['anual', 29_900] as const]) {
      const made = await setPlan({ slug, name: slug, price, productSlug: 'clube' }, { ...service.context, actor })
      assert.ok(!('refusal' in made))
    }
    const owner = await adminOf(service, 'dona@example.com', 'owner')
    const plans = (await owner.get('/plans?limit=100')).json<{ data: { id: string; slug: string }[] }>().data
    const planId = (slug: string) => plans.find((plan) => plan.slug === slug)?.id ?? assert.fail(slug)
    const access = async (query: string) => {
      const answer = await service.browser({ authorization: `Bearer ${apiKey}` }).get(`/api/saas/check-access?${query}`)
      return answer.json<{
        active: boolean
        status: string
        reason: string
        plan_slug: string | null
        current_period_end: string | null
        grace_until: string | null
      }>()
    }
    return { service, where, product, owner, planId, access }
  }

  const give = (owner: Admin, body: Record<string, unknown>) => owner.send('POST', '/subscriptions', { reason: 'parceria', ...body })
  const iso = (at: number) => new Date(at).toISOString()

  async function planOf(service: TestService, email: string) {
    const browser = service.browser()
    await browser.signIn('/login', { email, password: PASSWORD })
    const check = await fetch(`${service.url}/auth/check`, { headers: { cookie: `eg_session=${sessionOf(browser)}` } })
    return ((await check.json()) as { session?: { plan_slug: string | null } }).session?.plan_slug
  }

  it('is good at once for the product, by id and by verified address, until its end and not a moment of grace longer', async () => {
    const { service, owner, planId, access } = await start()
    const { id } = await service.user('ana@example.com')
    const until = service.clock.now + 30 * DAY_MS
    const given = await give(owner, { user: id, plan_id: planId('mensal'), until: iso(until) })
    assert.equal(given.status, 201, given.text)
    for (const query of [`user_id=${id}`, 'email=ana@example.com', 'user_id=u-77&email=ana@example.com', 'user_id=u-77'])
      assert.deepEqual(
        await access(query),
        { active: true, status: 'active', reason: 'paid', plan_slug: 'mensal', current_period_end: iso(until), grace_until: null },
        query,
      )
    service.clock.now = until - 1
    assert.equal((await access(`user_id=${id}`)).active, true)
    service.clock.now = until
    assert.deepEqual([(await access(`user_id=${id}`)).active, (await access(`user_id=${id}`)).reason], [false, 'expired'])
  })

  it('of the operator’s shows in the session at once, and ends when the operator ends it', async () => {
    const { service, owner, planId } = await start()
    await service.user('bia@example.com')
    assert.equal(await planOf(service, 'bia@example.com'), null)
    const given = await give(owner, { user: 'bia@example.com', plan_id: planId('easy-pro') })
    assert.equal(await planOf(service, 'bia@example.com'), 'easy-pro')
    const ended = await owner.send('POST', `/subscriptions/${given.json<{ id: string }>().id}/end`, { reason: 'acabou' })
    assert.equal(ended.status, 200, ended.text)
    assert.equal(await planOf(service, 'bia@example.com'), null)
    assert.equal((await give(owner, { user: 'bia@example.com', plan_id: planId('easy-pro') })).status, 201)
    assert.equal(await planOf(service, 'bia@example.com'), 'easy-pro')
  })

  it('that was moved to another account stays there when the first one is given the plan again', async () => {
    const { service, owner, planId, access } = await start()
    const [first, second] = [await service.user('dora@example.com'), await service.user('edu@example.com')]
    const [long, short] = [service.clock.now + 90 * DAY_MS, service.clock.now + 10 * DAY_MS]
    const endOf = async (id: string) => (await access(`user_id=${id}`)).current_period_end
    for (const [until, moved] of [[long, true] as const, [short, false] as const, [short + DAY_MS, false] as const]) {
      const given = await give(owner, { user: first.id, plan_id: planId('mensal'), until: iso(until) })
      assert.equal(given.status, 201, given.text)
      const { id } = given.json<{ id: string }>()
      if (moved) await owner.send('POST', `/subscriptions/${id}/move`, { to: second.id, reason: 'conta errada' })
      else assert.equal(await endOf(first.id), iso(until))
      assert.equal(await endOf(second.id), iso(long))
      service.clock.now += 1_000
    }
    const { data } = (await owner.get(`/subscriptions?user_id=${first.id}`)).json<{ data: unknown[] }>()
    assert.equal(data.length, 1, 'given again, it is the same subscription')
  })

  it('that was moved, and lost its account while a product knows it by an id of its own, comes alive for nobody', async () => {
    const { service, owner, planId, access } = await start()
    const [first, second] = [await service.user('flor@example.com'), await service.user('gil@example.com')]
    const grant = async () => (await give(owner, { user: first.id, plan_id: planId('mensal') })).json<{ id: string }>().id
    const id = await grant()
    assert.equal((await access('user_id=gil-1&email=flor@example.com')).active, true)
    for (const [action, body] of [
      ['move', { to: second.id }],
      ['unlink', { links: ['account'] }],
      ['end', {}],
    ] as const) {
      service.clock.now += 1_000
      const done = await owner.send('POST', `/subscriptions/${id}/${action}`, { reason: 'conta errada', ...body })
      assert.equal(done.status, 200, done.text)
    }
    assert.equal((await access('user_id=gil-1')).active, false)
    service.clock.now += 1_000
    assert.notEqual(await grant(), id)
    assert.deepEqual([(await access('user_id=gil-1')).active, (await access(`user_id=${first.id}`)).active], [false, true])
  })

  it('is an event like any other of one history, with an audit entry, and given again the newer end counts', async () => {
    const { service, owner, planId } = await start()
    const { id } = await service.user('caio@example.com')
    const [first, second] = [service.clock.now + 90 * DAY_MS, service.clock.now + 10 * DAY_MS]
    await give(owner, { user: id, plan_id: planId('mensal'), until: iso(first) })
    service.clock.now += 1_000
    const again = await give(owner, { user: id, plan_id: planId('mensal'), until: iso(second) })
    const { id: subscription, current_period_end: end } = again.json<{ id: string; current_period_end: string }>()
    const history = await findHistory(service.context.storage.db, subscription)
    assert.deepEqual(
      history?.events.map(({ kind, amount }) => [kind, amount]),
      [
        ['granted', 0],
        ['granted', 0],
      ],
    )
    assert.equal(end, iso(second))
    const [entry] = await listAudit(service.context.storage.db, { limit: 1 })
    assert.deepEqual([entry?.action, entry?.target, entry?.reason], ['subscription.grant', subscription, 'parceria'])
    assert.deepEqual(entry?.after, { user_id: id, plan: 'mensal', until: iso(second) })
  })

  it('is not found by an address that nobody has verified, and is its account’s all the same', async () => {
    const { service, owner, planId, access } = await start()
    const made = await owner.send('POST', '/users', { email: 'davi@example.com', name: 'Davi' })
    const { id } = made.json<{ id: string }>()
    assert.equal((await give(owner, { user: id, plan_id: planId('mensal') })).status, 201)
    assert.equal((await access('email=davi@example.com')).active, false)
    assert.equal((await access(`user_id=${id}`)).active, true)
    await service.user('eva@example.com')
    assert.equal((await access('user_id=u-1&email=davi@example.com')).active, false)
  })

  it('refuses who and what there is not, an end that is over, no reason, and whoever may not', async () => {
    const { service, owner, planId } = await start()
    const { id } = await service.user('fabio@example.com')
    for (const [body, fields] of [
      [{ user: 'nobody@example.com' }, { user: 'no_such_user' }],
      [{ plan_id: id }, { plan_id: 'no_such_plan' }],
      [{ product_id: id }, { product_id: 'no_such_product' }],
      [{ until: iso(service.clock.now) }, { until: 'too_small' }],
      [{ until: '2027-01-31' }, { until: 'invalid_format' }],
      [{ reason: '' }, { reason: 'too_small' }],
    ] as const) {
      const refused = await give(owner, { user: id, plan_id: planId('mensal'), ...body })
      assert.deepEqual(
        [refused.status, Object.keys(refused.json<{ fields: object }>().fields)],
        [400, Object.keys(fields)],
        JSON.stringify(body),
      )
    }
    const support = await adminOf(service, 'ajuda@example.com', 'support')
    assert.equal((await give(support, { user: owner.id, plan_id: planId('mensal') })).status, 403)
    assert.equal((await give(support, { user: id, plan_id: planId('mensal') })).status, 201)
    service.clock.now += 11 * 60_000
    assertRefused(await give(support, { user: id, plan_id: planId('mensal') }), 403, 'prova recente necessaria')
  })

  it('is a command as well: a day counts in full, wherever on earth', async () => {
    const { service, where, access } = await start()
    const { id } = await service.user('gil@example.com')
    const portaria = commandLine(where, { PORTARIA_MASTER_KEY: MASTER_KEY, PORTARIA_URL: service.url })
    const line = (...more: string[]) => portaria(['subscription', 'grant', '--user', 'gil@example.com', '--reason', 'partner', ...more])
    const given = await line('--plan', 'mensal', '--product', 'clube', '--until', '2099-01-31', '--json')
    assert.equal(given.code, 0, given.err)
    assert.equal(given.json.current_period_end, '2099-02-01T12:00:00.000Z')
    assert.equal((await access(`user_id=${id}`)).plan_slug, 'mensal')
    assert.equal((await line('--plan', 'easy-pro', '--json')).json.product, null)
    assert.match((await line('--plan', 'mensal')).err, /a product's own plan needs --product/)
    assert.match((await line('--plan', 'easy-pro', '--until', '2020-01-01')).err, /must be in the future/)
    assert.match((await line('--plan', 'easy-pro', '--until', 'tomorrow')).err, /a date like 2027-01-31/)
  })
})
