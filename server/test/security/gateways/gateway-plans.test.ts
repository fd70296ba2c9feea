import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createMerchantAccounts, reconcile } from '../../../src/gateways/index.ts'
import { setPlan } from '../../../src/subscriptions/index.ts'
import { eachDatabase } from '../../support/databases.ts'
import { type FakeApi, startFakeApi } from '../../support/gateways/fake-api.ts'
import { askAccess, type Connected, connect, deliver, type Gateway, notificationsOf, openSchool } from '../../support/gateways/gateways.ts'
import {
  asaasEvent,
  charge,
  invoicePaid,
  mercadopagoEvent,
  mercadopagoPayment,
  sale,
  stripeEvent,
} from '../../support/gateways/made-events.ts'
import { startForSuite } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const DAY_MS = 86_400_000
const GATEWAYS = ['stripe', 'mercadopago', 'asaas'] as const satisfies readonly Gateway[]

let users = 0
const someone = () => `comprador${++users}@exemplo.com.br`
let payments = 90_000
const newId = () => String(++payments)

eachDatabase('What a buyer can write, and what another product sells, buys no plan of a product', (database) => {
  const service = startForSuite(database)
  const access = (shop: Connected, email: string) => askAccess(service(), shop, email)
  const statuses = async (shop: Connected) => (await notificationsOf(service(), shop)).map(({ status, why }) => [status, why])
  const asked = (shop: Connected, count = 1) =>
    until(async () => {
      const all = await statuses(shop)
      return all.length >= count && all.every(([, why]) => why !== 'awaiting_gateway')
    })

  async function sell(shop: Connected, slug: string, ref?: string): Promise<void> {
    const gatewayRefs = ref === undefined ? {} : { gatewayRefs: [{ gateway: shop.gateway, ref }] }
    const plan = { slug, name: slug, price: slug === 'premium' ? 99_900 : 990, productSlug: shop.product.product.slug, ...gatewayRefs }
    assert.ok('id' in (await setPlan(plan, { ...service().context, actor: 'operator:test' })))
  }

  /** A shop with a cheap plan and a dear one, each known by one of the gateway's ids. */
  async function openShop(gateway: Gateway): Promise<{ shop: Connected; api: FakeApi }> {
    const api = await startFakeApi()
    const shop = await connect(service(), gateway, { apiUrl: api.url })
    await sell(shop, 'basic', 'ref_basic')
    await sell(shop, 'premium', 'ref_premium')
    return { shop, api }
  }

  /** A product with one plan, `curso`, and another whose plan is `ebook`. One account serves both, so each is notified of everything. */
  async function openTwo(gateway: Gateway): Promise<{ school: Connected; press: Connected; api: FakeApi }> {
    const api = await startFakeApi()
    const school = await openSchool(service(), gateway, { apiUrl: api.url })
    const press = await connect(service(), gateway, { apiUrl: api.url })
    await sell(press, 'ebook', 'ref_ebook')
    return { school, press, api }
  }

  const firstInvoice = (subscription: string, email: string, price: string, metadata: object = {}) => {
    const start = Math.floor(Date.now() / 1000)
    const line = {
      amount: 990,
      period: { start, end: start + 30 * 86_400 },
      pricing: { price_details: { price, product: 'prod_1' } },
      parent: { subscription_item_details: { subscription } },
    }
    const parent = { subscription_details: { subscription, metadata } }
    return invoicePaid(subscription, email, { billing_reason: 'subscription_create', parent, lines: { data: [line] } })
  }
  const soldBy = (api: FakeApi, intent: string, price: string) =>
    api.answers.set(`/v1/checkout/sessions/cs_${intent}/line_items`, { data: [{ price: { id: price, product: `prod_${price}` } }] })
  const sessions = (api: FakeApi, session: object) => api.answers.set('/v1/checkout/sessions', { object: 'list', data: [session] })

  it('Stripe: `client_reference_id`, which the address of a payment link carries, names no plan', async () => {
    const { shop, api } = await openShop('stripe')
    const [once, monthly] = [someone(), someone()]
    const link = { amount_total: 990, metadata: {}, payment_link: 'ref_basic', client_reference_id: 'premium' }
    soldBy(api, 'pi_link', 'price_nobodys')
    await deliver(shop, sale('pi_link', once, link))
    await asked(shop)
    assert.equal((await access(shop, once)).plan_slug, 'basic')
    sessions(api, { id: 'cs_1', subscription: 'sub_l', client_reference_id: 'premium', payment_link: 'plink_other' })
    await deliver(shop, firstInvoice('sub_l', monthly, 'ref_basic'))
    await asked(shop, 2)
    assert.equal((await access(shop, monthly)).plan_slug, 'basic')
    const school = await openSchool(service(), 'stripe', { apiUrl: api.url })
    soldBy(api, 'pi_enterprise', 'price_nobodys')
    await deliver(school, sale('pi_enterprise', once, { ...link, payment_link: 'plink_2', client_reference_id: 'easy-enterprise' }))
    await asked(school)
    assert.equal((await access(school, once)).plan_slug, 'curso', "the operator's plans neither")
  })

  it('Mercado Pago: the reference in the address of a plan’s link names no plan, that of a subscription made by the seller does', async () => {
    const { shop, api } = await openShop('mercadopago')
    const subscribe = async (preapproval: object, payment: object = {}) => {
      const [id, subscription, email] = [newId(), `2c93808${newId()}`, someone()]
      const next = new Date(Date.now() + 30 * DAY_MS).toISOString()
      const auto_recurring = { frequency: 1, frequency_type: 'months' }
      api.answers.set(`/preapproval/${subscription}`, {
        id: subscription,
        status: 'authorized',
        next_payment_date: next,
        auto_recurring,
        ...preapproval,
      })
      const point_of_interaction = { transaction_data: { subscription_id: subscription } }
      api.answers.set(`/v1/payments/${id}`, mercadopagoPayment(id, email, { point_of_interaction, ...payment }))
      const event = mercadopagoEvent(id)
      await deliver(shop, event.body, event)
      await asked(shop)
      return (await access(shop, email)).plan_slug
    }
    const premium = { external_reference: 'premium' }
    assert.equal(await subscribe({ ...premium, preapproval_plan_id: 'ref_basic' }, premium), 'basic')
    assert.equal(await subscribe(premium, { external_reference: null }), 'premium')
    assert.equal(await subscribe({ ...premium, preapproval_plan_id: 'ref_unknown' }, premium), null)
  })

  it('Stripe: a checkout for anything else in the account does not buy the only plan; a payment link and a subscription do', async () => {
    const api = await startFakeApi()
    const school = await openSchool(service(), 'stripe', { apiUrl: api.url })
    const [donor, buyer, subscriber] = [someone(), someone(), someone()]
    api.answers.set('/v1/checkout/sessions/cs_pi_donation/line_items', {
      data: [{ price: { id: 'price_donation', product: 'prod_donation' } }],
    })
    await deliver(school, sale('pi_donation', donor, { amount_total: 1, metadata: {} }))
    await asked(school)
    assert.deepEqual(await statuses(school), [['unresolved', 'unknown_plan']])
    assert.equal((await access(school, donor)).active, false)
    soldBy(api, 'pi_link', 'price_nobodys')
    await deliver(school, sale('pi_link', buyer, { metadata: {}, payment_link: 'plink_1' }))
    await asked(school)
    await deliver(school, invoicePaid('sub_1', subscriber, { parent: { subscription_details: { subscription: 'sub_1' } } }))
    assert.deepEqual([(await access(school, buyer)).active, (await access(school, subscriber)).active], [true, true])
  })

  it('Stripe: a payment link that nobody has registered sells what its price is registered for, here and in no other product', async () => {
    const { school, press, api } = await openTwo('stripe')
    await sell(press, 'ebook', 'price_of_press')
    await sell(school, 'curso', 'price_of_school')
    await sell(school, 'curso-2', 'price_of_school_2')
    for (const [price, slugs] of [
      ['price_of_press', ['ebook', null]],
      ['price_of_school_2', [null, 'curso-2']],
      ['price_nobodys', ['ebook', null]],
    ] as const) {
      const [buyer, id] = [someone(), `pi_${newId()}`]
      soldBy(api, id, price)
      for (const shop of [press, school]) {
        await deliver(shop, sale(id, buyer, { metadata: {}, payment_link: 'plink_9' }))
        await asked(shop)
      }
      assert.deepEqual([(await access(press, buyer)).plan_slug, (await access(school, buyer)).plan_slug], slugs, price)
    }
  })

  it('Stripe: metadata that names another product’s plan buys no other, once or by subscription, whatever is reported first', async () => {
    const { school, press, api } = await openTwo('stripe')
    const reader = async (events: (email: string, subscription: string) => object[]) => {
      const [email, subscription] = [someone(), `sub_${newId()}`]
      for (const event of events(email, subscription)) {
        for (const shop of [school, press]) {
          await deliver(shop, event)
          await asked(shop)
        }
      }
      return [(await access(press, email)).active, (await access(school, email)).active]
    }
    const ebook = { metadata: { plan_slug: 'ebook' } }
    assert.deepEqual(await reader((email, id) => [sale(`pi_${id}`, email, ebook)]), [true, false])
    assert.deepEqual(await reader((email, id) => [sale(`pi_${id}`, email, { ...ebook, payment_link: 'plink_1' })]), [true, false])
    assert.deepEqual(await reader((email, id) => [firstInvoice(id, email, 'price_1', ebook.metadata)]), [true, false])
    const nobodys = { metadata: { plan_slug: 'nobodys-plan' } }
    const unknown = (email: string, id: string) => [
      sale(`pi_${id}`, email, { ...nobodys, payment_link: 'plink_1' }),
      firstInvoice(id, email, 'price_1', nobodys.metadata),
    ]
    assert.deepEqual(await reader(unknown), [false, false], 'that nobody has')
    const begun = (email: string, id: string) => {
      sessions(api, { id: 'cs_1', subscription: id, ...ebook })
      api.answers.set('/v1/customers/cus_1', { id: 'cus_1', email })
      return stripeEvent('customer.subscription.created', { id, customer: 'cus_1', status: 'incomplete', items: { data: [] } })
    }
    const invoice = (email: string, id: string) => firstInvoice(id, email, 'price_1')
    assert.deepEqual(await reader((email, id) => [begun(email, id), invoice(email, id)]), [true, false], 'by its session alone')
    const early = (email: string, id: string) => {
      const event = begun(email, id)
      api.answers.set('/v1/checkout/sessions', { data: [] })
      return event
    }
    const known = await reader((email, id) => [early(email, id), firstInvoice(id, email, 'price_1', ebook.metadata)])
    assert.deepEqual(known, [true, false], 'before its session is known')
    const unnamed = (email: string, id: string) => [early(email, id), firstInvoice(id, email, 'ref_ebook')]
    assert.deepEqual(await reader(unnamed), [true, false], 'by a price that is registered on that plan')
  })

  it('Mercado Pago: what names another product’s plan buys no other, and a seller’s own number is no name', async () => {
    const { school, press, api } = await openTwo('mercadopago')
    const pay = async (payment: object, preapproval: object) => {
      const [id, subscription, email] = [newId(), `2c93808${newId()}`, someone()]
      api.answers.set(`/preapproval/${subscription}`, { id: subscription, status: 'authorized', ...preapproval })
      const point_of_interaction = { transaction_data: { subscription_id: subscription } }
      api.answers.set(`/v1/payments/${id}`, mercadopagoPayment(id, email, { point_of_interaction, external_reference: null, ...payment }))
      for (const shop of [school, press]) {
        const event = mercadopagoEvent(id)
        await deliver(shop, event.body, event)
        await asked(shop)
      }
      return [(await access(press, email)).active, (await access(school, email)).active]
    }
    assert.deepEqual(await pay({ metadata: { plan_slug: 'ebook' } }, {}), [true, false])
    assert.deepEqual(await pay({}, { external_reference: 'ebook' }), [true, false])
    assert.deepEqual(await pay({}, { preapproval_plan_id: 'ref_ebook' }), [true, false])
    assert.equal((await pay({ metadata: { plan_slug: 'nobodys-plan' } }, {}))[1], false)
    assert.equal((await pay({}, { external_reference: 'pedido-123' }))[1], true)
  })

  it('Asaas: what names another product’s plan buys no other, and a seller’s own number is no name', async () => {
    const { school, press, api } = await openTwo('asaas')
    const pay = async (more: object, subscription: object = {}) => {
      const [id, email] = [`pay_${newId()}`, someone()]
      const paid = charge(id, { externalReference: null, subscription: `sub_${id}`, ...more })
      api.answers.set(`/payments/${id}`, paid)
      api.answers.set('/payments', { data: [], hasMore: false })
      api.answers.set(`/subscriptions/sub_${id}`, { id: `sub_${id}`, status: 'ACTIVE', ...subscription })
      api.answers.set(`/customers/cus_${id}`, { id: `cus_${id}`, email })
      for (const shop of [school, press]) {
        await deliver(shop, asaasEvent('PAYMENT_RECEIVED', paid))
        await asked(shop)
      }
      return [(await access(press, email)).active, (await access(school, email)).active]
    }
    assert.deepEqual(await pay({ externalReference: 'ebook' }), [true, false])
    assert.deepEqual(await pay({}, { externalReference: 'ebook' }), [true, false])
    assert.deepEqual(await pay({ subscription: null, paymentLink: 'ref_ebook' }), [true, false])
    assert.equal((await pay({ externalReference: 'slug:nobodys-plan' }))[1], false)
    assert.equal((await pay({}, { externalReference: 'slug:nobodys-plan' }))[1], false)
    assert.equal((await pay({ externalReference: 'pedido-123' }))[1], true)
  })

  it('an API that answers about something else than it was asked for gives nobody anything, and the fault says so', async () => {
    for (const gateway of GATEWAYS) {
      const api = await startFakeApi()
      const school = await openSchool(service(), gateway, { apiUrl: api.url })
      const [id, other, email] = [newId(), newId(), someone()]
      api.answers.set(`/v1/payments/${id}`, mercadopagoPayment(other, email))
      api.answers.set(`/payments/${id}`, charge(other))
      api.answers.set(`/customers/cus_${other}`, { id: `cus_${other}`, email })
      api.answers.set('/v1/customers/cus_1', { id: 'cus_2', email })
      const mercadopago = mercadopagoEvent(id)
      const bodies = {
        stripe: sale(`pi_${id}`, undefined, { customer: 'cus_1' }),
        mercadopago: mercadopago.body,
        asaas: asaasEvent('PAYMENT_RECEIVED', charge(id)),
      }
      await deliver(school, bodies[gateway], gateway === 'mercadopago' ? mercadopago : {})
      const jobs = service()
        .context.storage.db.selectFrom('outbox')
        .select('last_error')
        .where('lane', '=', `${gateway}/${school.product.product.id}`)
      await until(
        async () => (await jobs.execute()).some(({ last_error }) => /answers about something else/.test(last_error ?? '')),
        10_000,
      )
      assert.deepEqual(await statuses(school), [['unresolved', 'awaiting_gateway']], gateway)
      assert.equal((await access(school, email)).active, false, gateway)
    }
  })

  const list = async (school: Connected) => {
    const { context } = service()
    const account = await createMerchantAccounts(context).findOf(school.gateway, school.product.product.id)
    return reconcile(account ?? assert.fail(), Date.now() - DAY_MS, { ...context, guardedFetch: fetch })
  }

  it('a list that comes to no end is not read for ever, nor taken for one that was read in full', async () => {
    for (const gateway of GATEWAYS) {
      const api = await startFakeApi()
      const school = await openSchool(service(), gateway, { apiUrl: api.url })
      for (const path of ['/v1/events', '/v1/payments/search', '/payments'])
        api.answers.set(path, { data: [{ id: 'evt_1', type: 'invoice.paid' }], has_more: true, hasMore: true, results: [{ id: 1 }] })
      await assert.rejects(list(school), /comes to the same page twice/, gateway)
      assert.ok(api.asked.length < 4, gateway)
    }
  })

  it('Asaas: a chargeback that states no dates, found by a reconciliation alone, gives no access, however the clock moves', async () => {
    const api = await startFakeApi()
    const school = await openSchool(service(), 'asaas', { apiUrl: api.url })
    const email = someone()
    const undated = { billingType: 'CREDIT_CARD', paymentDate: null, confirmedDate: null, clientPaymentDate: null }
    api.answers.set('/payments', { data: [charge('pay_1', { ...undated, status: 'CHARGEBACK_REQUESTED' })], hasMore: false })
    api.answers.set('/customers/cus_pay_1', { id: 'cus_pay_1', email })
    const { context } = service()
    const account = await createMerchantAccounts(context).findOf('asaas', school.product.product.id)
    let now = Date.now()
    await reconcile(account ?? assert.fail(), now - DAY_MS, { ...context, guardedFetch: fetch, now: () => (now += 5) })
    assert.deepEqual(await statuses(school), [['ignored', 'unknown_payment']])
    assert.equal((await access(school, email)).active, false)
  })
})
