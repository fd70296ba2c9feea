import assert from 'node:assert/strict'
import { it } from 'node:test'
import { commandLine } from '../../../test/support/command-line.ts'
import { eachDatabase } from '../../../test/support/databases.ts'
import { type FakeApi, startFakeApi } from '../../../test/support/gateways/fake-api.ts'
import { askAccess, type Connected, deliver, type Gateway, notificationsOf, openSchool } from '../../../test/support/gateways/gateways.ts'
import {
  asaasEvent,
  charge,
  mercadopagoEvent,
  mercadopagoPayment,
  refundOf,
  sale,
  stripeEvent,
} from '../../../test/support/gateways/made-events.ts'
import { environmentBeside } from '../../../test/support/server-process.ts'
import { startForSuite } from '../../../test/support/service.ts'
import { until } from '../../../test/support/until.ts'
import { setPlan } from '../../subscriptions/index.ts'

const BUYER = 'bia@example.com'
const IGNORED = ['ignored', 'unknown_payment']

eachDatabase('What gateways report that can not be processed yet', (database) => {
  const service = startForSuite(database)

  async function begin(gateway: Gateway) {
    const api = await startFakeApi()
    const school = await openSchool(service(), gateway, { apiUrl: api.url })
    const portaria = commandLine({ url: environmentBeside(service(), { port: 0 }).DATABASE_URL ?? '' })
    const { slug } = school.product.product
    const reconcile = (more = '--json') =>
      portaria(`gateway reconcile --product ${slug} --gateway ${gateway} --since 2026-11-01 ${more}`.trim())
    const notifications = async () => (await notificationsOf(service(), school)).map(({ id, status, why }) => ({ id, status, why }))
    const statuses = async () => (await notifications()).map(({ status, why }) => [status, why])
    return { api, school, portaria, reconcile, notifications, statuses, slug }
  }
  const makePlan = async (plan: string, productSlug: string) => {
    const made = await setPlan({ slug: plan, name: plan, price: 1, productSlug }, { ...service().context, actor: 'operator:test' })
    assert.ok('id' in made)
  }
  const countUnresolved = async (source: string) => {
    const text = await (await fetch(`${service().url}/metrics`)).text()
    return Number(new RegExp(`^portaria_notifications_unresolved\\{source="${source}"\\} (\\d+)$`, 'm').exec(text)?.[1])
  }
  /** All events of an account that sells elsewhere, without the payments themselves, which no endpoint of this product gets. */
  const ofOtherSales = [
    refundOf('pi_foreign'),
    stripeEvent('charge.dispute.created', { id: 'du_f', charge: 'ch_f', payment_intent: 'pi_foreign_2', status: 'needs_response' }),
    stripeEvent('customer.subscription.deleted', { id: 'sub_foreign', ended_at: 1_763_700_000 }),
    stripeEvent('invoice.payment_failed', {
      id: 'in_foreign',
      customer_email: BUYER,
      parent: { subscription_details: { subscription: 'sub_foreign_2', metadata: { plan_slug: 'of-another-shop' } } },
    }),
  ]

  it('about a payment or subscription of other sales is ignored: nothing counts it, and nobody is asked to do anything', async () => {
    const { api, school, portaria, reconcile, notifications, statuses, slug } = await begin('stripe')
    await makePlan('second', slug) // with one plan, every subscription is of that plan
    const before = await countUnresolved('stripe')
    for (const body of ofOtherSales) assert.equal((await deliver(school, body)).status, 200)
    assert.deepEqual(
      await statuses(),
      Array.from(ofOtherSales, () => IGNORED),
    )
    assert.equal(await countUnresolved('stripe'), before)
    const state = (await portaria('gateway status --json')).json.gateways.find(({ product }: { product: string }) => product === slug)
    assert.deepEqual([state.unresolved, state.failed], [0, 0])
    api.answers.set('/v1/events', { data: [...ofOtherSales, refundOf('pi_foreign_3')] })
    for (const again of [1, 2]) {
      const found = await reconcile()
      assert.deepEqual([found.code, found.json], [0, { listed: 5, known: 0, applied: 0, ignored: 5, unresolved: [] }], `${again}`)
    }
    assert.equal((await notifications()).length, ofOtherSales.length + 1, 'each is kept once')
    assert.match((await reconcile('')).out, /^stripe lists 5: .+, 0 pending\. 5 of payments that are unknown here, ignored until/)
    const doctor = (await portaria('doctor')).out.split('\n').filter((line) => line.includes(`stripe of ${slug}`))
    assert.ok(doctor.every((line) => !/waiting|unresolved|unknown/.test(line)))
  })

  it('is explained as ignored until its payment is known, and does not stand among what waits', async () => {
    const { school, portaria, notifications, slug } = await begin('stripe')
    await deliver(school, refundOf('pi_shown'))
    const [{ id = '' } = {}] = await notifications()
    assert.match(
      (await portaria(`webhook list --product ${slug}`)).out,
      / charge\.refunded +ignored +until its payment is known +pi_shown$/m,
    )
    const shown = (await portaria(`webhook show ${id}`)).out
    assert.match(shown, /^why +until its payment is known$/m)
    assert.match(shown, /^Nothing is to be done: it is about a payment or subscription that is unknown here, .+ processed by itself/m)
    assert.equal((await portaria(`webhook show ${id} --json`)).json.why, 'unknown_payment')
    assert.equal((await portaria(`webhook list --status unresolved --product ${slug}`)).out, 'No such notifications.\n')
    const again = await portaria(`webhook reprocess ${id}`)
    assert.deepEqual([again.code, (await notifications())[0]?.status], [1, 'ignored'])
    assert.match(again.err, /it still waits: it is about a payment or subscription that is unknown here/)
  })

  it('about a payment is processed with it, also when the operator says what was bought, and a refusal leaves both as they were', async () => {
    const { school, portaria, notifications, statuses } = await begin('stripe')
    await deliver(school, refundOf('pi_later'))
    await deliver(school, intentOf('pi_later'))
    assert.deepEqual(await statuses(), [IGNORED, ['unresolved', 'unknown_plan']])
    const [refund, payment] = await notifications()
    assert.equal((await portaria(`webhook resolve ${refund?.id} --email ${BUYER}`)).code, 1)
    assert.equal((await portaria(`webhook resolve ${payment?.id} --plan none`)).code, 1)
    assert.deepEqual(await statuses(), [IGNORED, ['unresolved', 'unknown_plan']])
    assert.equal((await portaria(`webhook resolve ${payment?.id} --plan curso`)).code, 0)
    assert.deepEqual((await statuses()).flat(), ['processed', null, 'processed', null])
    assert.equal((await askAccess(service(), school, BUYER)).reason, 'refunded')
  })

  it('stays ignored when the operator has said so, though its payment comes', async () => {
    const { school, portaria, notifications, statuses } = await begin('stripe')
    await deliver(school, refundOf('pi_for_good'))
    const [{ id = '' } = {}] = await notifications()
    assert.equal((await portaria(['webhook', 'resolve', id, '--ignore', '--reason', 'a mistake of ours'])).code, 0)
    await deliver(school, sale('pi_for_good', 'caio@example.com'))
    assert.deepEqual(await statuses(), [
      ['ignored', 'a mistake of ours'],
      ['processed', null],
    ])
    assert.equal((await askAccess(service(), school, 'caio@example.com')).reason, 'paid')
  })

  /** One sale that names no plan of ours, as each gateway delivers, fetches and lists it. */
  const unclear = {
    stripe({ answers }: FakeApi) {
      const body = intentOf('pi_unclear')
      answers.set('/v1/events', { data: [body] })
      return { body }
    },
    mercadopago({ answers }: FakeApi) {
      const payment = mercadopagoPayment('4711', BUYER, { external_reference: 'other' })
      answers.set('/v1/payments/4711', payment)
      answers.set('/v1/payments/search', { results: [payment], paging: { total: 1 } })
      answers.set('/preapproval/search', { results: [], paging: { total: 0 } })
      return mercadopagoEvent('4711')
    },
    asaas({ answers }: FakeApi) {
      const paid = charge('pay_4711', { externalReference: 'other' })
      answers.set('/payments/pay_4711', paid)
      answers.set('/payments', { data: [paid] })
      answers.set('/customers/cus_pay_4711', { id: 'cus_pay_4711', email: BUYER })
      return { body: asaasEvent('PAYMENT_RECEIVED', paid) }
    },
  }
  /** Paid without Checkout, for a plan that is not ours. */
  const intentOf = (id: string) =>
    stripeEvent('payment_intent.succeeded', { id, amount: 9_990, currency: 'brl', receipt_email: BUYER, metadata: { plan_slug: 'other' } })
  const UNCLEAR = [['unresolved', 'unknown_plan']]
  const send = async (school: Connected, { body, query = '' }: { body: object; query?: string }) =>
    assert.equal((await deliver(school, body, { query })).status, 200)
  const processed = (statuses: () => Promise<unknown[][]>) =>
    until(async () => (await statuses()).every(([, why]) => why !== 'awaiting_gateway'))

  for (const gateway of ['stripe', 'mercadopago', 'asaas'] as const) {
    it(`of ${gateway} and waits is one thing to resolve, though it is reconciled as well; and what is ignored stays so`, async () => {
      const { api, school, portaria, reconcile, notifications, statuses } = await begin(gateway)
      await send(school, unclear[gateway](api))
      await processed(statuses)
      assert.deepEqual(await statuses(), UNCLEAR)
      const [{ id = '' } = {}] = await notifications()
      const found = await reconcile()
      assert.deepEqual(
        [found.code, found.json],
        [1, { listed: 1, known: 0, applied: 0, ignored: 0, unresolved: [{ id, why: 'unknown_plan' }] }],
      )
      assert.deepEqual(await statuses(), UNCLEAR)
      assert.equal((await portaria(['webhook', 'resolve', id, '--ignore', '--reason', 'of another shop'])).code, 0)
      const after = await reconcile()
      assert.deepEqual([after.code, after.json.known, (await statuses()).length], [0, 1, 1])
    })

    it(`of ${gateway} and is reconciled first, then delivered, is one thing to resolve, and resolved by making its plan`, async () => {
      const { api, school, portaria, reconcile, notifications, statuses, slug } = await begin(gateway)
      const delivery = unclear[gateway](api)
      const [{ id = '' } = {}] = (await reconcile()).json.unresolved
      for (const one of [delivery, unclear[gateway](api)]) await send(school, one)
      await processed(statuses)
      assert.deepEqual(await statuses(), [...UNCLEAR, ...Array.from({ length: 2 }, () => ['ignored', 'duplicate'])])
      assert.equal((await reconcile()).json.unresolved[0].id, id)
      const twice = (await notifications())[1]?.id
      assert.match((await portaria(`webhook show ${twice}`)).out, /^Nothing is to be done: another notification says the same/m)
      const made = await setPlan(
        { slug: 'other', name: 'Other', price: 1, productSlug: slug },
        { ...service().context, actor: 'operator:test' },
      )
      assert.ok('id' in made)
      assert.equal((await portaria(`webhook reprocess ${id}`)).code, 0)
      const after = await reconcile()
      assert.deepEqual([after.code, after.json], [0, { listed: 1, known: 1, applied: 0, ignored: 0, unresolved: [] }])
      assert.equal((await askAccess(service(), school, BUYER)).plan_slug, 'other')
    })
  }
})
