import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { it } from 'node:test'
import { notificationStore, type Resolution, reprocessNotification, resolveNotification } from '../../../src/notifications/index.ts'
import { type Plan, setPlan } from '../../../src/subscriptions/index.ts'
import { eachDatabase } from '../../support/databases.ts'
import { DAY_MS, EMAIL, type GivenEvent, paid, reconciled, recordGiven, START, stateOf } from '../../support/gateways/events.ts'
import { startFakeApi } from '../../support/gateways/fake-api.ts'
import { askAccess, type Connected, deliver, notificationsOf, openSchool } from '../../support/gateways/gateways.ts'
import {
  asaasEvent,
  charge,
  invoicePaid,
  mercadopagoEvent,
  mercadopagoPayment,
  refundOf,
  sale,
} from '../../support/gateways/made-events.ts'
import { pagarmeCharge, pagarmeEvent } from '../../support/gateways/pagarme.ts'
import { activated, completed, later, notify, received, subscriptionsOf, WEBHOOKS } from '../../support/gateways/purchases.ts'
import { startForSuite } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const LESS = 1
const PRICE = 9_990
const HELD = ['unresolved', 'unexpected_amount', [LESS, PRICE]]
const APPLIED = ['processed', undefined, undefined]
const AGAIN = ['ignored', 'duplicate', undefined]
const TOO_EARLY = ['ignored', 'unknown_payment', undefined]

eachDatabase('A payment below the price of a plan that is sold for no less', (database) => {
  const service = startForSuite(database, { environment: { ...WEBHOOKS, PORTARIA_EXPERIMENTS: 'pagarme' } })
  const deps = () => ({ ...service().context, actor: 'operator:test' as const })
  const buyer = () => `${randomUUID()}@exemplo.com.br`

  /** A plan of the operator's, of its own for each test. */
  async function plan(more: Partial<Pick<Plan, 'price' | 'belowPrice' | 'slug'>> & { productSlug?: string } = {}): Promise<Plan> {
    const slug = `fixo-${randomUUID().slice(0, 8)}`
    const made = await setPlan({ slug, name: more.slug ?? slug, price: PRICE, belowPrice: 'hold', ...more }, deps())
    return 'refusal' in made ? assert.fail(made.refusal) : made
  }
  /** A school whose plan, `curso`, is sold for no less. */
  async function open(gateway: Connected['gateway'] = 'stripe', apiUrl?: string): Promise<Connected> {
    const school = await openSchool(service(), gateway, apiUrl === undefined ? {} : { apiUrl })
    await plan({ slug: 'curso', productSlug: school.product.product.slug })
    return school
  }
  const outcome = async (id = '') => {
    const { status, why, mismatch } = (await notificationStore(service().context.storage.db).findById(id)) ?? assert.fail()
    return [status, why, mismatch && [mismatch.paid, mismatch.price]]
  }
  const allOf = async (school: Connected) => Promise.all((await notificationsOf(service(), school)).map(({ id }) => outcome(id)))
  const isActive = async (school: Connected, email: string) => (await askAccess(service(), school, email)).active
  const take = async (school: Connected, body: object, query?: string) =>
    assert.deepEqual(await deliver(school, body, { at: service().clock.now, ...(query !== undefined && { query }) }), {
      status: 200,
      body: { received: true },
    })
  const send = async (body: object) => {
    assert.deepEqual(await notify(service().url, body), { status: 200, body: { received: true } })
    return (await received(service())).at(-1)?.id ?? assert.fail()
  }
  const states = async (email: string) => (await subscriptionsOf(service(), email)).map(({ state }) => state)
  const resolve = (id: string, resolution: Resolution) => resolveNotification(id, resolution, deps())
  const buys = (id: string, planSlug: string) => resolve(id, { planSlug, reason: undefined })
  /** The notifications of a school that are pending for the operator. */
  const held = async (school: Connected) => (await notificationsOf(service(), school)).filter(({ status }) => status === 'unresolved')

  it('L15: of the own checkout waits, in whatever form it is reported, until the operator says that it buys it', async () => {
    const { slug, name } = await plan()
    const forms: Array<(email: string, amount: number) => object> = [
      (email, amount) => activated({ email, name, amount }),
      (user_email, amount) => later('subscription.renewed', { user_email, amount, subscription_id: randomUUID(), plan_slug: slug }),
      (user_email, amount) => later('subscription.renewed', { user_email, amount, product_id: randomUUID(), plan_slug: slug }),
    ]
    for (const [form, say] of forms.entries()) {
      const [email, other] = [buyer(), buyer()]
      const id = await send(say(email, LESS))
      assert.deepEqual([await outcome(id), await states(email)], [HELD, []], `${form}`)
      const waits = { refusal: 'still_unresolved', why: 'unexpected_amount' }
      assert.deepEqual(await reprocessNotification(id, deps()), waits)
      assert.deepEqual(await resolve(id, { email: other, reason: undefined }), waits, 'an address says nothing of the amount')
      assert.deepEqual(await outcome(id), HELD)
      assert.ok('subscriptionId' in (await buys(id, slug)))
      assert.deepEqual([await outcome(id), await states(email)], [['processed', undefined, [LESS, PRICE]], ['active']])
      await send(say(other, PRICE))
      assert.deepEqual(await states(other), ['active'], `${form}`)
    }
  })

  it('L15: what is the price, above it, or has no amount is applied; nothing at all is below it', async () => {
    const { slug, name } = await plan()
    for (const [body, is] of [
      [activated({ email: buyer(), name, amount: PRICE }), APPLIED],
      [activated({ email: buyer(), name, amount: PRICE + 1 }), ['processed', undefined, [PRICE + 1, PRICE]]],
      [activated({ email: buyer(), name, amount: 0 }), ['unresolved', 'unexpected_amount', [0, PRICE]]],
      [completed({ email: buyer(), plan: slug }), APPLIED],
      [activated({ email: buyer(), name: 'Easy Pro', amount: LESS }), ['processed', undefined, [LESS, 9_900]]],
    ] as const)
      assert.deepEqual(await outcome(await send(body)), is, JSON.stringify(body))
  })

  it('L15: of nothing waits too where the own checkout names its payment at the gateway: it is a trial only if the gateway says so', async () => {
    const school = await open()
    const named = { gateway: 'stripe', gateway_payment_id: `pi_${randomUUID()}`, product_id: school.product.product.id }
    const id = await send(activated({ email: buyer(), name: 'curso', amount: 0, ...named }))
    assert.deepEqual(await outcome(id), ['unresolved', 'unexpected_amount', [0, PRICE]])
  })

  it('L15: of a renewal waits and lengthens nothing; what came before it stays', async () => {
    const { name, slug } = await plan()
    const email = buyer()
    const id = randomUUID()
    const until = (day: number) => new Date(service().clock.now + day * DAY_MS).toISOString()
    await send(activated({ email, id, name, amount: PRICE, period_end: until(30) }))
    const renewed = (amount: number) =>
      later('subscription.renewed', { subscription_id: id, user_email: email, product_name: name, amount, period_end: until(60) })
    const ends = async () => (await subscriptionsOf(service(), email)).map(({ period_end }) => Number(period_end))
    const before = await ends()
    const pending = await send(renewed(LESS))
    assert.deepEqual([await outcome(pending), await ends(), await states(email)], [HELD, before, ['active']])
    assert.ok('subscriptionId' in (await buys(pending, slug)))
    assert.deepEqual(await ends(), [(before[0] ?? 0) + 30 * DAY_MS])
  })

  it('L15: of the own checkout that is refunded gives no access, whether the refund comes before or after the operator’s word', async () => {
    const { name, slug } = await plan()
    for (const moment of ['before', 'after'] as const) {
      const [email, id, payment_id] = [buyer(), randomUUID(), 'p1']
      const pending = await send(activated({ email, id, name, amount: LESS, payment_id }))
      const refund = later('payment.refunded', { subscription_id: id, payment_id })
      if (moment === 'before') assert.deepEqual(await outcome(await send(refund)), APPLIED)
      assert.ok('subscriptionId' in (await buys(pending, slug)))
      if (moment === 'after') assert.deepEqual(await states(email), ['active'])
      if (moment === 'after') assert.deepEqual(await outcome(await send(refund)), APPLIED)
      assert.deepEqual(await states(email), ['refunded'], moment)
    }
  })

  it('L15: a payment that is applied is never held, reported again or taken back', async () => {
    const { name, slug } = await plan()
    const [email, id, payment_id] = [buyer(), randomUUID(), 'p1']
    const lesserOf = (at: number) => activated({ email, id, name, amount: LESS, payment_id, at: new Date(at).toISOString() })
    assert.ok('subscriptionId' in (await buys(await send(lesserOf(service().clock.now)), slug)))
    assert.deepEqual(await outcome(await send(lesserOf(service().clock.now - 1_000))), ['processed', undefined, [LESS, PRICE]])
    const cheap = await plan({ price: LESS })
    const old = { email: buyer(), id: randomUUID(), name: cheap.name, amount: LESS, payment_id }
    await send(activated(old))
    await setPlan({ slug: cheap.slug, name: cheap.name, price: PRICE }, deps())
    await send(activated({ ...old, at: new Date(service().clock.now - 1_000).toISOString() }))
    assert.deepEqual(await states(old.email), ['active'], 'bought before the price rose')
    assert.deepEqual(await outcome(await send(activated({ ...old, payment_id: 'p2' }))), HELD)
    await send(later('payment.refunded', { subscription_id: old.id, payment_id }))
    assert.deepEqual(await states(old.email), ['refunded'])
  })

  it('L15: a payment that is applied under one name or line is never held under others; one that merely failed or was asked for is held', async () => {
    const less = (names: string[], more: Partial<GivenEvent> = {}) => paid(names, { amount: LESS, occurredAt: START, ...more })
    for (const [first, again] of [
      [less(['a']), less(['a'], { subscriptionId: 'S' })],
      [less(['b']), less(['a', 'b'])],
    ] as const) {
      const school = await open()
      await recordGiven(service(), school, { ...less(['a']), key: 'asked', kind: 'payment_pending' })
      await recordGiven(service(), school, first)
      assert.deepEqual((await allOf(school)).at(-1), HELD)
      await buys((await held(school))[0]?.id ?? '', 'curso')
      await recordGiven(service(), school, again)
      assert.deepEqual([await held(school), await isActive(school, EMAIL)], [[], true])
    }
    const { name } = await plan()
    const [subscription_id, payment_id] = [randomUUID(), 'p1']
    await send(later('payment.failed', { subscription_id, payment_id }))
    assert.deepEqual(await outcome(await send(activated({ email: buyer(), id: subscription_id, name, payment_id, amount: LESS }))), HELD)
  })

  it('L15: the operator who has less done with a price, or lets less than it count, has what waits tried again', async () => {
    for (const change of [{ price: LESS }, { belowPrice: 'apply' as const }]) {
      const { slug, name } = await plan()
      const email = buyer()
      const id = await send(activated({ email, name, amount: LESS }))
      await plan({ slug, ...change })
      assert.ok('subscriptionId' in (await reprocessNotification(id, deps())))
      assert.deepEqual(await states(email), ['active'])
    }
    const { slug, name } = await plan()
    await setPlan({ slug, name, price: PRICE + 1 }, deps())
    assert.deepEqual(await outcome(await send(activated({ email: buyer(), name, amount: PRICE }))), [
      ...HELD.slice(0, 2),
      [PRICE, PRICE + 1],
    ])
  })

  it('L15: at Stripe waits, its refund with it, and is one however often it is reported', async () => {
    for (const isRefunded of [false, true]) {
      const school = await open()
      const email = buyer()
      const at = service().clock.now
      if (isRefunded) await take(school, refundOf('pi_1', { at }))
      for (let n = 0; n < 2; n++) await take(school, sale('pi_1', email, { at, amount_total: LESS }))
      const early = isRefunded ? [TOO_EARLY] : []
      assert.deepEqual([await allOf(school), await isActive(school, email)], [[...early, HELD, AGAIN], false])
      const [{ id = '' } = {}] = await held(school)
      assert.ok('subscriptionId' in (await buys(id, 'curso')))
      assert.deepEqual((await allOf(school)).slice(0, -1), [...early.map(() => APPLIED), ['processed', undefined, [LESS, PRICE]]])
      assert.equal(await isActive(school, email), !isRefunded)
      await take(school, sale('pi_1', email, { at, amount_total: LESS }))
      assert.equal((await allOf(school)).at(-1)?.[0], 'processed')
      if (!isRefunded) await take(school, refundOf('pi_1', { at }))
      assert.equal(await isActive(school, email), false)
    }
  })

  it('L15: a trial, another currency and the sum of several things are applied; a part of the price and a payment that the operator ignores are not', async () => {
    for (const [more, isApplied] of [
      [{ amount_paid: PRICE }, true],
      [{ amount_paid: PRICE + 5_000 }, true],
      [{ amount_paid: 0 }, true],
      [{ amount_paid: LESS, total: PRICE }, true], // the buyer's credit paid the rest
      [{ amount_paid: LESS, currency: 'usd' }, true],
      [{ amount_paid: PRICE - 1 }, false],
    ] as const) {
      const school = await open()
      const email = buyer()
      await take(school, invoicePaid(`sub_${randomUUID()}`, email, { at: service().clock.now, ...more }))
      assert.equal(await isActive(school, email), isApplied, JSON.stringify(more))
      const [{ id = '' } = {}] = await held(school)
      if (isApplied) continue
      assert.deepEqual(await resolve(id, { ignore: true, reason: 'sent back' }), { ignored: true })
      assert.deepEqual([await allOf(school), await isActive(school, email)], [[['ignored', 'sent back', [PRICE - 1, PRICE]]], false])
    }
  })

  it('L15: at Mercado Pago waits; an order of two things counts by its sum, and one that is paid by two cards too', async () => {
    const api = await startFakeApi()
    const school = await open('mercadopago', api.url)
    const outcomes = async (count: number) => {
      await until(async () => (await allOf(school)).filter(([, why]) => why !== 'awaiting_gateway').length === count)
      return allOf(school)
    }
    const pay = async (id: string, email: string, transaction_amount: number) => {
      api.answers.set(`/v1/payments/${id}`, mercadopagoPayment(id, email, { transaction_amount }))
      const { body, query } = mercadopagoEvent(id)
      await take(school, body, query)
    }
    const [one, two, three] = [buyer(), buyer(), buyer()]
    await pay('11', one, 0.01)
    assert.deepEqual(await outcomes(1), [HELD])
    assert.ok('subscriptionId' in (await buys((await held(school))[0]?.id ?? '', 'curso')))
    assert.equal(await isActive(school, one), true)
    const order = async (id: string, email: string, more: object) => {
      const paidOrder = { id, status: 'processed', status_detail: 'accredited', external_reference: 'curso', payer: { email }, ...more }
      api.answers.set(`/v1/orders/${id}`, paidOrder)
      const { body, query } = mercadopagoEvent(id, { type: 'order' })
      await take(school, body, query)
    }
    await order('ORD1AA', two, { total_amount: '149.90', items: [{ id: 'curso' }, { id: 'camiseta' }] })
    assert.deepEqual((await outcomes(2)).at(-1), ['processed', undefined, [14_990, PRICE]])
    assert.equal(await isActive(school, two), true)
    await pay('21', three, 49.95)
    await pay('22', three, 49.95)
    assert.deepEqual((await outcomes(4)).slice(2), Array(2).fill(['unresolved', 'unexpected_amount', [4_995, PRICE]]))
    await order('ORD2AA', three, { total_amount: '99.90', transactions: { payments: [{ id: '21' }, { id: '22' }] } })
    await until(async () => (await held(school)).length === 0)
    assert.equal(await isActive(school, three), true)
  })

  it('L15: at Asaas waits; a purchase in parts counts whole', async () => {
    const api = await startFakeApi()
    const school = await open('asaas', api.url)
    const hear = async (email: string, paidCharge: ReturnType<typeof charge>) => {
      api.answers.set(`/customers/${paidCharge.customer}`, { id: paidCharge.customer, email })
      api.answers.set(`/payments/${paidCharge.id}`, paidCharge)
      await take(school, asaasEvent('PAYMENT_RECEIVED', paidCharge))
      await until(async () => (await allOf(school)).every(([, why]) => why !== 'awaiting_gateway'))
    }
    const [one, two] = [buyer(), buyer()]
    await hear(one, charge('pay_1', { value: 0.01 }))
    assert.deepEqual([await allOf(school), await isActive(school, one)], [[HELD], false])
    assert.ok('subscriptionId' in (await buys((await held(school))[0]?.id ?? '', 'curso')))
    assert.equal(await isActive(school, one), true)
    const parts = ['pay_2', 'pay_3'].map((id) => charge(id, { value: 49.95, installment: 'ins_1', customer: 'cus_2' }))
    api.answers.set('/payments', { data: parts, hasMore: false })
    for (const part of parts) await hear(two, part)
    assert.deepEqual((await allOf(school)).slice(1), [APPLIED, APPLIED])
    assert.equal(await isActive(school, two), true)
  })

  it('L15: at Pagar.me waits', async () => {
    const school = await open('pagarme')
    const email = buyer()
    const at = service().clock.now
    await take(school, pagarmeEvent('charge.paid', pagarmeCharge('ch_1', email, { amount: LESS, paid_amount: LESS }), { at }))
    assert.deepEqual([await allOf(school), await isActive(school, email)], [[HELD], false])
    assert.ok('subscriptionId' in (await buys((await held(school))[0]?.id ?? '', 'curso')))
    assert.equal(await isActive(school, email), true)
  })

  it('L15: comes to the same as if it had not waited once the operator says so, in whatever order it and its reversal are reported, under whatever names', async () => {
    const less = { amount: LESS, occurredAt: START }
    const event: GivenEvent[] = [
      { ...paid(['a'], less), key: 'paid' },
      { ...paid(['a', 'b'], { ...less, subscriptionId: 'S' }), key: 'paid again' },
      { ...paid(['b']), key: 'back', kind: 'refunded', occurredAt: START + DAY_MS },
    ]
    for (const by of [recordGiven, reconciled])
      for (const order of [[0], [0, 1], [1, 0], [0, 2, 1], [2, 1, 0], [1, 2, 0], [2, 0, 1], [0, 1, 2], [1, 0, 2]]) {
        const [school, usual] = [await open(), await openSchool(service(), 'stripe')]
        for (const index of [...order, ...order]) await by(service(), school, event[index] ?? assert.fail())
        for (const index of [...order, ...order]) await by(service(), usual, event[index] ?? assert.fail())
        assert.equal(await isActive(school, EMAIL), false)
        for (const { id } of await held(school)) await buys(id, 'curso')
        assert.deepEqual(
          [await held(school), await stateOf(service(), school)],
          [[], await stateOf(service(), usual)],
          `${by.name} ${order}`,
        )
      }
  })
})
