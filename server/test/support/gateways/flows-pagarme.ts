import {
  BEHIND,
  BUYER,
  DAY,
  type Delivered,
  DISPUTED,
  edit,
  iso,
  LEAVING,
  type Moment,
  PAID,
  PENDING,
  type Step,
  unique,
  vector,
} from './flows.ts'
import { PAGARME_ACCOUNT } from './pagarme.ts'

// Pagar.me's deliveries and answers, from samples of them, as if they were of now.

/** The charge at this moment. */
type ChargeNow = (moment: Moment) => object

/** A delivery of Pagar.me's about a charge that was made on the first day, without a subscription. */
export function sale(type: string, changes: ChargeNow = () => ({})) {
  return (moment: Moment): Delivered => ({
    body: edit(vector('pagarme/charge.paid.cash'), {
      ...delivers(`charge.${type}`, moment),
      data: {
        ...{ id: 'ch_1', status: type, payment_method: 'credit_card', customer: { email: BUYER }, paid_at: iso(moment.start) },
        ...{ order: { metadata: { plan_slug: 'curso' } }, created_at: iso(moment.start), updated_at: iso(moment.at) },
        ...changes(moment),
      },
    }),
  })
}

export function delivers(type: string, { at }: Moment) {
  return { id: `hook_${unique()}`, account: { id: PAGARME_ACCOUNT }, type, created_at: iso(at) }
}

export const unpaidYet = (payment_method: string) => () => ({
  payment_method,
  paid_at: undefined,
  paid_amount: undefined,
  status: 'pending',
})
export const paidBy = (payment_method: string) => (moment: Moment) => ({ payment_method, paid_at: iso(moment.at) })

/** A delivery about the charge of a month, counted from 1, of the subscription, and what the API says of its invoice. */
export function ofMonth(n: number, type: string, changes: object = {}) {
  const invoice = { id: `in_${n}`, subscriptionId: 'sub_1' }
  const says = ({ start }: Moment) => ({
    [`/invoices/in_${n}`]: edit(vector('pagarme/api.invoice.from-schema'), {
      id: `in_${n}`,
      subscription_id: 'sub_1',
      cycle: { start_at: iso(start + (n - 1) * 30 * DAY), end_at: iso(start + n * 30 * DAY) },
    }),
  })
  const delivered = (moment: Moment): Delivered => ({
    body: edit(vector('pagarme/api.hook.charge.paid.truncated'), {
      ...delivers(`charge.${type}`, moment),
      event: undefined,
      data: { id: `ch_${n}`, status: type, invoice, customer: { email: BUYER }, paid_at: iso(moment.at), ...changes },
    }),
  })
  return { says, delivers: [delivered] }
}

export const endedAtPagarme = (moment: Moment): Delivered => ({
  body: edit(vector('pagarme/subscription.canceled.guessed'), {
    ...delivers('subscription.canceled', moment),
    data: { id: 'sub_1', customer: { email: BUYER }, canceled_at: iso(moment.at) },
  }),
})

/** Three months, one of them late, one contested, one given back in part, and the end. */
export const longAtPagarme: Step[] = [
  { day: 0, ...ofMonth(1, 'pending', { paid_at: undefined, payment_method: 'boleto' }), is: PENDING },
  { day: 2, ...ofMonth(1, 'paid', { payment_method: 'boleto' }), is: PAID },
  { day: 5, ...ofMonth(1, 'partial_canceled', { canceled_amount: 50 }), is: PAID },
  { day: 30, ...ofMonth(2, 'payment_failed', { paid_at: undefined, last_transaction: { id: 'tran_a' } }), is: BEHIND },
  { day: 31, ...ofMonth(2, 'payment_failed', { paid_at: undefined, last_transaction: { id: 'tran_b' } }), is: BEHIND },
  { day: 32, ...ofMonth(2, 'paid'), is: PAID },
  { day: 40, ...ofMonth(2, 'chargedback'), is: DISPUTED },
  { day: 60, ...ofMonth(3, 'paid'), is: PAID },
  { day: 70, delivers: [endedAtPagarme], is: LEAVING },
]
