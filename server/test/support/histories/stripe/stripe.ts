import type { GatewayApi, Sent, SimulatorRun } from '../simulator.ts'
import { type Bill, type Contract, leftOf, type Payment, type StoryEvent, type World } from '../world/world.ts'

/**
 * Stripe, as far as Portaria sees it. A run has one API version: since 2025-03-31 (`basil`) events are built otherwise than before; its API
 * answers in the new form.
 */
export function openStripe({ name, email, chance }: SimulatorRun): GatewayApi {
  const isOld = chance(3) === 0
  const namesMethod = chance(2) === 0
  const hasCheckout = chance(3) > 0
  const ids = idsOf(name)
  const contracts = new Map<string, Contract>()
  const events: StripeEvent[] = []
  const sales = new Set<Contract>()
  let count = 0

  const event = (type: string, at: number, object: object, before?: object): Sent => {
    const body: StripeEvent = {
      id: `evt_${name}${++count}`,
      object: 'event',
      api_version: isOld ? '2024-06-20' : '2025-08-27.basil',
      type,
      created: seconds(at) + chance(3),
      livemode: true,
      data: { object, ...(before && { previous_attributes: before }) },
    }
    events.push(body)
    return { name: type, body }
  }
  const build = { ids, name, email, isOld, namesMethod }
  const subscription = (contract: Contract) => toSubscription(contract, build)
  const updated = (at: number, contract: Contract, before: object) =>
    event('customer.subscription.updated', at, subscription(contract), before)
  const invoice = (type: string, at: number, bill: Bill) => event(type, at, toInvoice(bill, build))

  const take = (storyEvent: StoryEvent): Sent[] => {
    if (storyEvent.is === 'look') return []
    const { at, contract } = storyEvent
    contracts.set(ids.subscription(contract), contract)
    if (contract.kind === 'sale') {
      sales.add(contract)
      return tellSale(storyEvent)
    }
    switch (storyEvent.is) {
      case 'begun':
        return [event('customer.subscription.created', at, subscription(contract))]
      case 'billed':
        return storyEvent.bill.why === 'renewal' ? [updated(at, contract, { latest_invoice: 'in_before' })] : []
      case 'paid':
        return tellPaid(storyEvent)
      case 'failed': {
        const failed = invoice('invoice.payment_failed', at, storyEvent.bill)
        const isFirst = storyEvent.bill.why === 'first'
        return isFirst ? [failed] : [failed, updated(at, contract, { status: 'active' })]
      }
      case 'voided': {
        const wasBehind = storyEvent.bill === latestBillOf(contract)
        return [invoice('invoice.voided', at, storyEvent.bill), ...(wasBehind ? [updated(at, contract, { status: 'past_due' })] : [])]
      }
      case 'changed':
        return [updated(at, contract, { items: { data: [] } })]
      case 'canceled':
        return [updated(at, contract, { cancel_at_period_end: false, cancel_at: null, canceled_at: null })]
      case 'resumed':
        return [
          updated(at, contract, { cancel_at_period_end: true, cancel_at: seconds(contract.period.to), canceled_at: seconds(at) - 60 }),
        ]
      case 'ended':
        return [event('customer.subscription.deleted', at, subscription(contract))]
      case 'never_began':
        return [updated(at, contract, { status: 'incomplete' })]
      default:
        return tellReversal(storyEvent)
    }
  }
  const tellPaid = ({ at, contract, bill, payment }: StoryEvent & { is: 'paid' }): Sent[] => {
    const isFirst = bill.why === 'first' || bill.why === 'trial'
    const wasBehind = bill.attempts > 1 && bill === latestBillOf(contract)
    const sent = [invoice('invoice.paid', at, bill)]
    if (bill.amount > 0 && !isOld) sent.push(event('invoice_payment.paid', at, toInvoicePayment(payment, build)))
    if (isFirst && bill.why !== 'trial') sent.push(updated(at, contract, { status: 'incomplete' }))
    else if (wasBehind) sent.push(updated(at, contract, { status: 'past_due' }))
    if (isFirst && hasCheckout) sent.push(event('checkout.session.completed', at, toSession(contract, build)))
    return sent
  }
  const tellSale = (storyEvent: Exclude<StoryEvent, { is: 'look' }>): Sent[] => {
    const { at, contract } = storyEvent
    const session = (type: string) => event(`checkout.session.${type}`, at, toSession(contract, build))
    const waits = contract.method !== 'card'
    switch (storyEvent.is) {
      case 'begun':
        return waits ? [session('completed')] : []
      case 'paid':
        return [session(waits ? 'async_payment_succeeded' : 'completed')]
      case 'never_began':
        return waits ? [session('async_payment_failed')] : []
      default:
        return tellReversal(storyEvent)
    }
  }
  const tellReversal = (storyEvent: StoryEvent): Sent[] => {
    const { at } = storyEvent
    switch (storyEvent.is) {
      case 'refunded': {
        const made = toRefund(storyEvent, build)
        return [event('charge.refunded', at, toCharge(storyEvent.payment, build)), event('refund.created', at, made)]
      }
      case 'refund_failed': {
        const failed = toRefund(storyEvent, build)
        return ['refund.updated', 'refund.failed'].map((type) =>
          event(type, at, failed, type === 'refund.updated' ? { status: 'succeeded' } : undefined),
        )
      }
      case 'disputed':
        return [event('charge.dispute.created', at, toDispute(storyEvent, build))]
      case 'decided':
        return [event('charge.dispute.closed', at, toDispute(storyEvent, build))]
      default:
        return []
    }
  }

  const now = { ...build, isOld: false }
  const find = (id: string, world: World) => {
    for (const contract of world.contracts) {
      if (ids.subscription(contract) === id) return toSubscription(contract, now)
      for (const bill of contract.bills) {
        if (ids.invoice(bill) === id) return toInvoice(bill, now, 'with_payments')
        const { payment } = bill
        if (!payment) continue
        if (ids.charge(payment) === id) return toCharge(payment, now)
        if (ids.intent(payment) === id) return toIntent(payment, now)
      }
    }
    return undefined
  }
  const answer = (url: URL, world: World): unknown => {
    const [, , things = '', ...rest] = url.pathname.split('/')
    const [id, inner] = rest
    const list = (data: unknown[]) => ({ object: 'list', data, has_more: false })
    const ofSubscription = world.contracts.filter((contract) => ids.subscription(contract) === url.searchParams.get('subscription'))
    const payments = world.contracts.flatMap(({ bills }) => bills).flatMap(({ payment }) => payment ?? [])
    if (things === 'customers') return { id, object: 'customer', email }
    if (things === 'checkout') {
      if (rest[2] === 'line_items') {
        const sold = world.contracts.find((contract) => ids.session(contract) === inner)
        return sold && list([{ id: 'li_1', price: { id: ids.price(sold), product: ids.product(sold) }, amount_total: 1 }])
      }
      return list(hasCheckout ? ofSubscription.map((contract) => toSession(contract, now)) : [])
    }
    if (things === 'events') return listEvents(events, url.searchParams)
    if (things === 'invoices' && id === undefined)
      return list(ofSubscription.flatMap(({ bills }) => bills.map((bill) => toInvoice(bill, now))).reverse())
    if (things === 'invoice_payments') {
      const intent = url.searchParams.get('payment[payment_intent]')
      const invoiceId = url.searchParams.get('invoice')
      const found = payments
        .filter(({ bill, amount }) => bill.why !== 'sale' && amount > 0)
        .map((payment) => ({ payment, shown: toInvoicePayment(payment, now) }))
      return list(
        found
          .filter(({ payment, shown }) => (invoiceId ? shown.invoice === invoiceId : ids.intent(payment) === intent))
          .map(({ shown }) => shown),
      )
    }
    if (things === 'charges' && id === undefined) {
      const intent = url.searchParams.get('payment_intent')
      return list(payments.filter((payment) => ids.intent(payment) === intent).map((payment) => toCharge(payment, now)))
    }
    if (things === 'refunds' && id === undefined) {
      const of = payments.filter((payment) =>
        [ids.charge(payment), ids.intent(payment)].includes(url.searchParams.get('charge') ?? url.searchParams.get('payment_intent') ?? ''),
      )
      return list(of.flatMap((payment) => payment.refunds.map((refund) => toRefund({ payment, refund }, now))))
    }
    return id === undefined ? undefined : find(id, world)
  }
  return { rules: { resumes: true, dropsBills: false, lateDays: 1_000, tellsMethod: namesMethod }, take, answer }
}

/** What the product's owner has registered on the plans. */
export const STRIPE_REFS = {
  basic: ['price_basic_month', 'price_basic_year', 'prod_basic'],
  pro: ['price_pro_month', 'price_pro_year', 'prod_pro'],
}

interface Build {
  ids: ReturnType<typeof idsOf>
  name: string
  email: string
  isOld: boolean
  namesMethod: boolean
}

interface StripeEvent {
  id: string
  object: 'event'
  api_version: string
  type: string
  created: number
  livemode: true
  data: { object: object; previous_attributes?: object }
}

const seconds = (at: number) => Math.floor(at / 1_000)

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
function latestBillOf({ bills }: Contract): Bill | undefined {
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

function toSubscription(contract: Contract, { ids, isOld, namesMethod }: Build): object {
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

function toInvoice(bill: Bill, build: Build, form?: 'with_payments'): object {
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

function toInvoicePayment(payment: Payment, { ids }: Build) {
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

function toIntent(payment: Payment, { ids }: Build): object {
  const { amount, bill } = payment
  const charge = ids.charge(payment)
  return {
    id: ids.intent(payment),
    object: 'payment_intent',
    status: 'succeeded',
    amount,
    currency: 'brl',
    latest_charge: charge,
    customer: bill.why === 'sale' ? null : ids.customer,
    metadata: {},
  }
}

function toCharge(payment: Payment, { ids, isOld, email }: Build): object {
  const { bill, amount } = payment
  const refunded = amount - leftOf(payment)
  const isSale = bill.why === 'sale'
  return {
    id: ids.charge(payment),
    object: 'charge',
    payment_intent: ids.intent(payment),
    ...(isOld && { invoice: isSale ? null : ids.invoice(bill) }),
    customer: isSale ? null : ids.customer,
    amount,
    amount_captured: amount,
    amount_refunded: refunded,
    refunded: refunded >= amount,
    captured: true,
    disputed: payment.disputes.length > 0,
    currency: 'brl',
    status: 'succeeded',
    billing_details: { email },
    payment_method_details: { type: bill.contract.method },
    metadata: {},
  }
}

function toRefund({ payment, refund }: Pick<StoryEvent & { is: 'refunded' }, 'payment' | 'refund'>, { ids, name }: Build): object {
  return {
    id: `re_${name}${refund.n}`,
    object: 'refund',
    amount: refund.amount,
    currency: 'brl',
    charge: ids.charge(payment),
    payment_intent: ids.intent(payment),
    status: refund.failedAt === undefined ? 'succeeded' : 'failed',
    created: seconds(refund.at),
    metadata: {},
  }
}

function toDispute({ payment, dispute }: Pick<StoryEvent & { is: 'disputed' }, 'payment' | 'dispute'>, { ids, name }: Build): object {
  const { isInquiry, outcome } = dispute
  const decided = isInquiry ? 'warning_closed' : outcome
  return {
    id: `dp_${name}${dispute.n}`,
    object: 'dispute',
    amount: payment.amount,
    currency: 'brl',
    charge: ids.charge(payment),
    payment_intent: ids.intent(payment),
    status: outcome === undefined ? (isInquiry ? 'warning_needs_response' : 'needs_response') : decided,
    created: seconds(dispute.at),
    metadata: {},
  }
}

function toSession(contract: Contract, { ids, email }: Build): object {
  const isSale = contract.kind === 'sale'
  const [bill] = contract.bills
  const isPaid = bill?.state === 'paid'
  return {
    id: ids.session(contract),
    object: 'checkout.session',
    mode: isSale ? 'payment' : 'subscription',
    status: 'complete',
    payment_status: isPaid ? (bill.amount > 0 ? 'paid' : 'no_payment_required') : 'unpaid',
    payment_intent: isSale && bill ? `pi_${ids.invoice(bill).slice(3)}` : null,
    subscription: isSale ? null : ids.subscription(contract),
    invoice: !isSale && bill ? ids.invoice(bill) : null,
    customer: isSale ? null : ids.customer,
    customer_details: { email },
    amount_total: bill?.amount ?? 0,
    currency: 'brl',
    payment_method_types: [contract.method],
    metadata: {},
  }
}

/** Newest first, by whole seconds, of the types asked for. */
function listEvents(events: readonly StripeEvent[], query: URLSearchParams): object {
  const types = query.getAll('types[]')
  const since = Number(query.get('created[gte]') ?? 0)
  const after = query.get('starting_after')
  const found = events.toReversed().filter(({ type, created }) => created >= since && (types.length === 0 || types.includes(type)))
  const rest = after === null ? found : found.slice(found.findIndex(({ id }) => id === after) + 1)
  const limit = Number(query.get('limit') ?? 10)
  return { object: 'list', data: rest.slice(0, limit), has_more: rest.length > limit }
}
