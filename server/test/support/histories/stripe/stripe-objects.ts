import type { Bill, Contract, Payment } from '../simulation/simulation.ts'

export interface Build {
  ids: ReturnType<typeof idsOf>
  name: string
  email: string
  isOld: boolean
  namesMethod: boolean
}

export const seconds = (at: number) => Math.floor(at / 1_000)

export function idsOf(name: string) {
  return {
    customer: `cus_${name}`,
    subscription: ({ n }: Contract) => `sub_${name}${n}`,
    session: ({ n }: Contract) => `cs_${name}${n}`,
    invoice: ({ n }: Bill) => `in_${name}${n}`,
    intent: ({ bill }: Payment) => `pi_${name}${bill.n}`,
    charge: ({ bill }: Payment) => `ch_${name}${bill.n}`,
    price: ({ plan, cycle, kind }: Pick<Contract, 'plan' | 'cycle'> & { kind?: string }) =>
      `price_${plan}_${kind === 'sale' ? 'once' : cycle}`,
    product: ({ plan }: Pick<Contract, 'plan'>) => `prod_${plan}`,
  }
}

/** The bill by which Stripe judges whether a subscription is behind. */
export function latestBillOf({ bills }: Contract): Bill | undefined {
  return bills.findLast(({ why }) => why !== 'usage')
}

function statusOf(contract: Contract): string {
  const { state, trialEnd, bills } = contract
  if (state === 'begun') return 'incomplete'
  if (state === 'over') return contract.endedAt === undefined ? 'incomplete_expired' : 'canceled'
  if (trialEnd !== undefined && bills.length === 1) return 'trialing'
  const latest = latestBillOf(contract)
  return latest?.state === 'open' && latest.attempts > 0 ? 'past_due' : 'active'
}

export function toSubscription(contract: Contract, { ids, isOld, namesMethod }: Build): object {
  const { canceledAt, endedAt, period, method } = contract
  const current = { current_period_start: seconds(period.from), current_period_end: seconds(period.to) }
  const items = [{ price: { id: ids.price(contract), product: ids.product(contract) }, ...(!isOld && current) }]
  if (contract.addOn) {
    const ofAddOn = { current_period_start: seconds(contract.startedAt), current_period_end: seconds(addOnEnd(contract)) }
    items.push({ price: { id: 'price_add_on_year', product: 'prod_add_on' }, ...(!isOld && ofAddOn) })
  }
  const latest = latestBillOf(contract)
  const isCanceled = canceledAt !== undefined
  return {
    id: ids.subscription(contract),
    object: 'subscription',
    customer: ids.customer,
    status: statusOf(contract),
    items: { object: 'list', data: items.map((item, n) => ({ id: `si_${n}`, object: 'subscription_item', ...item })) },
    ...(isOld && current),
    cancel_at_period_end: isCanceled && endedAt === undefined,
    cancel_at: isCanceled ? seconds(period.to) : null,
    canceled_at: isCanceled ? seconds(canceledAt) : endedAt === undefined ? null : seconds(endedAt),
    ended_at: endedAt === undefined ? null : seconds(endedAt),
    latest_invoice: latest ? ids.invoice(latest) : null,
    metadata: {},
    payment_settings: { payment_method_types: namesMethod ? [method] : null },
  }
}

function addOnEnd({ startedAt }: Contract): number {
  const end = new Date(startedAt)
  end.setUTCFullYear(end.getUTCFullYear() + 1)
  return end.getTime()
}

const REASONS = {
  trial: 'subscription_create',
  first: 'subscription_create',
  renewal: 'subscription_cycle',
  change: 'subscription_update',
  usage: 'manual',
  sale: 'manual',
} as const

export function toInvoice(bill: Bill, build: Build, form?: 'with_payments'): object {
  const { ids, isOld, namesMethod, email } = build
  const { contract, state, amount, attempts, madeAt, payment } = bill
  const subscription = ids.subscription(contract)
  const intent = `pi_${ids.invoice(bill).slice(3)}`
  const charge = `ch_${ids.invoice(bill).slice(3)}`
  const status = state === 'open' ? 'open' : state === 'void' ? 'void' : 'paid'
  return {
    id: ids.invoice(bill),
    object: 'invoice',
    billing_reason: REASONS[bill.why],
    status,
    created: seconds(madeAt),
    currency: 'brl',
    customer: ids.customer,
    customer_email: email,
    amount_due: amount,
    amount_paid: payment ? amount : 0,
    total: amount,
    attempt_count: attempts,
    metadata: {},
    status_transitions: { paid_at: payment ? seconds(payment.at) : null },
    payment_settings: { payment_method_types: namesMethod ? [contract.method] : null },
    lines: { object: 'list', data: linesOf(bill, build), has_more: false },
    ...(isOld
      ? { subscription, paid: state === 'paid', payment_intent: amount > 0 ? intent : null, charge: payment && amount > 0 ? charge : null }
      : { parent: { type: 'subscription_details', subscription_details: { subscription, metadata: {} } } }),
    ...(form && payment && amount > 0 && { payments: { object: 'list', data: [toInvoicePayment(payment, build)] } }),
  }
}

function linesOf(bill: Bill, { ids, isOld }: Build): object[] {
  const { contract, credits, prorations, from, to, amount } = bill
  const subscription = ids.subscription(contract)
  let n = 0
  const line = (price: string, product: string, paid: number, period: { from: number; to: number }, isProration: boolean) => ({
    id: `il_${bill.n}_${++n}`,
    object: 'line_item',
    amount: paid,
    period: { start: seconds(period.from), end: seconds(period.to) },
    metadata: {},
    ...(isOld
      ? { subscription, proration: isProration, type: isProration ? 'invoiceitem' : 'subscription', price: { id: price, product } }
      : {
          pricing: { price_details: { price, product }, type: 'price_details' },
          parent: isProration
            ? { type: 'invoice_item_details', invoice_item_details: { subscription, proration: true } }
            : { type: 'subscription_item_details', subscription_item_details: { subscription, proration: false } },
        }),
  })
  if (bill.why === 'usage') return [line('price_usage', 'prod_usage', amount, { from, to }, false)]
  const lines: object[] = []
  if (credits) lines.push(line(ids.price(credits), ids.product(credits), -credits.amount, { from, to: credits.of.to }, true))
  for (const [k, change] of prorations.entries()) {
    const before =
      k === 0
        ? (contract.bills.findLast((one) => one.n < bill.n && one.why !== 'usage' && one.state !== 'void') ?? bill)
        : (prorations[k - 1] ?? bill)
    lines.push(line(`price_${before.plan}_${bill.cycle}`, `prod_${before.plan}`, -1_000, change, true))
    lines.push(line(`price_${change.plan}_${bill.cycle}`, `prod_${change.plan}`, 1_100, change, true))
  }
  const isProration = credits !== undefined && credits.cycle === bill.cycle
  lines.push(line(ids.price(bill), ids.product(bill), credits ? amount + credits.amount : amount, { from, to }, isProration))
  if (contract.addOn && (bill.why === 'first' || bill.why === 'trial')) {
    lines.push(line('price_add_on_year', 'prod_add_on', 12_000, { from, to: addOnEnd(contract) }, false))
  }
  return lines
}

export function toInvoicePayment(payment: Payment, { ids }: Build) {
  const { bill, amount } = payment
  return {
    id: `inpay_${ids.invoice(bill).slice(3)}`,
    object: 'invoice_payment',
    invoice: ids.invoice(bill),
    status: 'paid',
    amount_paid: amount,
    currency: 'brl',
    payment: { type: 'payment_intent', payment_intent: ids.intent(payment) },
  }
}
