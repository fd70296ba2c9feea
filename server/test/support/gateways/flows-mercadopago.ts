import {
  BEHIND,
  BUYER,
  both,
  DAY,
  type Delivered,
  DISPUTED,
  edit,
  iso,
  LEAVING,
  type Moment,
  PAID,
  PENDING,
  partOf,
  type Step,
  unique,
  vector,
} from './flows.ts'

// Mercado Pago's deliveries and answers, from samples of them, as if they were of now.

const PREAPPROVAL = '2c938084814f6e6e018152a8c4350001'

/** A delivery of Mercado Pago's about a thing; it says nothing else. */
export function mercadopago(sample: string, id: string, topic?: string) {
  return (): Delivered => {
    const body = edit(vector(`mercadopago/${sample}`), { id: unique(), data: { id }, ...(topic && { type: topic, action: 'updated' }) })
    return { body, query: `?data.id=${id}&type=${partOf(body, 'type')}` }
  }
}

/** A payment in a state, and its notification. */
export function payment(
  status: string,
  changes: object | ((moment: Moment) => object) = {},
  { id = 1234567890, sample = 'card_approved' } = {},
) {
  const says = (moment: Moment) => {
    const { at, start } = moment
    const dates = { date_created: iso(start), date_approved: status === 'approved' ? iso(at) : null, date_last_updated: iso(at) }
    const detail = { status, status_detail: null, external_reference: 'curso', payer: { email: BUYER } }
    const own = typeof changes === 'function' ? changes(moment) : changes
    return { [`/v1/payments/${id}`]: edit(vector(`mercadopago/api.get_v1_payments_id.${sample}`), { id, ...dates, ...detail, ...own }) }
  }
  return { says, delivers: [mercadopago('payment.updated', String(id))] }
}

export const pix = (status: string) => payment(status, {}, { sample: 'pix_pending' })
export const boleto = (status: string, changes: object | ((moment: Moment) => object) = {}) =>
  payment(status, (moment) => ({
    payment_type_id: 'ticket',
    payment_method_id: 'bolbradesco',
    ...(typeof changes === 'function' ? changes(moment) : changes),
  }))
export const onceApproved = ({ start }: Moment) => ({ date_approved: iso(start) })
export const later = (status: string, changes: object = {}) => payment(status, (moment) => ({ ...onceApproved(moment), ...changes }))
export const chargedBack = (detail: string) => later('charged_back', { status_detail: detail })

/** The subscription, with its next payment in so many days since the flow began. */
export const preapproval = (status: string, next: number) => ({
  says: ({ at, start }: Moment) => ({
    [`/preapproval/${PREAPPROVAL}`]: edit(vector('mercadopago/api.get_preapproval_id'), {
      id: PREAPPROVAL,
      status,
      payer_email: BUYER,
      external_reference: 'curso',
      date_created: iso(start),
      last_modified: iso(at),
      next_payment_date: iso(start + next * DAY),
    }),
  }),
  delivers: [mercadopago('subscription_preapproval.GUESSED', PREAPPROVAL)],
})
/** The same subscription with more, or other, about it. */
export const changed = ({ says, delivers }: ReturnType<typeof preapproval>, changes: object) => ({
  says: (moment: Moment) => Object.fromEntries(Object.entries(says(moment)).map(([path, answer]) => [path, edit(answer, changes)])),
  delivers,
})
export const withoutNext = (one: ReturnType<typeof preapproval>) => changed(one, { next_payment_date: null })
export const ofSubscription = { point_of_interaction: { transaction_data: { subscription_id: PREAPPROVAL } }, external_reference: null }

/** A month of the subscription, taken from the card: its next payment is known by then. */
export const month = (id: number, next: number, status = 'approved') =>
  both(preapproval('authorized', next), payment(status, ofSubscription, { id }))

export const longAtMercadoPago: Step[] = [
  { day: 0, ...preapproval('pending', 0), is: PENDING },
  { day: 0, ...month(1, 30), is: PAID },
  { day: 10, ...payment('in_mediation', (moment) => ({ ...ofSubscription, ...onceApproved(moment) }), { id: 1 }), is: DISPUTED },
  {
    day: 14,
    says: (moment) => ({
      ...payment('approved', (m) => ({ ...ofSubscription, ...onceApproved(m) }), { id: 1 }).says(moment),
      '/post-purchase/v1/claims/55': { id: 55, resource: 'payment', resource_id: 1, status: 'closed', last_updated: iso(moment.at) },
    }),
    delivers: [claim('55')],
    is: PAID,
  },
  { day: 30, ...month(2, 30, 'rejected'), is: BEHIND },
  { day: 31, ...month(3, 60), is: PAID },
  { day: 40, ...preapproval('paused', 60), is: LEAVING },
  { day: 42, ...preapproval('authorized', 60), is: PAID },
  { day: 50, ...preapproval('cancelled', 60), is: LEAVING },
]

/** An order in a state, and its notification. */
export const order = (status: string, changes: object = {}) => {
  const id = 'ORD01JYH1Z1YJN4HZ8J3Q0RB3YP6D'
  const says = ({ at, start }: Moment) => {
    const dates = { date_created: iso(start), date_last_updated: iso(at) }
    const now = { id, status, status_detail: null, external_reference: 'curso', payer: { email: BUYER }, ...dates, ...changes }
    return { [`/v1/orders/${id}`]: edit(vector('mercadopago/api.get_v1_orders_id'), now) }
  }
  return { says, delivers: [mercadopago('order.processed', id)] }
}
/** A charge of the subscription that failed, before a payment is made for it again. */
export const triedAgain = {
  says: ({ at }: Moment) => ({
    '/authorized_payments/7012345679': edit(vector('mercadopago/api.get_authorized_payments_id.FROM_SCHEMA'), {
      ...{ id: 7012345679, preapproval_id: PREAPPROVAL, status: 'recycling', payment: undefined, last_modified: iso(at) },
    }),
  }),
  delivers: [mercadopago('subscription_authorized_payment.GUESSED', '7012345679')],
}
/** The charge of a month as the subscription's own topic reports it; the payment that was made for it is named there. */
export const invoiceOf = (paymentId: number) => ({
  says: () => ({
    '/authorized_payments/7012345678': edit(vector('mercadopago/api.get_authorized_payments_id.FROM_SCHEMA'), {
      payment: { id: paymentId },
    }),
  }),
  delivers: [mercadopago('subscription_authorized_payment.GUESSED', '7012345678')],
})

export const warning = (): Delivered => ({
  body: vector('mercadopago/stop_delivery_op_wh'),
  query: '?data.id=58980959081&type=stop_delivery_op_wh',
})
export const legacy = (): Delivered => ({ body: { resource: '1234567890', topic: 'payment' }, query: '?topic=payment&id=1234567890' })

export function claim(id: string) {
  return (): Delivered => {
    const body = edit(vector('mercadopago/payment.updated'), {
      id: unique(),
      type: 'topic_claims_integration_wh',
      action: 'updated',
      data: { id },
    })
    return { body, query: `?data.id=${id}&type=topic_claims_integration_wh` }
  }
}
