import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createMerchantAccounts, reconcile } from '../../../src/gateways/index.ts'
import { checkInbox } from '../../../src/notifications/index.ts'
import { eachDatabase } from '../../support/databases.ts'
import { reconciled as found, paid, recordGiven } from '../../support/gateways/events.ts'
import { startFakeApi } from '../../support/gateways/fake-api.ts'
import { BUYER, type Delivered, EXPIRED, iso, type Moment, PAID, REFUNDED } from '../../support/gateways/flows.ts'
import { asaas as atAsaas, charge, confirmedAtOnce, ofAsaas, part } from '../../support/gateways/flows-asaas.ts'
import {
  cardInvoice,
  givenBack,
  intent,
  invoicePayments,
  SECOND_INVOICE,
  sold,
  stripe,
  stripeApi,
  unpaid,
  updated,
} from '../../support/gateways/flows-stripe.ts'
import { askAccess, openSchool } from '../../support/gateways/gateways.ts'
import { pagarmeCharge } from '../../support/gateways/pagarme.ts'
import { startForSuite } from '../../support/service.ts'

const DAY = 86_400_000

eachDatabase('What no delivery reported at all is repaired by a reconciliation', (database) => {
  const service = startForSuite(database, { environment: { PORTARIA_EXPERIMENTS: 'pagarme' } })

  /** The answers of check-access after a reconciliation with this API, and after a second one. */
  async function reconciled(gateway: 'stripe' | 'mercadopago' | 'asaas', answers: (moment: Moment) => Record<string, unknown>) {
    const api = await startFakeApi()
    const school = await openSchool(service(), gateway, { apiUrl: api.url })
    const { context, clock } = service()
    const start = clock.now - 20 * DAY
    for (const [path, answer] of Object.entries(answers({ at: start, start }))) api.answers.set(path, answer)
    const account = (await createMerchantAccounts(context).findOf(gateway, school.product.product.id)) ?? assert.fail()
    const once = await reconcile(account, start - DAY, { ...context, guardedFetch: fetch })
    const { active, status, reason } = await askAccess(service(), school, BUYER)
    const again = await reconcile(account, start - DAY, { ...context, guardedFetch: fetch })
    assert.deepEqual([again.applied, again.unresolved], [0, []], 'the same again changes nothing')
    assert.deepEqual(once.unresolved, [])
    return [active, status, reason]
  }

  it('each of two disputes of an order ends when its own payment stands again, once', async () => {
    const school = await openSchool(service(), 'mercadopago')
    const at = (day: number) => service().clock.now - (20 - day) * DAY
    const of = (id: string, kind: 'disputed' | 'dispute_won', day: number) => ({
      ...{ key: `payment ${id} ${kind} ${day}`, kind, occurredAt: at(day), paymentId: id, buyer: BUYER },
      ...(kind === 'dispute_won' && { onlyIfDisputed: true as const }),
    })
    const order = paid(['ORD', '7', '8'], { buyer: BUYER, occurredAt: at(1) })
    for (const event of [order, of('7', 'disputed', 2), of('8', 'disputed', 3)])
      await recordGiven(service(), school, event, service().clock.now)
    const isActive = async () => (await askAccess(service(), school, BUYER)).active
    const outcomes = []
    for (const event of [of('8', 'dispute_won', 5), of('8', 'dispute_won', 6), of('7', 'dispute_won', 7)])
      outcomes.push([await found(service(), school, event), await isActive()])
    assert.deepEqual(outcomes, [
      ['applied', false],
      ['known', false],
      ['applied', true],
    ])
  })

  /** The list of events, newest first, each some days after the beginning. */
  const events = (start: number, deliveries: ReadonlyArray<readonly [day: number, deliverAt: (moment: Moment) => Delivered]>) => ({
    '/v1/events': {
      has_more: false,
      data: deliveries.map(([day, deliverAt]) => deliverAt({ at: start + day * DAY, start }).body).reverse(),
    },
  })

  it('M4: Stripe: a refund whose invoice no event names any more', async () => {
    const says = ({ start }: Moment) => ({
      ...stripeApi({ at: start, start }),
      ...invoicePayments(),
      ...events(start, [
        [0, cardInvoice],
        [3, givenBack],
      ]),
    })
    assert.deepEqual(await reconciled('stripe', says), REFUNDED)
  })
  it('L2: Stripe: money that was captured after the checkout', async () => {
    const waits = sold({ payment_status: 'unpaid', id: 'cs_1' })
    const says = ({ start }: Moment) => ({
      '/v1/checkout/sessions': { data: [Object(Object(waits({ at: start, start }).body).data).object] },
      ...events(start, [
        [0, waits],
        [2, intent('succeeded', { id: 'pi_TEST00000000000000000001', metadata: {}, capture_method: 'manual' })],
      ]),
    })
    assert.deepEqual(await reconciled('stripe', says), PAID)
  })
  it('L3: Stripe: a bill that was waived', async () => {
    const served = (moment: Moment) => {
      const from = Math.floor(moment.at / 1000)
      const items = { data: { 0: { current_period_start: from, current_period_end: from + 30 * 86_400 } } }
      return updated({ status: 'active', latest_invoice: SECOND_INVOICE, items }, { status: 'past_due' })(moment)
    }
    const [failed = cardInvoice, behind = cardInvoice] = unpaid(SECOND_INVOICE)
    const says = ({ start }: Moment) => ({
      ...stripeApi({ at: start - 20 * DAY, start }),
      ...events(start, [
        [-20, cardInvoice],
        [10, failed],
        [10, behind],
        [12, served],
      ]),
    })
    assert.deepEqual(await reconciled('stripe', says), PAID)
  })
  it('L5: Stripe: a refund that failed', async () => {
    const says = ({ start }: Moment) =>
      events(start, [
        [0, sold()],
        [2, givenBack],
        [9, stripe('refund.created', { status: 'failed' }, { type: 'refund.failed' })],
      ])
    assert.deepEqual(await reconciled('stripe', says), PAID)
  })
  const preapproval = ({ start }: Moment, more: object) => ({
    ...{ id: 'sub1', status: 'authorized', payer_email: BUYER, external_reference: 'curso' },
    ...{ date_created: iso(start), last_modified: iso(start), next_payment_date: iso(start) },
    auto_recurring: { frequency: 1, frequency_type: 'months' },
    ...more,
  })
  it('L7: Mercado Pago: days of trial', async () => {
    const days = (frequency: number) => (moment: Moment) => ({
      '/v1/payments/search': { results: [] },
      '/preapproval/search': {
        paging: { total: 1 },
        results: [preapproval(moment, { auto_recurring: { free_trial: { frequency, frequency_type: 'days' } } })],
      },
    })
    assert.deepEqual(await reconciled('mercadopago', days(30)), PAID)
    assert.deepEqual(await reconciled('mercadopago', days(7)), EXPIRED)
  })
  it('M3: Mercado Pago: a month that was paid and canceled, whose end is not stated', async () => {
    const says = (moment: Moment) => {
      const canceled = preapproval(moment, { status: 'cancelled', last_modified: iso(moment.start + 5 * DAY), next_payment_date: null })
      const made = { date_created: iso(moment.start), date_approved: iso(moment.start), date_last_updated: iso(moment.start) }
      const payment = {
        id: 1,
        status: 'approved',
        ...made,
        transaction_amount: 99.9,
        payer: { email: BUYER },
        metadata: { preapproval_id: 'sub1' },
      }
      return {
        '/v1/payments/search': { paging: { total: 1 }, results: [payment] },
        '/preapproval/search': { paging: { total: 1 }, results: [canceled] },
        '/preapproval/sub1': canceled,
      }
    }
    assert.deepEqual(await reconciled('mercadopago', says), [true, 'canceled', 'paid_until_period_end'])
  })
  it('Mercado Pago: a mediation that was won, and no claim reported it', async () => {
    const api = await startFakeApi()
    const school = await openSchool(service(), 'mercadopago', { apiUrl: api.url })
    const { context, clock } = service()
    const start = clock.now - 20 * DAY
    const account = (await createMerchantAccounts(context).findOf('mercadopago', school.product.product.id)) ?? assert.fail()
    const standsWith = async (status: string, changed: number) => {
      const dates = { date_created: iso(start), date_approved: iso(start), date_last_updated: iso(start + changed * DAY) }
      const payment = { id: 1, status, ...dates, transaction_amount: 99.9, payer: { email: BUYER }, external_reference: 'curso' }
      api.answers.set('/v1/payments/search', { paging: { total: 1 }, results: [payment] })
      api.answers.set('/preapproval/search', { paging: { total: 0 }, results: [] })
      const { unresolved } = await reconcile(account, start - DAY, { ...context, guardedFetch: fetch })
      assert.deepEqual(unresolved, [])
      return (await askAccess(service(), school, BUYER)).status
    }
    assert.equal(await standsWith('in_mediation', 3), 'disputed')
    assert.equal(await standsWith('approved', 9), 'active')
    assert.equal(await standsWith('approved', 10), 'active')
    const event = context.storage.db.selectFrom('subscription_events').select('kind').where('payment_id', '=', '1').orderBy('at')
    const kinds = (await event.execute()).map(({ kind }) => kind)
    assert.equal(kinds.filter((kind) => kind === 'dispute_won').length, 1, 'reported once, and of no payment that was not disputed')
  })
  it('L6: Asaas: a debt that was collected, and parts of a purchase that were charged back', async () => {
    const listed = (moment: Moment, ...charges: object[]) => ({
      ...atAsaas('PAYMENT_UPDATED', charge('BOLETO', 'PENDING')).says(moment),
      '/payments': { data: charges, hasMore: false },
    })
    const collected = charge('BOLETO', 'DUNNING_RECEIVED', confirmedAtOnce)
    assert.deepEqual(await reconciled('asaas', (moment) => listed(moment, collected(moment))), PAID)
    const of = (id: string, status: string) => part(id, charge('CREDIT_CARD', status, confirmedAtOnce))
    const parts = [of('pay_1', 'CHARGEBACK_REQUESTED'), of('pay_2', 'CHARGEBACK_REQUESTED'), of('pay_3', 'CONFIRMED')]
    const says = (moment: Moment) => listed(moment, ...parts.map((one) => one(moment)))
    assert.deepEqual(await reconciled('asaas', says), [false, 'disputed', 'disputed'])
  })
  it('Pagar.me: a canceled charge is given back where it was paid here, and runs out where it was not', async () => {
    const { context, clock } = service()
    const start = clock.now - 20 * DAY
    const charge = (day: number, status: string, more: object = {}) => {
      const times = { created_at: iso(start), updated_at: iso(start + day * DAY), paid_at: undefined, paid_amount: undefined }
      return pagarmeCharge('ch_1', BUYER, { ...times, status, ...more })
    }
    /** The status after each state in which a charge is listed, and how many changes the last one is. */
    async function listed(...charges: object[]) {
      const api = await startFakeApi()
      const school = await openSchool(service(), 'pagarme', { apiUrl: api.url })
      const account = (await createMerchantAccounts(context).findOf('pagarme', school.product.product.id)) ?? assert.fail()
      api.answers.set('/subscriptions', { data: [] })
      const seen: unknown[] = []
      for (const one of charges) {
        api.answers.set('/charges', { data: [one] })
        const once = await reconcile(account, start - DAY, { ...context, guardedFetch: fetch })
        const again = await reconcile(account, start - DAY, { ...context, guardedFetch: fetch })
        assert.deepEqual([once.unresolved, once.ignored, again.applied], [[], 0, 0])
        seen.push((await askAccess(service(), school, BUYER)).status, once.applied)
      }
      return seen
    }
    assert.deepEqual(await listed(charge(0, 'pending'), charge(5, 'canceled')), ['pending', 1, 'expired', 1])
    const paidThen = charge(0, 'paid', { paid_at: iso(start) })
    assert.deepEqual((await listed(paidThen, charge(5, 'canceled'))).slice(0, 3), ['active', 1, 'refunded'])
    const stated = charge(5, 'canceled', { paid_at: iso(start) })
    assert.deepEqual(await listed(stated), ['refunded', 2], 'it says itself that it was paid')
  })

  it('Asaas: a due date that was moved back, which the end of what was paid before it follows', async () => {
    const api = await startFakeApi()
    const school = await openSchool(service(), 'asaas', { apiUrl: api.url })
    const { context, clock } = service()
    const start = clock.now - 20 * DAY
    const account = (await createMerchantAccounts(context).findOf('asaas', school.product.product.id)) ?? assert.fail()
    const reconciledWith = async (due: number) => {
      const charges = [['pay_1', 2, 'RECEIVED'] as const, ['pay_2', due, 'PENDING'] as const]
      const { says } = ofAsaas('PAYMENT_UPDATED', charges, 'pay_2')
      for (const [path, answer] of Object.entries(says({ at: start, start }))) api.answers.set(path, answer)
      const { applied, unresolved } = await reconcile(account, start - DAY, { ...context, guardedFetch: fetch })
      assert.deepEqual(unresolved, [])
      const events = context.storage.db
        .selectFrom('subscription_events')
        .innerJoin('event_streams', 'event_streams.id', 'stream_id')
        .select(['period_end'])
        .where('product_id', '=', school.product.product.id)
        .where('kind', '=', 'paid')
      const ends = (await events.execute()).map(({ period_end: end }) => Math.floor((Number(end) - start) / DAY))
      clock.now += 60_000
      return [applied, ...ends]
    }
    assert.deepEqual(await reconciledWith(32), [2, 32])
    assert.deepEqual(await reconciledWith(62), [1, 62])
    assert.deepEqual(await reconciledWith(62), [0, 62])
    assert.deepEqual(await reconciledWith(32), [1, 32])
    assert.deepEqual(await reconciledWith(32), [0, 32])
    const { differences } = await checkInbox({ storage: context.storage })
    assert.deepEqual(
      differences.filter(({ source }) => source === 'asaas'),
      [],
    )
  })
})
