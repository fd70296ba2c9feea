import type { Bill, Contract, HistoryEvent, Simulation } from '../simulation/simulation.ts'
import type { GatewayApi, Sent, SimulatorRun } from '../simulator.ts'
import { idsOf, latestBillOf, seconds, toInvoice, toInvoicePayment, toSubscription } from './stripe-objects.ts'
import { toCharge, toDispute, toIntent, toRefund, toSession } from './stripe-payments.ts'

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

  const take = (historyEvent: HistoryEvent): Sent[] => {
    if (historyEvent.is === 'check') return []
    const { at, contract } = historyEvent
    contracts.set(ids.subscription(contract), contract)
    if (contract.kind === 'sale') {
      sales.add(contract)
      return sendSale(historyEvent)
    }
    switch (historyEvent.is) {
      case 'begun':
        return [event('customer.subscription.created', at, subscription(contract))]
      case 'billed':
        return historyEvent.bill.why === 'renewal' ? [updated(at, contract, { latest_invoice: 'in_before' })] : []
      case 'paid':
        return sendPaid(historyEvent)
      case 'failed': {
        const failed = invoice('invoice.payment_failed', at, historyEvent.bill)
        const isFirst = historyEvent.bill.why === 'first'
        return isFirst ? [failed] : [failed, updated(at, contract, { status: 'active' })]
      }
      case 'voided': {
        const wasBehind = historyEvent.bill === latestBillOf(contract)
        return [invoice('invoice.voided', at, historyEvent.bill), ...(wasBehind ? [updated(at, contract, { status: 'past_due' })] : [])]
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
        return sendReversal(historyEvent)
    }
  }
  const sendPaid = ({ at, contract, bill, payment }: HistoryEvent & { is: 'paid' }): Sent[] => {
    const isFirst = bill.why === 'first' || bill.why === 'trial'
    const wasBehind = bill.attempts > 1 && bill === latestBillOf(contract)
    const sent = [invoice('invoice.paid', at, bill)]
    if (bill.amount > 0 && !isOld) sent.push(event('invoice_payment.paid', at, toInvoicePayment(payment, build)))
    if (isFirst && bill.why !== 'trial') sent.push(updated(at, contract, { status: 'incomplete' }))
    else if (wasBehind) sent.push(updated(at, contract, { status: 'past_due' }))
    if (isFirst && hasCheckout) sent.push(event('checkout.session.completed', at, toSession(contract, build)))
    return sent
  }
  const sendSale = (historyEvent: Exclude<HistoryEvent, { is: 'check' }>): Sent[] => {
    const { at, contract } = historyEvent
    const session = (type: string) => event(`checkout.session.${type}`, at, toSession(contract, build))
    const waits = contract.method !== 'card'
    switch (historyEvent.is) {
      case 'begun':
        return waits ? [session('completed')] : []
      case 'paid':
        return [session(waits ? 'async_payment_succeeded' : 'completed')]
      case 'never_began':
        return waits ? [session('async_payment_failed')] : []
      default:
        return sendReversal(historyEvent)
    }
  }
  const sendReversal = (historyEvent: HistoryEvent): Sent[] => {
    const { at } = historyEvent
    switch (historyEvent.is) {
      case 'refunded': {
        const made = toRefund(historyEvent, build)
        return [event('charge.refunded', at, toCharge(historyEvent.payment, build)), event('refund.created', at, made)]
      }
      case 'refund_failed': {
        const failed = toRefund(historyEvent, build)
        return ['refund.updated', 'refund.failed'].map((type) =>
          event(type, at, failed, type === 'refund.updated' ? { status: 'succeeded' } : undefined),
        )
      }
      case 'disputed':
        return [event('charge.dispute.created', at, toDispute(historyEvent, build))]
      case 'decided':
        return [event('charge.dispute.closed', at, toDispute(historyEvent, build))]
      default:
        return []
    }
  }

  const now = { ...build, isOld: false }
  const find = (id: string, simulation: Simulation) => {
    for (const contract of simulation.contracts) {
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
  const answer = (url: URL, simulation: Simulation): unknown => {
    const [, , things = '', ...rest] = url.pathname.split('/')
    const [id, inner] = rest
    const list = (data: unknown[]) => ({ object: 'list', data, has_more: false })
    const ofSubscription = simulation.contracts.filter((contract) => ids.subscription(contract) === url.searchParams.get('subscription'))
    const payments = simulation.contracts.flatMap(({ bills }) => bills).flatMap(({ payment }) => payment ?? [])
    if (things === 'customers') return { id, object: 'customer', email }
    if (things === 'checkout') {
      if (rest[2] === 'line_items') {
        const sold = simulation.contracts.find((contract) => ids.session(contract) === inner)
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
    return id === undefined ? undefined : find(id, simulation)
  }
  return { rules: { resumes: true, dropsBills: false, lateDays: 1_000, namesMethod }, take, answer }
}

/** The gateway ids that the merchant has registered on the plans. */
export const STRIPE_REFS = {
  basic: ['price_basic_month', 'price_basic_year', 'prod_basic'],
  pro: ['price_pro_month', 'price_pro_year', 'prod_pro'],
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
