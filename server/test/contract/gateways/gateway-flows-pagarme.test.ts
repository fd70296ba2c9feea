import { it } from 'node:test'
import { eachDatabase } from '../../support/databases.ts'
import {
  anyhow,
  BEHIND,
  BUYER,
  CANCELED,
  DISPUTED,
  EXPIRED,
  edit,
  inOrder,
  LEAVING,
  LOST,
  NOTHING,
  PAID,
  PENDING,
  REFUNDED,
  RUN_OUT,
  type Step,
  vector,
} from '../../support/gateways/flows.ts'
import { delivers, endedAtPagarme, longAtPagarme, ofMonth, paidBy, sale, unpaidYet } from '../../support/gateways/flows-pagarme.ts'
import { startForSuite } from '../../support/service.ts'

eachDatabase('Every flow that Pagar.me documents, from the delivery to check-access', (database) => {
  const service = startForSuite(database, { environment: { PORTARIA_EXPERIMENTS: 'pagarme' } })
  const run = (...steps: Step[]) => inOrder(service(), 'pagarme', steps)

  it('a boleto at Pagar.me waits, and is paid days later', () =>
    run(
      { day: 0, delivers: [sale('pending', unpaidYet('boleto'))], is: PENDING },
      { day: 4, delivers: [sale('paid', paidBy('boleto'))], is: PAID },
    ))
  it('a PIX at Pagar.me waits and is paid', () =>
    run(
      { day: 0, delivers: [sale('pending', unpaidYet('pix'))], is: PENDING },
      { day: 0, delivers: [sale('paid', paidBy('pix'))], is: PAID },
    ))
  it('a boleto that was paid too much is paid, and one that was paid too little is not', () =>
    run(
      { day: 0, delivers: [sale('pending', unpaidYet('boleto'))], is: PENDING },
      { day: 3, delivers: [sale('underpaid', paidBy('boleto'))], is: PENDING },
      { day: 4, delivers: [sale('overpaid', paidBy('boleto')), sale('paid', paidBy('boleto'))], is: PAID },
    ))
  it('a card that is refused at Pagar.me gives nothing, and the next attempt does', () =>
    run(
      { day: 0, delivers: [sale('payment_failed', unpaidYet('credit_card'))], is: PENDING },
      { day: 0, delivers: [sale('paid', paidBy('credit_card'))], is: PAID },
    ))
  it('a card pays at once; a part given back leaves the access, all of it ends it', () =>
    run(
      { day: 0, delivers: [sale('paid')], is: PAID },
      { day: 1, delivers: [sale('partial_canceled', () => ({ canceled_amount: 3_000 }))], is: PAID },
      { day: 2, delivers: [sale('partial_canceled', () => ({ canceled_amount: 6_000 }))], is: PAID },
      { day: 3, delivers: [sale('refunded', () => ({ canceled_amount: 12_500, status: 'canceled' }))], is: REFUNDED },
    ))
  it('a refund at Pagar.me that comes before its payment waits for it', () =>
    run(
      { day: 2, delivers: [sale('refunded', () => ({ canceled_amount: 12_500, status: 'canceled' }))], is: NOTHING },
      { day: 2, delivers: [sale('paid')], is: REFUNDED },
    ))
  it('a chargeback at Pagar.me takes the access, and no event gives it back', () =>
    run(
      { day: 0, delivers: [sale('paid')], is: PAID },
      { day: 9, delivers: [sale('chargedback')], is: DISPUTED },
      { day: 60, is: DISPUTED },
    ))
  it('a purchase that is reported in three families of events counts once', () =>
    run({
      day: 0,
      delivers: [
        (moment) => ({ body: edit(vector('pagarme/order.paid'), delivers('order.paid', moment)) }),
        sale('created', unpaidYet('credit_card')),
        sale('paid'),
        (moment) => ({
          body: { ...delivers('invoice.paid', moment), data: { id: 'in_1', subscriptionId: 'sub_1', customer: { email: BUYER } } },
        }),
      ],
      is: PAID,
    }))
  it('a subscription is paid until its invoice’s period ends, in grace, then expired, until the next charge is paid', () =>
    run(
      { day: 0, ...ofMonth(1, 'paid'), is: PAID },
      { day: 29, is: PAID },
      { day: 31, is: RUN_OUT },
      { day: 34, is: EXPIRED },
      { day: 35, ...ofMonth(2, 'paid'), is: PAID },
    ))
  it('a renewal that fails at Pagar.me: past due in grace, past due, and paid again', () =>
    run(
      { day: 0, ...ofMonth(1, 'paid'), is: PAID },
      { day: 30, ...ofMonth(2, 'payment_failed', { paid_at: undefined }), is: BEHIND },
      { day: 34, is: LOST },
      { day: 35, ...ofMonth(2, 'paid'), is: PAID },
    ))
  it('a subscription that is canceled at Pagar.me stays paid until the end of its period', () =>
    run(
      { day: 0, ...ofMonth(1, 'paid'), is: PAID },
      { day: 10, delivers: [endedAtPagarme], is: LEAVING },
      { day: 29, is: LEAVING },
      { day: 31, is: CANCELED },
    ))
  it('H2: an older month at Pagar.me that is paid late, when a later one is paid, changes nothing', async () => {
    await anyhow(service(), 'pagarme', [
      { day: 0, ...ofMonth(1, 'paid'), is: PAID },
      { day: 30, ...ofMonth(2, 'payment_failed', { paid_at: undefined }), is: BEHIND },
      { day: 60, ...ofMonth(3, 'paid'), is: PAID },
      { day: 62, ...ofMonth(2, 'paid'), is: PAID },
      { day: 89, is: PAID },
    ])
  })
  it('the refund of a month that is past leaves the current one at Pagar.me too', () =>
    run(
      { day: 0, ...ofMonth(1, 'paid'), is: PAID },
      { day: 30, ...ofMonth(2, 'paid'), is: PAID },
      { day: 31, ...ofMonth(1, 'refunded', { canceled_amount: 150 }), is: PAID },
      { day: 32, ...ofMonth(2, 'refunded', { canceled_amount: 150 }), is: REFUNDED },
    ))
  it('a long flow of Pagar.me, reversed and doubled, comes to the same', async () => {
    await anyhow(service(), 'pagarme', longAtPagarme)
  })
})
