let events = 0
const unique = () => `${Date.now().toString(36)}${(++events).toString(36)}`

export function stripeEvent(type: string, object: object, { at = Date.now(), id = `evt_${unique()}` }: { at?: number; id?: string } = {}) {
  return { id, object: 'event', type, created: Math.floor(at / 1000), livemode: true, data: { object } }
}

/** A checkout session of Stripe's by which one payment was made. */
export function sale(intent: string, email: string | undefined, { at, ...more }: { at?: number } & Record<string, unknown> = {}) {
  const object = {
    id: `cs_${intent}`,
    object: 'checkout.session',
    mode: 'payment',
    payment_status: 'paid',
    payment_intent: intent,
    customer_details: { email: email ?? null },
    amount_total: 9_990,
    currency: 'brl',
    metadata: { plan_slug: 'curso' },
    ...more,
  }
  return stripeEvent('checkout.session.completed', object, at === undefined ? {} : { at })
}

/** Its refund in full. */
export function refundOf(intent: string, { at }: { at?: number } = {}) {
  const object = { id: `ch_${intent}`, object: 'charge', payment_intent: intent, amount: 9_990, amount_refunded: 9_990, refunded: true }
  return stripeEvent('charge.refunded', object, at === undefined ? {} : { at })
}

/** A paid invoice of a subscription at Stripe, for 30 days. */
export function invoicePaid(
  subscription: string,
  email: string,
  { at = Date.now(), invoice = `in_${subscription}`, ...more }: { at?: number; invoice?: string } & Record<string, unknown> = {},
) {
  const start = Math.floor(at / 1000)
  const line = {
    amount: 9_990,
    period: { start, end: start + 30 * 86_400 },
    parent: { subscription_item_details: { subscription } },
  }
  const object = {
    id: invoice,
    object: 'invoice',
    status: 'paid',
    customer_email: email,
    amount_paid: 9_990,
    currency: 'brl',
    parent: { subscription_details: { subscription, metadata: { plan_slug: 'curso' } } },
    status_transitions: { paid_at: start },
    lines: { data: [line] },
    ...more,
  }
  return stripeEvent('invoice.paid', object, { at })
}

/** A charge of Asaas's that was paid, as it delivers it and as its API shows it. */
export function charge(id: string, more: object = {}) {
  const day = new Date().toISOString().slice(0, 10)
  return {
    id,
    customer: `cus_${id}`,
    value: 99.9,
    billingType: 'PIX',
    status: 'RECEIVED',
    dueDate: day,
    paymentDate: day,
    externalReference: 'curso',
    ...more,
  }
}

/** A delivery of Asaas's about a charge. */
export function asaasEvent(event: string, payment: object) {
  return { id: `evt_${unique()}&1`, event, payment }
}

/** A delivery of Mercado Pago's about a payment, with the query that it comes with. */
export function mercadopagoEvent(id: string, { type = 'payment' }: { type?: string } = {}) {
  return { body: { id: unique(), type, action: `${type}.updated`, data: { id } }, query: `?data.id=${id}&type=${type}` }
}

/** A payment as Mercado Pago's API shows it. */
export function mercadopagoPayment(id: string, email: string, more: object = {}) {
  const at = new Date().toISOString()
  return {
    id: Number(id),
    status: 'approved',
    status_detail: 'accredited',
    currency_id: 'BRL',
    transaction_amount: 99.9,
    payment_type_id: 'credit_card',
    date_created: at,
    date_approved: at,
    date_last_updated: at,
    payer: { email },
    external_reference: 'curso',
    ...more,
  }
}
