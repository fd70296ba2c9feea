import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { it } from 'node:test'
import { resolveNotification } from '../../../src/notifications/index.ts'
import { eachDatabase, oneDatabase } from '../../support/databases.ts'
import { activated, altered, completed, later, notify, received, subscriptionsOf, WEBHOOKS } from '../../support/gateways/purchases.ts'
import { startForSuite, type TestService } from '../../support/service.ts'

const TAKEN = { status: 200, body: { received: true } }
const MALFORMED = { status: 400, body: { error: 'Payload invalido' } }
const EVENTS = [
  'subscription.renewed',
  'subscription.canceled',
  'subscription.ended',
  'payment.failed',
  'payment.refunded',
  'payment.disputed',
] as const
const DAY_MS = 86_400_000
const START = Date.now() - 20 * DAY_MS
const day = (number: number) => new Date(START + number * DAY_MS).toISOString()

const NO_TEXT = [7, true, {}, []]
const NO_TIME = [...NO_TEXT, '', 'tomorrow', '2026-02-30T12:00:00Z', '2026-11-20']
/** Every field beside event, timestamp and signature: what it may not be. All may be left out, but is_test. */
const FIELDS: Record<string, readonly unknown[]> = {
  subscription_id: [...NO_TEXT, '', 'sub_1'],
  product_id: [...NO_TEXT, '', 'x'],
  plan_slug: [...NO_TEXT, '', 'x'.repeat(201)],
  product_name: [...NO_TEXT, '', 'x'.repeat(201)],
  user_email: [...NO_TEXT, '', 'ana', '@', 'ana@'],
  user_name: NO_TEXT,
  amount: ['9900', true, {}, [], 99.5, -1, 2 ** 53],
  frequency: NO_TEXT,
  started_at: NO_TIME,
  period_start: NO_TIME,
  period_end: NO_TIME,
  payment_id: [...NO_TEXT, '', 'x'.repeat(201), 'with a space', 'ação'],
  is_partial: ['true', 1, {}, []],
  outcome: [...NO_TEXT, '', 'open', 'Won'],
}

/** Sends notifications, which are taken. */
const sender =
  (service: () => TestService) =>
  async (...bodies: object[]): Promise<void> => {
    for (const body of bodies) assert.deepEqual(await notify(service().url, body), TAKEN, JSON.stringify(body))
  }

oneDatabase('The fields of what the own checkout reports later', (database) => {
  const service = startForSuite(database, { environment: WEBHOOKS })
  const send = sender(service)

  it('is taken with each event and checked field by field: present unless it is optional, and never another type', async (t) => {
    const whole = (event: (typeof EVENTS)[number]) =>
      later(event, {
        ...{ is_test: true, subscription_id: randomUUID(), product_id: randomUUID(), plan_slug: 'easy-pro', product_name: 'Easy Pro' },
        ...{ user_email: 'ana@exemplo.com.br', user_name: 'Ana', amount: 9900, frequency: 'MONTHLY', started_at: day(0) },
        ...{ period_start: day(0), period_end: day(30), payment_id: 'pay_1', is_partial: false, outcome: 'won' },
      })
    for (const event of EVENTS)
      await t.test(event, async () => {
        await send(whole(event), later(event, { is_test: true, subscription_id: randomUUID() }))
        for (const [field, wrong] of Object.entries(FIELDS)) {
          for (const value of wrong)
            assert.deepEqual(await notify(service().url, altered(whole(event), `data.${field}`, value)), MALFORMED, `${field} ${value}`)
          await send(altered(whole(event), `data.${field}`, null), altered(whole(event), `data.${field}`, undefined))
        }
        for (const value of ['false', 0, {}, [], null, undefined])
          assert.deepEqual(await notify(service().url, altered(whole(event), 'data.is_test', value)), MALFORMED)
        for (const value of [...NO_TIME, null, undefined])
          assert.deepEqual(await notify(service().url, altered(whole(event), 'timestamp', value)), MALFORMED)
      })
  })

  it('names its subscription by id, or by buyer, product and plan together', async () => {
    const named = { user_email: 'ana@exemplo.com.br', product_id: randomUUID(), plan_slug: 'easy-pro', is_test: true }
    for (const event of EVENTS) {
      await send(later(event, named))
      for (const field of ['user_email', 'product_id', 'plan_slug'])
        for (const value of [undefined, null])
          assert.deepEqual(
            await notify(service().url, altered(later(event, named), `data.${field}`, value)),
            MALFORMED,
            `${event} ${field}`,
          )
    }
  })
})

eachDatabase('What the own checkout reports of a subscription later', (database) => {
  const service = startForSuite(database, { environment: WEBHOOKS })
  const send = sender(service)
  const newest = async () => (await received(service())).at(-1) ?? assert.fail('nothing was received')
  /** A buyer with a subscription of their own, and what has become of it. */
  const buyer = (id = randomUUID()) => {
    const email = `${id}@exemplo.com.br`
    const eventOf = (event: (typeof EVENTS)[number], at: number, data: object = {}) =>
      later(event, { at: day(at), subscription_id: id, user_email: email, product_name: 'Easy Pro', amount: 9900, ...data })
    const buy = (at: number, data: object = {}) => activated({ email, id, at: day(at), ...data })
    const stands = async () => {
      const rows = await subscriptionsOf(service(), email)
      return rows.map(({ state, period_end, access_until }) => [state, dayOf(period_end), dayOf(access_until)])
    }
    return { id, email, eventOf, buy, stands }
  }

  it('as a test is recorded and takes nothing away, nor gives anything', async () => {
    const { eventOf, buy, stands, id } = buyer()
    await send(buy(0, { period_end: day(30) }))
    const before = await stands()
    for (const event of EVENTS) {
      await send(eventOf(event, 10, { is_test: true, period_end: day(60) }))
      const { status, subscription_id } = await newest()
      assert.deepEqual([status, subscription_id], ['test', null])
    }
    assert.deepEqual(await stands(), before)
    await send(later('payment.refunded', { subscription_id: id, is_test: true }))
    assert.equal((await newest()).subject, id, 'without an address it is shown by its subscription')
  })

  it('comes in the order that its sender states while our own clock is set back and on again', async () => {
    const { eventOf, buy, stands } = buyer()
    const [second, right] = [1 / 86_400, service().clock.now]
    const stateAfter = async (body: object) => {
      await send(body)
      return (await stands())[0]?.[0]
    }
    assert.equal(await stateAfter(buy(20, { payment_id: 'pay_1' })), 'active')
    service().clock.now = right - 24 * 60_000
    assert.equal(await stateAfter(eventOf('subscription.ended', 20 + second)), 'canceled')
    assert.equal(await stateAfter(eventOf('subscription.renewed', 20 + 2 * second, { payment_id: 'pay_2' })), 'active')
    service().clock.now = right
    assert.equal(await stateAfter(eventOf('payment.refunded', 20 + 3 * second, { payment_id: 'pay_2' })), 'refunded')
  })

  it('renews, is behind with a payment, is canceled until its end, and is ended', async () => {
    const { eventOf, buy, stands } = buyer()
    await send(buy(0, { payment_id: 'pay_1', period_end: day(10) }))
    assert.deepEqual(await stands(), [['active', 10, 13]])
    await send(eventOf('subscription.renewed', 10, { payment_id: 'pay_2', period_start: day(10), period_end: day(25) }))
    assert.deepEqual(await stands(), [['active', 25, 28]])
    await send(eventOf('payment.failed', 15, { payment_id: 'pay_3' }))
    assert.equal((await stands())[0]?.[0], 'past_due')
    await send(eventOf('subscription.renewed', 16, { payment_id: 'pay_3', period_start: day(10), period_end: day(25) }))
    assert.equal((await stands())[0]?.[0], 'active')
    await send(eventOf('payment.failed', 17, { payment_id: 'pay_3' }))
    assert.equal((await stands())[0]?.[0], 'active', 'what was paid does not fail any more')
    await send(eventOf('subscription.canceled', 18))
    assert.deepEqual(await stands(), [['canceled', 25, 25]])
    await send(eventOf('subscription.ended', 19))
    assert.deepEqual(
      (await stands()).map(([state, , until]) => [state, until]),
      [['canceled', 19]],
    )
  })

  it('renewed without an end holds until other events, whatever end was stated before', async () => {
    const { eventOf, buy, stands } = buyer()
    await send(buy(0, { period_end: day(10) }), eventOf('subscription.renewed', 10))
    assert.deepEqual(await stands(), [['active', undefined, undefined]])
  })

  it('is refunded by the payment that is named, or by the newest where none is; an older payment or a part takes nothing away', async () => {
    const { eventOf, buy, stands } = buyer()
    await send(buy(0, { payment_id: 'pay_1', period_end: day(10) }))
    await send(eventOf('subscription.renewed', 10, { payment_id: 'pay_2', period_start: day(10), period_end: day(40) }))
    await send(
      eventOf('payment.refunded', 11, { payment_id: 'pay_1' }),
      eventOf('payment.refunded', 12, { payment_id: 'pay_2', is_partial: true }),
    )
    assert.equal((await stands())[0]?.[0], 'active')
    await send(eventOf('payment.refunded', 13, { payment_id: 'pay_2' }), eventOf('payment.refunded', 13, { payment_id: 'pay_2', n: 2 }))
    assert.equal((await stands())[0]?.[0], 'refunded')
    await send(eventOf('subscription.renewed', 12, { payment_id: 'pay_2', again: true }))
    assert.equal((await stands()).length, 1, 'a payment that was given back grants nothing')
    await send(eventOf('subscription.renewed', 14, { payment_id: 'pay_3', period_end: day(40) }))
    assert.deepEqual(
      (await stands()).map(([state]) => state),
      ['refunded', 'active'],
    )
    await send(eventOf('payment.refunded', 15))
    assert.deepEqual(
      (await stands()).map(([state]) => state),
      ['refunded', 'refunded'],
    )
  })

  it('is disputed, and with the outcome stands where it stood or is refunded', async () => {
    for (const [outcome, state] of [
      ['won', 'active'],
      ['lost', 'refunded'],
    ]) {
      const { eventOf, buy, stands } = buyer()
      await send(buy(0, { payment_id: 'pay_1' }), eventOf('payment.disputed', 1, { payment_id: 'pay_1' }))
      assert.equal((await stands())[0]?.[0], 'disputed')
      await send(eventOf('payment.disputed', 2, { payment_id: 'pay_1', outcome }))
      assert.equal((await stands())[0]?.[0], state)
    }
  })

  it('comes to the same in any order, each delivered twice', async () => {
    const history = ({ eventOf, buy }: ReturnType<typeof buyer>) => [
      buy(0, { payment_id: 'pay_1', period_end: day(10) }),
      eventOf('payment.failed', 10, { payment_id: 'pay_2' }),
      eventOf('subscription.renewed', 11, { payment_id: 'pay_2', period_start: day(10), period_end: day(40) }),
      eventOf('subscription.canceled', 12),
      eventOf('payment.refunded', 13, { payment_id: 'pay_1' }),
    ]
    // How events are folded does not hang on the database; that it is folded in any order there, some orders show.
    const orders = permutations([0, 1, 2, 3, 4]).filter((_, number) => database.name === 'sqlite' || number % 5 === 0)
    for (const order of orders) {
      const one = buyer()
      const bodies = history(one)
      const sent = order.flatMap((number) => bodies[number] ?? [])
      await send(...sent, ...sent.toReversed())
      assert.deepEqual(await one.stands(), [['canceled', 40, 40]], order.join())
    }
  })

  it('of a subscription that is not known yet is kept, and counts when that comes', async () => {
    for (const [event, state] of [
      ['subscription.canceled', 'canceled'],
      ['subscription.ended', 'canceled'],
      ['payment.refunded', 'refunded'],
      ['payment.disputed', 'disputed'],
    ] as const) {
      const { eventOf, buy, stands } = buyer()
      await send(eventOf(event, 5))
      assert.equal((await newest()).status, 'processed')
      await send(buy(0))
      assert.equal((await stands()).at(-1)?.[0], state, event)
    }
    const { eventOf, stands, email } = buyer()
    await send(eventOf('subscription.renewed', 5, { period_end: day(30) }))
    assert.deepEqual(await stands(), [['active', 30, 33]], 'a renewal says all that a purchase does')
    await send(later('subscription.renewed', { subscription_id: randomUUID(), at: day(1) }))
    assert.deepEqual([(await newest()).status, (await newest()).why], ['unresolved', 'unknown_plan'])
    await send(later('subscription.renewed', { subscription_id: randomUUID(), at: day(1), product_name: 'Easy Pro' }))
    assert.deepEqual([(await newest()).status, (await newest()).why], ['unresolved', 'unusable_address'])
    assert.equal((await subscriptionsOf(service(), email)).length, 1)
  })

  const pending = async (id: string) =>
    (await received(service())).filter(({ subject, status }) => subject === id && status === 'unresolved').length

  it('a renewal that leaves out plan and address waits for its purchase, and counts as soon as that comes', async () => {
    const history = ({ id, buy }: ReturnType<typeof buyer>) => [
      buy(0, { payment_id: 'pay_1', period_end: day(10) }),
      later('subscription.renewed', { subscription_id: id, at: day(10), payment_id: 'pay_2', period_start: day(10), period_end: day(40) }),
      later('subscription.renewed', { subscription_id: id, at: day(12), payment_id: 'pay_3', period_start: day(40), period_end: day(70) }),
      later('subscription.canceled', { subscription_id: id, at: day(13) }),
    ]
    for (const order of permutations([0, 1, 2, 3])) {
      const one = buyer()
      const bodies = history(one)
      const sent = order.flatMap((number) => bodies[number] ?? [])
      await send(...sent, ...sent)
      assert.deepEqual(await one.stands(), [['canceled', 70, 70]], order.join())
      assert.equal(await pending(one.id), 0, order.join())
    }
    const together = buyer()
    const [bought, ...others] = history(together)
    assert.ok(bought)
    await Promise.all([...others, bought, ...others].map((body) => send(body)))
    assert.deepEqual(await together.stands(), [['canceled', 70, 70]], 'at once')
  })

  it('a renewal that waits for its purchase counts with it where the operator resolves that, and not where the operator has ignored the renewal', async () => {
    const deps = { ...service().context, actor: 'operator:test' as const }
    const { id, buy, stands } = buyer()
    await send(later('subscription.renewed', { subscription_id: id, at: day(10), period_end: day(40) }), buy(0, { name: 'Nenhum Plano' }))
    assert.equal(await pending(id), 1)
    const resolved = await resolveNotification((await newest()).id, { planSlug: 'easy-pro', reason: undefined }, deps)
    assert.ok('subscriptionId' in resolved, JSON.stringify(resolved))
    assert.deepEqual([await stands(), await pending(id)], [[['active', 40, 43]], 0])
    const other = buyer()
    await send(later('subscription.renewed', { subscription_id: other.id, at: day(10), period_end: day(40) }))
    await resolveNotification((await newest()).id, { ignore: true, reason: 'sent by mistake' }, deps)
    await send(other.buy(0, { period_end: day(10) }))
    assert.deepEqual(await other.stands(), [['active', 10, 13]])
  })

  it('takes back what waits for the operator as well', async () => {
    const { eventOf, buy, stands } = buyer()
    await send(buy(0, { name: 'Nenhum Plano' }))
    const { id, status } = await newest()
    assert.equal(status, 'unresolved')
    await send(eventOf('payment.refunded', 1, { product_name: 'Nenhum Plano' }))
    assert.equal((await newest()).status, 'processed')
    const resolved = await resolveNotification(
      id,
      { planSlug: 'easy-pro', reason: undefined },
      { ...service().context, actor: 'operator:test' },
    )
    assert.ok('subscriptionId' in resolved, JSON.stringify(resolved))
    assert.deepEqual(
      (await stands()).map(([state]) => state),
      ['refunded'],
    )
  })

  it('needs neither a plan that is known here nor an address, and changes neither', async () => {
    const { id, email, buy, stands } = buyer()
    await send(buy(0, { period_end: day(30) }))
    await send(later('subscription.renewed', { subscription_id: id, at: day(2), period_end: day(60) }))
    assert.deepEqual(await stands(), [['active', 60, 63]])
    const [before] = await subscriptionsOf(service(), email)
    await send(later('subscription.canceled', { subscription_id: id, at: day(3), product_name: 'Nenhum', user_email: 'outra@exemplo' }))
    await send(
      later('payment.failed', { subscription_id: id, at: day(3), product_name: 'Easy Standard', user_email: 'outra@exemplo.com.br' }),
    )
    const [after] = await subscriptionsOf(service(), email)
    assert.deepEqual([after?.state, after?.plan_id, after?.email], ['canceled', before?.plan_id, email])
  })

  it('reaches a purchase of the first form by its address, product and plan, however the address is written', async () => {
    const { url, product } = service()
    const { product: shop, apiKey } = await product({ slug: 'livraria', audience: 'external', checkout: 'external' })
    const ask = async (email: string) => {
      const query = new URLSearchParams({ email })
      const answer = await fetch(`${url}/api/saas/check-access?${query}`, { headers: { authorization: `Bearer ${apiKey}` } })
      return ((await answer.json()) as { reason: string }).reason
    }
    for (const [event, reason] of [
      ['payment.refunded', 'refunded'],
      ['subscription.ended', 'canceled'],
      ['payment.disputed', 'disputed'],
    ] as const) {
      const email = `${randomUUID()}@exemplo.com.br`
      await send(completed({ email, productId: shop.id, at: day(1) }))
      assert.equal(await ask(email), 'paid')
      const named = { user_email: ` ${email.toUpperCase()} `, product_id: shop.id.toUpperCase(), plan_slug: 'easy-pro', at: day(2) }
      await send(later(event, { ...named, plan_slug: 'easy-standard' }))
      assert.equal(await ask(email), 'paid', 'another plan is another purchase')
      await send(later(event, named))
      assert.equal(await ask(email), reason)
    }
  })

  it('counts once when it comes fifty times at once, and a cancellation that races a renewal comes to what their times say', async () => {
    const racing = buyer()
    await send(racing.buy(0, { payment_id: 'pay_1', period_end: day(10) }))
    const renewed = racing.eventOf('subscription.renewed', 10, { payment_id: 'pay_2', period_start: day(10), period_end: day(40) })
    const canceled = racing.eventOf('subscription.canceled', 9)
    const before = (await received(service())).length
    const answers = await Promise.all(Array.from({ length: 100 }, (_, number) => notify(service().url, number % 2 ? renewed : canceled)))
    assert.ok(answers.every(({ status }) => status === 200))
    assert.equal((await received(service())).length, before + 2)
    assert.deepEqual(await racing.stands(), [['active', 40, 43]])
    const reversed = buyer()
    await send(reversed.buy(0, { payment_id: 'pay_1', period_end: day(10) }))
    await Promise.all([
      send(reversed.eventOf('subscription.canceled', 11)),
      send(reversed.eventOf('subscription.renewed', 10, { payment_id: 'pay_2', period_start: day(10), period_end: day(40) })),
    ])
    assert.deepEqual(await reversed.stands(), [['canceled', 40, 40]])
  })

  it('of variant A or B keeps what the contract says: a field of the additions that makes no sense there is ignored, as before', async () => {
    for (const wrong of [7, {}, '', 'x y', 'tomorrow', null]) {
      const { email, buy, stands } = buyer()
      await send(buy(0, { payment_id: wrong, period_start: wrong, period_end: wrong }))
      assert.deepEqual(await stands(), [['active', undefined, undefined]])
      await send({ ...completed({ email, at: day(0) }), data: { payment_id: wrong, period_start: wrong, period_end: wrong } })
      assert.equal((await stands()).length, 2)
    }
  })
})

/** Days since the start, of a time in the database; `undefined` where nothing ends. */
function dayOf(ms: number | null): number | undefined {
  return ms === null ? undefined : (ms - START) / DAY_MS
}

function permutations(items: readonly number[]): number[][] {
  if (items.length < 2) return [[...items]]
  return items.flatMap((item) => permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]))
}
