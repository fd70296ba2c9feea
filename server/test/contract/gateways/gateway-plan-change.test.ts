import assert from 'node:assert/strict'
import { it } from 'node:test'
import { notificationStore, reprocessNotification, resolveNotification } from '../../../src/notifications/index.ts'
import { setPlan } from '../../../src/subscriptions/index.ts'
import { eachDatabase } from '../../support/databases.ts'
import { askAccess, type Connected, deliver, notificationsOf, openSchool } from '../../support/gateways/gateways.ts'
import { invoicePaid } from '../../support/gateways/made-events.ts'
import { startForSuite, type TestService } from '../../support/service.ts'

const BUYER = 'comprador@example.com'
const DAY = 86_400_000

/** The lines of an invoice at Stripe: the item, its days from now, and its price in centavos. */
function invoice(
  service: TestService,
  subscription: string,
  lines: ReadonlyArray<readonly [price: string, days: number]>,
  more: object = {},
) {
  const start = Math.floor(service.clock.now / 1000)
  return invoicePaid(subscription, BUYER, {
    at: service.clock.now,
    invoice: `in_${subscription}_${start}`,
    created: start,
    parent: { subscription_details: { subscription, metadata: {} } },
    lines: {
      data: lines.map(([price, days]) => ({
        amount: 9_990,
        period: { start, end: start + days * 86_400 },
        pricing: { price_details: { price, product: `prod_of_${price}` } },
        parent: { subscription_item_details: { subscription, proration: false } },
      })),
    },
    ...more,
  })
}

eachDatabase('A plan that is changed at its gateway', (database) => {
  const service = startForSuite(database)

  /** A school with two plans, of which `curso` has a price registered. */
  async function open(...registered: string[]): Promise<Connected> {
    const school = await openSchool(service(), 'stripe')
    await plan(school, 'curso', ...registered)
    await plan(school, 'pro')
    return school
  }
  async function plan({ product }: Connected, slug: string, ...prices: string[]) {
    const given = {
      slug,
      name: slug,
      price: 9_990,
      productSlug: product.product.slug,
      gatewayRefs: prices.map((ref) => ({ gateway: 'stripe' as const, ref })),
    }
    assert.ok(!('refusal' in (await setPlan(given, { ...service().context, actor: 'operator:test' }))))
  }
  const access = async (school: Connected) => {
    const { active, reason, plan_slug: bought } = await askAccess(service(), school, BUYER)
    return [active, reason, bought]
  }
  const pending = async (school: Connected) =>
    (await notificationsOf(service(), school)).filter(({ status }) => status === 'unresolved').map(({ why, event }) => `${event} ${why}`)
  const deliverBody = async (school: Connected, body: object) =>
    assert.deepEqual(await deliver(school, body, { at: service().clock.now }), { status: 200, body: { received: true } })
  const deps = () => ({ ...service().context, actor: 'operator:test' as const })

  it('M6: to a price that is registered nowhere: access goes on, the operator is warned, and says which plan it is', async () => {
    const school = await open('price_1')
    await deliverBody(school, invoice(service(), 'sub_1', [['price_1', 30]]))
    assert.deepEqual([await access(school), await pending(school)], [[true, 'paid', 'curso'], []])
    service().clock.now += 30 * DAY
    const changed = invoice(service(), 'sub_1', [['price_2', 30]])
    await deliverBody(school, changed)
    await deliverBody(school, { ...changed, id: 'evt_again', type: 'invoice.payment_succeeded' })
    service().clock.now += 10 * DAY
    assert.deepEqual([await access(school), await pending(school)], [[true, 'paid', 'curso'], ['invoice.paid unknown_plan']])
    const [{ id = '' } = {}] = (await notificationsOf(service(), school)).filter(({ status }) => status === 'unresolved')
    assert.deepEqual(await reprocessNotification(id, deps()), { refusal: 'still_unresolved', why: 'unknown_plan' })
    assert.ok((await notificationStore(service().context.storage.db).findById(id))?.subscriptionId, 'it is applied meanwhile')
    assert.ok('subscriptionId' in (await resolveNotification(id, { planSlug: 'pro', reason: undefined }, deps())))
    assert.deepEqual([await access(school), await pending(school)], [[true, 'paid', 'pro'], []])
    service().clock.now += 20 * DAY
    await deliverBody(school, invoice(service(), 'sub_1', [['price_2', 30]]))
    assert.deepEqual([await access(school), await pending(school)], [[true, 'paid', 'pro'], []], 'it is asked once')
  })

  it('M6: is resolved by the next payment once the price is registered, and by the operator who ignores it', async () => {
    const school = await open('price_3')
    await deliverBody(school, invoice(service(), 'sub_3', [['price_3', 30]]))
    service().clock.now += 30 * DAY
    await deliverBody(school, invoice(service(), 'sub_3', [['price_4', 30]]))
    assert.equal((await pending(school)).length, 1)
    await plan(school, 'pro', 'price_4')
    service().clock.now += 30 * DAY
    await deliverBody(school, invoice(service(), 'sub_3', [['price_4', 30]]))
    assert.deepEqual([await access(school), await pending(school)], [[true, 'paid', 'pro'], []])
    service().clock.now += 30 * DAY
    await deliverBody(school, invoice(service(), 'sub_3', [['price_5', 30]]))
    const [{ id = '' } = {}] = (await notificationsOf(service(), school)).filter(({ status }) => status === 'unresolved')
    assert.deepEqual(await resolveNotification(id, { ignore: true, reason: 'the same at another price' }, deps()), { ignored: true })
    assert.deepEqual([await access(school), await pending(school)], [[true, 'paid', 'pro'], []])
  })

  it('M6: a plan that was never named by its price is not asked about at each renewal', async () => {
    const school = await open()
    const named = { parent: { subscription_details: { subscription: 'sub_6', metadata: { plan_slug: 'pro' } } } }
    await deliverBody(school, invoice(service(), 'sub_6', [['price_6', 30]], named))
    service().clock.now += 30 * DAY
    await deliverBody(school, invoice(service(), 'sub_6', [['price_6', 30]]))
    assert.deepEqual([await access(school), await pending(school)], [[true, 'paid', 'pro'], []])
  })

  it('L1: a yearly addition keeps no monthly plan alive, and a monthly one does not end a yearly plan', async () => {
    const school = await open('price_month', 'price_year')
    for (const lines of [
      [
        ['price_month', 30],
        ['price_addon', 365],
      ],
      [
        ['price_addon', 365],
        ['price_month', 30],
      ],
    ] as const) {
      const subscription = `sub_${lines[0][0]}`
      await deliverBody(school, invoice(service(), subscription, lines))
      assert.deepEqual(await access(school), [true, 'paid', 'curso'])
      service().clock.now += 40 * DAY
      assert.deepEqual((await access(school)).slice(0, 2), [false, 'expired'])
    }
    await deliverBody(
      school,
      invoice(service(), 'sub_y', [
        ['price_addon', 30],
        ['price_year', 365],
      ]),
    )
    service().clock.now += 300 * DAY
    assert.deepEqual(await access(school), [true, 'paid', 'curso'])
  })

  it('L1: where no price is registered, what ends first counts: the next invoice comes then', async () => {
    const school = await open()
    const named = { parent: { subscription_details: { subscription: 'sub_n', metadata: { plan_slug: 'pro' } } } }
    service().clock.now += 400 * DAY
    await deliverBody(
      school,
      invoice(
        service(),
        'sub_n',
        [
          ['price_addon', 365],
          ['price_n', 30],
        ],
        named,
      ),
    )
    assert.deepEqual(await access(school), [true, 'paid', 'pro'])
    service().clock.now += 40 * DAY
    assert.deepEqual((await access(school)).slice(0, 2), [false, 'expired'])
  })
})
