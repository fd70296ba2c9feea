import { it } from 'node:test'
import { eachDatabase } from '../databases.ts'
import {
  anyhow,
  BEHIND,
  CANCELED,
  DISPUTED,
  EXPIRED,
  edit,
  inOrder,
  LEAVING,
  LOST,
  PAID,
  PENDING,
  REFUNDED,
  RUN_OUT,
  type Step,
} from '../flows.ts'
import {
  begun,
  cardInvoice,
  closed,
  contested,
  deleted,
  firstInvoice,
  givenBack,
  intent,
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
} from '../flows-stripe.ts'
import { startForSuite } from '../service.ts'

eachDatabase('Every flow that Stripe documents, from the delivery to check-access', (database) => {
  const service = startForSuite(database)
  const run = (...steps: Step[]) => inOrder(service(), 'stripe', steps)

  it('a card at the checkout pays at once, and a refund in full takes it back', () =>
    run({ day: 0, told: [sold()], is: PAID }, { day: 2, told: [givenBack], is: REFUNDED }))
  it('a boleto waits for its payment, which comes days later', () =>
    run(
      { day: 0, told: [voucher('completed.boleto_unpaid')], is: PENDING },
      { day: 3, told: [voucher('async_payment_succeeded')], is: PAID },
    ))
  it('a boleto that nobody pays expires', () =>
    run(
      { day: 0, told: [voucher('completed.boleto_unpaid')], is: PENDING },
      { day: 4, told: [voucher('async_payment_failed')], is: EXPIRED },
    ))
  it('a subscription by card is paid by its first invoice and renewed by the next', () =>
    run(
      { day: 0, says: stripeApi, told: [...begun, cardInvoice], is: PAID },
      { day: 29, is: PAID },
      { day: 30, told: [renewed(SECOND_INVOICE)], is: PAID },
      { day: 59, is: PAID },
    ))
  it('a subscription by boleto waits for its first invoice, and has five days of grace', () =>
    run(
      { day: 0, says: stripeApi, told: begun, is: PENDING },
      { day: 2, told: [firstInvoice('boleto')], is: PAID },
      { day: 36, is: RUN_OUT },
      { day: 38, is: EXPIRED },
    ))
  it('a renewal that is not heard of: three days of grace, then expired, until it is', () =>
    run(
      { day: 0, says: stripeApi, told: [cardInvoice], is: PAID },
      { day: 32, is: RUN_OUT },
      { day: 34, is: EXPIRED },
      { day: 35, told: [renewed(SECOND_INVOICE)], is: PAID },
    ))
  it('a renewal that fails: past due in grace, past due, and paid again', () =>
    run(
      { day: 0, says: stripeApi, told: [cardInvoice], is: PAID },
      { day: 30, told: unpaid(SECOND_INVOICE), is: BEHIND },
      { day: 32, is: BEHIND },
      { day: 34, is: LOST },
      { day: 35, told: [renewed(SECOND_INVOICE)], is: PAID },
    ))
  it('canceled at the period end: paid until then, canceled from there', () =>
    run(
      { day: 0, says: stripeApi, told: [cardInvoice], is: PAID },
      { day: 10, told: [notRenewed], is: LEAVING },
      { day: 29, is: LEAVING },
      { day: 31, is: CANCELED },
      { day: 31, told: [deleted], is: CANCELED },
    ))
  it('a cancellation that is taken back changes nothing', () =>
    run(
      { day: 0, says: stripeApi, told: [cardInvoice], is: PAID },
      { day: 10, told: [notRenewed], is: LEAVING },
      { day: 11, told: [updated({ cancel_at_period_end: false }, { cancel_at_period_end: true })], is: PAID },
    ))
  it('a deleted subscription ends at once', () =>
    run({ day: 0, says: stripeApi, told: [cardInvoice], is: PAID }, { day: 10, told: [deleted], is: CANCELED }))
  it('a refund that names only the payment intent finds the invoice, in part and then in full', () =>
    run(
      { day: 0, says: stripeApi, told: [cardInvoice, linked], is: PAID },
      { day: 2, told: [partlyGivenBack], is: PAID },
      { day: 3, told: [givenBack], is: REFUNDED },
    ))
  it('a refund that comes before its payment intent is known waits for it', () =>
    run(
      { day: 0, says: stripeApi, told: [cardInvoice], is: PAID },
      { day: 2, told: [givenBack], is: PAID },
      { day: 2, told: [linked], is: REFUNDED },
    ))
  it('the refund of a month that is past leaves the current one', () =>
    run(
      { day: 0, says: stripeApi, told: [cardInvoice, linked], is: PAID },
      { day: 30, told: [renewed(SECOND_INVOICE)], is: PAID },
      { day: 31, told: [givenBack], is: PAID },
    ))
  it('a dispute that is won gives back the access it took', () =>
    run({ day: 0, told: [sold()], is: PAID }, { day: 5, told: [contested], is: DISPUTED }, { day: 20, told: [closed('won')], is: PAID }))
  it('a dispute that is lost is a refund', () =>
    run(
      { day: 0, says: stripeApi, told: [cardInvoice, linked], is: PAID },
      { day: 5, told: [contested], is: DISPUTED },
      { day: 20, told: [closed('lost')], is: REFUNDED },
    ))
  it('a dispute that names only the charge is that of the payment whose refund named it', () =>
    run(
      { day: 0, told: [sold()], is: PAID },
      { day: 1, told: [partlyGivenBack], is: PAID },
      { day: 2, told: [stripe('charge.dispute.created', { payment_intent: null })], is: DISPUTED },
    ))
  it('an endpoint of an old API version tells the same', () =>
    run(
      { day: 0, says: stripeApi, told: [oldInvoice], is: PAID },
      { day: 5, told: [oldNotRenewed], is: LEAVING },
      { day: 6, told: [stripe('charge.refunded', { invoice: 'in_TEST00000000000000000001' })], is: REFUNDED },
    ))
  it('a purchase after a refund counts, and the refund told again takes nothing back', () =>
    run(
      { day: 0, says: stripeApi, told: [cardInvoice, linked], is: PAID },
      { day: 3, told: [givenBack], is: REFUNDED },
      { day: 30, told: [renewed(THIRD_INVOICE)], is: PAID },
      { day: 31, told: [givenBack], is: PAID },
    ))
  it('a PIX without Checkout waits and is paid', () =>
    run({ day: 0, told: [intent('processing')], is: PENDING }, { day: 0, told: [intent('succeeded')], is: PAID }))
  it('a PIX without Checkout that is not paid in time expires', () =>
    run({ day: 0, told: [intent('processing')], is: PENDING }, { day: 1, told: [intent('canceled')], is: EXPIRED }))
  it('a subscription whose first invoice is never paid expires', () =>
    run(
      { day: 0, says: stripeApi, told: begun, is: PENDING },
      { day: 1, told: [updated({ status: 'incomplete_expired' }, { status: 'incomplete' })], is: EXPIRED },
    ))
  it('a subscription that is paused is served nothing until it is resumed', () =>
    run(
      { day: 0, says: stripeApi, told: [cardInvoice], is: PAID },
      { day: 5, told: [updated({ status: 'paused' }, { status: 'active' })], is: CANCELED },
      { day: 6, told: [updated({}, { status: 'paused' })], is: PAID },
    ))
  it('what is told in two families of events counts once', () =>
    run(
      {
        day: 0,
        says: stripeApi,
        told: [cardInvoice, stripe('invoice.paid', {}, { type: 'invoice.payment_succeeded' }), linked],
        is: PAID,
      },
      { day: 3, told: [stripe('refund.created'), givenBack], is: REFUNDED },
    ))
  it('a checkout at which there was nothing to pay is paid', () =>
    run({ day: 0, told: [sold({ payment_status: 'no_payment_required', payment_intent: null, amount_total: 0 })], is: PAID }))
  it('a renewal that the buyer has to confirm, and then is overdue, is past due in grace until it is paid', () =>
    run(
      { day: 0, says: stripeApi, told: [cardInvoice], is: PAID },
      {
        day: 30,
        told: [stripe('invoice.payment_failed', { id: SECOND_INVOICE }, { type: 'invoice.payment_action_required' })],
        is: BEHIND,
      },
      { day: 31, told: [stripe('invoice.payment_failed', { id: SECOND_INVOICE }, { type: 'invoice.overdue' })], is: BEHIND },
      { day: 32, told: [renewed(SECOND_INVOICE)], is: PAID },
    ))
  it('a subscription that Stripe gives up to charge is past due, and over when it is deleted', () =>
    run(
      { day: 0, says: stripeApi, told: [cardInvoice], is: PAID },
      { day: 30, told: unpaid(SECOND_INVOICE), is: BEHIND },
      { day: 40, told: [updated({ status: 'unpaid', latest_invoice: SECOND_INVOICE }, { status: 'past_due' })], is: LOST },
      { day: 50, told: [deleted], is: CANCELED },
    ))
  it('a subscription that tells of its pause and its resumption itself is served nothing between them', () =>
    run(
      { day: 0, says: stripeApi, told: [cardInvoice], is: PAID },
      { day: 5, told: [stripe('customer.subscription.created', plan, { type: 'customer.subscription.paused' })], is: CANCELED },
      { day: 6, told: [stripe('customer.subscription.created', plan, { type: 'customer.subscription.resumed' })], is: PAID },
    ))
  it('a warning of a dispute that is closed gives back the access it took, and one that was prevented takes none', () =>
    run(
      { day: 0, told: [sold()], is: PAID },
      { day: 3, told: [stripe('charge.dispute.created', { id: 'du_prevented', status: 'prevented' })], is: PAID },
      { day: 5, told: [contested], is: DISPUTED },
      { day: 20, told: [closed('warning_closed')], is: PAID },
    ))
  it('a card without Checkout that is refused leaves the buyer at the checkout, and a boleto that was not paid in time is over', async () => {
    await run(
      { day: 0, told: [intent('payment_failed', { last_payment_error: { payment_method: { type: 'card' } } })], is: PENDING },
      { day: 0, told: [intent('succeeded')], is: PAID },
    )
    await run(
      { day: 0, told: [intent('processing')], is: PENDING },
      { day: 4, told: [intent('payment_failed', { last_payment_error: { payment_method: { type: 'boleto' } } })], is: EXPIRED },
    )
  })
  it('what only tells of progress, what another account sold, and what is not told in full do nothing', () =>
    run(
      { day: 0, says: stripeApi, told: [cardInvoice, linked], is: PAID },
      {
        day: 1,
        told: [
          stripe('customer.subscription.created', {}, { type: 'customer.subscription.trial_will_end' }),
          stripe('checkout.session.completed', { status: 'expired' }, { type: 'checkout.session.expired' }),
          stripe('refund.created', {}, { type: 'refund.updated' }),
          stripe('refund.created', {}, { type: 'refund.failed' }),
          ...['updated', 'funds_withdrawn', 'funds_reinstated'].map((word) =>
            stripe('charge.dispute.created', {}, { type: `charge.dispute.${word}` }),
          ),
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
