import { it } from 'node:test'
import { eachDatabase } from '../../support/databases.ts'
import {
  anyhow,
  BEHIND,
  both,
  CANCELED,
  DISPUTED,
  EXPIRED,
  edit,
  inOrder,
  iso,
  LEAVING,
  LOST,
  type Moment,
  NOTHING,
  PAID,
  PENDING,
  REFUNDED,
  type Step,
  vector,
} from '../../support/gateways/flows.ts'
import {
  boleto,
  changed,
  chargedBack,
  claim,
  invoiceOf,
  later,
  legacy,
  longAtMercadoPago,
  mercadopago,
  month,
  ofSubscription,
  onceApproved,
  order,
  payment,
  pix,
  preapproval,
  triedAgain,
  warning,
  withoutNext,
} from '../../support/gateways/flows-mercadopago.ts'
import { startForSuite } from '../../support/service.ts'

eachDatabase('Every flow that Mercado Pago documents, from the delivery to check-access', (database) => {
  const service = startForSuite(database)
  const run = (...steps: Step[]) => inOrder(service(), 'mercadopago', steps)

  it('a PIX waits and is approved', () => run({ day: 0, ...pix('pending'), is: PENDING }, { day: 0, ...pix('approved'), is: PAID }))
  it('a boleto waits and is approved days later', () =>
    run({ day: 0, ...boleto('pending'), is: PENDING }, { day: 4, ...boleto('approved'), is: PAID }))
  it('what nobody pays is cancelled, and has expired', () =>
    run({ day: 0, ...boleto('pending'), is: PENDING }, { day: 5, ...boleto('cancelled'), is: EXPIRED }))
  it('a card is approved at once, and refunded in part and then in full', () =>
    run(
      { day: 0, ...payment('approved'), is: PAID },
      { day: 2, ...later('approved', { status_detail: 'partially_refunded', transaction_amount_refunded: 20 }), is: PAID },
      { day: 3, ...later('refunded', { transaction_amount_refunded: 100.5 }), is: REFUNDED },
    ))
  it('a card that is rejected gives nothing, and the next attempt does', () =>
    run({ day: 0, ...payment('rejected'), is: EXPIRED }, { day: 0, ...payment('approved', {}, { id: 1234567891 }), is: PAID }))
  it('a mediation that is lost is a refund', () =>
    run(
      { day: 0, ...payment('approved'), is: PAID },
      { day: 5, ...later('in_mediation'), is: DISPUTED },
      { day: 9, ...later('refunded'), is: REFUNDED },
    ))
  it('a mediation that is won, which the claim alone reports, gives back the access', () =>
    run(
      { day: 0, ...payment('approved'), is: PAID },
      { day: 5, ...later('in_mediation'), is: DISPUTED },
      {
        day: 9,
        says: (moment) => ({
          ...later('approved').says(moment),
          '/post-purchase/v1/claims/55': {
            id: 55,
            resource: 'payment',
            resource_id: 1234567890,
            status: 'closed',
            last_updated: iso(moment.at),
          },
        }),
        delivers: [claim('55')],
        is: PAID,
      },
    ))
  it('a mediation that is won gives back the access where no claim reports it, but the payment is approved again', () =>
    run(
      { day: 0, ...payment('approved'), is: PAID },
      { day: 1, ...later('approved'), is: PAID },
      { day: 5, ...later('in_mediation'), is: DISPUTED },
      { day: 9, ...later('approved'), is: PAID },
      { day: 10, ...later('approved'), is: PAID },
      { day: 12, ...later('in_mediation'), is: DISPUTED },
      { day: 15, ...later('approved', { status_detail: 'partially_refunded', transaction_amount_refunded: 10 }), is: PAID },
      { day: 20, ...later('refunded'), is: REFUNDED },
    ))
  it('M3: a month whose end the subscription did not state yet is kept at cancellation', async () => {
    await anyhow(service(), 'mercadopago', [
      { day: 0, ...month(1, 0), is: PAID },
      { day: 10, ...preapproval('cancelled', 30), is: LEAVING },
      { day: 29, is: LEAVING },
    ])
    await run(
      { day: 0, ...month(1, 0), is: PAID },
      { day: 10, ...withoutNext(preapproval('cancelled', 0)), is: LEAVING },
      { day: 27, is: LEAVING },
      { day: 32, is: CANCELED },
    )
  })
  it('M3: a subscription that is over after its last charge is not served without end', () =>
    run(
      { day: 0, ...month(1, 30), is: PAID },
      { day: 30, ...both(withoutNext(preapproval('authorized', 0)), payment('approved', ofSubscription, { id: 2 })), is: PAID },
      { day: 66, is: EXPIRED },
    ))
  it('M3: a cancellation that states until when is paid keeps that where the payment states no cycle', () => {
    const plain = (one: ReturnType<typeof preapproval>) => changed(one, { auto_recurring: null })
    return run(
      { day: 0, ...both(plain(preapproval('authorized', 30)), payment('approved', ofSubscription, { id: 1 })), is: PAID },
      { day: 10, ...plain(preapproval('cancelled', 30)), is: LEAVING },
      { day: 31, is: CANCELED },
    )
  })
  const trial = (status: string, next: number) =>
    changed(preapproval(status, next), { auto_recurring: { free_trial: { frequency: 14, frequency_type: 'days' } } })
  it('L7: days of trial are served, and the first charge goes on from there', async () => {
    const begun: Step[] = [
      { day: 0, ...trial('pending', 14), is: PENDING },
      { day: 0, ...trial('authorized', 14), is: PAID },
      { day: 13, is: PAID },
    ]
    await anyhow(service(), 'mercadopago', [
      ...begun,
      { day: 14, ...both(trial('authorized', 44), payment('approved', ofSubscription, { id: 1 })), is: PAID },
    ])
    await run(...begun, { day: 20, is: EXPIRED })
    await run(...begun, { day: 13, ...trial('cancelled', 14), is: LEAVING }, { day: 15, is: CANCELED })
    await run({ day: 0, ...trial('pending', 14), is: PENDING }, { day: 1, ...trial('cancelled', 14), is: CANCELED })
  })
  it('L7: the payment that only proves a card buys nothing', () =>
    run(
      { day: 0, ...trial('authorized', 14), is: PAID },
      { day: 0, ...payment('approved', { ...ofSubscription, operation_type: 'card_validation' }, { id: 7 }), is: PAID },
      { day: 1, ...payment('refunded', { ...ofSubscription, operation_type: 'card_validation' }, { id: 7 }), is: PAID },
      { day: 20, is: EXPIRED },
    ))
  it('L8: a cancellation does not replace the address that was paid with', async () => {
    const ofOther = (one: ReturnType<typeof preapproval>) => changed(one, { payer_email: 'conta@example.com' })
    await anyhow(service(), 'mercadopago', [
      { day: 0, ...both(ofOther(preapproval('authorized', 30)), payment('approved', ofSubscription, { id: 1 })), is: PAID },
      { day: 10, ...ofOther(preapproval('cancelled', 30)), is: LEAVING },
    ])
  })
  it('a second mediation takes the access again, and is won again, by a claim of its own or the same one', () => {
    const won = (id: string) => ({
      says: (moment: Moment) => ({
        ...later('approved').says(moment),
        [`/post-purchase/v1/claims/${id}`]: {
          id,
          resource: 'payment',
          resource_id: 1234567890,
          status: 'closed',
          last_updated: iso(moment.at),
        },
      }),
      delivers: [claim(id)],
    })
    return run(
      { day: 0, ...payment('approved'), is: PAID },
      { day: 5, ...later('in_mediation'), is: DISPUTED },
      { day: 9, ...won('55'), is: PAID },
      { day: 12, ...later('in_mediation'), is: DISPUTED },
      { day: 15, ...won('55'), is: PAID },
      { day: 18, ...later('in_mediation'), is: DISPUTED },
      { day: 20, ...won('56'), is: PAID },
    )
  })
  it('a chargeback that is lost, reported by its own topic, is a refund', () =>
    run(
      { day: 0, ...payment('approved'), is: PAID },
      {
        day: 20,
        says: (moment) => ({
          ...chargedBack('in_process').says(moment),
          '/v1/chargebacks/chb_abc123': edit(vector('mercadopago/api.get_v1_chargebacks_id'), { payments: [1234567890] }),
        }),
        delivers: [mercadopago('topic_chargebacks_wh.GUESSED', 'chb_abc123')],
        is: DISPUTED,
      },
      { day: 60, ...chargedBack('settled'), is: REFUNDED },
    ))
  it('a chargeback that is won gives back the access', () =>
    run(
      { day: 0, ...payment('approved'), is: PAID },
      { day: 20, ...chargedBack('in_process'), is: DISPUTED },
      { day: 60, ...chargedBack('reimbursed'), is: PAID },
    ))
  it('a payment that is first asked for after part of it was given back is paid all the same', () =>
    run({ day: 2, ...later('approved', { status_detail: 'partially_refunded', transaction_amount_refunded: 20 }), is: PAID }))
  it('a payment that is first asked for after its chargeback was won is paid, and after a refund refunded', () =>
    run({ day: 60, ...chargedBack('reimbursed'), is: PAID }, { day: 61, ...later('refunded'), is: REFUNDED }))
  it('a payment that is first asked for after it was refunded is refunded', () => run({ day: 3, ...later('refunded'), is: REFUNDED }))
  it('a subscription is paid by its payments, renewed by the next, and paid until the end when it is cancelled', () =>
    run(
      { day: 0, ...preapproval('pending', 0), is: PENDING },
      { day: 0, ...month(1, 30), is: PAID },
      { day: 30, ...month(2, 60), is: PAID },
      { day: 40, ...preapproval('cancelled', 60), is: LEAVING },
      { day: 61, is: CANCELED },
    ))
  it('a renewal that is rejected: past due in grace, past due, and paid again', () =>
    run(
      { day: 0, ...month(1, 30), is: PAID },
      { day: 30, ...month(2, 30, 'rejected'), is: BEHIND },
      { day: 34, is: LOST },
      { day: 35, ...month(3, 60), is: PAID },
    ))
  it('notifications that come late and at once all see the payment as it is by then', () =>
    run({
      day: 0,
      says: payment('approved').says,
      delivers: Array.from({ length: 3 }, () => payment('approved').delivers).flat(),
      is: PAID,
    }))
  it('a month that is reported by its payment and by its charge is paid once', () =>
    run(
      { day: 0, ...both(month(1, 30), invoiceOf(1)), is: PAID },
      { day: 3, ...payment('refunded', (moment) => ({ ...ofSubscription, ...onceApproved(moment) }), { id: 1 }), is: REFUNDED },
    ))
  it('an order waits, is processed, and is refunded in part and in full', () =>
    run(
      { day: 0, ...order('action_required'), is: PENDING },
      { day: 0, ...order('processed', { status_detail: 'accredited' }), is: PAID },
      { day: 2, ...order('processed', { status_detail: 'partially_refunded', transactions: { refunds: [{ id: 'REF1' }] } }), is: PAID },
      { day: 3, ...order('refunded', { transactions: { refunds: [{ id: 'REF1' }, { id: 'REF2' }] } }), is: REFUNDED },
    ))
  it('an order that was paid with two cards is paid while one of them is, whichever is given back, and reported in whatever order', async () => {
    const cards = { transactions: { payments: [1, 2].map((id) => ({ id: `PAY${id}`, reference: { id: `${id}` } })) } }
    const amounts = { 1: { transaction_amount: 60 }, 2: { transaction_amount: 40 } }
    const paid = both(payment('approved', amounts[1], { id: 1 }), payment('approved', amounts[2], { id: 2 }))
    const back = (id: 1 | 2) => payment('refunded', (moment) => ({ ...onceApproved(moment), ...amounts[id] }), { id })
    const inPart = order('processed', { status_detail: 'partially_refunded', ...cards })
    for (const [one, other] of [
      [1, 2],
      [2, 1],
    ] as const) {
      await run(
        { day: 0, ...paid, is: PAID },
        { day: 1, ...order('processed', { status_detail: 'accredited', ...cards }), is: PAID },
        { day: 2, ...back(one), is: PAID },
        { day: 3, ...inPart, is: PAID },
        { day: 4, ...back(other), is: REFUNDED },
      )
      await run({ day: 0, ...paid, is: PAID }, { day: 2, ...both(inPart, back(one)), is: PAID }, { day: 4, ...back(other), is: REFUNDED })
    }
  })
  it('an order that nobody pays expires', () =>
    run({ day: 0, ...order('action_required'), is: PENDING }, { day: 1, ...order('expired'), is: EXPIRED }))
  it('a warning of fraud and a notification of the old form are received and do nothing', () =>
    run({ day: 0, ...payment('approved'), is: PAID }, { day: 1, delivers: [warning, legacy], is: PAID }))
  it('a PIX that nobody pays is cancelled, and has expired', () =>
    run({ day: 0, ...pix('pending'), is: PENDING }, { day: 1, ...pix('cancelled'), is: EXPIRED }))
  it('a card whose amount is only reserved gives nothing until it is taken, and nothing if it never is', async () => {
    await run({ day: 0, ...payment('authorized'), is: PENDING }, { day: 2, ...payment('approved'), is: PAID })
    await run({ day: 0, ...payment('authorized'), is: PENDING }, { day: 5, ...payment('cancelled'), is: EXPIRED })
  })
  it('a card that is looked at and then rejected waits no longer', () =>
    run({ day: 0, ...payment('in_process'), is: PENDING }, { day: 1, ...payment('rejected'), is: EXPIRED }))
  it('a mediation that its claim reports first takes the access', () =>
    run(
      { day: 0, ...payment('approved'), is: PAID },
      {
        day: 5,
        says: (moment) => ({
          ...later('in_mediation').says(moment),
          '/post-purchase/v1/claims/56': { id: 56, resource: 'payment', resource_id: 1234567890, status: 'opened' },
        }),
        delivers: [claim('56')],
        is: DISPUTED,
      },
    ))
  it('a chargeback is one under the topic’s other name, too', () =>
    run(
      { day: 0, ...payment('approved'), is: PAID },
      {
        day: 20,
        says: (moment) => ({
          ...chargedBack('in_process').says(moment),
          '/v1/chargebacks/chb_abc123': edit(vector('mercadopago/api.get_v1_chargebacks_id'), { payments: [1234567890] }),
        }),
        delivers: [mercadopago('topic_chargebacks_wh.GUESSED', 'chb_abc123', 'chargebacks')],
        is: DISPUTED,
      },
    ))
  it('a month whose charge is to be tried again, and has no payment yet, is past due in grace', () =>
    run({ day: 0, ...month(1, 30), is: PAID }, { day: 30, ...triedAgain, is: BEHIND }, { day: 31, ...month(2, 60), is: PAID }))
  it('an order that fails or is cancelled waits no longer, and one that stays processed when all is given back is refunded', async () => {
    await run({ day: 0, ...order('action_required'), is: PENDING }, { day: 0, ...order('failed'), is: EXPIRED })
    await run({ day: 0, ...order('created'), is: PENDING }, { day: 1, ...order('canceled'), is: EXPIRED })
    await run(
      { day: 0, ...order('processed', { status_detail: 'accredited' }), is: PAID },
      { day: 3, ...order('processed', { status_detail: 'refunded', transactions: { refunds: [{ id: 'REF1' }] } }), is: REFUNDED },
    )
  })
  it('plans and merchant orders are received and do nothing', () =>
    run({
      day: 0,
      delivers: ['subscription_preapproval_plan', 'topic_merchant_order_wh'].map((topic) => mercadopago('payment.updated', '1', topic)),
      is: NOTHING,
    }))
  it('a long flow of Mercado Pago, reversed and doubled, comes to the same', async () => {
    await anyhow(service(), 'mercadopago', longAtMercadoPago)
  })
})
