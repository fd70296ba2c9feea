import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { deleteUser, findUser } from '../../../src/admin/index.ts'
import type { GatewayEvent } from '../../../src/gateways/gateway-event.ts'
import { notificationListStore } from '../../../src/notifications/index.ts'
import { setPlan, unlinkSubscription } from '../../../src/subscriptions/index.ts'
import { eachDatabase, type TestDatabase } from '../../support/databases.ts'
import {
  DAY_MS,
  EMAIL,
  type GivenEvent,
  NAMED,
  paid,
  reconciled,
  recordGiven,
  START,
  stateOf,
  UNNAMED,
} from '../../support/gateways/events.ts'
import { startFakeApi } from '../../support/gateways/fake-api.ts'
import { askAccess, type Connected, connect, deliver, notificationsOf, openSchool } from '../../support/gateways/gateways.ts'
import { mercadopagoEvent, mercadopagoPayment, refundOf, sale, stripeEvent } from '../../support/gateways/made-events.ts'
import { startForSuite } from '../../support/service.ts'
import { until } from '../../support/until.ts'

/** Any events of one purchase, under some of its names, some of them a second time with more content. */
const purchase = fc
  .array(
    fc.record({
      kind: fc.constantFrom('paid', 'paid', 'payment_pending', 'payment_failed', 'refunded', 'disputed', 'dispute_won', 'canceled'),
      names: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 }),
      ofSubscription: fc.boolean(),
      named: fc.boolean(),
      ends: fc.boolean(),
      day: fc.integer({ min: 0, max: 9 }),
      again: fc.boolean(),
    }),
    { minLength: 2, maxLength: 5 },
  )
  .map((all) =>
    all.map(({ kind, names, ofSubscription, named, ends, day, again }, index): GivenEvent => {
      const [paymentId, ...paymentAliases] = names
      return {
        key: again ? `again ${kind}` : `${index}`,
        kind: kind as GatewayEvent['kind'],
        occurredAt: START + day * DAY_MS,
        paymentId,
        paymentAliases,
        subscriptionId: ofSubscription ? 'S' : undefined,
        plan: named ? NAMED : UNNAMED,
        periodEnd: ends && kind === 'paid' ? START + (40 + day) * DAY_MS : undefined,
      }
    }),
  )

/** A list of payments has the same event with the same time. */
function atOneTime(all: GivenEvent[]): GivenEvent[] {
  return all.map((given) => ({ ...given, occurredAt: all.find(({ key }) => key === given.key)?.occurredAt ?? given.occurredAt }))
}

eachDatabase('One payment under several names', (database: TestDatabase) => {
  const service = startForSuite(database)
  const access = (school: Connected, email: string) => askAccess(service(), school, email)

  for (const by of ['deliveries', 'deliveries and reconciliation'])
    it(`comes to the same, in whatever order it is reported, and however often: by ${by}`, async () => {
      const isReconciled = fc.boolean().map((is) => is && by !== 'deliveries')
      const shuffled = purchase
        .map((all) => (by === 'deliveries' ? all : atOneTime(all)))
        .chain((all) => {
          const twice = { minLength: all.length * 2, maxLength: all.length * 2 }
          return fc.tuple(fc.constant(all), fc.shuffledSubarray([...all, ...all], twice), fc.array(isReconciled, twice))
        })
      await fc.assert(
        fc.asyncProperty(shuffled, async ([inOrder, otherwise, areReconciled]) => {
          const [one, other] = [await openSchool(service(), 'stripe'), await openSchool(service(), 'stripe')]
          for (const given of inOrder) await recordGiven(service(), one, given)
          for (const [index, given] of otherwise.entries()) await (areReconciled[index] ? reconciled : recordGiven)(service(), other, given)
          assert.deepEqual(await stateOf(service(), other), await stateOf(service(), one))
        }),
        { numRuns: database.name === 'sqlite' ? 150 : 40 },
      )
    })

  it('is one under both names by which one event is reported: no order loses the period that was paid', async () => {
    const again = { key: 'again', plan: UNNAMED }
    const event = [
      paid(['a'], { subscriptionId: 'S', occurredAt: START + DAY_MS }),
      { ...paid(['a']), ...again },
      { ...paid(['c'], { subscriptionId: 'S', periodEnd: START + 40 * DAY_MS }), ...again },
    ]
    for (const by of [recordGiven, reconciled])
      for (const order of permutations([0, 1, 2])) {
        const school = await openSchool(service(), 'stripe')
        for (const index of [...order, ...order]) await by(service(), school, event[index] ?? assert.fail())
        const ends = (await stateOf(service(), school)).map((row) => (JSON.parse(row) as { period_end: number }).period_end)
        assert.deepEqual(ends, [START + 40 * DAY_MS], `${by.name} ${order}`)
        await recordGiven(service(), school, { ...paid(['c']), key: 'back', kind: 'refunded', occurredAt: START + 2 * DAY_MS })
        assert.equal((await access(school, EMAIL)).reason, 'refunded', `${by.name} ${order}`)
      }
  })

  it('is one where two lines have one event under names of their own, and become one', async () => {
    for (const order of permutations([0, 1])) {
      const school = await openSchool(service(), 'stripe')
      const event = [
        { ...paid(['a']), key: 'one' },
        { ...paid(['c'], { subscriptionId: 'S' }), key: 'one' },
      ]
      for (const index of order) await recordGiven(service(), school, event[index] ?? assert.fail())
      assert.equal((await stateOf(service(), school)).length, 2)
      await recordGiven(service(), school, { ...paid(['a'], { subscriptionId: 'S', occurredAt: START + DAY_MS }), key: 'two' })
      assert.equal((await stateOf(service(), school)).length, 1)
      await recordGiven(service(), school, { ...paid(['c']), key: 'back', kind: 'refunded', occurredAt: START + 2 * DAY_MS })
      assert.equal((await access(school, EMAIL)).reason, 'refunded', `${order}`)
    }
  })

  it('comes to the same by a reconciliation that reports one event of two payments', async () => {
    const one = { ...paid(['a']), key: 'one' }
    const pending = { ...paid(['c', 'b'], { subscriptionId: 'S', plan: UNNAMED }), key: 'one' }
    const begun: GivenEvent = { ...paid(['c'], { subscriptionId: 'S' }), key: 'begun', kind: 'payment_pending' }
    const states = []
    for (const by of [recordGiven, reconciled]) {
      const school = await openSchool(service(), 'stripe')
      for (const event of [pending, one, begun]) await by(service(), school, event)
      states.push((await stateOf(service(), school)).length)
    }
    assert.deepEqual(states, [2, 2])
  })

  it('is named by all that reported it, where a subscription is no more', async () => {
    const school = await openSchool(service(), 'stripe')
    const { storage } = service().context
    const productId = school.product.product.id
    const namedBy = async () =>
      (await notificationListStore(storage.db).list({ limit: 20, productId })).map(({ subscriptionId }) => subscriptionId)
    const idsOf = async () =>
      (await storage.db.selectFrom('subscriptions').select('id').where('product_id', '=', productId).execute()).map(({ id }) => id)
    await recordGiven(service(), school, { ...paid(['c']), key: 'first' })
    for (const names of [['a'], ['a'], ['a', 'c']]) await recordGiven(service(), school, { ...paid(names), key: 'one' })
    for (const subscriptionId of [undefined, 'S']) {
      await recordGiven(service(), school, { ...paid(['a'], { subscriptionId }), key: 'one' })
      const [only, ...more] = await idsOf()
      assert.deepEqual(more, [])
      assert.deepEqual(new Set(await namedBy()), new Set([only]))
    }
    // A refund, then a second payment: two subscriptions. Later it shows that the refund came before the payment: there never was a second
    // one.
    await recordGiven(service(), school, { ...paid(['a']), key: 'back', kind: 'refunded', occurredAt: START + 2 * DAY_MS })
    await recordGiven(service(), school, { ...paid(['b'], { subscriptionId: 'S' }), key: 'next', occurredAt: START + 3 * DAY_MS })
    await recordGiven(service(), school, { ...paid(['b'], { subscriptionId: 'S' }), key: 'next', occurredAt: START + 3 * DAY_MS })
    assert.equal((await idsOf()).length, 2)
    await recordGiven(service(), school, { ...paid(['b'], { subscriptionId: 'S' }), key: 'next', occurredAt: START + DAY_MS })
    const [last, ...more] = await idsOf()
    assert.deepEqual(more, [])
    assert.deepEqual(new Set(await namedBy()), new Set([last]))
  })

  it('is found by a name that the first event of what waits did not have', async () => {
    const school = await openSchool(service(), 'stripe')
    await recordGiven(service(), school, { ...paid(['a'], { plan: UNNAMED }), key: 'one' })
    await recordGiven(service(), school, { ...paid(['a', 'c'], { plan: UNNAMED }), key: 'one' })
    await recordGiven(service(), school, { ...paid(['c', 'b']), key: 'two', kind: 'payment_pending' })
    assert.equal((await access(school, EMAIL)).reason, 'paid')
  })

  it('is one subscription, and none is left when it is given back: Stripe, a sale with an invoice', async () => {
    for (const order of permutations([0, 1, 2, 3])) {
      const school = await connect(service(), 'stripe')
      const plan = { slug: 'curso', name: 'Curso', price: 9_990, productSlug: school.product.product.slug }
      await setPlan({ ...plan, gatewayRefs: [{ gateway: 'stripe', ref: 'price_curso' }] }, { ...service().context, actor: 'operator:test' })
      const line = { amount: 9_990, pricing: { price_details: { price: 'price_curso', product: 'prod_1' } } }
      const invoice = { id: 'in_1', object: 'invoice', status: 'paid', customer_email: EMAIL, amount_paid: 9_990, lines: { data: [line] } }
      const intent = { id: 'pi_1', object: 'payment_intent', amount: 9_990, receipt_email: EMAIL, metadata: { plan_slug: 'curso' } }
      const event = [
        stripeEvent('payment_intent.succeeded', intent),
        stripeEvent('invoice.paid', invoice),
        sale('pi_1', EMAIL, { invoice: 'in_1' }),
        refundOf('pi_1', { at: Date.now() + 1_000 }),
      ]
      for (const index of [...order, ...order]) assert.equal((await deliver(school, event[index])).status, 200)
      assert.equal((await stateOf(service(), school)).length, 1, order.join())
      assert.equal((await access(school, EMAIL)).reason, 'refunded', order.join())
    }
  })

  const linksOf = async ({ product }: Connected) => {
    const columns = ['state', 'user_id', 'product_user', 'link_closed_at', 'email', 'email_hash'] as const
    const query = service().context.storage.db.selectFrom('subscriptions').select(columns)
    return query.where('product_id', '=', product.product.id).execute()
  }

  it('keeps its links when two lines become one, and what the operator has decided of either', async () => {
    const school = await openSchool(service(), 'stripe')
    const buyer = 'elo@exemplo.com.br'
    const user = await service().user(buyer)
    await recordGiven(service(), school, paid(['a'], { buyer }))
    const headers = { authorization: `Bearer ${school.product.apiKey}` }
    const ask = async (query: object) =>
      (await (await fetch(`${service().url}/api/saas/check-access?${new URLSearchParams({ ...query })}`, { headers })).json()) as object
    assert.equal('active' in (await ask({ user_id: 'aluna-1', email: buyer })), true)
    await recordGiven(service(), school, paid(['a'], { subscriptionId: 'S', buyer: undefined, plan: UNNAMED }))
    const [only, ...more] = await linksOf(school)
    assert.deepEqual([only?.user_id, only?.product_user, more], [user.id, 'aluna-1', []])
    const { active } = (await ask({ user_id: 'aluna-1' })) as { active: boolean }
    assert.equal(active, true)

    for (const closed of ['b', 'c']) {
      const other = await openSchool(service(), 'stripe')
      const { db } = service().context.storage
      const productId = other.product.product.id
      for (const name of ['b', 'c']) {
        await recordGiven(service(), other, paid([name], { buyer }))
        const last = await db
          .selectFrom('subscriptions')
          .select('id')
          .where('product_id', '=', productId)
          .orderBy('id', 'desc')
          .executeTakeFirst()
        const as = { ...service().context, actor: 'operator:test' }
        if (name === closed) await unlinkSubscription(last?.id ?? '', { links: ['account'], reason: 'x' }, as)
      }
      await recordGiven(service(), other, paid(['b', 'c'], { buyer }))
      const [left, ...rest] = await linksOf(other)
      assert.deepEqual([left?.user_id, typeof left?.link_closed_at, rest], [null, 'number', []], closed)
      const named = await notificationListStore(db).list({ limit: 10, productId })
      assert.equal(new Set(named.map(({ subscriptionId }) => subscriptionId)).size, 1)
    }
  })

  it('brings back no address of a buyer who was forgotten, whichever of its lines was theirs', async () => {
    for (const theirs of ['a', 'b']) {
      const school = await openSchool(service(), 'stripe')
      const buyer = `esquecida-${theirs}@exemplo.com.br`
      const user = await service().user(buyer)
      await recordGiven(service(), school, paid([theirs], { buyer }))
      await recordGiven(service(), school, paid([theirs === 'a' ? 'b' : 'a'], { buyer: `outra-${buyer}` }))
      const account = (await findUser(service().context.storage.db, user.id)) ?? assert.fail()
      assert.equal(await deleteUser(account, { ...service().context, actor: 'operator:test' }), undefined)
      await recordGiven(service(), school, paid(['a', 'b'], { buyer }))
      const [only, ...more] = await linksOf(school)
      assert.deepEqual([only?.state, only?.email, more], ['active', `outra-${buyer}`, []])
      assert.match(only?.email_hash ?? '', /^[0-9a-f]{64}$/)
      const events = await service().context.storage.db.selectFrom('subscription_events').select('email').execute()
      assert.ok(events.every(({ email }) => email !== buyer))
    }
  })

  it('is one subscription, and given back, when all of it is reported in the same moment', async () => {
    for (let round = 0; round < 8; round++) {
      const school = await openSchool(service(), 'stripe')
      const event = [paid(['a']), paid(['a', 'b']), paid(['b', 'c']), paid(['c'], { subscriptionId: 'S' }), paid(['b'])]
      const refund: GivenEvent = { ...paid(['b']), key: 'refund', kind: 'refunded', occurredAt: START + DAY_MS }
      // Of two that hold what the other needs the database ends one, which is run again.
      await Promise.all([...event, refund, ...event].map((one) => recordGiven(service(), school, one)))
      const states = await linksOf(school)
      assert.deepEqual(
        states.map(({ state }) => state),
        ['refunded'],
        `${round}`,
      )
    }
  })

  it('is one subscription, and none is left when it is given back: Mercado Pago, a payment that turns out to be of a subscription', async () => {
    for (const order of [
      ['payment', 'invoice'],
      ['invoice', 'payment'],
    ]) {
      const api = await startFakeApi()
      const school = await openSchool(service(), 'mercadopago', { apiUrl: api.url })
      const [id, inv, sub] = ['77001', '88001', '2c938084'] as const
      const isProcessed = async (count: number) => {
        const all = await notificationsOf(service(), school)
        return all.length === count && all.every(({ status }) => status === 'processed')
      }
      const payment = { id: Number(id), status: 'approved' }
      const next = new Date(Date.now() + 30 * DAY_MS).toISOString()
      const recurring = { frequency: 1, frequency_type: 'months' }
      api.answers.set(`/v1/payments/${id}`, mercadopagoPayment(id, EMAIL))
      api.answers.set(`/authorized_payments/${inv}`, { id: Number(inv), preapproval_id: sub, status: 'processed', payment })
      api.answers.set(`/preapproval/${sub}`, { id: sub, status: 'authorized', next_payment_date: next, auto_recurring: recurring })
      for (const [count, one] of order.entries()) {
        const { body, query } =
          one === 'payment' ? mercadopagoEvent(id) : mercadopagoEvent(inv, { type: 'subscription_authorized_payment' })
        await deliver(school, body, { query })
        await until(() => isProcessed(count + 1))
      }
      assert.equal((await stateOf(service(), school)).length, 1)
      assert.deepEqual([(await access(school, EMAIL)).active, (await access(school, EMAIL)).current_period_end], [true, next])
      const at = new Date(Date.now() + 1_000).toISOString()
      api.answers.set(
        `/v1/payments/${id}`,
        mercadopagoPayment(id, EMAIL, { status: 'refunded', status_detail: 'refunded', date_last_updated: at }),
      )
      const { body, query } = mercadopagoEvent(id)
      await deliver(school, body, { query })
      await until(() => isProcessed(3))
      assert.deepEqual([(await access(school, EMAIL)).active, (await access(school, EMAIL)).reason], [false, 'refunded'])
    }
  })
})

function permutations(all: readonly number[]): number[][] {
  if (all.length < 2) return [[...all]]
  return all.flatMap((first) => permutations(all.filter((other) => other !== first)).map((rest) => [first, ...rest]))
}
