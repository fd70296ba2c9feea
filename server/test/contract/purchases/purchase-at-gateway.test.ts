import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { deleteUser, findUser } from '../../../src/admin/index.ts'
import { resolveNotification } from '../../../src/notifications/index.ts'
import { eachDatabase } from '../../support/databases.ts'
import { startFakeApi } from '../../support/gateways/fake-api.ts'
import { askAccess, type Connected, deliver, notificationsOf, openSchool } from '../../support/gateways/gateways.ts'
import { invoicePaid, refundOf, sale } from '../../support/gateways/made-events.ts'
import { activated, altered, completed, later, notify, received, WEBHOOKS } from '../../support/gateways/purchases.ts'
import { startService, type TestService } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { scriptOf } from '../../support/users/admins.ts'

const AT = Date.now() - 3_600_000
const at = (minutes: number) => ({ at: AT + minutes * 60_000 })
const iso = (minutes: number) => new Date(AT + minutes * 60_000).toISOString()
const someone = () => `${randomUUID()}@exemplo.com.br`
const ORDERS = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
]

eachDatabase('One purchase that the own checkout and a gateway report', (database) => {
  let url = ''
  let node: TestService
  let school: Connected
  before(async () => {
    url = (await database.fresh()).url
    node = await startService({ url }, { environment: WEBHOOKS, stops: 'by_caller' })
    school = await openSchool(node, 'stripe')
  })
  after(() => node.stop())
  const db = () => node.context.storage.db
  const productOf = () => school.product.product.id

  /** One purchase at Stripe, as the own checkout reports it in either form. */
  function purchase(form: 'A' | 'B', { email = someone(), paymentId = 'pedido-1', productId = productOf() } = {}) {
    const [intent, id] = [`pi_${randomUUID()}`, randomUUID()]
    const named = { gateway: 'stripe', gateway_payment_id: intent, payment_id: paymentId }
    const isA = form === 'A'
    const whose = isA ? { user_email: email, product_id: productId, plan_slug: 'curso' } : { subscription_id: id, product_id: productId }
    const bought = (minutes: number, names: object) =>
      isA
        ? { ...completed({ email, productId, plan: 'curso', at: iso(minutes) }), data: names }
        : activated({ email, id, product_id: productId, name: 'Curso', amount: 9_990, at: iso(minutes), ...names })
    const sendOwn = async (body: object) => assert.deepEqual(await notify(node.url, body), { status: 200, body: { received: true } })
    return {
      ...{ email, intent, named, whose, bought },
      sendOwn: (minutes = 1, names: object = named) => sendOwn(bought(minutes, names)),
      sendLater: (event: Parameters<typeof later>[0], minutes: number, names: object = {}) =>
        sendOwn(later(event, { ...whose, ...names, at: iso(minutes) })),
      sendStripe: async (payer: string | undefined = email, minutes = 0) =>
        assert.equal((await deliver(school, sale(intent, payer, at(minutes)))).status, 200),
      refundAtStripe: async (minutes = 5) => assert.equal((await deliver(school, refundOf(intent, at(minutes)))).status, 200),
    }
  }

  const statesOf = async (email: string) =>
    (await db().selectFrom('subscriptions').select('state').where('email', '=', email).orderBy('id').execute()).map(({ state }) => state)
  const ofStripe = () => db().selectFrom('event_streams').select('id').where('source', '=', 'stripe')
  const hasAccess = async (email: string) => (await askAccess(node, school, email)).active

  it('M5: a renewal that leaves out plan and address, reported before its purchase, counts with that, whichever of the two names a payment', async () => {
    for (const [inPurchase, inRenewal] of [
      [true, true],
      [false, true],
      [true, false],
    ]) {
      const { email, whose, named, sendOwn } = purchase('B')
      const renewal = { payment_id: 'pedido-2', period_end: iso(60 * 24 * 60) }
      const names = inRenewal ? { gateway: 'stripe', gateway_payment_id: `pi_${randomUUID()}` } : {}
      await notify(node.url, later('subscription.renewed', { ...whose, ...renewal, ...names, at: iso(3) }))
      await sendOwn(1, inPurchase ? named : { payment_id: named.payment_id })
      const rows = await db().selectFrom('subscriptions').select(['state', 'period_end']).where('email', '=', email).execute()
      assert.deepEqual(
        rows.map(({ state, period_end }) => [state, period_end]),
        [['active', Date.parse(renewal.period_end)]],
        `${inPurchase} ${inRenewal}`,
      )
    }
  })

  it('M5: is one in any order, each delivered twice, and its refund ends it, at the gateway or by the own checkout', async () => {
    for (const form of ['A', 'B'] as const)
      for (const order of ORDERS)
        for (const refund of ['gateway', 'own', 'own by its own name'] as const) {
          const { email, named, sendOwn, sendStripe, sendLater, refundAtStripe } = purchase(form)
          const refunds = {
            gateway: () => refundAtStripe(),
            own: () => sendLater('payment.refunded', 5, named),
            'own by its own name': () => sendLater('payment.refunded', 5, { payment_id: named.payment_id }),
          }
          const steps = [() => sendOwn(), () => sendStripe(), refunds[refund]]
          for (const step of [...order, ...order]) await steps[step]?.()
          assert.deepEqual(await statesOf(email), ['refunded'], `${form} ${order} ${refund}`)
          assert.equal(await hasAccess(email), false)
        }
  })

  it('M5: is one, though both report it and its refund at the same moment, to any node', async () => {
    // SQLite is one node's.
    const other = database.name === 'sqlite' ? node : await startService({ url }, { environment: WEBHOOKS })
    const atOther = { ...school, address: school.address.replace(node.url, other.url) }
    for (let round = 0; round < 12; round++) {
      const both = [purchase('A'), purchase('B')]
      const senders = ({ email, intent, named, sendOwn, sendLater }: ReturnType<typeof purchase>) => [
        sendOwn(),
        deliver(atOther, sale(intent, email, at(0))),
        sendLater('subscription.canceled', 4),
        deliver(atOther, refundOf(intent, at(5))),
        sendLater('payment.refunded', 6, named),
      ]
      await Promise.all(both.flatMap(senders))
      for (const { email } of both) assert.deepEqual(await statesOf(email), ['refunded'])
    }
    // Where the gateway's word for the payment itself got lost, its refund and the own checkout's word meet alone.
    const many = Array.from({ length: 40 }, () => purchase('A'))
    for (const [round, { intent, sendOwn }] of many.entries())
      await Promise.all([sendOwn(), setTimeout(round % 10).then(() => deliver(atOther, refundOf(intent, at(5))))])
    for (const { email } of many) assert.deepEqual(await statesOf(email), ['refunded'])
  })

  it('M5: what was told of it before it named the payment is of the same purchase, by its name or by its time', async () => {
    for (const names of [{ payment_id: 'pedido-1' }, {}]) {
      const { email, named, sendOwn, sendStripe, refundAtStripe } = purchase('A')
      const { gateway, gateway_payment_id } = named
      await sendOwn(1, names)
      await sendStripe()
      assert.deepEqual(await statesOf(email), ['active', 'active'])
      await sendOwn(1, { gateway, gateway_payment_id, ...names })
      assert.deepEqual(await statesOf(email), ['active'])
      await refundAtStripe()
      assert.deepEqual(await statesOf(email), ['refunded'])
    }
  })

  it('M5: two buyers whose payments have the same name in the own checkout are two', async () => {
    const [one, other] = [purchase('A', { paymentId: '1' }), purchase('B', { paymentId: '1' })]
    for (const { sendOwn, sendStripe } of [one, other]) {
      await sendOwn()
      await sendStripe()
    }
    await other.sendLater('payment.refunded', 5, { payment_id: '1' })
    assert.deepEqual([await hasAccess(one.email), await hasAccess(other.email)], [true, false])
  })

  it('M5: it is the buyer’s whom the own checkout names, whoever paid at the gateway, in either order', async () => {
    for (const isOwnFirst of [true, false])
      for (const form of ['A', 'B'] as const) {
        const { email, sendOwn, sendStripe } = purchase(form)
        const [buyer, payer] = [await node.user(email), await node.user(someone())]
        const steps = [() => sendOwn(), () => sendStripe(payer.email)]
        for (const step of isOwnFirst ? steps : steps.reverse()) await step()
        assert.deepEqual([await hasAccess(email), await hasAccess(payer.email)], [true, false])
        const rows = await db().selectFrom('subscriptions').select('user_id').where('email', '=', email).execute()
        assert.deepEqual(
          rows.map(({ user_id }) => user_id),
          [buyer.id],
        )
      }
  })

  it('M5: what the gateway tells without an address, and is asked for in vain, is known by the own checkout, whichever comes first', async () => {
    const shop = await openSchool(node, 'stripe', { apiUrl: (await startFakeApi()).url })
    const isAsked = async () => (await notificationsOf(node, shop)).every(({ why }) => why !== 'awaiting_gateway')
    for (const isOwnFirst of [true, false]) {
      const { email, intent, sendOwn } = purchase('A', { productId: shop.product.product.id })
      const sendStripe = async () => {
        assert.equal((await deliver(shop, sale(intent, undefined, at(0)))).status, 200)
        await until(isAsked)
      }
      for (const step of isOwnFirst ? [sendOwn, sendStripe] : [sendStripe, sendOwn]) await step()
      assert.deepEqual(await statesOf(email), ['active'])
      assert.deepEqual(
        (await notificationsOf(node, shop)).filter(({ status }) => status !== 'processed'),
        [],
      )
    }
  })

  it('M5: a renewal that the gateway alone reports is of the same purchase, and the own checkout ends all of it', async () => {
    for (const names of ['the payment', 'nothing'] as const) {
      const { email, named, sendOwn, sendLater, intent } = purchase('B')
      const subscription = `sub_${intent}`
      const month = 30 * 24 * 60
      const invoices = [invoicePaid(subscription, email, { ...at(-month), invoice: intent }), invoicePaid(subscription, email, at(-5))]
      await sendOwn(-month + 1)
      for (const invoice of invoices) assert.equal((await deliver(school, invoice)).status, 200)
      assert.deepEqual(await statesOf(email), ['active'])
      await sendLater(
        'subscription.ended',
        5,
        names === 'nothing' ? {} : { gateway: 'stripe', gateway_payment_id: named.gateway_payment_id },
      )
      assert.deepEqual(await statesOf(email), ['canceled'])
      assert.equal(await hasAccess(email), false)
    }
  })

  it('M5: what the next user buys with an address that its first has left is theirs', async () => {
    const email = someone()
    const first = purchase('A', { email })
    const user = await node.user(email)
    await first.sendOwn()
    await first.sendStripe()
    await db().updateTable('users').set({ email: someone() }).where('id', '=', user.id).execute()
    const next = await node.user(email)
    const second = purchase('A', { email, paymentId: 'pedido-2' })
    await second.sendStripe(email, 20)
    await second.sendOwn(21)
    const owners = async () =>
      (await db().selectFrom('subscriptions').select(['user_id', 'state']).where('email', '=', email).orderBy('id').execute()).map(
        ({ user_id, state }) => [user_id, state],
      )
    assert.deepEqual(await owners(), [
      [user.id, 'active'],
      [next.id, 'active'],
    ])
    await first.sendLater('payment.refunded', 30, { payment_id: first.named.payment_id })
    await first.sendLater('payment.refunded', 31, first.named)
    await first.sendOwn(32)
    assert.deepEqual(await owners(), [
      [user.id, 'refunded'],
      [next.id, 'active'],
    ])
    await second.refundAtStripe(40)
    assert.deepEqual(await owners(), [
      [user.id, 'refunded'],
      [next.id, 'refunded'],
    ])
  })

  it('M5: of a buyer who is forgotten no address stays, nor comes back', async () => {
    for (const form of ['A', 'B'] as const) {
      const { email, sendOwn, sendStripe, sendLater, refundAtStripe, named } = purchase(form)
      await node.user(email)
      await sendOwn()
      await sendStripe()
      const user = await findUser(db(), email)
      assert.ok(user && !('refusal' in user))
      await deleteUser(user, { ...node.context, actor: 'operator:test' })
      await sendOwn(7)
      await sendLater('subscription.renewed', 8, { ...named, user_email: email, plan_slug: 'curso' })
      await refundAtStripe(9)
      const tables = [
        'subscriptions',
        'event_streams',
        'subscription_events',
        'notifications',
        'gateway_payments',
        'pending_notifications',
      ] as const
      for (const table of tables) assert.ok(!JSON.stringify(await db().selectFrom(table).selectAll().execute()).includes(email), table)
      assert.equal(await hasAccess(email), false)
    }
  })

  it('M5: one whose plan the operator has to say is processed, and merged, once it is said', async () => {
    const { email, named, sendStripe, refundAtStripe } = purchase('A')
    const body = { ...completed({ email, productId: productOf(), plan: 'desconhecido', at: iso(1) }), data: named }
    assert.equal((await notify(node.url, body)).status, 200)
    const [pending] = (await received(node)).slice(-1)
    assert.deepEqual([pending?.status, pending?.why, pending?.subject], ['unresolved', 'unknown_plan', email])
    const deps = { ...node.context, actor: 'operator:test' } as const
    const resolved = await resolveNotification(pending?.id ?? '', { planSlug: 'curso', reason: undefined }, deps)
    assert.ok('subscriptionId' in resolved)
    assert.deepEqual(await statesOf(email), ['active'])
    await sendStripe()
    await refundAtStripe()
    assert.deepEqual(await statesOf(email), ['refunded'])
  })

  it('M5: in the contract’s own two events a wrong name is passed over, in the others it is refused', async () => {
    for (const form of ['A', 'B'] as const)
      for (const [field, value] of [
        ['gateway', 'paypal'],
        ['gateway', undefined],
        ['gateway_payment_id', 'with a space'],
        ['gateway_payment_id', undefined],
      ] as const) {
        const { email, named, whose, sendOwn, sendStripe } = purchase(form)
        const names = altered(named, field, value)
        await sendOwn(1, names)
        await sendStripe()
        assert.deepEqual(await statesOf(email), ['active', 'active'])
        const refund = later('payment.refunded', { ...whose, ...names, at: iso(5) })
        assert.deepEqual(await notify(node.url, refund), { status: 400, body: { error: 'Payload invalido' } })
        const [refused] = (await received(node)).slice(-1)
        assert.deepEqual([refused?.status, refused?.why?.includes(`data.${field}`)], ['refused', true], refused?.why ?? '')
      }
  })

  it('M5: a number is the id of a payment at Mercado Pago', async () => {
    const { email, named, bought } = purchase('A')
    assert.equal((await notify(node.url, bought(1, { ...named, gateway: 'mercadopago', gateway_payment_id: 123_456_789 }))).status, 200)
    assert.deepEqual(await statesOf(email), ['active'])
    const row = await db().selectFrom('gateway_payments').select('gateway').where('alias', '=', '123456789').executeTakeFirst()
    assert.equal(row?.gateway, 'mercadopago')
  })

  it('M5: where the payment is not named the overview warns, until it is', async () => {
    const shop = await openSchool(node, 'stripe')
    const owner = await scriptOf(node, 'owner')
    const { id: product_id, slug } = shop.product.product
    const warned = async () => {
      const { alerts } = (await owner.get('/overview?days=7')).json<{ alerts: Array<Record<string, unknown>> }>()
      return alerts.filter(({ kind, product }) => kind === 'duplicate_purchases' && product === slug)
    }
    const [mine, other] = [purchase('A', { productId: product_id }), purchase('B', { productId: product_id })]
    for (const { intent, email, sendOwn } of [mine, other]) {
      await sendOwn(1, {})
      assert.equal((await deliver(shop, sale(intent, email, at(0)))).status, 200)
    }
    await db()
      .updateTable('subscriptions')
      .set({ created_at: 1 })
      .where('email', '=', other.email)
      .where('stream_id', 'in', ofStripe())
      .execute()
    const path = `/subscriptions?filter=${encodeURIComponent(JSON.stringify({ product_id }))}`
    const item = {
      kind: 'duplicate_purchases',
      severity: 'warning',
      count: 1,
      product: slug,
      gateway: 'stripe',
      since: null,
      until: null,
      path,
    }
    assert.deepEqual(await warned(), [item])
    await mine.sendOwn()
    assert.deepEqual(await warned(), [])
  })
})
