import { it } from 'node:test'
import { eachDatabase } from '../../support/databases.ts'
import {
  anyhow,
  BEHIND,
  CANCELED,
  DAY,
  DISPUTED,
  EXPIRED,
  edit,
  inOrder,
  LEAVING,
  LOST,
  type Moment,
  PAID,
  PENDING,
  partOf,
  REFUNDED,
  RUN_OUT,
  type Step,
} from '../../support/gateways/flows.ts'
import {
  begun,
  cardInvoice,
  closed,
  contested,
  deleted,
  firstInvoice,
  givenBack,
  intent,
  invoicePayments,
  linked,
  longAtStripe,
  notRenewed,
  oldInvoice,
  oldNotRenewed,
  partlyGivenBack,
  plan,
  renewed,
  SECOND_INVOICE,
  sold,
  stripe,
  stripeApi,
  THIRD_INVOICE,
  unpaid,
  updated,
  voucher,
} from '../../support/gateways/flows-stripe.ts'
import { startForSuite } from '../../support/service.ts'

eachDatabase('Every flow that Stripe documents, from the delivery to check-access', (database) => {
  const service = startForSuite(database)
  const run = (...steps: Step[]) => inOrder(service(), 'stripe', steps)

  it('a card at the checkout pays at once, and a refund in full takes it back', () =>
    run({ day: 0, delivers: [sold()], is: PAID }, { day: 2, delivers: [givenBack], is: REFUNDED }))
  it('a boleto waits for its payment, which comes days later', () =>
    run(
      { day: 0, delivers: [voucher('completed.boleto_unpaid')], is: PENDING },
      { day: 3, delivers: [voucher('async_payment_succeeded')], is: PAID },
    ))
  it('a boleto that nobody pays expires', () =>
    run(
      { day: 0, delivers: [voucher('completed.boleto_unpaid')], is: PENDING },
      { day: 4, delivers: [voucher('async_payment_failed')], is: EXPIRED },
    ))
  it('a subscription by card is paid by its first invoice and renewed by the next', () =>
    run(
      { day: 0, says: stripeApi, delivers: [...begun, cardInvoice], is: PAID },
      { day: 29, is: PAID },
      { day: 30, delivers: [renewed(SECOND_INVOICE)], is: PAID },
      { day: 59, is: PAID },
    ))
  it('a subscription by boleto waits for its first invoice, and has five days of grace', () =>
    run(
      { day: 0, says: stripeApi, delivers: begun, is: PENDING },
      { day: 2, delivers: [firstInvoice('boleto')], is: PAID },
      { day: 36, is: RUN_OUT },
      { day: 38, is: EXPIRED },
    ))
  it('a renewal that is not heard of: three days of grace, then expired, until it is', () =>
    run(
      { day: 0, says: stripeApi, delivers: [cardInvoice], is: PAID },
      { day: 32, is: RUN_OUT },
      { day: 34, is: EXPIRED },
      { day: 35, delivers: [renewed(SECOND_INVOICE)], is: PAID },
    ))
  it('a renewal that fails: past due in grace, past due, and paid again', () =>
    run(
      { day: 0, says: stripeApi, delivers: [cardInvoice], is: PAID },
      { day: 30, delivers: unpaid(SECOND_INVOICE), is: BEHIND },
      { day: 32, is: BEHIND },
      { day: 34, is: LOST },
      { day: 35, delivers: [renewed(SECOND_INVOICE)], is: PAID },
    ))
  it('canceled at the period end: paid until then, canceled from there', () =>
    run(
      { day: 0, says: stripeApi, delivers: [cardInvoice], is: PAID },
      { day: 10, delivers: [notRenewed], is: LEAVING },
      { day: 29, is: LEAVING },
      { day: 31, is: CANCELED },
      { day: 31, delivers: [deleted], is: CANCELED },
    ))
  it('a cancellation that is taken back changes nothing', () =>
    run(
      { day: 0, says: stripeApi, delivers: [cardInvoice], is: PAID },
      { day: 10, delivers: [notRenewed], is: LEAVING },
      { day: 11, delivers: [updated({ cancel_at_period_end: false }, { cancel_at_period_end: true })], is: PAID },
    ))
  it('a deleted subscription ends at once', () =>
    run({ day: 0, says: stripeApi, delivers: [cardInvoice], is: PAID }, { day: 10, delivers: [deleted], is: CANCELED }))
  it('a refund that names only the payment intent finds the invoice, in part and then in full', () =>
    run(
      { day: 0, says: stripeApi, delivers: [cardInvoice, linked], is: PAID },
      { day: 2, delivers: [partlyGivenBack], is: PAID },
      { day: 3, delivers: [givenBack], is: REFUNDED },
    ))
  it('a refund that comes before its payment intent is known waits for it', () =>
    run(
      { day: 0, says: stripeApi, delivers: [cardInvoice], is: PAID },
      { day: 2, delivers: [givenBack], is: PAID },
      { day: 2, delivers: [linked], is: REFUNDED },
    ))
  const withInvoicePayments = { says: (moment: Moment) => ({ ...stripeApi(moment), ...invoicePayments() }) }
  it('M4: a refund finds its invoice though the event that names both was lost', async () => {
    const lost: Step[] = [
      { day: 0, ...withInvoicePayments, delivers: [cardInvoice], is: PAID },
      { day: 1, ...withInvoicePayments, delivers: [partlyGivenBack], is: PAID },
      { day: 2, ...withInvoicePayments, delivers: [givenBack], is: REFUNDED },
    ]
    await run(...lost)
    await anyhow(service(), 'stripe', lost)
  })
  it('M4: a dispute finds its invoice though the event that names both was lost, by its charge alone too', async () => {
    const charged = {
      '/v1/charges/ch_TEST00000000000000000001': { id: 'ch_TEST00000000000000000001', payment_intent: 'pi_TEST00000000000000000001' },
    }
    const says = (moment: Moment) => ({ ...withInvoicePayments.says(moment), ...charged })
    const disputed = (changes: object): Step[] => [
      { day: 0, says, delivers: [cardInvoice], is: PAID },
      { day: 5, says, delivers: [stripe('charge.dispute.created', changes)], is: DISPUTED },
      {
        day: 9,
        says,
        delivers: [stripe('charge.dispute.created', { ...changes, status: 'lost' }, { type: 'charge.dispute.closed' })],
        is: REFUNDED,
      },
    ]
    await anyhow(service(), 'stripe', disputed({}))
    await anyhow(service(), 'stripe', disputed({ payment_intent: null }))
  })
  it('L2: a payment that is captured after the checkout is paid from then on, and one that is let go is over', async () => {
    const captured = { id: 'pi_TEST00000000000000000001', metadata: {}, receipt_email: null, capture_method: 'manual' }
    const waits = sold({ payment_status: 'unpaid', metadata: {}, payment_link: 'plink_1', id: 'cs_1' })
    const says = (moment: Moment) => {
      const session = { ...Object(partOf(partOf(waits(moment).body, 'data'), 'object')), status: 'complete' }
      return {
        '/v1/checkout/sessions?payment_intent=pi_TEST00000000000000000001&limit=1': { object: 'list', data: [session] },
        '/v1/checkout/sessions/cs_1/line_items': { object: 'list', data: [] },
      }
    }
    await anyhow(service(), 'stripe', [
      { day: 0, says, delivers: [waits], is: PENDING },
      { day: 2, says, delivers: [intent('succeeded', captured)], is: PAID },
      { day: 3, says, delivers: [givenBack], is: REFUNDED },
    ])
    await anyhow(service(), 'stripe', [
      { day: 0, says, delivers: [waits], is: PENDING },
      { day: 7, says, delivers: [intent('canceled', captured)], is: EXPIRED },
    ])
  })
  it('L2: the captured payment of no session, as an invoice has, is no event by itself', () =>
    run(
      { day: 0, says: stripeApi, delivers: [cardInvoice], is: PAID },
      {
        day: 1,
        says: () => ({ '/v1/checkout/sessions?payment_intent=pi_9&limit=1': { object: 'list', data: [] } }),
        delivers: [intent('succeeded', { id: 'pi_9', metadata: {}, capture_method: 'manual' })],
        is: PAID,
      },
    ))
  it('H2: an older invoice that is paid late, when a later one is paid, changes nothing', async () => {
    const seconds = (at: number) => Math.floor(at / 1000)
    const late = stripe('invoice.paid.renewal', ({ at, start }) => {
      const lines = { data: { 0: { period: { start: seconds(start + 30 * DAY), end: seconds(start + 60 * DAY) } } } }
      return { id: SECOND_INVOICE, created: seconds(start + 30 * DAY), lines, status_transitions: { paid_at: seconds(at) } }
    })
    await anyhow(service(), 'stripe', [
      { day: 0, says: stripeApi, delivers: [cardInvoice], is: PAID },
      { day: 30, delivers: unpaid(SECOND_INVOICE), is: BEHIND },
      { day: 60, delivers: [renewed(THIRD_INVOICE)], is: PAID },
      { day: 62, delivers: [late], is: PAID },
      { day: 89, is: PAID },
    ])
  })
  it('M2: a subscription that was ended is not brought back by the invoice for what it used', async () => {
    const subscription = 'sub_TEST00000000000000000001'
    const says = ({ start }: Moment) => ({
      ...stripeApi({ at: start, start }),
      [`/v1/subscriptions/${subscription}`]: {
        id: subscription,
        status: 'canceled',
        ended_at: Math.floor((start + 10 * DAY) / 1000),
        items: { data: [{ current_period_end: Math.floor((start + 30 * DAY) / 1000) }] },
      },
    })
    const used = stripe('invoice.paid.renewal', ({ at, start }) => {
      const lines = {
        data: { 0: { amount: 700, period: { start: Math.floor(start / 1000), end: Math.floor((start + 10 * DAY) / 1000) } } },
      }
      return {
        id: THIRD_INVOICE,
        amount_paid: 700,
        created: Math.floor(at / 1000),
        lines,
        status_transitions: { paid_at: Math.floor(at / 1000) },
      }
    })
    await anyhow(service(), 'stripe', [
      { day: 0, says, delivers: [cardInvoice], is: PAID },
      { day: 10, says, delivers: [deleted], is: CANCELED },
      { day: 10, says, delivers: [used], is: CANCELED },
      { day: 12, is: CANCELED },
    ])
  })
  const periodNow = ({ at }: Moment) => {
    const start = Math.floor(at / 1000)
    return { items: { data: { 0: { current_period_start: start, current_period_end: start + 30 * 86_400 } } } }
  }
  it('L3: a subscription whose invoice is voided is served as long as Stripe says so', async () => {
    const servedAgain = (moment: Moment) =>
      updated({ status: 'active', latest_invoice: SECOND_INVOICE, ...periodNow(moment) }, { status: 'past_due' })(moment)
    const voided = stripe('invoice.payment_failed', { id: SECOND_INVOICE, status: 'void' }, { type: 'invoice.voided' })
    const steps: Step[] = [
      { day: 0, says: stripeApi, delivers: [cardInvoice], is: PAID },
      { day: 30, delivers: unpaid(SECOND_INVOICE), is: BEHIND },
      { day: 32, delivers: [voided, servedAgain], is: PAID },
      { day: 60, is: PAID },
    ]
    await anyhow(service(), 'stripe', steps)
    await run(...steps, { day: 70, is: EXPIRED })
    await run(...steps.slice(0, 2), { day: 31, delivers: [voided], is: RUN_OUT }, { day: 36, is: EXPIRED })
    await anyhow(service(), 'stripe', [...steps.slice(0, 2), { day: 30, delivers: [servedAgain, renewed(SECOND_INVOICE)], is: PAID }])
  })
  it('a subscription whose collection is paused is served for nothing, until it is collected again or not paid', async () => {
    const free = (moment: Moment) => {
      const pause_collection = { behavior: 'mark_uncollectible', resumes_at: null }
      const renewal = { status: 'active', latest_invoice: SECOND_INVOICE, pause_collection, ...periodNow(moment) }
      return updated(renewal, { latest_invoice: 'in_TEST00000000000000000001' })(moment)
    }
    const uncollectible = stripe('invoice.payment_failed', { id: SECOND_INVOICE }, { type: 'invoice.marked_uncollectible' })
    const steps: Step[] = [
      { day: 0, says: stripeApi, delivers: [cardInvoice], is: PAID },
      { day: 30, delivers: [free, uncollectible], is: PAID },
      { day: 59, is: PAID },
    ]
    await anyhow(service(), 'stripe', steps)
    await run(...steps, { day: 70, is: EXPIRED })
    await run(...steps, { day: 60, delivers: [renewed(THIRD_INVOICE)], is: PAID }, { day: 89, is: PAID })
  })
  it('L4: an upgrade whose payment is declined takes nothing from the month that is paid', async () => {
    const declined = (moment: Moment) =>
      stripe('invoice.payment_failed', {
        id: SECOND_INVOICE,
        billing_reason: 'subscription_update',
        lines: { data: { 0: { period: { start: Math.floor(moment.at / 1000), end: Math.floor((moment.start + 30 * DAY) / 1000) } } } },
      })(moment)
    await anyhow(service(), 'stripe', [
      { day: 0, says: stripeApi, delivers: [cardInvoice], is: PAID },
      { day: 10, delivers: [declined, updated({ status: 'past_due', latest_invoice: SECOND_INVOICE }, { status: 'active' })], is: PAID },
      { day: 29, is: PAID },
    ])
  })
  it('L5: a refund that fails leaves what was bought, and one that is made again takes it', async () => {
    const failed = stripe('refund.created', { status: 'failed' }, { type: 'refund.failed' })
    await anyhow(service(), 'stripe', [
      { day: 0, delivers: [sold()], is: PAID },
      { day: 2, delivers: [givenBack], is: REFUNDED },
      { day: 9, delivers: [failed, stripe('refund.created', { status: 'failed' }, { type: 'charge.refund.updated' })], is: PAID },
      { day: 12, delivers: [givenBack], is: REFUNDED },
    ])
  })
  it('L5: of an invoice that two payments have paid the refund of one leaves it paid, of both does not', async () => {
    const second = { payment: { type: 'payment_intent', payment_intent: 'pi_2' } }
    const other = stripe('charge.refunded', { id: 'ch_2', payment_intent: 'pi_2', amount: 1_500, amount_refunded: 1_500 })
    const half = stripe('charge.refunded', { amount: 1_490, amount_refunded: 1_490 })
    await anyhow(service(), 'stripe', [
      { day: 0, says: stripeApi, delivers: [cardInvoice, linked, stripe('invoice_payment.paid', { id: 'inpay_2', ...second })], is: PAID },
      { day: 2, delivers: [half], is: PAID },
      { day: 3, delivers: [other], is: REFUNDED },
    ])
  })
  it('L5: a question of the bank takes nothing, unless it becomes a dispute', async () => {
    const inquiry = { status: 'warning_needs_response' }
    const updated = (status: string) => stripe('charge.dispute.created', { status }, { type: 'charge.dispute.updated' })
    await anyhow(service(), 'stripe', [
      { day: 0, delivers: [sold()], is: PAID },
      { day: 3, delivers: [stripe('charge.dispute.created', inquiry)], is: PAID },
      { day: 4, delivers: [updated('warning_under_review')], is: PAID },
      { day: 6, delivers: [closed('warning_closed')], is: PAID },
    ])
    await anyhow(service(), 'stripe', [
      { day: 0, delivers: [sold()], is: PAID },
      { day: 3, delivers: [stripe('charge.dispute.created', inquiry)], is: PAID },
      {
        day: 5,
        delivers: [updated('needs_response'), stripe('charge.dispute.created', {}, { type: 'charge.dispute.funds_withdrawn' })],
        is: DISPUTED,
      },
      { day: 9, delivers: [closed('lost')], is: REFUNDED },
    ])
  })
  it('the refund of a month that is past leaves the current one', () =>
    run(
      { day: 0, says: stripeApi, delivers: [cardInvoice, linked], is: PAID },
      { day: 30, delivers: [renewed(SECOND_INVOICE)], is: PAID },
      { day: 31, delivers: [givenBack], is: PAID },
    ))
  it('a dispute that is won gives back the access it took', () =>
    run(
      { day: 0, delivers: [sold()], is: PAID },
      { day: 5, delivers: [contested], is: DISPUTED },
      { day: 20, delivers: [closed('won')], is: PAID },
    ))
  it('a dispute that is lost is a refund', () =>
    run(
      { day: 0, says: stripeApi, delivers: [cardInvoice, linked], is: PAID },
      { day: 5, delivers: [contested], is: DISPUTED },
      { day: 20, delivers: [closed('lost')], is: REFUNDED },
    ))
  it('a dispute that names only the charge is that of the payment whose refund named it', () =>
    run(
      { day: 0, delivers: [sold()], is: PAID },
      { day: 1, delivers: [partlyGivenBack], is: PAID },
      { day: 2, delivers: [stripe('charge.dispute.created', { payment_intent: null })], is: DISPUTED },
    ))
  it('an endpoint of an old API version reports the same', () =>
    run(
      { day: 0, says: stripeApi, delivers: [oldInvoice], is: PAID },
      { day: 5, delivers: [oldNotRenewed], is: LEAVING },
      { day: 6, delivers: [stripe('charge.refunded', { invoice: 'in_TEST00000000000000000001' })], is: REFUNDED },
    ))
  it('a purchase after a refund counts, and the refund delivered again takes nothing back', () =>
    run(
      { day: 0, says: stripeApi, delivers: [cardInvoice, linked], is: PAID },
      { day: 3, delivers: [givenBack], is: REFUNDED },
      { day: 30, delivers: [renewed(THIRD_INVOICE)], is: PAID },
      { day: 31, delivers: [givenBack], is: PAID },
    ))
  it('a PIX without Checkout waits and is paid', () =>
    run({ day: 0, delivers: [intent('processing')], is: PENDING }, { day: 0, delivers: [intent('succeeded')], is: PAID }))
  it('a PIX without Checkout that is not paid in time expires', () =>
    run({ day: 0, delivers: [intent('processing')], is: PENDING }, { day: 1, delivers: [intent('canceled')], is: EXPIRED }))
  it('a subscription whose first invoice is never paid expires', () =>
    run(
      { day: 0, says: stripeApi, delivers: begun, is: PENDING },
      { day: 1, delivers: [updated({ status: 'incomplete_expired' }, { status: 'incomplete' })], is: EXPIRED },
    ))
  it('a subscription that is paused is served nothing until it is resumed', () =>
    run(
      { day: 0, says: stripeApi, delivers: [cardInvoice], is: PAID },
      { day: 5, delivers: [updated({ status: 'paused' }, { status: 'active' })], is: CANCELED },
      { day: 6, delivers: [updated({}, { status: 'paused' })], is: PAID },
    ))
  it('what is reported in two families of events counts once', () =>
    run(
      {
        day: 0,
        says: stripeApi,
        delivers: [cardInvoice, stripe('invoice.paid', {}, { type: 'invoice.payment_succeeded' }), linked],
        is: PAID,
      },
      { day: 3, delivers: [stripe('refund.created'), givenBack], is: REFUNDED },
    ))
  it('a checkout at which there was nothing to pay is paid', () =>
    run({ day: 0, delivers: [sold({ payment_status: 'no_payment_required', payment_intent: null, amount_total: 0 })], is: PAID }))
  it('a renewal that the buyer has to confirm, and then is overdue, is past due in grace until it is paid', () =>
    run(
      { day: 0, says: stripeApi, delivers: [cardInvoice], is: PAID },
      {
        day: 30,
        delivers: [stripe('invoice.payment_failed', { id: SECOND_INVOICE }, { type: 'invoice.payment_action_required' })],
        is: BEHIND,
      },
      { day: 31, delivers: [stripe('invoice.payment_failed', { id: SECOND_INVOICE }, { type: 'invoice.overdue' })], is: BEHIND },
      { day: 32, delivers: [renewed(SECOND_INVOICE)], is: PAID },
    ))
  it('a subscription that Stripe gives up to charge is past due, and over when it is deleted', () =>
    run(
      { day: 0, says: stripeApi, delivers: [cardInvoice], is: PAID },
      { day: 30, delivers: unpaid(SECOND_INVOICE), is: BEHIND },
      { day: 40, delivers: [updated({ status: 'unpaid', latest_invoice: SECOND_INVOICE }, { status: 'past_due' })], is: LOST },
      { day: 50, delivers: [deleted], is: CANCELED },
    ))
  it('a subscription that reports its pause and its resumption itself is served nothing between them', () =>
    run(
      { day: 0, says: stripeApi, delivers: [cardInvoice], is: PAID },
      { day: 5, delivers: [stripe('customer.subscription.created', plan, { type: 'customer.subscription.paused' })], is: CANCELED },
      { day: 6, delivers: [stripe('customer.subscription.created', plan, { type: 'customer.subscription.resumed' })], is: PAID },
    ))
  it('a warning of a dispute that is closed gives back the access it took, and one that was prevented takes none', () =>
    run(
      { day: 0, delivers: [sold()], is: PAID },
      { day: 3, delivers: [stripe('charge.dispute.created', { id: 'du_prevented', status: 'prevented' })], is: PAID },
      { day: 5, delivers: [contested], is: DISPUTED },
      { day: 20, delivers: [closed('warning_closed')], is: PAID },
    ))
  it('a card without Checkout that is refused leaves the buyer at the checkout, and a boleto that was not paid in time is over', async () => {
    await run(
      { day: 0, delivers: [intent('payment_failed', { last_payment_error: { payment_method: { type: 'card' } } })], is: PENDING },
      { day: 0, delivers: [intent('succeeded')], is: PAID },
    )
    await run(
      { day: 0, delivers: [intent('processing')], is: PENDING },
      { day: 4, delivers: [intent('payment_failed', { last_payment_error: { payment_method: { type: 'boleto' } } })], is: EXPIRED },
    )
  })
  it('what only reports progress, what another account sold, and what is not reported in full do nothing', () =>
    run(
      { day: 0, says: stripeApi, delivers: [cardInvoice, linked], is: PAID },
      {
        day: 1,
        delivers: [
          stripe('customer.subscription.created', {}, { type: 'customer.subscription.trial_will_end' }),
          stripe('checkout.session.completed', { status: 'expired' }, { type: 'checkout.session.expired' }),
          stripe('refund.created', {}, { type: 'refund.updated' }),
          stripe('refund.created', {}, { type: 'refund.failed' }),
          stripe('charge.dispute.created', {}, { type: 'charge.dispute.funds_reinstated' }),
          stripe('charge.dispute.created', { status: 'appeal_under_review' }, { type: 'charge.dispute.updated' }),
          (moment) => ({ body: edit(givenBack(moment).body, { account: 'acct_connected' }) }),
          () => ({ body: { id: 'evt_thin', object: 'v2.core.event', type: 'v1.charge.refunded' } }),
        ],
        is: PAID,
      },
    ))
  it('a long flow of Stripe, reversed and doubled, comes to the same', async () => {
    await anyhow(service(), 'stripe', longAtStripe)
  })
})
